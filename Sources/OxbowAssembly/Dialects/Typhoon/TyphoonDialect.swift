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
/// What the original does, and what it silently drops is an error here, at the element that it would
/// drop. The rest of the differences:
///
/// - The namespace may be missing. Elements and attributes of other namespaces are noted and not read.
/// - `scope` is `default` (one object for each object graph, and what counts without the attribute),
///   `singleton`, `prototype`, `weakSingleton`, or any other scope of the container; case does not count.
///   The original documents `weakSingleton` and refuses it.
/// - Booleans are `true`, `false`, `yes` and `no` in any case.
/// - A singleton is built by `build()` unless `lazy-init` is true. A `property` with nothing but a name
///   is the one object of the right type.
/// - A component without a `key` has a name made of its class and its place.
/// - `class` may be missing where `factory-component` or `parent` is given. A file may say
///   `abstract="true"`.
/// - `is-class-method` honours `false`. Selectors may be in Swift's spelling, `init(quest:)`.
/// - A property or argument may hold a `component` in place, without a key and without a scope: each
///   object that holds it has its own.
/// - The files of `property-placeholder` are text files beside the document, not resources of a bundle;
///   they may stand anywhere below the root, and later ones win.
struct TyphoonDialect: Dialect {
  static let name = "Typhoon XML"
  static let roots = ["assembly"]

  var content = DocumentContent(dialect: name)

  static func reads(_ root: XMLElement) -> Bool {
    TyphoonMarkup.parts(of: root.name).local == "assembly"
  }

  static func content(of root: XMLElement) -> DocumentContent {
    var dialect = TyphoonDialect()
    let markup = TyphoonMarkup().entering(root)
    if let bare = markup.bare(root, &dialect.content.report) {
      dialect.content.report.check(bare, attributes: [])
      // One by one: a copy of the whole document would double what it costs.
      for child in root.children {
        if let child = markup.cleaned(child, &dialect.content.report) { dialect.read(child) }
      }
    } else {
      dialect.content.report.report(.wrongNamespace(root))
    }
    return dialect.content
  }

  /// Reads an element below the root.
  private mutating func read(_ child: XMLElement) {
    switch child.name {
    case "description":
      if content.summary != nil {
        content.report.report(.repeatedElement(child, in: "assembly"))
      }
      content.summary = child.prose
    case "property-placeholder": readPlaceholders(child)
    case "component":
      if let definition = readComponent(child) { content.definitions.append(definition) }
    default:
      content.report.report(
        .unknownElement(
          child, in: "assembly", known: ["component", "property-placeholder", "description"]))
    }
  }

  private mutating func readPlaceholders(_ element: XMLElement) {
    content.report.check(element, attributes: ["location"])
    content.report.refuseChildren(of: element)
    guard let text = content.report.required("location", of: element) else { return }
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let path = trimmed(part)
      if path.isEmpty {
        content.report.report(.emptyLocation(text, element))
      } else {
        content.placeholderFiles.append(PlaceholderFile(path: path, location: element.location))
      }
    }
  }

  // MARK: - Components

  static let booleans = BooleanTexts(yes: ["true", "yes"], no: ["false", "no"], ignoresCase: true)

  private static let attributes = [
    "class", "parent", "factory-component", "before-property-injection",
    "after-property-injection",
  ]

  private mutating func readComponent(_ element: XMLElement) -> ObjectDefinition? {
    content.report.check(
      element, attributes: ["key"] + Self.attributes + ["scope", "lazy-init", "abstract"])
    let key = content.report.optional("key", of: element)
    var definition = ObjectDefinition(
      key ?? Self.generatedName(of: element), at: element.location)
    definition.scope = scope(of: element) ?? "objectGraph"
    definition.isAbstract = content.report.boolean("abstract", of: element, Self.booleans) ?? false
    readLaziness(of: element, into: &definition)
    return readDefinition(element, into: &definition) ? definition : nil
  }

  /// A component that only the property or argument around it refers to.
  mutating func readComponentInPlace(
    _ element: XMLElement, in owner: String
  ) -> ObjectDefinition? {
    content.report.check(element, attributes: Self.attributes)
    var definition = ObjectDefinition(owner, scope: "prototype", at: element.location)
    return readDefinition(element, into: &definition) ? definition : nil
  }

  private static func generatedName(of element: XMLElement) -> String {
    "\(element.attribute("class")?.value ?? element.name)_\(element.location)"
  }

  /// Reads what all components have; false when there is nothing to define, which is reported.
  private mutating func readDefinition(
    _ element: XMLElement, into definition: inout ObjectDefinition
  ) -> Bool {
    definition.parent = content.report.optional("parent", of: element)
    definition.factoryComponent = content.report.optional("factory-component", of: element)
    definition.methodBeforeInjection = content.report.optional(
      "before-property-injection", of: element)
    definition.methodAfterInjection = content.report.optional(
      "after-property-injection", of: element)
    let needsClass =
      definition.parent == nil && definition.factoryComponent == nil && !definition.isAbstract
    definition.className =
      needsClass
      ? content.report.required("class", of: element)
      : content.report.optional("class", of: element)
    readParts(of: element, into: &definition)
    checkFactory(of: element, definition)
    return !needsClass || definition.className != nil
  }

  /// The name of the scope; an unknown one is reported where scopes are known.
  private mutating func scope(of element: XMLElement) -> String? {
    guard let scope = content.report.optional("scope", of: element) else { return nil }
    let lowered = scope.lowercased()
    if lowered == "default" { return "objectGraph" }
    return ContainerBuilder.scopeNames.first { $0.lowercased() == lowered } ?? scope
  }

  private mutating func readLaziness(
    of element: XMLElement, into definition: inout ObjectDefinition
  ) {
    let isLazy = content.report.boolean("lazy-init", of: element, Self.booleans)
    let isSingleton = definition.scope == "singleton"
    definition.isEager = isSingleton && isLazy != true && !definition.isAbstract
    if isLazy == true, !isSingleton {
      content.report.note(
        "lazy-init means nothing for scope \"\(definition.scope)\"", at: element.location)
    }
  }

  private mutating func readParts(of element: XMLElement, into definition: inout ObjectDefinition) {
    let known = ["description", "initializer", "property"]
    var parts: Set<String> = []
    for child in element.children {
      if child.name != "property", known.contains(child.name), !parts.insert(child.name).inserted {
        content.report.report(.repeatedElement(child, in: element.name))
        continue
      }
      switch child.name {
      case "description": definition.summary = child.prose
      case "initializer":
        definition.initializer = readInitializer(child, in: definition)
      case "property": definition.properties += readProperty(child, in: definition.name)
      default: content.report.report(.unknownElement(child, in: element.name, known: known))
      }
    }
  }

  private mutating func checkFactory(of element: XMLElement, _ definition: ObjectDefinition) {
    guard let factory = definition.factoryComponent else { return }
    if let call = element.children.first(where: { $0.name == "initializer" }) {
      if definition.initializer?.isStatic == true {
        content.report.report(.classMethodOfFactory(call, factory: factory))
      }
    } else if definition.parent == nil {
      content.report.report(
        .factoryWithoutMethod(element, factory: factory, attribute: "factory-component"))
    }
  }
}
