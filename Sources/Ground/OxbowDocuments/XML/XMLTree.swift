/// A whole document as a few flat arrays: its elements are numbers here, not objects.
///
/// Reading does not allocate objects for elements, attributes or texts, and releasing the tree only
/// releases its arrays. `XMLElement` and `XMLAttribute` are the views that callers use; texts and
/// locations are created when they are used. Benchmark: docs/performance.md, K/xml.
final class XMLTree: Sendable {
  /// An element.
  ///
  /// Children are next to each other, all of them before their parent; the root is last.
  struct Node: Sendable {
    let name: Int32
    /// The offset of the `<` of the start tag, and its line, counted from 0.
    let offset: Int32
    let line: Int32
    let firstAttribute: Int32
    var attributeCount: Int32 = 0
    /// The number of the first child; while the element is open, the index of its parent.
    var firstChild: Int32
    var childCount: Int32 = 0
    /// The last run of character data directly below, -1 without any.
    var lastRun: Int32 = -1
    /// Whether a run has anything but white space.
    var hasText = false
  }

  struct Attribute: Sendable {
    let name: Int32
    let offset: Int32
    let value: Piece
  }

  /// Character data up to the next markup, and the run before it in the same element.
  struct Run: Sendable {
    let text: Piece
    let previous: Int32
  }

  /// A text: a range of the document that has it literally, or one of `texts`.
  struct Piece: Sendable {
    private let start: Int32
    private let end: Int32

    init(_ range: Range<Int>) { (start, end) = (Int32(range.lowerBound), Int32(range.upperBound)) }

    init(text number: Int) { (start, end) = (Int32(number), -1) }

    /// The number in `texts`; nil for a range of the document.
    var number: Int? { end < 0 ? Int(start) : nil }

    var range: Range<Int> { Int(start)..<Int(end) }
  }

  let bytes: [UInt8]
  let lines: XMLLines
  let names: [String]
  /// The same names without their prefixes.
  let localNames: [String]
  let nodes: [Node]
  let attributes: [Attribute]
  let runs: [Run]
  /// Texts that are not literal in the document: with references or ends of lines.
  let texts: [String]

  /// Takes over the parts of a document that was read.
  init(_ bytes: [UInt8], _ lines: XMLLines, names: [String], _ parts: XMLTreeBuilder) {
    self.bytes = bytes
    self.lines = lines
    self.names = names
    localNames = names.contains { $0.contains(":") } ? names.map(Self.localName) : names
    nodes = parts.nodes
    attributes = parts.attributes
    runs = parts.runs
    texts = parts.texts
  }

  /// Creates a tree with the local names and the texts of another one.
  init(localNamesOf tree: XMLTree, _ parts: XMLTreeBuilder) {
    bytes = tree.bytes
    lines = tree.lines
    names = tree.localNames
    localNames = names
    nodes = parts.nodes
    attributes = parts.attributes
    runs = parts.runs
    texts = parts.texts
  }

  private static func localName(_ name: String) -> String {
    name.firstIndex(of: ":").map { String(name[$0...].dropFirst()) } ?? name
  }

  func string(_ piece: Piece) -> String {
    if let number = piece.number { return texts[number] }
    return bytes.withUnsafeBufferPointer { XMLBytes($0).string(piece.range) }
  }

  /// All runs of an element up to one of them, concatenated.
  func text(upTo last: Int32) -> String {
    guard last >= 0 else { return "" }
    let run = runs[Int(last)]
    if run.previous < 0 { return string(run.text) }
    var pieces: [Piece] = []
    var next = last
    while next >= 0 {
      pieces.append(runs[Int(next)].text)
      next = runs[Int(next)].previous
    }
    return pieces.reversed().reduce(into: "") { $0 += string($1) }
  }
}
