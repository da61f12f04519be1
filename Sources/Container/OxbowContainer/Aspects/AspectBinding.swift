package import OxbowDocuments

/// An aspect of a container: the object that runs, and around which calls.
package struct AspectBinding: Sendable {
  /// The name of the definition that makes the aspect.
  let name: String
  let pointcuts: [Pointcut]
  let order: Int
  let location: SourceLocation?

  package init(_ name: String, _ pointcuts: [Pointcut], order: Int, at location: SourceLocation?) {
    self.name = name
    self.pointcuts = pointcuts
    self.order = order
    self.location = location
  }
}

/// A method and the names of its aspects, the outermost first.
struct WovenMethod: Sendable {
  let method: ForwardedMethod
  let aspects: [String]
}
