internal import Synchronization

/// Answers with another maker's object, seen as a `T`.
///
/// The one place where linked code casts: between a class and a protocol that it has.
package final class CastMaker<Source, T>: Maker<T>, @unchecked Sendable {
  // Sendable by argument: `pattern` is set once and atomically; what it points to never changes.

  private let source: Maker<Source>
  private let name: String
  private let isClass: Bool
  /// What objects of the first class that was seen look like as a `T`.
  private let pattern = Atomic<Unmanaged<CastPattern>?>(nil)

  package init(_ source: Maker<Source>, named name: String) {
    self.source = source
    self.name = name
    isClass = Source.self is AnyClass
  }

  deinit { pattern.load(ordering: .relaxed)?.release() }

  package override func make(_ session: Session?) throws -> T { try seen(source.make(session)) }
  package override func fresh() throws -> T { try seen(source.fresh()) }

  /// The fast path beside `slowCast`.
  ///
  /// The runtime looks up whether a class has a protocol for each object, although the answer is the same
  /// for all objects of the class. Guarded by suite K, graph-file.
  private func seen(_ object: Source) throws -> T {
    guard isClass, let pattern = pattern.load(ordering: .acquiring) else {
      return try slowCast(object)
    }
    // A `Source` that is a class is one reference.
    let reference = unsafeBitCast(object, to: AnyObject.self)
    return try pattern._withUnsafeGuaranteedRef {
      $0.fits(reference) ? $0.value(of: reference, as: T.self) : try slowCast(object)
    }
  }

  @inline(never) private func slowCast(_ object: Source) throws -> T {
    guard let wanted = object as? T else {
      throw ContainerError(.typeMismatch(name, object: object, wanted: "\(T.self)"), task: "link")
    }
    if isClass { learn(from: unsafeBitCast(object, to: AnyObject.self), wanted) }
    return wanted
  }

  private func learn(from object: AnyObject, _ wanted: T) {
    guard let found = CastPattern(of: object, as: wanted) else { return }
    let new = Unmanaged.passRetained(found)
    let result = pattern.compareExchange(
      expected: nil, desired: new, successOrdering: .releasing, failureOrdering: .relaxed)
    if !result.exchanged { new.release() }
  }
}

/// The bytes of an object of one class, seen as a value of one type, without the reference itself.
///
/// A reference that is seen through a protocol is the reference followed by words that depend on its class
/// and the protocol alone: the class's metadata and the witness tables of its conformances. So the bytes
/// of one object with another object's reference in front are that object, seen so.
private final class CastPattern: Sendable {
  private let type: ObjectIdentifier
  private let words: [UInt]

  /// The pattern of an object that was cast; nil when the value does not begin with the reference, as
  /// when the cast has boxed it.
  init?<T>(of object: AnyObject, as value: T) {
    let word = MemoryLayout<UInt>.stride
    let size = MemoryLayout<T>.size
    guard size >= word, size % word == 0, MemoryLayout<T>.alignment == word else { return nil }
    type = ObjectIdentifier(Swift.type(of: object))
    words = withUnsafeBytes(of: value) { Array($0.bindMemory(to: UInt.self)) }
    guard words[0] == UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()) else {
      return nil
    }
  }

  func fits(_ object: AnyObject) -> Bool { ObjectIdentifier(Swift.type(of: object)) == type }

  /// An object of the class, seen as a value of the type that the pattern was made with.
  func value<T>(of object: AnyObject, as type: T.Type) -> T {
    // Allocated, because `withUnsafeTemporaryAllocation` looks up the generic type of its result.
    let value = UnsafeMutablePointer<T>.allocate(capacity: 1)
    defer { value.deallocate() }
    let raw = UnsafeMutableRawPointer(value)
    for number in words.indices.dropFirst() {
      raw.storeBytes(
        of: words[number], toByteOffset: number * MemoryLayout<UInt>.stride, as: UInt.self)
    }
    raw.storeBytes(
      of: UInt(bitPattern: Unmanaged.passRetained(object).toOpaque()), as: UInt.self)
    return value.move()
  }
}
