internal import OxbowModel

/// The hooks of the classes of a store's entities, looked up once for all contexts.
final class HookTable: Sendable {
  /// The hooks that some class has.
  let all: HookSet
  private let sets: ContiguousArray<HookSet>
  private let rules: ContiguousArray<[ValidationRule]>

  init(_ types: ContiguousArray<any AnyObject.Type>) {
    sets = ContiguousArray(types.map { HookSet(of: $0) })
    rules = ContiguousArray(
      types.map { ($0 as? any ValidationRulesHook.Type)?.validationRules ?? [] })
    all = sets.reduce([]) { $0.union($1) }
  }
  func has(_ hook: HookSet, _ entity: Int) -> Bool { sets[entity].contains(hook) }
  func rules(of entity: Int) -> [ValidationRule] { rules[entity] }
}

/// The hooks that a class has.
struct HookSet: OptionSet, Sendable {
  let rawValue: UInt8

  static let awakeFromInsert = HookSet(rawValue: 1)
  static let awakeFromFetch = HookSet(rawValue: 2)
  static let willSave = HookSet(rawValue: 4)
  static let didSave = HookSet(rawValue: 8)
  static let prepareForDeletion = HookSet(rawValue: 16)
  static let willTurnIntoFault = HookSet(rawValue: 32)
  static let validation = HookSet(rawValue: 64)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(of type: any AnyObject.Type) {
    self = []
    if type is any AwakeFromInsertHook.Type { insert(.awakeFromInsert) }
    if type is any AwakeFromFetchHook.Type { insert(.awakeFromFetch) }
    if type is any WillSaveHook.Type { insert(.willSave) }
    if type is any DidSaveHook.Type { insert(.didSave) }
    if type is any PrepareForDeletionHook.Type { insert(.prepareForDeletion) }
    if type is any WillTurnIntoFaultHook.Type { insert(.willTurnIntoFault) }
    if type is any ValidationRulesHook.Type { insert(.validation) }
  }
}

/// A hook that is running, and what it may ask of its context.
struct RunningHook {
  let name: String

  /// The operations of a context that it may ask for.
  let permission: Permission

  enum Permission { case nothing, reading, all }

  /// How often hooks may change what earlier ones have left before that is an error.
  static let rounds = 100

  /// The operations that only read, by the names that `begin` is called with.
  private static let reading: Set<String> = [
    "aggregate", "count", "existingObject(with:)", "fetch", "fetch(_:sql:)", "fetchIDs",
    "fetchRows", "fetchRows(sql:)", "load", "prefetch",
  ]

  /// The operations that no hook may ask for: they would forget or write the changes that are in
  /// progress, or write something that stays when the save is refused.
  private static let refused: Set<String> = [
    "save", "refresh", "rollback", "reset", "batchUpdate", "batchDelete", "batchInsert",
  ]

  /// Throws if the hook must not ask the context called `context` for an operation.
  func require(_ action: String, of context: String) throws(PersistenceError) {
    guard !permits(action) else { return }
    throw PersistenceError(
      .insideHook,
      "'\(action)' was called inside \(name), which runs in the middle of what the "
        + "context '\(context)' does; do it after that has returned")
  }

  private func permits(_ action: String) -> Bool {
    switch permission {
    case .nothing: false
    case .reading: Self.reading.contains(action)
    case .all: !Self.refused.contains(action)
    }
  }
}
