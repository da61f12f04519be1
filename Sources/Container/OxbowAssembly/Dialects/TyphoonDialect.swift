internal import OxbowContainer
internal import OxbowDocuments

/// The XML of Typhoon 1.8.2, strictly read.
///
/// ```xml
/// <assembly xmlns="http://www.typhoonframework.org/schema/assembly">
///   <description>Who goes on which quest.</description>
///   <property-placeholder location="quests.properties"/>
///   <component class="Knight" key="knight" scope="singleton" after-property-injection="rideOut">
///     <initializer selector="initWithQuest:hitRatio:">
///       <argument parameterName="quest" ref="quest"/>
///       <argument index="1" value="13.75"/>
///     </initializer>
///     <property name="horse"/>
///     <property name="friends">
///       <collection><ref>lancelot</ref><ref>galahad</ref></collection>
///     </property>
///   </component>
///   <component key="blueSword" factory-component="swordFactory">
///     <initializer selector="swordWithSpecification:">
///       <argument parameterName="specification" value="${sword.colour}"/>
///     </initializer>
///   </component>
/// </assembly>
/// ```
///
/// What the original does, and what it silently drops is an error here, at the element that it
/// would drop. The rest of the differences:
///
/// - The namespace may be missing. Elements and attributes of other namespaces are noted and not
///   read.
/// - `scope` is `default` (one object for each object graph, and what counts without the
///   attribute), `singleton`, `prototype`, `weakSingleton`, or any other scope of the container;
///   case does not count. The original documents `weakSingleton` and refuses it.
/// - Attributes that are Booleans are `true`, `false`, `yes` and `no` in any case. The Boolean of a
///   property or argument is read as `-[NSString boolValue]` does: `YES`, `true` and numbers other
///   than 0 are true, `NO`, `false` and 0 are false. Any other text is an error, where the original
///   takes it for false.
/// - A singleton is built by `build()` unless `lazy-init` is true. A `property` with nothing but a
///   name is the one object of the right type.
/// - A component without a `key` has a name made of its class and its location.
/// - `class` may be missing where `factory-component` or `parent` is given. A file may say
///   `abstract="true"`.
/// - `is-class-method` honours `false`. Selectors may be in Swift's spelling, `init(quest:)`.
/// - A property or argument may be `<null/>`.
/// - A property or argument may hold a `component` in place, without a key and without a scope:
///   each object that holds it has its own.
/// - The files of `property-placeholder` are text files beside the document, not resources of a
///   bundle; they may be anywhere below the root, and later ones win.
struct TyphoonDialect: Dialect {
  static let name = "Typhoon XML"
  static let roots = ["assembly"]

  private(set) var document: AssemblyDocument
  private var reader = DefinitionReader(words)

  var report: MarkupReport { reader.report }

  init(file: String) { document = AssemblyDocument(file: file, dialect: Self.name) }

  private static let booleans = BooleanTexts(
    yes: ["true", "yes"], no: ["false", "no"], ignoresCase: true)

  private static let words: Vocabulary = {
    var words = Vocabulary()
    words.object = "component"
    words.attributes = [
      "class", "parent", "factory-component", "before-property-injection",
      "after-property-injection",
    ]
    words.factory = "factory-component"
    words.before = "before-property-injection"
    words.after = "after-property-injection"
    words.parts = ["description", "initializer", "property"]
    words.method = "selector"
    words.isStatic = "is-class-method"
    words.staticTexts = BooleanTexts(
      yes: ["yes", "true"], no: ["no", "false", "guess"], ignoresCase: true)
    words.guess = "guess"
    words.label = "parameterName"
    words.callParts = ["argument", "description"]
    words.checksCalls = true
    words.textType = "required-class"
    words.propertyAttributes = ["name", "ref", "value"]
    words.contentAttributes = ["ref", "value", "required-class"]
    words.emptyIsByType = true
    words.contents = ["collection", "component", "map", "null"]
    words.describesContents = true
    words.booleans = .firstCharacter
    words.list = "collection"
    words.elements = ["ref", "value"]
    words.listType = "requiredType"
    words.valueType = "requiredType"
    words.requiresValueType = true
    return words
  }()

  static func reads(_ root: XMLElement) -> Bool {
    TyphoonMarkup.parts(of: root.name).local == "assembly"
  }

  mutating func read(_ root: XMLElement) {
    let markup = TyphoonMarkup().entering(root)
    if let bare = markup.bare(root, &reader.report) {
      reader.report.check(bare, attributes: [])
      // One by one: a copy of the whole document would double what it costs.
      for child in root.children {
        if let child = markup.cleaned(child, &reader.report) { readPart(child) }
      }
    } else {
      reader.report.report(.wrongNamespace(root))
    }
  }

  /// Reads an element below the root.
  private mutating func readPart(_ child: XMLElement) {
    switch child.name {
    case "description":
      if document.summary != nil { reader.report.report(.repeatedElement(child, in: "assembly")) }
      reader.report.checkDescription(child)
      document.summary = child.prose
    case "property-placeholder": readPlaceholders(child)
    case "component":
      if let definition = readComponent(child) { document.definitions.append(definition) }
    default:
      reader.report.report(
        .unknownElement(
          child, in: "assembly", known: ["component", "property-placeholder", "description"]))
    }
  }

  private mutating func readPlaceholders(_ element: XMLElement) {
    reader.report.check(element, attributes: ["location"])
    reader.report.refuseChildren(of: element)
    guard let text = reader.report.required("location", of: element) else { return }
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let path = trimmed(part)
      if path.isEmpty {
        reader.report.report(.emptyLocation(text, element))
      } else {
        document.placeholderFiles.append(PlaceholderFile(path: path, location: element.location))
      }
    }
  }

  // MARK: - Components

  private mutating func readComponent(_ element: XMLElement) -> ObjectDefinition? {
    reader.report.check(
      element, attributes: ["key"] + Self.words.attributes + ["scope", "lazy-init", "abstract"])
    let key = reader.report.optional("key", of: element)
    var definition = ObjectDefinition(
      key ?? Self.generatedName(of: element), at: element.location)
    definition.scope = scope(of: element) ?? "objectGraph"
    definition.isAbstract = reader.report.boolean("abstract", of: element, Self.booleans) ?? false
    readLaziness(of: element, into: &definition)
    return reader.read(element, into: &definition) ? definition : nil
  }

  private static func generatedName(of element: XMLElement) -> String {
    "\(element.attribute("class")?.value ?? element.name)_\(element.location)"
  }

  /// The name of the scope; an unknown one is reported where scopes are known.
  private mutating func scope(of element: XMLElement) -> String? {
    guard let scope = reader.report.optional("scope", of: element) else { return nil }
    let lowered = scope.lowercased()
    if lowered == "default" { return "objectGraph" }
    return ContainerBuilder.scopeNames.first { $0.lowercased() == lowered } ?? scope
  }

  private mutating func readLaziness(
    of element: XMLElement, into definition: inout ObjectDefinition
  ) {
    let isLazy = reader.report.boolean("lazy-init", of: element, Self.booleans)
    let isSingleton = definition.scope == "singleton"
    definition.isEager = isSingleton && isLazy != true && !definition.isAbstract
    if isLazy == true, !isSingleton {
      reader.report.note(
        "lazy-init means nothing for scope \"\(definition.scope)\"", at: element.location)
    }
  }
}
