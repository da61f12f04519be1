public import OxbowDocuments

/// Values by name, in the order of their file.
///
/// Equality ignores the order.
public struct NodeDictionary: Sendable {
  /// A name with its value.
  public struct Entry: Hashable, Sendable {
    /// The name.
    public let key: String
    /// The location of the name; nil for one that a program has set.
    public let location: SourceLocation?
    /// The value.
    public let value: NodeValue
  }

  /// The names with their values; each name occurs once.
  public private(set) var entries: [Entry] = []
  private var numbers: [String: Int] = [:]

  /// Creates an empty dictionary.
  public init() {}

  /// The value of a name.
  public subscript(key: String) -> NodeValue? { numbers[key].map { entries[$0].value } }

  /// The name and the value of a name.
  public func entry(_ key: String) -> Entry? { numbers[key].map { entries[$0] } }

  /// The names, in order.
  public var keys: [String] { entries.map(\.key) }

  /// Whether it has no values.
  public var isEmpty: Bool { entries.isEmpty }

  /// Sets the value of a name, which keeps its position if it has a value already.
  public mutating func set(_ key: String, to value: NodeValue, at location: SourceLocation? = nil) {
    let entry = Entry(key: key, location: location ?? value.location, value: value)
    if let number = numbers[key] {
      entries[number] = entry
    } else {
      numbers[key] = entries.count
      entries.append(entry)
    }
  }

  /// Removes a name and its value.
  public mutating func remove(_ key: String) {
    guard let number = numbers.removeValue(forKey: key) else { return }
    entries.remove(at: number)
    for (name, other) in numbers where other > number { numbers[name] = other - 1 }
  }

  /// Returns the dictionary with its values overridden by those of another one; with `deep`, nested
  /// dictionaries are merged too, and not replaced.
  public func merging(_ other: NodeDictionary, deep: Bool = false) -> NodeDictionary {
    var result = self
    for entry in other.entries {
      var value = entry.value
      if deep, let mine = self[entry.key]?.dictionary, let theirs = value.dictionary {
        value = NodeValue(.dictionary(mine.merging(theirs, deep: true)), at: value.location)
      }
      result.set(entry.key, to: value, at: entry.location)
    }
    return result
  }
}

extension NodeDictionary: CustomStringConvertible, CustomDebugStringConvertible {
  /// The dictionary as JSON, in order.
  public var description: String {
    "{\(entries.map { "\($0.key.debugDescription): \($0.value)" }.joined(separator: ", "))}"
  }

  /// The same.
  public var debugDescription: String { description }
}

extension NodeDictionary: Hashable {
  /// Whether both have the same values by the same names, in any order.
  public static func == (a: NodeDictionary, b: NodeDictionary) -> Bool {
    a.entries.count == b.entries.count && a.entries.allSatisfy { b[$0.key] == $0.value }
  }

  /// Hashes the names.
  public func hash(into hasher: inout Hasher) { hasher.combine(Set(numbers.keys)) }
}
