public import OxbowContainer
internal import OxbowFoundation
public import OxbowModel

/// Makes a model out of model documents and classes, merged.
///
/// In a file:
///
/// ```xml
/// <object id="model" class="ModelFactory">
///   <property name="paths" value="Files.xcdatamodeld, Labels.xcdatamodel"/>
/// </object>
/// ```
public final class ModelFactory: FactoryObject {
  /// The paths of `.xcdatamodel` and `.xcdatamodeld` documents, separated by commas; when empty,
  /// all such documents of ``directory``.
  ///
  /// A relative path starts at ``directory``.
  public var paths = ""

  /// Where relative paths start; by default the current directory.
  public var directory = ""

  /// The paths of further documents, for use in code: each as it is, commas included.
  public var documents: [String] = []

  /// Classes that declare further entities.
  public var classes: EntityClasses = EntityClasses()

  /// The entities of configurations, for use in code: with those of documents, which they replace
  /// where the names are equal.
  public var configurations = [String: [String]]()

  /// Creates a factory without documents.
  public init() {}

  /// Makes the model.
  ///
  /// - Throws: ``PersistenceError``: `invalidModel` with the place in a document, `modelConflict`
  ///   with every difference between the documents.
  public func object() throws -> ManagedObjectModel {
    let documents = try documentPaths().map { try ModelDocument(contentsOf: resolve($0)).model }
    let declared = classes.types.isEmpty ? [] : [ManagedObjectModel(types: classes.types)]
    guard !(documents + declared).isEmpty else {
      throw PersistenceError(
        .invalidModel,
        "the model factory has neither documents nor classes; set its property 'paths' or 'classes'"
      )
    }
    let model = try ManagedObjectModel.merging(documents + declared)
    guard !configurations.isEmpty else { return model }
    return model.with(
      configurations: model.configurations.merging(configurations) { _, new in new })
  }

  private func documentPaths() throws -> [String] {
    let listed =
      documents
      + paths.split(separator: ",").map { $0.trimming(while: \.isWhitespace) }
      .filter { !$0.isEmpty }
    guard listed.isEmpty, !directory.isEmpty else { return listed }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
        .filter { $0.hasSuffix(".xcdatamodel") || $0.hasSuffix(".xcdatamodeld") }
    } catch {
      throw PersistenceError(
        .invalidModel, "the model factory's directory '\(directory)' cannot be read: \(error)")
    }
  }

  private func resolve(_ path: String) -> String {
    path.hasPrefix("/") || directory.isEmpty ? path : directory + "/" + path
  }
}

extension Substring {
  fileprivate func trimming(while condition: (Character) -> Bool) -> String {
    var rest = self.drop(while: condition)
    while let last = rest.last, condition(last) { rest.removeLast() }
    return String(rest)
  }
}

/// The classes of entities, as one value that a container can hand on.
public struct EntityClasses: Sendable {
  /// The classes.
  public let types: [any ModelObject.Type]

  /// Collects classes.
  public init(_ types: any ModelObject.Type...) { self.types = types }

  /// Takes over a list of classes.
  public init(_ types: [any ModelObject.Type]) { self.types = types }
}
