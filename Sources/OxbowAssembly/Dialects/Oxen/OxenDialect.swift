internal import OxbowContainer
internal import OxbowDocuments

/// The XML of the Oxen container, strictly read.
///
/// ```xml
/// <container>
///   <object id="model" class="ModelFactory"/>
///   <object id="repository" class="Repository" singleton="true" lazy="false">
///     <property name="context" ref="context"/>
///     <property name="title" value="Weekly"/>
///   </object>
///   <object id="sword" class="SwordFactory" scope="prototype">
///     <property name="smith" value="Wayland"/>
///     <product class="Sword"><property name="owner" value="Arthur"/></product>
///   </object>
/// </container>
/// ```
///
/// - The root may be spelled `contanier`, as the old files have it; that is noted.
/// - An object is a singleton unless `singleton="false"` or `scope` says otherwise.
/// - Booleans are `true` and `false`, nothing else.
/// - Elements and attributes that mean nothing are errors, with the place where their element starts.
///
/// What the original does not have:
///
/// | Markup | Meaning |
/// | --- | --- |
/// | `scope="…"` in place of `singleton` | any scope |
/// | `eager="true"` | the object is built by `build()` |
/// | `primary="true"` | the object that counts where several fit a type |
/// | `<alias name="ledger" of="bank"/>` | another name of an object |
/// | `abstract="true"`, `parent="id"` | parts that are lent, and taken over |
/// | `factory="id"` | the object whose method makes this one |
/// | `before-injection="method"`, `after-injection="method"` | methods that are called |
/// | `<initializer method="init(quest:)" static="false">` | how the object is constructed |
/// | `<argument name="quest" …>` or `index="0"` | its arguments |
/// | `<product class="…">` | what is set on the product of a factory |
/// | `<description>` | prose about the object |
///
/// An argument that is missing is the property of its name, if there is one.
///
/// A property, an argument or an entry of a map has exactly one content: the attribute `ref` or `value`,
/// `autowired="true"` for the one object of the right type, or one of the following elements. A list has
/// any number of them.
///
/// ```xml
/// <ref>id</ref>
/// <value type="Class">text as it is</value>
/// <object class="…">…</object>
/// <list>…</list>
/// <map><entry key="a" value="1"/></map>
/// ```
///
/// An object in place has no `id` and no scope: each object that holds it has its own.
struct OxenDialect: Dialect {
  static let name = "Oxen XML"
  static let roots = ["container"]

  var content = DocumentContent(dialect: name)

  static func reads(_ root: XMLElement) -> Bool {
    ContainerRoot.names.contains(root.name) && !ContainerRoot.holdsEntities(root)
  }

  static func content(of root: XMLElement) -> DocumentContent {
    var dialect = OxenDialect()
    dialect.read(root)
    return dialect.content
  }

  private mutating func read(_ root: XMLElement) {
    ContainerRoot.check(root, &content.report)
    content.definitions.reserveCapacity(root.children.count)
    for child in root.children {
      switch child.name {
      case "object": readObject(child)
      case "alias": readAlias(child)
      case "entity", "aop:config": content.report.report(.mixedKinds(child, document: "objects"))
      default:
        content.report.report(.unknownElement(child, in: root.name, known: ["object", "alias"]))
      }
    }
  }

  private mutating func readAlias(_ element: XMLElement) {
    content.report.check(element, attributes: ["name", "of"])
    let name = content.report.required("name", of: element)
    let target = content.report.required("of", of: element)
    guard let name, let target else { return }
    content.aliases.append(ObjectAlias(name, of: target, at: element.location))
  }

  // MARK: - Objects

  private static let attributes = [
    "class", "parent", "factory", "before-injection", "after-injection",
  ]

  private static let objectAttributes =
    ["id"] + attributes + ["singleton", "scope", "lazy", "eager", "primary", "abstract"]

