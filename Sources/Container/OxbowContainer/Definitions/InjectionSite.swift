package import OxbowDocuments

/// Where something is injected: a path inside of a definition, and where the definition says so.
///
/// The only writer of texts such as `property "captain"` and `property "crew", element 2`.
package struct InjectionSite: Sendable {
  /// The steps from a definition to a point of injection; texts are made when there is a message.
  ///
  /// Most have one step, which needs no memory of its own (`docs/performance.md`, K/xml).
  package enum Path: Sendable {
    case property(String)
    case argument(String)
    /// A property of what the factory of the definition makes.
    case productProperty(String)
    indirect case element(Int, of: Path)
    indirect case entry(String, of: Path)
    /// A path inside of a definition in place, which itself is at another path.
    indirect case inner(Path, of: Path)
    /// What no assignment sets; the text says what it is.
    case other(@Sendable () -> String)
  }

  package let path: Path
  /// Where the definition sets it.
  package let location: SourceLocation?
  /// Where the value begins.
  let valueLocation: SourceLocation?

  init(_ path: Path, at location: SourceLocation?, valueAt: SourceLocation?? = nil) {
    self.path = path
    self.location = location
    self.valueLocation = valueAt ?? location
  }

  init(_ path: Path, of assignment: PropertyAssignment) {
    self.path = path
    self.location = assignment.location
    self.valueLocation = assignment.valueLocation
  }

  /// One element of the collection at this site, counted from 0.
  func element(_ index: Int, at location: SourceLocation?) -> InjectionSite {
    part(.element(index + 1, of: path), at: location)
  }

  /// One value of the dictionary at this site.
  package func entry(_ key: String, at location: SourceLocation?) -> InjectionSite {
    part(.entry(key, of: path), at: location)
  }

  private func part(_ path: Path, at location: SourceLocation?) -> InjectionSite {
    InjectionSite(path, at: location ?? self.location, valueAt: .some(location ?? valueLocation))
  }

  /// The site for messages: `object "knight", property "quest"`.
  package func text(in owner: String) -> String { "object \"\(owner)\", \(path.text)" }
}

extension InjectionSite.Path {
  /// The path for messages: `property "crew", element 2`.
  package var text: String {
    switch self {
    case .property(let name): "property \"\(name)\""
    case .argument(let label): "initializer argument \"\(label)\""
    case .productProperty(let name): "product property \"\(name)\""
    case .element(let number, let whole): "\(whole.text), element \(number)"
    case .entry(let key, let whole): "\(whole.text), key \"\(key)\""
    case .inner(let path, let outer): "\(outer.text), \(path.text)"
    case .other(let describe): describe()
    }
  }

  /// The path for names: `crew[2]`.
  var name: String {
    switch self {
    case .property(let name): name
    case .argument(let label): "init.\(label)"
    case .productProperty(let name): "product.\(name)"
    case .element(let number, let whole): "\(whole.name)[\(number)]"
    case .entry(let key, let whole): "\(whole.name)[\(key)]"
    case .inner(let path, let outer): "\(outer.name).\(path.name)"
    case .other(let describe): describe()
    }
  }

  /// Whether the path is that of a property of the innermost definition.
  func isProperty(_ name: String) -> Bool {
    switch self {
    case .property(let own): own == name
    case .inner(let path, _): path.isProperty(name)
    case .argument, .productProperty, .element, .entry, .other: false
    }
  }

  /// Whether the innermost definition constructs its object with what is at the path.
  var isArgument: Bool {
    switch self {
    case .argument: true
    case .element(_, let whole), .entry(_, let whole): whole.isArgument
    case .inner(let path, _): path.isArgument
    case .property, .productProperty, .other: false
    }
  }
}
