// The XML of Oxbow's documents: what is read and what is refused.
//
// The reader goes once over the bytes of one document in UTF-8 and adds what it meets to a tree. It
// reads elements, attributes, character data, CDATA sections, comments and processing instructions
// (both skipped), the five predefined entities and numeric character references. It refuses
// document type declarations, and with them every way to define an entity, so no document can grow
// while it is read; other encodings; and whatever XML 1.0 calls not well-formed. Prefixes are kept
// as text: "aop:config" is a name.
//
// Locations count lines from 1 and columns in bytes from 1. "\r\n" and "\r" end a line like "\n"
// and are delivered as "\n".

struct XMLReader {
  private enum Part { case prolog, content, epilog }

  let bytes: XMLBytes
  let lines: XMLLines
  let doctype: XMLDoctype
  private let limits: DocumentLimits
  var offset: Int
  var tree = XMLTreeBuilder()
  var names = XMLNames()
  /// The line of the last start tag, counted from 0.
  private var line: Int32 = 0
  private var part = Part.prolog
  private var elementCount = 0
  private var doctypeOffset: Int?

  init(
    _ bytes: XMLBytes, file: String, limits: DocumentLimits, doctype: XMLDoctype
  ) {
    self.bytes = bytes
    // A byte order mark does not count as a column.
    offset = bytes.count >= 3 && bytes.string(0..<3) == "\u{FEFF}" ? 3 : 0
    lines = XMLLines(of: bytes, from: offset, file: file)
    self.limits = limits
    self.doctype = doctype
  }

  mutating func read() throws(DocumentError) {
    try readBeginning()
    while offset < bytes.count {
      if bytes[offset] == Ascii.less { try readMarkup() } else { try readText() }
    }
    try checkEnd()
  }

  /// The tree of the document that has been read, which keeps its bytes.
  consuming func result(_ bytes: [UInt8]) -> XMLTree {
    XMLTree(bytes, lines, names: names.texts, tree)
  }

  private func checkEnd() throws(DocumentError) {
    if tree.depth > 0 {
      let element = tree.open
      throw error(
        "element \"\(text(of: element.name))\" is never closed", at: Int(element.offset))
    }
    if part == .prolog { throw error("the document has no element", at: offset) }
  }

  private mutating func readText() throws(DocumentError) {
    if part == .content { return try readCharacters() }
    skipSpace()
    if offset < bytes.count, bytes[offset] != Ascii.less {
      throw error(
        part == .prolog
          ? "the document begins with text; an element is expected"
          : "there is text after the end of the root element", at: offset)
    }
  }

  private mutating func readMarkup() throws(DocumentError) {
    switch byte(after: 1) {
    case Ascii.slash: try readEndTag()
    case Ascii.question: try skipInstruction()
    case Ascii.exclamation: try readDeclaration()
    default: try readStartTag()
    }
  }

  private mutating func readDeclaration() throws(DocumentError) {
    if at("<!--") { return try skipComment() }
    if at("<![CDATA[") {
      guard part == .content else {
        throw error("a CDATA section is outside the root element", at: offset)
      }
      return try readSection()
    }
    guard at("<!DOCTYPE") else { throw error("\"<!\" does not begin anything known", at: offset) }
    guard part == .prolog, doctypeOffset == nil, skipsDoctype else {
      throw refusedDoctype(at: offset)
    }
    doctypeOffset = offset
    try skipPropertyListDoctype()
  }

  private var skipsDoctype: Bool {
    switch doctype {
    case .refused: false
    case .propertyList: true
    case .propertyListIfRoot: namesPropertyList
    }
  }

  private func refusedDoctype(at offset: Int) -> DocumentError {
    error("a document type declaration (DOCTYPE) is not accepted; remove it", at: offset)
  }

  // MARK: - Elements

  private mutating func readStartTag() throws(DocumentError) {
    let start = offset
    try checkStart()
    elementCount += 1
    offset += 1
    let name = try readName("an element's name")
    if part == .prolog, let declaration = doctypeOffset, doctype == .propertyListIfRoot,
      text(of: name) != "plist"
    {
      throw refusedDoctype(at: declaration)
    }
    lines.advance(&line, to: Int32(start))
    tree.start(name: name, offset: Int32(start), line: line)
    part = .content
    try readAttributes()
    if take("/>") {
      closeInnermost()
    } else if !take(">") {
      throw error(
        "the start tag of \"\(text(of: name))\" is not closed by \">\"", at: offset)
    }
  }

  private func checkStart() throws(DocumentError) {
    guard part != .epilog else {
      throw error("there is a second root element; a document has one", at: offset)
    }
    guard tree.depth < limits.maximumDepth else {
      throw error(
        "elements are nested deeper than \(limits.maximumDepth), the limit for a"
          + " document; raise DocumentLimits.maximumDepth to read it", at: offset)
    }
    guard elementCount < limits.maximumElements else {
      throw error(
        "there are more than \(limits.maximumElements) elements, the limit for a document;"
          + " raise DocumentLimits.maximumElements to read it", at: offset)
    }
  }

  private mutating func readEndTag() throws(DocumentError) {
    if tree.depth > 0, takeEndTag(of: tree.open.name) { return closeInnermost() }
    let start = offset
    offset += 2
    let number = try readName("an element's name")
    let name = text(of: number)
    skipSpace()
    guard take(">") else {
      throw error("the end tag of \"\(name)\" is not closed by \">\"", at: offset)
    }
    guard tree.depth > 0 else { throw error("\"</\(name)>\" closes nothing", at: start) }
    let open = text(of: tree.open.name)
    guard open.utf8.elementsEqual(name.utf8) else {
      let line = tree.open.line + 1
      throw error("\"</\(name)>\" does not match \"<\(open)>\" of line \(line)", at: start)
    }
    closeInnermost()
  }

  /// Steps over the end tag of a name if it is next, without white space in it.
  ///
  /// The fast path of `readEndTag`, which also reads these; benchmark:
  /// docs/performance.md, K/xml.
  private mutating func takeEndTag(of name: Int32) -> Bool {
    guard let end = names.end(of: name, at: offset + 2, in: bytes), end < bytes.count,
      bytes[end] == Ascii.greater
    else { return false }
    offset = end + 1
    return true
  }

  private mutating func closeInnermost() {
    tree.end()
    if tree.depth == 0 { part = .epilog }
  }
}
