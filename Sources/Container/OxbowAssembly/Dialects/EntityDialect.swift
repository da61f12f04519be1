internal import OxbowContainer
internal import OxbowDocuments

/// The XML of IVEngine: entities and aspects, strictly read.
///
/// ```xml
/// <container>
///   <entity id="captain" class="SuperMan" singleton="true">
///     <property name="name" stringValue="Kent"/>
///     <property name="age" numberValue="20"/>
///   </entity>
///   <entity id="army" class="Army">
///     <property name="captain" ref="captain"/>
///   </entity>
///   <aop:config>
///     <aspect id="log" class="LogInterceptor">
///       <joinpoint expression="object||captain||(fly),(attack)"/>
///     </aspect>
///   </aop:config>
/// </container>
/// ```
///
/// - The root may be spelled `contanier`, as the original wants it; that is noted. It is shared
///   with the Oxen container's XML: the first child decides, and objects beside entities are an
///   error.
/// - An entity is a prototype unless `singleton="true"`. Booleans are `true` and `false`.
/// - A property has exactly one of `ref`, `stringValue` and `numberValue`, or holds `<null/>`.
///   A number is written as
///   in `-12`, `13.75` or `1e3`, whatever the locale.
/// - Aspects are read wherever they are, with or without a declaration of the prefix `aop`, and
///   applied when a builder loads the document. See ``JoinPoint`` for the expressions.
struct EntityDialect: Dialect {
  static let name = "IVEngine XML"
  static let roots = ["container"]

  private(set) var document: AssemblyDocument
  private var reader = DefinitionReader(words)

  var report: MarkupReport { reader.report }

  init(file: String) { document = AssemblyDocument(file: file, dialect: Self.name) }

  private static let words: Vocabulary = {
    var words = Vocabulary()
    words.text = "stringValue"
    words.number = "numberValue"
    words.contents = ["null"]
    words.propertyAttributes = ["name", "ref", "stringValue", "numberValue"]
    return words
  }()

  static func reads(_ root: XMLElement) -> Bool {
    ContainerRoot.names.contains(root.name) && ContainerRoot.holdsEntities(root)
  }

  mutating func read(_ root: XMLElement) {
    ContainerRoot.check(root, &reader.report)
    for child in root.children {
      switch child.name {
      case "entity": readEntity(child)
      case "aop:config": readAspects(child)
      case "object": reader.report.report(.mixedKinds(child, document: "entities"))
      default:
        reader.report.report(
          .unknownElement(child, in: root.name, known: ["entity", "aop:config"]))
      }
    }
  }

  // MARK: - Entities

  private mutating func readEntity(_ element: XMLElement) {
    reader.report.check(element, attributes: ["id", "class", "singleton"])
    let id = reader.report.required("id", of: element)
    let className = reader.report.required("class", of: element)
    let isSingleton = reader.report.boolean("singleton", of: element) ?? false
    var definition = ObjectDefinition(
      id ?? "", class: className, scope: isSingleton ? "singleton" : "prototype",
      at: element.location)
    reader.readParts(of: element, into: &definition)
    if id != nil, className != nil { document.definitions.append(definition) }
  }

  // MARK: - Aspects

  private mutating func readAspects(_ element: XMLElement) {
    reader.report.check(element, attributes: [])
    for child in element.children {
      if child.name == "aspect" {
        readAspect(child)
      } else {
        reader.report.report(.unknownElement(child, in: element.name, known: ["aspect"]))
      }
    }
  }

  private mutating func readAspect(_ element: XMLElement) {
    reader.report.check(element, attributes: ["id", "class"])
    let id = reader.report.required("id", of: element)
    let className = reader.report.required("class", of: element)
    var points: [JoinPoint] = []
    for child in element.children {
      if child.name == "joinpoint" {
        if let point = readJoinPoint(child) { points.append(point) }
      } else {
        reader.report.report(.unknownElement(child, in: element.name, known: ["joinpoint"]))
      }
    }
    guard let id, let className else { return }
    if element.children.isEmpty {
      reader.report.note("aspect \"\(id)\" has no joinpoint", at: element.location)
    }
    document.aspects.append(
      AspectDefinition(
        name: id, className: className, joinPoints: points, location: element.location))
  }

  private mutating func readJoinPoint(_ element: XMLElement) -> JoinPoint? {
    reader.report.check(element, attributes: ["expression"])
    reader.report.refuseChildren(of: element)
    guard let text = reader.report.required("expression", of: element) else { return nil }
    do {
      return try JoinPointParser.parse(text, at: element.location)
    } catch {
      reader.report.report(.wrongJoinPoint(text, element, error))
      return nil
    }
  }
}
