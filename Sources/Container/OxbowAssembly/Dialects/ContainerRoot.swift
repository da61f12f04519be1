internal import OxbowContainer
internal import OxbowDocuments

/// The root element that Oxen's and IVEngine's documents share: its content tells them apart.
enum ContainerRoot {
  static let names = ["container", "contanier"]

  /// Whether a document's first object or entity is an entity.
  static func holdsEntities(_ root: XMLElement) -> Bool {
    let first = root.children.first { ["object", "entity", "aop:config"].contains($0.name) }
    return first.map { $0.name != "object" } ?? false
  }

  /// Notes the old spelling and reports attributes other than declarations of namespaces.
  static func check(_ root: XMLElement, _ report: inout MarkupReport) {
    if root.name == "contanier" {
      report.note("read <contanier> as <container>", at: root.location)
    }
    for attribute in root.attributes where !attribute.name.hasPrefix("xmlns") {
      report.report(.unknownAttribute(attribute, of: root, known: []))
    }
    report.refuseText(in: root)
  }
}
