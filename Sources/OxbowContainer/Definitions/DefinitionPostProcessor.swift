/// Changes definitions from files before anything is made of them.
///
/// Definitions come as their documents say: parents, annotations and placeholders are not looked at yet.
/// Definitions in Swift are not among them. A processor may change, add and remove definitions.
///
/// A definition whose class conforms is no object of the container: the container makes it first and
/// lets it work on all others. In code, ``ContainerBuilder/add(_:)-(DefinitionPostProcessor)`` does the
/// same.
public protocol DefinitionPostProcessor {
  /// Smaller numbers run first; 0 unless it says otherwise.
  var order: Int { get }

  /// Changes definitions.
  ///
  /// - Throws: Whatever keeps the definitions from being used; `build()` fails with it.
  func process(_ definitions: inout [ObjectDefinition]) throws
}

extension DefinitionPostProcessor {
  /// 0: neither before nor after others.
  public var order: Int { 0 }
}
