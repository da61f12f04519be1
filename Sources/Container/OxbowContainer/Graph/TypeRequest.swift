internal import Synchronization

/// What is asked for by a type and not by a name.
final class TypeRequest: Sendable {
  /// Takes the place of the object's name until the request is answered.
  let token: String
  /// Whether every object that fits is wanted.
  let wantsAll: Bool
  /// The type that objects are seen as.
  let type: any Any.Type
  let typeName: String
  /// The test that the injection point spells; nil in generic code that spells none.
  let accepts: (@Sendable (any Any.Type) -> Bool)?
  /// Whether the test says just what the type says, as that of a description does: one that code
  /// writes may choose.
  let isPlain: Bool

  private static let last = Atomic<Int>(0)

  init(
    _ type: any Any.Type, typeName: String, wantsAll: Bool = false, isPlain: Bool = false,
    accepts: (@Sendable (any Any.Type) -> Bool)?
  ) {
    self.isPlain = isPlain || accepts == nil
    let number = Self.last.add(1, ordering: .relaxed).newValue
    self.token = "\(wantsAll ? "all objects" : "the object") of type \(typeName) (\(number))"
    self.wantsAll = wantsAll
    self.type = type
    self.typeName = typeName
    self.accepts = accepts
  }
}

extension Ref {
  /// A reference to the one object that fits a type.
  ///
  /// There must be exactly one definition whose objects surely fit, the one that refers to it not
  /// counted, or one among them that is primary. The closure chooses among types, or spells a
  /// protocol that the runtime does not find by its name: one that is private to a file, or has
  /// arguments. What is defined as the type itself always fits.
  ///
  /// ```swift
  /// let quest = Ref.byType((any Quest).self) { $0 is any Quest.Type }
  /// builder.prototype(named: "knight", Knight.init(quest:), quest)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - accepts: Whether objects of a type fit.
  /// - Returns: The reference.
  public static func byType(
    _ type: T.Type = T.self, _ accepts: (@Sendable (any Any.Type) -> Bool)? = nil
  ) -> Ref<T> {
    byType(accepts, requiresSendable: false)
  }

  /// A reference to the one `Sendable` object that fits a type.
  public static func byType(
    _ type: T.Type = T.self, _ accepts: (@Sendable (any Any.Type) -> Bool)? = nil
  ) -> Ref<T> where T: Sendable {
    byType(accepts, requiresSendable: true)
  }

  private static func byType(
    _ accepts: (@Sendable (any Any.Type) -> Bool)?, requiresSendable: Bool
  ) -> Ref<T> {
    let request = TypeRequest(T.self, typeName: "\(T.self)", accepts: accepts)
    var ref = Ref<T>(request.token, handle: nil, requiresSendable: requiresSendable)
    if let accepts { ref.fit = { accepts($0) ? .fits : TypeFit.of($0, in: T.self) } }
    ref.request = request
    return ref
  }

  /// A reference to all objects that fit a type, in the order of their definitions.
  ///
  /// As an argument of a definition, write `Ref.all(…)`: behind a bare `.all` the compiler of Swift
  /// 6.3 does not take the closure for a `@Sendable` one.
  ///
  /// - Parameters:
  ///   - type: The type of each.
  ///   - accepts: Whether objects of a type fit; see ``byType(_:_:)``.
  /// - Returns: The reference.
  public static func all<Element>(
    _ type: Element.Type = Element.self, _ accepts: (@Sendable (any Any.Type) -> Bool)? = nil
  ) -> Ref<T> where T == [Element] {
    all(accepts, requiresSendable: false)
  }

  /// A reference to all `Sendable` objects that fit a type, in the order of their definitions.
  public static func all<Element: Sendable>(
    _ type: Element.Type = Element.self, _ accepts: (@Sendable (any Any.Type) -> Bool)? = nil
  ) -> Ref<T> where T == [Element] {
    all(accepts, requiresSendable: true)
  }

  private static func all<Element>(
    _ accepts: (@Sendable (any Any.Type) -> Bool)?, requiresSendable: Bool
  ) -> Ref<T> where T == [Element] {
    let request = TypeRequest(
      Element.self, typeName: "\(Element.self)", wantsAll: true, accepts: accepts)
    var ref = Ref<T>(
      request.token, use: .object, requiresSendable: requiresSendable,
      fit: {
        accepts?($0) == true ? .fits : TypeFit.of($0, in: Element.self)
      }
    ) { linker in
      ObjectProvider.group(
        of: try linker.names(for: request.token).map {
          try linker.provider(named: $0, as: Element.self)
        })
    }
    ref.request = request
    return ref
  }
}
