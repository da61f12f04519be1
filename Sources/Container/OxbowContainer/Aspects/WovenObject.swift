public import Synchronization

/// An object that runs aspects around its own methods: what `@Woven` makes of a class.
///
/// It is written by hand in the same shape: a slot, the list of the methods, and in each method a
/// look at the slot before the method's own code. For `func lend(_ title: String) throws -> Int`:
///
/// ```swift
/// let _weaving = WovenSlot()
/// func _weave(_ aspects: AspectTable) throws { try _weaving._fill(aspects) }
/// class var _wovenMethods: [ForwardedMethod] { [ForwardedMethod("lend(_:)", key: 7, .throwing)] }
///
/// func lend(_ title: String) throws -> Int {
///   func original(_ title: String) throws -> Int { … }
///   if let chain = _weaving[7] { return try LendCall(title, original)._run(chain) }
///   return try original(title)
/// }
/// ```
///
/// `LendCall` is a ``TypedInvocation`` that keeps the arguments and the original method.
public protocol WovenObject: AnyObject {
  /// The methods of the class and of its superclasses around which aspects may run.
  static var _wovenMethods: [ForwardedMethod] { get }

  /// The class that has declared these methods: of one that inherits and is not woven itself, the
  /// overrides and its own methods are not among them.
  static var _wovenClass: AnyClass { get }

  /// Fills the object's slot.
  ///
  /// - Throws: ``ContainerError`` with code `invalidAspect`, as the slot does.
  func _weave(_ aspects: AspectTable) throws
}

extension WovenObject {
  /// The class itself, unless it says otherwise.
  public static var _wovenClass: AnyClass { self }
}

/// Where an object keeps the aspects of its methods: nothing, until a container has some for it.
public struct WovenSlot: ~Copyable, Sendable {
  /// The address of an `AspectTable` that this slot retains, or 0.
  @usableFromInline let address = Atomic<UInt>(0)

  /// Creates an empty slot.
  public init() {}

  deinit { Self.release(address.load(ordering: .acquiring)) }

  /// The aspects of a method, if it has any.
  @inlinable public subscript(key: Int) -> AspectChain? {
    let address = address.load(ordering: .acquiring)
    return address == 0 ? nil : Self.chain(key, at: address)
  }

  @usableFromInline static func chain(_ key: Int, at address: UInt) -> AspectChain? {
    guard let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
    // The slot has retained the table, and lets it go only with itself.
    return Unmanaged<AspectTable>.fromOpaque(pointer).takeUnretainedValue()[key]
  }

  private static func release(_ address: UInt) {
    guard let pointer = UnsafeRawPointer(bitPattern: address) else { return }
    Unmanaged<AspectTable>.fromOpaque(pointer).release()
  }

  /// Fills the slot; a call that runs may be using what is there, so that stays.
  ///
  /// - Throws: ``ContainerError`` with code `invalidAspect` when another container, or another
  ///   definition, has filled it.
  public func _fill(_ table: AspectTable) throws {
    let new = UInt(bitPattern: Unmanaged.passRetained(table).toOpaque())
    let exchange = address.compareExchange(
      expected: 0, desired: new, ordering: .acquiringAndReleasing)
    if exchange.exchanged { return }
    Self.release(new)
    guard let pointer = UnsafeRawPointer(bitPattern: exchange.original) else { return }
    let present = Unmanaged<AspectTable>.fromOpaque(pointer).takeUnretainedValue()
    guard present.origin !== table.origin else { return }
    throw ContainerError(
      .wovenTwice(table.objectName, present: present.objectName), task: "weave an object")
  }
}

/// A value of a call on its way to an async method, which may run on another actor.
///
/// The caller has given the value away and waits: no one else uses it meanwhile. Where a module
/// does not have async methods run on the caller's actor, the compiler cannot see that.
public struct _Sent<Value>: @unchecked Sendable {
  // Sendable by that argument.
  /// The value.
  public let value: Value

  /// Takes a value of a call.
  public init(_ value: Value) { self.value = value }
}
