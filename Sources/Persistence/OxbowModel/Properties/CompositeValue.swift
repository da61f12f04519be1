/// The value of a composite attribute: the values of its parts, by name.
///
/// ```swift
/// var place: CompositeValue = ["x": .double(1), "y": .double(2)]
/// place["x"] = .double(3)
/// place[composite: "origin"] = ["name": .string("Kraków")]
/// ```
///
/// A part of a part has the path of both names: `origin.name`. A part without a value is left out.
public struct CompositeValue: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// The values of all parts that have one, by path.
  public private(set) var values: [String: AttributeValue]

  /// Creates a value of parts by path.
  public init(_ values: [String: AttributeValue] = [:]) { self.values = values }

  /// Creates a value of parts by path; the last one of a path counts.
  public init(dictionaryLiteral elements: (String, AttributeValue)...) {
    values = Dictionary(elements) { _, last in last }
  }

  /// Whether no part has a value.
  public var isEmpty: Bool { values.isEmpty }

  /// The value of a part, by path.
  public subscript(path: String) -> AttributeValue? {
    get { values[path] }
    set { values[path] = newValue }
  }

  /// The value of a part that is composite itself; empty where none of its parts has a value.
  public subscript(composite path: String) -> CompositeValue {
    get {
      let parts = values.filter { $0.key.hasPrefix(path + ".") }
      return CompositeValue(
        Dictionary(
          parts.map { (String($0.key.dropFirst(path.count + 1)), $0.value) },
          uniquingKeysWith: { first, _ in first }))
    }
    set {
      values = values.filter { !$0.key.hasPrefix(path + ".") }
      for (name, value) in newValue.values { values["\(path).\(name)"] = value }
    }
  }
}
