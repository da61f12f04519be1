extension XMLReader {
  mutating func skipComment() throws(DocumentError) {
    let start = offset
    offset += 4
    guard skip(behind: "--") else { throw error("the comment is never closed", at: start) }
    guard take(">") else { throw error("\"--\" is not allowed inside a comment", at: offset - 2) }
  }

  mutating func skipInstruction() throws(DocumentError) {
    let start = offset
    offset += 2
    let target = try readName("the name of a processing instruction")
    if text(of: target).lowercased() == "xml" {
      throw error("the XML declaration is allowed only at the very beginning", at: start)
    }
    guard at("?>") || Ascii.isSpace(byte()) else {
      throw error("the name of a processing instruction is expected here", at: start)
    }
    guard skip(behind: "?>") else {
      throw error("the processing instruction is never closed", at: start)
    }
  }

  /// Whether the declaration here is that of a property list.
  var namesPropertyList: Bool {
    var reader = self
    reader.offset += 9
    return reader.skipSpace() && reader.take("plist")
  }

  /// Steps over `<!DOCTYPE plist PUBLIC "…" "…">`; anything more is refused.
  mutating func skipPropertyListDoctype() throws(DocumentError) {
    let start = offset
    offset += 9
    skipSpace()
    guard take("plist") else {
      throw error("the only document type (DOCTYPE) of a property list is \"plist\"", at: start)
    }
    skipSpace()
    if take("PUBLIC") {
      try skipLiteral(start)
      try skipLiteral(start)
    } else if take("SYSTEM") {
      try skipLiteral(start)
    }
    skipSpace()
    guard take(">") else {
      throw error(
        "a document type (DOCTYPE) with declarations of its own is not accepted", at: start)
    }
  }

  private mutating func skipLiteral(_ start: Int) throws(DocumentError) {
    skipSpace()
    let quote = byte()
    guard quote == Ascii.quote || quote == Ascii.apostrophe else {
      throw error("the document type (DOCTYPE) is not complete", at: start)
    }
    offset += 1
    guard quote == Ascii.quote ? skip(behind: "\"") : skip(behind: "'") else {
      throw error("the document type (DOCTYPE) is not complete", at: start)
    }
  }
}
