internal import OxbowDocuments
internal import Synchronization

/// What `NSKeyedArchiver` wrote: objects that refer to each other by number.
///
/// Nothing is resolved before it is asked for, so objects that contain each other do no harm. A
/// reader that descends by itself has to limit its depth.
///
/// Objects are shared by number, so a few of them can be the way to any number of others. How often
/// references are followed is limited by the number of objects.
struct KeyedArchive: Sendable {
  fileprivate let objects: [PropertyListValue]
  fileprivate let budget: Budget

  private init(_ objects: [PropertyListValue]) {
    self.objects = objects
    budget = Budget(32 * objects.count + 10_000)
  }

  /// How often references may still be followed.
  fileprivate final class Budget: Sendable {
    private let left: Atomic<Int>

    init(_ count: Int) { left = Atomic(count) }

    func take() -> Bool { left.subtract(1, ordering: .relaxed).newValue >= 0 }
  }

  /// The object that was archived.
  static func root(
    of bytes: [UInt8], file: String, limits: DocumentLimits
  ) throws(DocumentError) -> ArchivedObject {
    let list = try PropertyListDocument.parse(anyForm: bytes, file: file, limits: limits)
    guard let objects = list.entry("$objects")?.value, case .array(let all) = objects.content,
      let top = list.entry("$top")?.value, let root = top.entry("root")?.value
    else {
      throw DocumentError(
        message: "the property list is not a keyed archive: it lacks \"$objects\" or \"$top\"",
        location: list.location)
    }
    return try ArchivedObject(archive: KeyedArchive(all), value: root).resolved
  }
}

/// An object, or a value, of an archive.
struct ArchivedObject: Sendable {
  fileprivate let archive: KeyedArchive
  let value: PropertyListValue

  var location: SourceLocation { value.location }

  /// The name of its class; `nil` for a value.
  var className: String? {
    get throws(DocumentError) {
      guard let reference = value.entry("$class")?.value else { return nil }
      let found = try ArchivedObject(archive: archive, value: reference).resolved
      guard let name = found.value.entry("$classname")?.value.text else {
        throw found.error("a class has no name")
      }
      return name
    }
  }

  /// What a key refers to; `nil` for nothing, and for an archived nil.
  subscript(key: String) -> ArchivedObject? {
    get throws(DocumentError) {
      guard let value = value.entry(key)?.value else { return nil }
      let found = try ArchivedObject(archive: archive, value: value).resolved
      return found.isNull ? nil : found
    }
  }

  private var isNull: Bool { value.text == "$null" }

  /// The object that a reference is the number of.
  fileprivate var resolved: ArchivedObject {
    get throws(DocumentError) {
      guard let number = reference else { return self }
      guard archive.objects.indices.contains(number) else {
        throw error("there is no object \(number)")
      }
      guard archive.budget.take() else {
        throw error("its objects refer to each other too often")
      }
      return ArchivedObject(archive: archive, value: archive.objects[number])
    }
  }

  /// A reference; XML has a dictionary for it.
  private var reference: Int? {
    if case .scalar(.reference(let number)) = value.content { return number }
    guard case .dictionary(let entries) = value.content, entries.count == 1,
      entries[0].key == "CF$UID", case .scalar(.integer(let number)) = entries[0].value.content
    else { return nil }
    return Int(exactly: number)
  }

  func error(_ message: String) -> DocumentError {
    DocumentError(message: "the archive is damaged: \(message)", location: location)
  }
}

// MARK: - Values

extension ArchivedObject {
  /// A text, including one that could be changed.
  var text: String? { value.text ?? value.entry("NS.string")?.value.text }

  var integer: Int? {
    if case .scalar(.integer(let number)) = value.content { Int(exactly: number) } else { nil }
  }

  var isTrue: Bool {
    switch value.content {
    case .boolean(let truth): truth
    case .scalar(.integer(let number)): number != 0
    default: false
    }
  }

  func text(_ key: String) throws(DocumentError) -> String? { try self[key]?.text }

  /// The text itself, or that of a key of the object.
  func text(orOf key: String) throws(DocumentError) -> String? {
    if let text { return text }
    return try text(key)
  }

  /// The text of a key of another object, or that of a key of this one.
  func text(
    _ key: String, of owner: ArchivedObject?, or own: String
  ) throws(DocumentError) -> String? {
    if let text = try owner?.text(key) { return text }
    return try text(own)
  }

  func integer(_ key: String) throws(DocumentError) -> Int? { try self[key]?.integer }
  func flag(_ key: String) throws(DocumentError) -> Bool { try self[key]?.isTrue ?? false }

  /// The keys that have a value.
  var keys: [String] {
    guard case .dictionary(let entries) = value.content else { return [] }
    return entries.map(\.key)
  }

  /// The members of an array or a set; `nil` for another object.
  var members: [ArchivedObject]? {
    get throws(DocumentError) {
      guard case .array(let values)? = value.entry("NS.objects")?.value.content else { return nil }
      return try values.map { (value) throws(DocumentError) in
        try ArchivedObject(archive: archive, value: value).resolved
      }
    }
  }

  /// The members of an array or a set; none where the key has no value.
  func members(_ key: String) throws(DocumentError) -> [ArchivedObject] {
    guard let found = try self[key] else { return [] }
    guard let members = try found.members else {
      throw found.error("\(key) is not a list")
    }
    return members
  }

  /// The keys and values of a dictionary, sorted by key; none where the key has no value.
  func pairs(_ key: String) throws(DocumentError) -> [(key: String, value: ArchivedObject)] {
    guard let found = try self[key] else { return [] }
    let isFixed = try found.className == "NSKnownKeysDictionary1"
    let keys =
      isFixed ? try found["searchMapping"]?.members("keys") : try found.members(named: "NS.keys")
    let values = isFixed ? try found.members("values") : try found.members
    guard let keys, let values, isFixed ? keys.count <= values.count : keys.count == values.count
    else { throw found.error("\(key) is not a dictionary") }
    let empty = try found["emptyToken"]?.text
    var pairs: [String: ArchivedObject] = [:]
    for (key, value) in zip(keys, values) where !isFixed || empty == nil || value.text != empty {
      guard let name = key.text else { throw key.error("the key of a dictionary is not text") }
      pairs[name] = value
    }
    return pairs.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func members(named key: String) throws(DocumentError) -> [ArchivedObject]? {
    guard case .array(let values)? = value.entry(key)?.value.content else { return nil }
    return try values.map { (value) throws(DocumentError) in
      try ArchivedObject(archive: archive, value: value).resolved
    }
  }
}
