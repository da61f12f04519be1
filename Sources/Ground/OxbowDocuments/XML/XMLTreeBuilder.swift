/// The parts of a growing tree: elements are started and ended as in a document.
struct XMLTreeBuilder {
  /// The children of elements that have ended.
  private(set) var nodes: [XMLTree.Node] = []
  private(set) var attributes: [XMLTree.Attribute] = []
  private(set) var runs: [XMLTree.Run] = []
  private(set) var texts: [String] = []

  /// The open elements, outermost first, each followed by its children so far.
  ///
  /// When an element ends its children move to `nodes`, so that they are next to each other.
  private var pending: [XMLTree.Node] = []
  /// The index of the innermost open element in `pending`, -1 when none is open.
  private var innermost = -1
  private(set) var depth = 0

  init() {}

  /// Begins a tree whose elements have the texts of another one.
  init(textsOf tree: XMLTree) {
    runs = tree.runs
    texts = tree.texts
  }

  /// The innermost open element.
  ///
  /// - Precondition: An element is open.
  var open: XMLTree.Node { pending[innermost] }

  /// The attributes of the innermost open element.
  var openAttributes: ArraySlice<XMLTree.Attribute> {
    attributes[Int(pending[innermost].firstAttribute)...]
  }

  mutating func start(name: Int32, offset: Int32, line: Int32) {
    pending.append(
      XMLTree.Node(
        name: name, offset: offset, line: line, firstAttribute: Int32(attributes.count),
        firstChild: Int32(innermost)))
    innermost = pending.count - 1
    depth += 1
  }

  /// Adds an attribute to the innermost element, before anything else in it.
  mutating func append(_ attribute: XMLTree.Attribute) {
    attributes.append(attribute)
    pending[innermost].attributeCount += 1
  }

  /// Adds character data to the innermost element.
  mutating func append(_ text: XMLTree.Piece, isBlank: Bool) {
    append(XMLTree.Run(text: text, previous: pending[innermost].lastRun), isBlank: isBlank)
  }

  private mutating func append(_ run: XMLTree.Run, isBlank: Bool) {
    pending[innermost].lastRun = Int32(runs.count)
    if !isBlank { pending[innermost].hasText = true }
    runs.append(run)
  }

  /// Keeps a text that is not literal in the document.
  mutating func keep(_ text: String) -> XMLTree.Piece {
    texts.append(text)
    return XMLTree.Piece(text: texts.count - 1)
  }

  /// Gives the innermost element the texts of a node of the tree that shares its texts.
  mutating func takeText(of node: XMLTree.Node) {
    pending[innermost].lastRun = node.lastRun
    pending[innermost].hasText = node.hasText
  }

  /// Ends the innermost element; the last one becomes the root.
  mutating func end() {
    let firstChild = innermost + 1
    let parent = Int(pending[innermost].firstChild)
    pending[innermost].childCount = Int32(pending.count - firstChild)
    pending[innermost].firstChild = Int32(nodes.count)
    if firstChild < pending.count {
      nodes.append(contentsOf: pending[firstChild...])
      pending.removeSubrange(firstChild...)
    }
    if parent < 0 { nodes.append(contentsOf: pending) }
    innermost = parent
    depth -= 1
  }
}
