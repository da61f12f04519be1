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
/// - The root may be spelled `contanier`, as the original wants it; that is noted. It is shared with the
///   Oxen container's XML: the first child decides, and objects beside entities are an error.
/// - An entity is a prototype unless `singleton="true"`. Booleans are `true` and `false`.
/// - A property has exactly one of `ref`, `stringValue` and `numberValue`. A number is written as in
///   `-12`, `13.75` or `1e3`, whatever the locale.
/// - Aspects are read wherever they stand, with or without a declaration of the prefix `aop`, and kept
///   as ``AspectDefinition``s; they are not applied, which is noted. See ``JoinPoint`` for the
///   expressions.
struct EntityDialect: Dialect {
  static let name = "IVEngine XML"
  static let roots = ["container"]

  private var content = DocumentContent(dialect: name)

  static func reads(_ root: XMLElement) -> Bool {
    ContainerRoot.names.contains(root.name) && ContainerRoot.holdsEntities(root)
  }

  static func content(of root: XMLElement) -> DocumentContent {
    var dialect = EntityDialect()
    dialect.read(root)
    return dialect.content
  }

  private mutating func read(_ root: XMLElement) {
    ContainerRoot.check(root, &content.report)
    for child in root.children {
      switch child.name {
      case "entity": readEntity(child)
      case "aop:config": readAspects(child)
      case "object": content.report.report(.mixedKinds(child, document: "entities"))
      default:
        content.report.report(
          .unknownElement(child, in: root.name, known: ["entity", "aop:config"]))
      }
    }
  }

  // MARK: - Entities

  private mutating func readEntity(_ element: XMLElement) {
    content.report.check(element, attributes: ["id", "class", "singleton"])
    let id = content.report.required("id", of: element)
    let className = content.report.required("class", of: element)
    let isSingleton = content.report.boolean("singleton", of: element) ?? false
    var definition = ObjectDefinition(
      id ?? "", class: className, scope: isSingleton ? "singleton" : "prototype",
      at: element.location)
    for child in element.children {
      if child.name == "property" {
        definition.properties += readProperty(child)
      } else {
        content.report.report(.unknownElement(child, in: element.name, known: ["property"]))
      }
    }
    if id != nil, className != nil { content.definitions.append(definition) }
  }

  private static let contents = ["ref", "stringValue", "numberValue"]

  private mutating func readProperty(_ element: XMLElement) -> [PropertyAssignment] {
    content.report.check(element, attributes: ["name"] + Self.contents)
    content.report.refuseChildren(of: element)
    guard let name = content.report.required("name", of: element) else { return [] }
    let seen = element.attributes.filter { Self.contents.contains($0.name) }
    guard let attribute = seen.first, seen.count == 1 else {
      content.report.report(
        .notOneContent(element, what: "property \"\(name)\"", seen: seen.map(\.name)))
      return []
    }
    return readContent(attribute, of: element).map {
      [PropertyAssignment(name, to: $0, at: element.location)]
    } ?? []
  }

  private mutating func readContent(
    _ attribute: XMLAttribute, of element: XMLElement
  ) -> InjectedContent? {
    switch attribute.name {
    case "ref": return content.report.required("ref", of: element).map { .reference($0) }
    case "stringValue": return .text(attribute.value)
    default:
      let number = trimmed(attribute.value)
      if isNumber(number) { return .text(number) }
      content.report.report(.noNumber(attribute.value, element))
      return nil
    }
  }

  /// Digits with at most one sign, point and exponent.
  private func isNumber(_ text: String) -> Bool {
    let allowed = text.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    return allowed && Double(text)?.isFinite == true
  }

  // MARK: - Aspects

  private mutating func readAspects(_ element: XMLElement) {
    content.report.check(element, attributes: [])
    content.report.note("aspects are read and kept, and not applied", at: element.location)
    for child in element.children {
      if child.name == "aspect" {
        readAspect(child)
      } else {
        content.report.report(.unknownElement(child, in: element.name, known: ["aspect"]))
      }
    }
  }

  private mutating func readAspect(_ element: XMLElement) {
    content.report.check(element, attributes: ["id", "class"])
    let id = content.report.required("id", of: element)
    let className = content.report.required("class", of: element)
    var points: [JoinPoint] = []
    for child in element.children {
      if child.name == "joinpoint" {
        if let point = readJoinPoint(child) { points.append(point) }
      } else {
        content.report.report(.unknownElement(child, in: element.name, known: ["joinpoint"]))
      }
    }
    guard let id, let className else { return }
    if element.children.isEmpty {
      content.report.note("aspect \"\(id)\" has no joinpoint", at: element.location)
    }
    content.aspects.append(
      AspectDefinition(
        name: id, className: className, joinPoints: points, location: element.location))
  }

  private mutating func readJoinPoint(_ element: XMLElement) -> JoinPoint? {
    content.report.check(element, attributes: ["expression"])
    content.report.refuseChildren(of: element)
    guard let text = content.report.required("expression", of: element) else { return nil }
    do {
      return try JoinPointParser.parse(text, at: element.location)
    } catch {
      content.report.report(.wrongJoinPoint(text, element, error))
      return nil
    }
  }
}
