internal import OxbowContainer
internal import OxbowDocuments

/// Resolves the namespaces of a Typhoon document: what remains is Typhoon's own, without prefixes.
///
/// Elements and attributes of other namespaces may be anywhere; they are noted and left out.
/// Declarations of namespaces and the attributes of `xsi` and `xml` are left out without a note.
struct TyphoonMarkup {
  static let namespace = "http://www.typhoonframework.org/schema/assembly"
  private static let silent = [
    "http://www.w3.org/2001/XMLSchema-instance", "http://www.w3.org/XML/1998/namespace",
  ]

  private var uris = ["xml": silent[1]]

  /// The element without what is not Typhoon's; nil for one of another namespace.
  func cleaned(_ element: XMLElement, _ report: inout MarkupReport) -> XMLElement? {
    var copy = XMLLocalCopy(of: element)
    return copyCleaned(element, into: &copy, &report) ? copy.root() : nil
  }

  private func copyCleaned(
    _ element: XMLElement, into copy: inout XMLLocalCopy, _ report: inout MarkupReport
  ) -> Bool {
    let scope = entering(element)
    guard scope.start(element, in: &copy, &report) else { return false }
    for child in element.children { _ = scope.copyCleaned(child, into: &copy, &report) }
    copy.end()
    return true
  }

  /// The element without children, in the scope of the declarations that it makes itself.
  func bare(_ element: XMLElement, _ report: inout MarkupReport) -> XMLElement? {
    var copy = XMLLocalCopy(of: element)
    guard start(element, in: &copy, &report) else { return nil }
    copy.end()
    return copy.root()
  }

  /// Begins the copy of an element, unless it is of another namespace, which is noted.
  private func start(
    _ element: XMLElement, in copy: inout XMLLocalCopy, _ report: inout MarkupReport
  ) -> Bool {
    let prefix = Self.parts(of: element.name).prefix
    switch uri(of: prefix) {
    case Self.namespace, "":
      copy.start(
        element, attributes: element.attributes.filter { keeps($0, of: element, &report) })
      return true
    case let uri?:
      report.note("<\(element.name)> of \"\(uri)\" is not read", at: element.location)
    case nil:
      report.report(.undeclaredPrefix(prefix, of: "<\(element.name)>", element))
    }
    return false
  }

  private func keeps(
    _ attribute: XMLAttribute, of element: XMLElement, _ report: inout MarkupReport
  ) -> Bool {
    let (prefix, local) = Self.parts(of: attribute.name)
    if prefix == "xmlns" || (prefix.isEmpty && local == "xmlns") { return false }
    // An attribute without a prefix belongs to its element, whatever the default namespace is.
    guard !prefix.isEmpty else { return true }
    if let uri = uri(of: prefix) {
      if !Self.silent.contains(uri) {
        report.note("attribute \(attribute.name) of \"\(uri)\" is not read", at: element.location)
      }
    } else {
      report.report(.undeclaredPrefix(prefix, of: "attribute \"\(attribute.name)\"", element))
    }
    return false
  }

  /// The scope of what is in an element.
  func entering(_ element: XMLElement) -> TyphoonMarkup {
    var scope = self
    for attribute in element.attributes {
      if attribute.name == "xmlns" {
        scope.uris[""] = attribute.value
      } else if attribute.name.hasPrefix("xmlns:") {
        scope.uris[String(attribute.name.dropFirst(6))] = attribute.value
      }
    }
    return scope
  }

  private func uri(of prefix: String) -> String? { uris[prefix] ?? (prefix.isEmpty ? "" : nil) }

  /// The prefix of a name, empty without one, and the rest.
  static func parts(of name: String) -> (prefix: String, local: String) {
    guard let colon = name.firstIndex(of: ":") else { return ("", name) }
    return (String(name[..<colon]), String(name[name.index(after: colon)...]))
  }
}
