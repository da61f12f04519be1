// The XML of Oxbow's documents: what is read and what is refused.
//
// The reader is a pull parser over the bytes of one document in UTF-8. It reads elements,
// attributes, character data, CDATA sections, comments and processing instructions (both skipped),
// the five predefined entities and numeric character references. It refuses document type
// declarations, and with them every way to define an entity, so no document can grow while it is
// read; other encodings; and whatever XML 1.0 calls not well-formed. Prefixes are kept as text:
// "aop:config" is a name.
//
// Places count lines from 1 and columns in bytes from 1. "\r\n" and "\r" end a line as "\n" does
// and are delivered as "\n".

/// What the reader meets in a document.
package enum XMLEvent: Hashable, Sendable {
  /// A start tag; an empty-element tag is followed by its end.
  case start(name: String, attributes: [XMLAttribute], location: SourceLocation)

  /// A run of character data inside an element.
  case text(String, location: SourceLocation)

  /// An end tag.
  case end(name: String, location: SourceLocation)
}

/// A pull reader over the bytes of one XML document.
package struct XMLReader: Sendable {
  /// What the reader does with a document type declaration.
  package enum Doctype: Sendable {
    /// It is an error.
    case refused

    /// The one of XML property lists is skipped, without ever following its address.
    case propertyList

    /// As `propertyList` in a document whose root is `plist`; in every other it is an error.
    case propertyListIfRoot
  }

  private enum Part { case prolog, content, epilog }

  struct OpenElement {
    let name: String
    let location: SourceLocation
  }

  let bytes: [UInt8]
  let limits: DocumentLimits
  let doctype: Doctype
  var offset = 0
  var places: PlaceCounter
  private var part = Part.prolog
  private var open: [OpenElement] = []
  private var elementCount = 0
  private var doctypePlace: Int?
  private var pendingEnd: XMLEvent?
  private var failure: DocumentError?

  /// Creates a reader and checks size, encoding and characters of the document.
  package init(
    _ bytes: [UInt8], file: String, limits: DocumentLimits = .default, doctype: Doctype = .refused
  ) throws(DocumentError) {
    guard bytes.count <= limits.maximumBytes else { throw DocumentFile.tooLarge(file, limits) }
    self.bytes = bytes
    self.limits = limits
    self.doctype = doctype
    self.places = PlaceCounter(file: file)
    try readBeginning()
  }

  /// Returns the next event, or `nil` at the end of a well-formed document.
  ///
  /// - Throws: `DocumentError`; every later call throws the same one.
  package mutating func next() throws(DocumentError) -> XMLEvent? {
    if let failure { throw failure }
    do throws(DocumentError) {
      return try read()
    } catch {
      failure = error
      throw error
    }
  }

  private mutating func read() throws(DocumentError) -> XMLEvent? {
    if let event = pendingEnd {
      pendingEnd = nil
      closeInnermost()
      return event
    }
    while offset < bytes.count {
      if bytes[offset] != Ascii.less {
        if let event = try readText() { return event }
      } else if let event = try readMarkup() {
        return event
      }
    }
    return try readEnd()
  }

  private mutating func readEnd() throws(DocumentError) -> XMLEvent? {
    if let element = open.last {
      throw DocumentError(
        message: "element \"\(element.name)\" is never closed", location: element.location)
    }
    if part == .prolog { throw error("the document has no element", at: offset) }
    return nil
  }

  private mutating func readText() throws(DocumentError) -> XMLEvent? {
    if part == .content {
      let start = offset
      let text = try readCharacters()
      return .text(text, location: location(of: start))
    }
    skipSpace()
    if offset < bytes.count, bytes[offset] != Ascii.less {
      throw error(
        part == .prolog
          ? "the document begins with text; an element is expected"
          : "there is text after the end of the root element", at: offset)
    }
    return nil
  }

  private mutating func readMarkup() throws(DocumentError) -> XMLEvent? {
    switch byte(after: 1) {
    case Ascii.slash:
      return try readEndTag()
    case Ascii.question:
      try skipInstruction()
      return nil
    case Ascii.exclamation:
      return try readDeclaration()
    default:
      return try readStartTag()
    }
  }

  private mutating func readDeclaration() throws(DocumentError) -> XMLEvent? {
    if at("<!--") {
      try skipComment()
      return nil
    }
    if at("<![CDATA[") {
      guard part == .content else {
        throw error("a CDATA section stands outside the root element", at: offset)
      }
      let start = offset
      return .text(try readSection(), location: location(of: start))
    }
    guard at("<!DOCTYPE") else { throw error("\"<!\" begins nothing that is known", at: offset) }
    guard part == .prolog, doctypePlace == nil, skipsDoctype else {
      throw refusedDoctype(at: offset)
    }
    doctypePlace = offset
    try skipPropertyListDoctype()
    return nil
  }

  private var skipsDoctype: Bool {
    switch doctype {
    case .refused: false
    case .propertyList: true
    case .propertyListIfRoot: namesPropertyList
    }
  }

  private mutating func refusedDoctype(at offset: Int) -> DocumentError {
    error("a document type declaration (DOCTYPE) is not accepted; remove it", at: offset)
  }

  private mutating func readStartTag() throws(DocumentError) -> XMLEvent {
    let start = location(of: offset)
    guard part != .epilog else {
      throw DocumentError(
        message: "there is a second root element; a document has one", location: start)
    }
    guard open.count < limits.maximumDepth else {
      throw DocumentError(
        message: "elements are nested deeper than \(limits.maximumDepth), the limit for a"
          + " document; raise DocumentLimits.maximumDepth to read it",
        location: start)
    }
    guard elementCount < limits.maximumElements else {
      throw DocumentError(
        message: "there are more than \(limits.maximumElements) elements, the limit for a document;"
          + " raise DocumentLimits.maximumElements to read it",
        location: start)
    }
    elementCount += 1
    offset += 1
    let name = try readName("an element's name")
    if part == .prolog, name != "plist", doctype == .propertyListIfRoot, let place = doctypePlace {
      throw refusedDoctype(at: place)
    }
    let attributes = try readAttributes(of: name)
    part = .content
    open.append(OpenElement(name: name, location: start))
    if take("/>") {
      pendingEnd = .end(name: name, location: start)
    } else if !take(">") {
      throw error("the start tag of \"\(name)\" is not closed by \">\"", at: offset)
    }
    return .start(name: name, attributes: attributes, location: start)
  }

  private mutating func readEndTag() throws(DocumentError) -> XMLEvent {
    let start = location(of: offset)
    offset += 2
    let name = try readName("an element's name")
    skipSpace()
    guard take(">") else {
      throw error("the end tag of \"\(name)\" is not closed by \">\"", at: offset)
    }
    guard let element = open.last else {
      throw DocumentError(message: "\"</\(name)>\" closes nothing", location: start)
    }
    guard element.name == name else {
      throw DocumentError(
        message: "\"</\(name)>\" does not match \"<\(element.name)>\" of line"
          + " \(element.location.line)",
        location: start)
    }
    closeInnermost()
    return .end(name: name, location: start)
  }

  private mutating func closeInnermost() {
    open.removeLast()
    if open.isEmpty { part = .epilog }
  }
}
