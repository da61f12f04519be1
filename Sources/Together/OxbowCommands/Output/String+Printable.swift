extension String {
  /// The text without what a terminal could take for a command: control characters other than line
  /// breaks and tabs, and marks that turn the direction of writing.
  var printable: String {
    String(
      String.UnicodeScalarView(unicodeScalars.filter { $0 == "\n" || $0 == "\t" || !$0.isCommand }))
  }

  /// The text on one line, for names that come from data.
  var oneLine: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { !$0.isCommand }))
  }
}

extension Unicode.Scalar {
  fileprivate var isCommand: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069:
      true
    default: false
    }
  }
}
