internal import OxbowContainer
internal import OxbowDocuments

struct PropertyConversion {
  let converters: ValueConverters
  let translate: (String) -> String
  let translatedNames: Set<String>

  /// Returns the value of an entry as the type of a property.
  func value(
    of entry: NodeDictionary.Entry, for property: AnyPropertyDescriptor, _ context: NodeValueContext
  ) throws(NodeError) -> Any {
    if let type = property.valueType as? any NodeConvertible.Type {
      let value: Any = try type.convert(entry.value, in: context)
      guard let text = value as? String, translatedNames.contains(entry.key) else { return value }
      return translate(text)
    }
    guard let text = entry.value.scalarText else {
      throw NodeError(
        .invalidValue,
        "\"\(entry.key)\" is \(entry.value.kind); a \(property.typeName) is expected",
        at: entry.value.location)
    }
    return try converted(text, to: property.valueType, entry, property.typeName)
  }

  private func converted(
    _ text: String, to type: any Any.Type, _ entry: NodeDictionary.Entry, _ typeName: String
  ) throws(NodeError) -> Any {
    let converters = converters
    func open<Value>(_ type: Value.Type) -> Result<Any, ValueConverters.Failure> {
      Result { () throws(ValueConverters.Failure) in try converters.convert(text, to: type) as Value
      }
    }
    switch _openExistential(type, do: open) {
    case .success(let value): return value
    case .failure(.noConverter):
      throw NodeError(
        .invalidValue,
        "\"\(entry.key)\": a text cannot be converted to \(typeName); register a conversion",
        at: entry.value.location)
    case .failure(.notConvertible(let expected)):
      throw NodeError(
        .invalidValue,
        "\"\(entry.key)\": \"\(text)\" is not accepted here; expected: "
          + expected.description,
        at: entry.value.location, nearNames: expected.near)
    }
  }
}

struct DescribedProperties {
  private let node: Node
  private let properties: [AnyPropertyDescriptor]
  private let conversion: PropertyConversion
  let names: [String]

  init(of node: Node, _ classes: NodeClasses, _ conversion: PropertyConversion) {
    let line = classes.components.line(of: type(of: node))
    self.node = node
    self.conversion = conversion
    properties = line.flatMap(\.properties)
    names = line.flatMap(\.propertyNames)
  }

  func set(
    _ entry: NodeDictionary.Entry, _ context: NodeValueContext
  ) throws(NodeError) -> Bool {
    guard let property = properties.first(where: { $0.name == entry.key }) else { return false }
    let value = try conversion.value(of: entry, for: property, context)
    try NodeError.wrapping(
      .setUpFailed, "attribute \"\(entry.key)\" of \(node.className)", at: entry.value.location
    ) { try property.set(value, on: node) }
    return true
  }
}
