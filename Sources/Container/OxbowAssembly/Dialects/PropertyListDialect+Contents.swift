internal import OxbowContainer
internal import OxbowDocuments
internal import OxbowFoundation

/// What properties and arguments are set to.
extension PropertyListDialect {
  mutating func readAssignments(
    _ entry: PropertyListValue.Entry, _ noun: String, in owner: String
  ) -> [PropertyAssignment] {
    entriesOfDictionary(entry).compactMap { field in
      let what = "\(noun) \"\(field.key)\""
      guard !field.key.isEmpty else {
        report.report(.emptyKey(field))
        return nil
      }
      return readContent(field.value, at: field.location, what: what, in: owner).map {
        PropertyAssignment(field.key, to: $0, at: field.location, valueAt: field.value.location)
      }
    }
  }

  private mutating func readContent(
    _ value: PropertyListValue, at location: SourceLocation, what: String, in owner: String
  ) -> InjectedContent? {
    switch value.content {
    case .dictionary(let entries):
      return readForm(entries, at: location, what: what, in: owner)
    case .array(let values): return readList(values, what: what, in: owner)
    case .null: return .null
    case .text(let text): return .text(text)
    case .scalar(.integer(let number)): return .text("\(number)")
    // Wiring files are XML, which has no references.
    case .scalar(.reference(let number)): return .text("\(number)")
    case .scalar(.real(let number)): return .text("\(number)")
    case .boolean(let flag): return .text("\(flag)")
    case .scalar(.date(let seconds)):
      return .text(Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601))
    case .scalar(.data(let bytes)): return .text(Data(bytes).base64EncodedString())
    }
  }

  private mutating func readList(
    _ values: [PropertyListValue], what: String, in owner: String
  ) -> InjectedContent {
    .collection(
      values.compactMap { value in
        readContent(value, at: value.location, what: "an element of \(what)", in: owner).map {
          InjectedElement($0, at: value.location)
        }
      })
  }

  // MARK: - Dictionaries that say what they are

  private static let forms = ["ref", "value", "list", "map", "object", "autowired", "null"]

  private mutating func readForm(
    _ entries: [PropertyListValue.Entry], at location: SourceLocation, what: String,
    in owner: String
  ) -> InjectedContent? {
    let found = entries.filter { Self.forms.contains($0.key) }
    guard let form = found.first, found.count == 1 else {
      report.report(.notOneForm(what, seen: entries.map(\.key), known: Self.forms).at(location))
      return nil
    }
    for entry in entries where entry.key != form.key {
      if entry.key == "type", form.key == "value" { continue }
      report.report(
        .unknownKey(entry, of: what, known: form.key == "value" ? ["value", "type"] : [form.key]))
    }
    return readForm(form, among: entries, what: what, in: owner)
  }

  private mutating func readForm(
    _ form: PropertyListValue.Entry, among entries: [PropertyListValue.Entry], what: String,
    in owner: String
  ) -> InjectedContent? {
    let fields = PropertyListFields(entries: entries, what: what)
    switch form.key {
    case "ref": return fields.string("ref", &report).map { .reference($0) }
    case "value": return readText(form, type: fields.string("type", &report))
    case "list":
      if case .array(let values) = form.value.content {
        return readList(values, what: what, in: owner)
      }
      report.report(.wrongKind(form, expected: "an array"))
      return nil
    case "map": return readMap(form, what: what, in: owner)
    case "object":
      return readObjectInPlace(form, what: "the object of \(what)", in: owner)
        .map { .definition($0) }
    default:
      if fields.boolean(form.key, &report) { return form.key == "null" ? .null : .byType }
      report.report(.wrongKind(form, expected: "<true/>"))
      return nil
    }
  }

  private mutating func readText(_ entry: PropertyListValue.Entry, type: String?)
    -> InjectedContent?
  {
    if let text = entry.value.text { return .text(text, typeName: type) }
    report.report(.wrongKind(entry, expected: "a string"))
    return nil
  }

  private mutating func readMap(
    _ entry: PropertyListValue.Entry, what: String, in owner: String
  ) -> InjectedContent {
    .dictionary(
      entriesOfDictionary(entry).compactMap { field in
        let role = "entry \"\(field.key)\" of \(what)"
        return readContent(field.value, at: field.location, what: role, in: owner).map {
          InjectedEntry(field.key, $0, at: field.location)
        }
      })
  }
}
