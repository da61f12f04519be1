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
/// - An object is a singleton unless `singleton="false"` or `scope` says otherwise. `scope` and
///   `product` are additions to the original.
/// - Booleans are `true` and `false`, nothing else. A property has exactly one of `ref` and `value`.
/// - Elements and attributes that mean nothing are errors, with the place where their element starts.
struct OxenDialect {
  private(set) var definitions: [ObjectDefinition] = []
  private(set) var problems: [ContainerError.Problem] = []
  private(set) var notes: [ContainerError.Note] = []

  mutating func read(_ root: XMLElement) {
    switch root.name {
    case "container": break
    case "contanier":
      notes.append(ContainerError.Note("read <contanier> as <container>", at: root.location))
    default:
      problems.append(.wrongRoot(root))
      return
    }
    check(root, attributes: [])
    for child in root.children {
      if child.name == "object" {
        readObject(child)
      } else {
        problems.append(.unknownElement(child, in: root.name, known: ["object"]))
      }
    }
  }

  // MARK: - Objects

  private mutating func readObject(_ element: XMLElement) {
    check(element, attributes: ["id", "class", "singleton", "lazy", "scope"])
    let id = required("id", of: element)
    let className = required("class", of: element)
    let scope = scope(of: element, name: id ?? "")
    let isLazy = boolean("lazy", of: element) ?? false
    var definition = ObjectDefinition(
      id ?? "", class: className ?? "", scope: scope, isLazy: isLazy, at: element.location)
    readParts(of: element, into: &definition)
    // Without a name or a class there is nothing to define; both are reported already.
    if id != nil, className != nil { definitions.append(definition) }
  }

  private mutating func readParts(of element: XMLElement, into definition: inout ObjectDefinition) {
    for child in element.children {
      switch child.name {
      case "property": definition.properties += readProperty(child)
      case "product" where definition.product != nil: problems.append(.repeatedProduct(child))
      case "product": definition.product = readProduct(child)
      default:
        problems.append(
          .unknownElement(child, in: element.name, known: ["property", "product"]))
      }
    }
  }

  private mutating func readProduct(_ element: XMLElement) -> ProductDefinition {
    check(element, attributes: ["class"])
    var product = ProductDefinition(
      class: element.attribute("class")?.value, properties: [], at: element.location)
    for child in element.children {
      if child.name == "property" {
        product.properties += readProperty(child)
      } else {
        problems.append(.unknownElement(child, in: element.name, known: ["property"]))
      }
    }
    return product
  }

  private mutating func scope(of element: XMLElement, name: String) -> String {
    let isSingleton = boolean("singleton", of: element)
    guard let scope = element.attribute("scope")?.value else {
      return isSingleton ?? true ? "singleton" : "prototype"
    }
    if let singleton = element.attribute("singleton")?.value {
      problems.append(.scopeTwice(element, scope, singleton))
    }
    if ContainerBuilder.scopeNames.contains(scope) { return scope }
    problems.append(.unknownScope(scope, of: element, name: name))
    return "singleton"
  }

  // MARK: - Properties

  private mutating func readProperty(_ element: XMLElement) -> [PropertyAssignment] {
    check(element, attributes: ["name", "ref", "value"])
    for child in element.children {
      problems.append(.unknownElement(child, in: element.name, known: []))
    }
    guard let name = required("name", of: element) else { return [] }
    let location = element.location
    switch (element.attribute("ref"), element.attribute("value")) {
    case (let ref?, nil) where !ref.value.isEmpty:
      return [.reference(name, to: ref.value, at: location)]
    case (_?, nil): problems.append(.missingAttribute("ref", of: element))
    case (nil, let value?): return [.value(name, value.value, at: location)]
    default: problems.append(.notOneContent(element, name: name))
    }
    return []
  }

  // MARK: - Attributes

  private mutating func required(_ name: String, of element: XMLElement) -> String? {
    if let value = element.attribute(name)?.value, !value.isEmpty { return value }
    problems.append(.missingAttribute(name, of: element))
    return nil
  }

  private mutating func boolean(_ name: String, of element: XMLElement) -> Bool? {
    guard let attribute = element.attribute(name) else { return nil }
    switch attribute.value {
    case "true": return true
    case "false": return false
    default:
      problems.append(.notBoolean(attribute, of: element))
      return nil
    }
  }

  /// Reports attributes that mean nothing, and text.
  private mutating func check(_ element: XMLElement, attributes known: [String]) {
    for attribute in element.attributes where !known.contains(attribute.name) {
      problems.append(.unknownAttribute(attribute, of: element, known: known))
    }
    let text = element.text.drop { $0.isWhitespace }
    if !text.isEmpty { problems.append(.strayText(in: element, String(text))) }
  }
}
