/// An object that is called when its properties are about to be set, and when they have been.
///
/// Both calls come before the methods that a definition names for the purpose. The container asks
/// the type that a definition's objects are known by: a class that conforms, or a protocol whose
/// objects may.
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

/// Sees every object of a container once it is complete, and may put another one in its place.
///
/// Processors run in the order of ``order``, after the callbacks of the object. Each object is
/// processed once, before anybody gets it. What takes its place has the type by which the
/// definition is known: a subclass of a class, or anything that conforms where the definition makes
/// an existential. In a circle of objects, where others refer to the object already, it cannot be
/// replaced: that is an error.
public protocol ObjectPostProcessor: Sendable {
  /// Smaller numbers run first; 0 unless it says otherwise.
  var order: Int { get }

  /// Returns the object, or what takes its place.
  ///
  /// - Parameters:
  ///   - object: The object, complete.
  ///   - name: The name of its definition.
  /// - Returns: The object that others get.
  /// - Throws: Whatever keeps the object from being used; the request fails with it.
  func process<T>(_ object: T, named name: String) throws -> T
}

extension ObjectPostProcessor {
  /// 0: neither before nor after others.
  public var order: Int { 0 }
}

/// What is called on an object around its injection.
struct Callbacks<T> {
  /// Before properties are set.
  var before: [(T) throws -> Void] = []
  /// When all properties are set.
  var after: [(T) throws -> Void] = []

  /// These callbacks, after those of an object that observes its injection.
  func observed() -> Callbacks<T> {
    guard T.self is any InjectionObserver.Type || TypeFit.isOpen(T.self) else { return self }
    var all = self
    all.before.insert({ try ($0 as? any InjectionObserver)?.beforePropertiesSet() }, at: 0)
    all.after.insert({ try ($0 as? any InjectionObserver)?.afterPropertiesSet() }, at: 0)
    return all
  }
}