  private mutating func readObject(_ element: XMLElement) {
    content.report.check(element, attributes: Self.objectAttributes)
    let id = content.report.required("id", of: element)
    var definition = ObjectDefinition(id ?? "", at: element.location)
    definition.scope = scope(of: element) ?? "singleton"
    readFlags(of: element, into: &definition)
    let isWhole = readDefinition(element, into: &definition)
    if isWhole, id != nil { content.definitions.append(definition) }
  }

  /// An object that only the property around it refers to.
  mutating func readObjectInPlace(_ element: XMLElement, in owner: String) -> ObjectDefinition? {
    content.report.check(element, attributes: Self.attributes)
    var definition = ObjectDefinition(owner, scope: "prototype", at: element.location)
    return readDefinition(element, into: &definition) ? definition : nil
  }

  /// Reads what all objects have; false when there is nothing to define, which is reported.
  private mutating func readDefinition(
    _ element: XMLElement, into definition: inout ObjectDefinition
  ) -> Bool {
    definition.parent = content.report.optional("parent", of: element)
    definition.factoryComponent = content.report.optional("factory", of: element)
    definition.methodBeforeInjection = content.report.optional("before-injection", of: element)
    definition.methodAfterInjection = content.report.optional("after-injection", of: element)
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

  private mutating func readFlags(of element: XMLElement, into definition: inout ObjectDefinition) {
    definition.isLazy = content.report.boolean("lazy", of: element) ?? false
    definition.isEager = content.report.boolean("eager", of: element) ?? false
    definition.isPrimary = content.report.boolean("primary", of: element) ?? false
    definition.isAbstract = content.report.boolean("abstract", of: element) ?? false
    if definition.isLazy, definition.isEager { content.report.report(.lazyAndEager(element)) }
  }

  private mutating func checkFactory(of element: XMLElement, _ definition: ObjectDefinition) {
    guard let factory = definition.factoryComponent, definition.parent == nil else { return }
    if element.children.contains(where: { $0.name == "initializer" }) { return }
    content.report.report(.factoryWithoutMethod(element, factory: factory, attribute: "factory"))
  }

  private static let parts = ["initializer", "property", "product", "description"]

  private mutating func readParts(of element: XMLElement, into definition: inout ObjectDefinition) {
    let known = Self.parts
    var parts: Set<String> = []
    definition.properties.reserveCapacity(element.children.count)
    for child in element.children {
      if child.name != "property", known.contains(child.name), !parts.insert(child.name).inserted {
        content.report.report(.repeatedElement(child, in: element.name))
        continue
      }
      switch child.name {
      case "property":
        if let property = readProperty(child, in: definition.name) {
          definition.properties.append(property)
        }
      case "initializer": definition.initializer = readInitializer(child, in: definition.name)
      case "product": definition.product = readProduct(child, in: definition.name)
      case "description": definition.summary = child.prose
      default: content.report.report(.unknownElement(child, in: element.name, known: known))
      }
    }
  }

  private mutating func readProduct(
    _ element: XMLElement, in owner: String
  ) -> ProductDefinition {
    content.report.check(element, attributes: ["class"])
    var product = ProductDefinition(
      class: content.report.optional("class", of: element), properties: [], at: element.location)
    for child in element.children {
      guard child.name == "property" else {
        content.report.report(.unknownElement(child, in: element.name, known: ["property"]))
        continue
      }
      if let property = readProperty(child, in: owner) { product.properties.append(property) }
    }
    return product
  }

  /// What the element says about its scope; an unknown name is reported where scopes are known.
  private mutating func scope(of element: XMLElement) -> String? {
    let isSingleton = content.report.boolean("singleton", of: element)
    guard let scope = content.report.optional("scope", of: element) else {
      return isSingleton.map { $0 ? "singleton" : "prototype" }
    }
    if let singleton = element.attribute("singleton")?.value {
      content.report.report(.scopeTwice(element, scope, singleton))
    }
    return scope
  }
}
