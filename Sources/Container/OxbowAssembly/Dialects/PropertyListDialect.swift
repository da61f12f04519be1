internal import OxbowContainer
internal import OxbowDocuments

/// Wiring as an XML property list.
///
/// The list is a dictionary with these keys, all but `objects` optional:
///
/// | Key | Value |
/// | --- | --- |
/// | `objects` | dictionary: the name of each object and its definition |
/// | `placeholders` | array of strings: files of placeholders, beside this one |
/// | `description` | string: prose |
///
/// A definition is a dictionary; what is not said is false, missing or empty:
///
/// | Key | Value |
/// | --- | --- |
/// | `class` | string; may be missing with `parent` or `factory`, or in an abstract definition |
/// | `scope` | string, `singleton` unless said otherwise |
/// | `lazy`, `eager`, `primary`, `abstract` | boolean |
/// | `parent` | string: the definition whose parts are taken over |
/// | `factory` | string: the object whose method makes this one |
/// | `initializer` | dictionary of `method`, `static` and `arguments`: how it is constructed |
/// | `properties` | dictionary: what each property is set to, in this order |
/// | `beforeInjection`, `afterInjection` | string: methods that are called |
/// | `product` | dictionary of `class` and `properties`: what is set on the product of a factory |
/// | `description` | string: prose |
///
/// In an initializer `method` is a string like `init(quest:)`, `static` a boolean, and `arguments`
/// a dictionary of what each label is set to. An argument that is missing is the property of its
/// name, if there is one.
///
/// What a property, an argument, an element of a list or an entry of a map is set to:
///
/// | Written | Meaning |
/// | --- | --- |
/// | string, integer, real, boolean, date, data | the value of the text in the property's type |
/// | dictionary with `value` (string), and perhaps `type` (string) | the same, of a class |
/// | dictionary with `ref` (string) | another object |
/// | array, or dictionary with `list` (array) | an array or a set |
/// | dictionary with `map` (dictionary) | a dictionary |
/// | dictionary with `object` (definition) | an object in place |
/// | dictionary with `autowired` (true) | the one object of the right type |
///
/// ```xml
/// <plist version="1.0"><dict>
///   <key>objects</key><dict>
///     <key>knight</key><dict>
///       <key>class</key><string>Knight</string>
///       <key>properties</key><dict>
///         <key>quest</key><dict><key>ref</key><string>quest</string></dict>
///         <key>damselsRescued</key><integer>12</integer>
///         <key>horses</key><array><string>Hengroen</string></array>
///       </dict>
///     </dict>
///   </dict>
/// </dict></plist>
/// ```
///
/// An object in place has no `scope`, `lazy`, `eager`, `primary` and `abstract`: each object that
/// holds it has its own.
///
/// Keys that mean nothing and values of the wrong kind are errors at their key. Places are those of
/// the keys. Binary property lists have no places and are refused.
struct PropertyListDialect: Dialect {
  static let name = "property list"
  static let roots = ["plist"]

  private(set) var document: AssemblyDocument
  var report = MarkupReport()

  init(file: String) { document = AssemblyDocument(file: file, dialect: Self.name) }

  static func reads(_ root: XMLElement) -> Bool { root.name == "plist" }

  mutating func read(_ root: XMLElement) throws(DocumentError) {
    read(try PropertyListDocument.value(of: root))
  }

  private mutating func read(_ root: PropertyListValue) {
    guard case .dictionary(let entries) = root.content else {
      report.report(.noDictionary(root))
      return
    }
    // A list without them is one of another kind, whose keys are not mistakes.
    guard let objects = entries.first(where: { $0.key == "objects" }) else {
      report.report(.noObjects(root, keys: entries.map(\.key)))
      return
    }
    let fields = fields(entries, "the list", known: ["objects", "placeholders", "description"])
    document.summary = fields.string("description", &report)?.prose
    readPlaceholders(fields)
    for entry in entriesOfDictionary(objects) {
      if entry.key.isEmpty {
        report.report(.emptyKey(entry))
      } else if let definition = readObject(entry) {
        document.definitions.append(definition)
      }
    }
  }

  private mutating func readPlaceholders(_ fields: PropertyListFields) {
    guard let files = fields.take("placeholders") else { return }
    guard case .array(let values) = files.value.content else {
      report.report(.wrongKind(files, expected: "an array of file names"))
      return
    }
    for value in values {
      if let path = value.text, !path.isEmpty {
        document.placeholderFiles.append(PlaceholderFile(path: path, location: value.location))
      } else {
        report.report(.wrongKind(value, key: "placeholders", expected: "a file name"))
      }
    }
  }

  // MARK: - Definitions

  private static let known = [
    "class", "parent", "factory", "initializer", "properties", "beforeInjection",
    "afterInjection", "product", "description",
  ]

  private mutating func readObject(_ entry: PropertyListValue.Entry) -> ObjectDefinition? {
    let what = "object \"\(entry.key)\""
    let known = Self.known + ["scope", "lazy", "eager", "primary", "abstract"]
    guard let fields = fieldsOfDefinition(entry, what, known: known) else { return nil }
    var definition = ObjectDefinition(entry.key, at: entry.location)
    definition.scope = fields.string("scope", &report) ?? "singleton"
    definition.isLazy = fields.boolean("lazy", &report)
    definition.isEager = fields.boolean("eager", &report)
    definition.isPrimary = fields.boolean("primary", &report)
    definition.isAbstract = fields.boolean("abstract", &report)
    if definition.isLazy, definition.isEager { report.report(.lazyAndEager(entry, what)) }
    return readDefinition(fields, at: entry, into: &definition) ? definition : nil
  }

