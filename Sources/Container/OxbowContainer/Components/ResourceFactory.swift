public import OxbowFoundation

/// A file that belongs to a program, found by convention.
public struct Resource: Sendable, Hashable {
  /// Where the file is.
  public let url: URL
  /// The variant that was found; nil for the plain file.
  public let variant: String?

  /// What the file holds.
  public func data() throws -> Data { try Data(contentsOf: url) }

  /// What the file holds, as UTF-8.
  public func text() throws -> String { try String(contentsOf: url, encoding: .utf8) }
}

/// Finds a resource by name, the one for a variant before the plain one.
///
/// For name `menu`, extension `json` and variants `tablet` and `large` these files are tried, in
/// this order: `menu-tablet.json`, `menu-large.json`, `menu.json`. Files may name the factory as it
/// is:
///
/// ```xml
/// <object id="menu" class="ResourceFactory">
///   <property name="name" value="menu"/>
///   <property name="fileExtension" value="json"/>
///   <property name="folder" value="/usr/share/app"/>
///   <property name="variant" value="tablet"/>
/// </object>
/// ```
public final class ResourceFactory: FactoryObject {
  /// The name of the file without variant and extension.
  public var name = ""
  /// The extension without a dot; none when empty.
  public var fileExtension = ""
  /// Where the files are; the current folder unless it is set.
  public var folder: URL?
  /// A variant that goes first.
  public var variant: String?
  /// Variants that come after ``variant``, in order.
  public var variants: [String] = []

  /// Creates a factory that has no name yet.
  public init() {}

  /// Finds the resource.
  ///
  /// - Throws: ``ContainerError``: `factoryIncomplete` without a name, `missingResource` with the
  ///   files that were tried, and for a name or variant that leads out of the folder.
  public func object() throws -> Resource {
    guard !name.isEmpty else {
      throw ContainerError(
        .factoryIncomplete("ResourceFactory", property: "name"), task: "find a resource")
    }
    for part in [name, fileExtension] + variants + [variant ?? ""] { try checkInside(part) }
    let folder = folder ?? URL(filePath: FileManager.default.currentDirectoryPath)
    let all: [String?] = [variant].filter { $0 != nil } + variants + [nil]
    let files = all.map { variant in
      Resource(url: folder.appending(path: fileName(for: variant)), variant: variant)
    }
    let found = files.first { FileManager.default.fileExists(atPath: $0.url.path) }
    guard let found else {
      throw ContainerError(
        .missingResource(name, tried: files.map(\.url.path)), task: "find a resource")
    }
    return found
  }

  /// A resource may be in a folder of the folder, and nowhere else.
  private func checkInside(_ part: String) throws {
    let steps = part.split(separator: "/", omittingEmptySubsequences: false)
    guard part.hasPrefix("/") || steps.contains("..") else { return }
    throw ContainerError(.outsideOfFolder(part), task: "find a resource")
  }

  private func fileName(for variant: String?) -> String {
    let base = variant.map { "\(name)-\($0)" } ?? name
    return fileExtension.isEmpty ? base : "\(base).\(fileExtension)"
  }
}

extension ResourceFactory: Component {
  /// What files can do with the class.
  public nonisolated static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      ResourceFactory.self, name: "ResourceFactory", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { ResourceFactory() }],
      properties: [
        .property(
          "name", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, get: { $0.name }, set: { $0.name = $1 }),
        .property(
          "fileExtension", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, get: { $0.fileExtension },
          set: { $0.fileExtension = $1 }),
        .property(
          "folder", URL.self, typeName: "URL?", sendability: .of(), isOptional: true,
          accepts: { $0 is URL.Type }, get: { $0.folder }, set: { $0.folder = $1 },
          clear: { $0.folder = nil }),
        .property(
          "variant", String.self, typeName: "String?", sendability: .of(), isOptional: true,
          accepts: { $0 is String.Type }, get: { $0.variant }, set: { $0.variant = $1 },
          clear: { $0.variant = nil }),
        .property(
          "variants", [String].self, typeName: "[String]", sendability: .of(),
          accepts: { $0 is String.Type }, get: { $0.variants }, set: { $0.variants = $1 }),
      ])
  }
}
