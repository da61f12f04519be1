/// Sees every object of a container once it is complete, and may put another one in its place.
///
/// Processors run in the order of ``order``, after the callbacks of the object. Each object is processed
/// once, before anybody gets it. What takes its place has the type by which the definition is known: a
/// subclass of a class, or anything that conforms where the definition makes an existential. In a circle
/// of objects, where others refer to the object already, it cannot be replaced: that is an error.
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
