/// Whether a type is `Sendable`, decided by the compiler where `.of()` is written.
///
/// The runtime cannot tell, and generic code cannot either: there `.of()` means "not known".
public struct Sendability<T>: Sendable {
  /// Whether the type was seen to be `Sendable`.
  public let isSendable: Bool

  /// Whether the objects of a `Provider` were seen to be `Sendable`.
  var providesSendable = false

  /// Not known to be `Sendable`.
  public static func of() -> Sendability<T> { Sendability(isSendable: false) }

  init(isSendable: Bool, providesSendable: Bool = false) {
    self.isSendable = isSendable
    self.providesSendable = providesSendable
  }
}

extension Sendability where T: Sendable {
  /// `Sendable`.
  public static func of() -> Sendability<T> { Sendability(isSendable: true) }
}

extension Sendability where T: ProviderType & Sendable, T.Provided: Sendable {
  /// A provider of `Sendable` objects.
  public static func of() -> Sendability<T> {
    Sendability(isSendable: true, providesSendable: true)
  }
}
