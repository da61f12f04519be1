/// A copy of an element, or of a part of its contents, without the prefixes of names.
///
/// Elements are started and ended as in a document; texts and locations are those of the original.
package struct XMLLocalCopy {
  private let original: XMLTree
  private var copy: XMLTreeBuilder

  /// Begins a copy of elements of a document.
  package init(of element: XMLElement) {
    original = element.tree
    copy = XMLTreeBuilder(textsOf: original)
  }

  /// Begins an element with some of its attributes.
  ///
  /// - Precondition: Element and attributes belong to the document of the copy.
  package mutating func start(_ element: XMLElement, attributes: [XMLAttribute]) {
    precondition(element.tree === original, "<\(element.name)> belongs to another document.")
    let node = element.node
    copy.start(name: node.name, offset: node.offset, line: node.line)
    for attribute in attributes { copy.append(attribute.record) }
    copy.takeText(of: node)
  }

  package mutating func end() { copy.end() }

  /// The first element with everything that was copied into it.
  ///
  /// - Precondition: It has ended.
  package consuming func root() -> XMLElement {
    precondition(copy.depth == 0, "An element has not ended.")
    return XMLTree(localNamesOf: original, copy).root
  }
}
