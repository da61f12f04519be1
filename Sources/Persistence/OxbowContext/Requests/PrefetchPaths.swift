public import OxbowModel

/// The relationships that a fetch reads ahead, as paths of any length.
///
/// ```swift
/// context.fetch(Book.self, prefetching: [\.author?.books, \.tags])
/// context.fetch(Book.self, prefetching: .named("author.books", "tags"))
/// ```
///
/// A path reads all of its levels: `\.author?.books` the authors, then all of their books. Each
/// level is one statement, for all objects of the level at once. Steps that paths have in common
/// are read once, and a path may return to where it was (`\.author?.books.author`).
///
/// If only entities below have a relationship, write the path by its names.
public struct PrefetchPaths<Root: ManagedObject>: Sendable, Hashable {
  /// The paths, each with the names of its steps.
  public let paths: [[String]]

  /// Why the paths cannot be used, or `nil`.
  private let problem: String?

  /// No paths: relationships are read with their first access.
  public init() {
    paths = []
    problem = nil
  }

  /// Creates paths from texts of names that are joined by dots.
  public init(_ paths: [String]) {
    self.paths = paths.map {
      $0.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
    problem = nil
  }

  /// Paths as texts of names that are joined by dots: `.named("author.books", "tags")`.
  public static func named(_ paths: String...) -> Self { Self(paths) }

  /// Whether nothing is read ahead.
  public var isEmpty: Bool { paths.isEmpty && problem == nil }

  /// The paths as a tree.
  ///
  /// - Throws: ``PersistenceError`` with code `unknownProperty` for a step that is not a stored
  ///   property.
  func tree() throws(PersistenceError) -> PrefetchTree {
    if let problem { throw PersistenceError(.unknownProperty, problem) }
    var tree = PrefetchTree()
    for path in paths { tree.insert(path[...]) }
    return tree
  }
}

extension PrefetchPaths: ExpressibleByArrayLiteral where Root: ModelObject {
  /// A path of relationships.
  public typealias ArrayLiteralElement = PartialKeyPath<RelationshipPath<Root>>

  /// Creates paths from key paths: `[\.author?.books, \.tags]`.
  public init(arrayLiteral elements: ArrayLiteralElement...) {
    var paths: [[String]] = []
    var problem: String?
    for element in elements {
      let end = RelationshipPath<Root>()[keyPath: element] as? any RelationshipPathEnd
      let (names, found) = end?.pathSteps.names ?? ([], nil)
      if let found, problem == nil {
        problem = "relationships of '\(Root.self)' cannot be prefetched: \(found)"
      }
      paths.append(names)
    }
    self.paths = paths
    self.problem = problem
  }
}

/// Paths with their common beginnings joined.
struct PrefetchTree {
  /// The next steps, in the order in which they were named.
  private(set) var steps: [Step] = []

  struct Step {
    let name: String
    var tree = PrefetchTree()
  }

  mutating func insert(_ path: ArraySlice<String>) {
    guard let name = path.first else { return }
    if let known = steps.firstIndex(where: { $0.name == name }) {
      steps[known].tree.insert(path.dropFirst())
    } else {
      var step = Step(name: name)
      step.tree.insert(path.dropFirst())
      steps.append(step)
    }
  }
}