  /// An object that only the property around it refers to.
  mutating func readObjectInPlace(
    _ entry: PropertyListValue.Entry, what: String, in owner: String
  ) -> ObjectDefinition? {
    guard let fields = fieldsOfDefinition(entry, what, known: Self.known) else { return nil }
    var definition = ObjectDefinition(owner, scope: "prototype", at: entry.location)
    return readDefinition(fields, at: entry, into: &definition) ? definition : nil
  }

  private mutating func fieldsOfDefinition(
    _ entry: PropertyListValue.Entry, _ what: String, known: [String]
  ) -> PropertyListFields? {
    if case .dictionary(let entries) = entry.value.content {
      return fields(entries, what, known: known)
    }
    report.report(.wrongKind(entry, expected: "a dictionary that defines \(what)"))
    return nil
  }

  /// Reads what all objects have; false when there is nothing to define, which is reported.
  private mutating func readDefinition(
    _ fields: PropertyListFields, at entry: PropertyListValue.Entry,
    into definition: inout ObjectDefinition
  ) -> Bool {
    definition.parent = fields.string("parent", &report)
    definition.factoryComponent = fields.string("factory", &report)
    definition.methodBeforeInjection = fields.string("beforeInjection", &report)
    definition.methodAfterInjection = fields.string("afterInjection", &report)
    definition.summary = fields.string("description", &report)?.prose
    definition.classLocation = fields.location(of: "class") ?? entry.location
    definition.className = fields.string("class", &report)
    readParts(fields, into: &definition)
    return isWhole(definition, fields, at: entry)
  }

  private mutating func readParts(
    _ fields: PropertyListFields, into definition: inout ObjectDefinition
  ) {
    let owner = definition.name
    definition.initializer = fields.take("initializer").flatMap { readInitializer($0, in: owner) }
    definition.properties =
      fields.take("properties").map { readAssignments($0, "property", in: owner) } ?? []
    definition.product = fields.take("product").flatMap { readProduct($0, in: owner) }
  }

  private mutating func isWhole(
    _ definition: ObjectDefinition, _ fields: PropertyListFields, at entry: PropertyListValue.Entry
  ) -> Bool {
    if definition.parent != nil || definition.isAbstract { return true }
    if let factory = definition.factoryComponent {
      if fields.take("initializer") == nil {
        report.report(.factoryWithoutMethod(entry, fields.what, factory: factory))
      }
      return true
    }
    if fields.take("class") == nil {
      report.report(.missingKey("class", of: fields.what).at(entry.location))
    }
    return definition.className != nil
  }

  private mutating func readProduct(
    _ entry: PropertyListValue.Entry, in owner: String
  ) -> ProductDefinition? {
    guard case .dictionary(let entries) = entry.value.content else {
      report.report(.wrongKind(entry, expected: "a dictionary"))
      return nil
    }
    let fields = fields(entries, "a product", known: ["class", "properties"])
    let className = fields.string("class", &report)
    let properties = fields.take("properties").map { readAssignments($0, "property", in: owner) }
    return ProductDefinition(class: className, properties: properties ?? [], at: entry.location)
  }

  private mutating func readInitializer(
    _ entry: PropertyListValue.Entry, in owner: String
  ) -> InitializerCall? {
    guard case .dictionary(let entries) = entry.value.content else {
      report.report(.wrongKind(entry, expected: "a dictionary"))
      return nil
    }
    let fields = fields(entries, "an initializer", known: ["method", "static", "arguments"])
    let isStatic = fields.optionalBoolean("static", &report)
    let arguments = fields.take("arguments").map { readAssignments($0, "argument", in: owner) }
    guard let method = fields.required("method", at: entry.location, &report) else {
      return nil
    }
    guard let name = method.value.text.flatMap(MethodName.init(text:)) else {
      report.report(.wrongKind(method, expected: "a name with labels like init(quest:)"))
      return nil
    }
    checkLabels(fields.take("arguments"), of: name)
    return InitializerCall(name, isStatic: isStatic, arguments: arguments ?? [], at: entry.location)
  }

  private mutating func checkLabels(_ arguments: PropertyListValue.Entry?, of method: MethodName) {
    guard case .dictionary(let entries)? = arguments?.value.content else { return }
    for entry in entries where !entry.key.isEmpty && !method.labels.contains(entry.key) {
      report.report(.unknownKey(entry, of: "\"\(method)\"", known: method.labels))
    }
  }

  // MARK: - Dictionaries

  private mutating func fields(
    _ entries: [PropertyListValue.Entry], _ what: String, known: [String]
  ) -> PropertyListFields {
    for entry in entries where !known.contains(entry.key) {
      report.report(.unknownKey(entry, of: what, known: known))
    }
    return PropertyListFields(entries: entries, what: what)
  }

  mutating func entriesOfDictionary(_ entry: PropertyListValue.Entry) -> [PropertyListValue.Entry] {
    if case .dictionary(let entries) = entry.value.content { return entries }
    report.report(.wrongKind(entry, expected: "a dictionary"))
    return []
  }
}
