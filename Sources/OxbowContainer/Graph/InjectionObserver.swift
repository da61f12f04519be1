/// An object that is told when its properties are about to be set, and when they have been.
///
/// Both calls come before the methods that a definition names for the purpose. The container asks the
/// type that a definition's objects are known by: a class that conforms, or a protocol whose objects may.
public protocol InjectionObserver: AnyObject {
  /// The object is constructed; no property is set.
  func beforePropertiesSet() throws

  /// All properties are set.
  func afterPropertiesSet() throws
}

extension InjectionObserver {
  /// Does nothing.
  public func beforePropertiesSet() throws {}

  /// Does nothing.
  public func afterPropertiesSet() throws {}
}

extension Callbacks {
  /// These callbacks, after those of an object that observes its injection.
  func observed() -> Callbacks<T> {
    guard T.self is any InjectionObserver.Type || TypeNames.isOpen(T.self) else { return self }
    var all = self
    all.before.insert({ try ($0 as? any InjectionObserver)?.beforePropertiesSet() }, at: 0)
    all.after.insert({ try ($0 as? any InjectionObserver)?.afterPropertiesSet() }, at: 0)
    return all
  }
}
