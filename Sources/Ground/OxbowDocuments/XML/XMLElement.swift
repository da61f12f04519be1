/// An element of a document with everything below it.
///
/// It is a view of the whole document, which stays in memory as long as one of its elements.
/// Strings are created when they are used.
package struct XMLElement: Sendable {
  let tree: XMLTree
  private let number: Int32

  init(_ tree: XMLTree, _ number: Int) {
    self.tree = tree
    self.number = Int32(number)
  }

  var node: XMLTree.Node { tree.nodes[Int(number)] }

  /// The name as written, prefix included.
  package var name: String { tree.names[Int(node.name)] }

  /// The attributes in the order of the document.
  package var attributes: XMLAttributes {
    XMLAttributes(tree, from: node.firstAttribute, count: node.attributeCount)
  }

  /// The elements directly below, in the order of the document.
  package var children: XMLElements {
    XMLElements(tree, from: node.firstChild, count: node.childCount)
  }

  /// The character data directly below, concatenated, with its white space.
  package var text: String { tree.text(upTo: node.lastRun) }

  /// Whether the text consists of white space only, which is mostly indentation.
  package var isTextBlank: Bool { !node.hasText }

  /// The location of the `<` of the start tag.
  package var location: SourceLocation { tree.lines.location(of: node.offset, line: node.line) }

  package func value(_ name: String) -> String? {
    attributeNumber(name).map { tree.string(tree.attributes[$0].value) }
  }

  package func attribute(_ name: String) -> XMLAttribute? {
    attributeNumber(name).map { XMLAttribute(tree, $0) }
  }

  private func attributeNumber(_ name: String) -> Int? {
    let node = node
    let count = name.utf8.count
    for number in Int(node.firstAttribute)..<Int(node.firstAttribute + node.attributeCount) {
      // Names mostly differ in length, which costs less to compare. Benchmark: docs/performance.md,
      // K/xml.
      let candidate = tree.names[Int(tree.attributes[number].name)]
      if candidate.utf8.count == count, candidate == name { return number }
    }
    return nil
  }
}

package struct XMLElements: RandomAccessCollection, Sendable {
  private let tree: XMLTree
  private let first: Int32
  package let count: Int

  init(_ tree: XMLTree, from first: Int32, count: Int32) {
    self.tree = tree
    self.first = first
    self.count = Int(count)
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  package subscript(_ index: Int) -> XMLElement {
    precondition((0..<count).contains(index), "There is no element \(index) of \(count).")
    return XMLElement(tree, Int(first) + index)
  }
}

extension XMLTree {
  var root: XMLElement { XMLElement(self, nodes.count - 1) }
}
