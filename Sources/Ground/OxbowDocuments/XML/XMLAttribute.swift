package struct XMLAttribute: Sendable {
  let tree: XMLTree
  private let number: Int32

  init(_ tree: XMLTree, _ number: Int) {
    self.tree = tree
    self.number = Int32(number)
  }

  var record: XMLTree.Attribute { tree.attributes[Int(number)] }

  /// The name as written, prefix included.
  package var name: String { tree.names[Int(record.name)] }

  /// The value with its references resolved.
  package var value: String { tree.string(record.value) }

  /// The location of the first byte of the name.
  package var location: SourceLocation { tree.lines.location(of: record.offset) }
}

package struct XMLAttributes: RandomAccessCollection, Sendable {
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

  package subscript(_ index: Int) -> XMLAttribute {
    precondition((0..<count).contains(index), "There is no attribute \(index) of \(count).")
    return XMLAttribute(tree, Int(first) + index)
  }
}
