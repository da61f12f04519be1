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
/// - Elements and attributes that mean nothing are errors, with the place where their element
///   starts.
///
/// What the original does not have:
///
/// | Markup | Meaning |
/// | --- | --- |
/// | `scope="…"` in place of `singleton` | any scope |
/// | `eager="true"` | the object is built by `build()` |
/// | `primary="true"` | the object that counts where several fit a type |
/// | `<alias name="ledger" of="bank"/>` | another name of an object |
/// | `abstract="true"`, `parent="id"` | only parts for others, and whose parts are taken over |
/// | `factory="id"` | the object whose method makes this one |
/// | `before-injection="method"`, `after-injection="method"` | methods that are called |
/// | `<initializer method="init(quest:)" static="false">` | how the object is constructed |
/// | `<argument name="quest" …>` or `index="0"` | its arguments |
/// | `<product class="…">` | what is set on the product of a factory |
/// | `<description>` | prose about the object |
///
/// An argument that is missing is the property of its name, if there is one.
///
/// A property, an argument or an entry of a map has exactly one content: the attribute `ref` or
/// `value`, `autowired="true"` for the one object of the right type, or one of the following
/// elements. A list has any number of them.
///
/// ```xml
/// <ref>id</ref>
/// <value type="Class">text as it is</value>
/// <object class="…">…</object>
/// <list>…</list>
/// <map><entry key="a" value="1"/></map>
/// <null/>
/// ```
///
/// An object in place has no `id` and no scope: each object that holds it has its own.
struct OxenDialect: Dialect {
  static let name = "Oxen XML"
  static let roots = ["container"]

  private(set) var document: AssemblyDocument
  private var reader = DefinitionReader(words)

  var report: MarkupReport { reader.report }

  init(file: String) { document = AssemblyDocument(file: file, dialect: Self.name) }

  private static let words: Vocabulary = {
    var words = Vocabulary()
    words.object = "object"
    words.attributes = ["class", "parent", "factory", "before-injection", "after-injection"]
    words.factory = "factory"
    words.before = "before-injection"
    words.after = "after-injection"
    words.parts = ["initializer", "property", "product", "description"]
    words.method = "method"
    words.isStatic = "static"
    words.label = "name"
    words.byType = "autowired"
    words.contentAttributes = ["ref", "value", "autowired"]
    words.propertyAttributes = ["name"] + words.contentAttributes
    words.contents = ["ref", "value", "object", "list", "map", "null"]
    words.list = "list"
    words.elements = words.contents
    words.valueType = "type"
    return words
  }()

  static func reads(_ root: XMLElement) -> Bool {
    ContainerRoot.names.contains(root.name) && !ContainerRoot.holdsEntities(root)
  }

  mutating func read(_ root: XMLElement) {
    ContainerRoot.check(root, &reader.report)
    document.definitions.reserveCapacity(root.children.count)
    for child in root.children {
      switch child.name {
      case "object": readObject(child)
      case "alias": readAlias(child)
      case "entity", "aop:config": reader.report.report(.mixedKinds(child, document: "objects"))
      default:
        reader.report.report(.unknownElement(child, in: root.name, known: ["object", "alias"]))
      }
    }
  }

  private mutating func readAlias(_ element: XMLElement) {
    reader.report.check(element, attributes: ["name", "of"])
    let name = reader.report.required("name", of: element)
    let target = reader.report.required("of", of: element)
    guard let name, let target else { return }
    document.aliases.append(ObjectAlias(name, of: target, at: element.location))
  }

  // MARK: - Objects

  private static let attributes =
    ["id"] + words.attributes + ["singleton", "scope", "lazy", "eager", "primary", "abstract"]

  private mutating func readObject(_ element: XMLElement) {
    reader.report.check(element, attributes: Self.attributes)
    let id = reader.report.required("id", of: element)
    var definition = ObjectDefinition(id ?? "", at: element.location)
    definition.scope = scope(of: element) ?? "singleton"
    readFlags(of: element, into: &definition)
    let isWhole = reader.read(element, into: &definition)
    if isWhole, id != nil { document.definitions.append(definition) }
  }

  private mutating func readFlags(of element: XMLElement, into definition: inout ObjectDefinition) {
    definition.isLazy = reader.report.boolean("lazy", of: element) ?? false
    definition.isEager = reader.report.boolean("eager", of: element) ?? false
    definition.isPrimary = reader.report.boolean("primary", of: element) ?? false
    definition.isAbstract = reader.report.boolean("abstract", of: element) ?? false
    if definition.isLazy, definition.isEager { reader.report.report(.lazyAndEager(element)) }
  }

  /// What the element says about its scope; an unknown name is reported where scopes are known.
  private mutating func scope(of element: XMLElement) -> String? {
    let isSingleton = reader.report.boolean("singleton", of: element)
    guard let scope = reader.report.optional("scope", of: element) else {
      return isSingleton.map { $0 ? "singleton" : "prototype" }
    }
    if let singleton = element.attribute("singleton")?.value {
      reader.report.report(.scopeTwice(element, scope, singleton))
    }
    return scope
  }
}
