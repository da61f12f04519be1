/// The pattern of a LIKE: text with `*` for any text and `?` for one Unicode scalar.
struct WildcardPattern: Sendable, Hashable {
  enum Element: Sendable, Hashable {
    case byte(UInt8)
    case one
    case many
  }

  private(set) var elements: [Element] = []

  /// Reads a pattern and folds its ordinary text.
  init(_ pattern: String, _ options: TextOptions) throws(PersistenceError) {
    var ordinary = ""
    var isEscaped = false
    func append(_ element: Element?, to elements: inout [Element]) {
      elements += TextFolding.folded(ordinary, options).utf8.map { .byte($0) }
      ordinary = ""
      if let element { elements.append(element) }
    }
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        ordinary.unicodeScalars.append(scalar)
        isEscaped = false
      case "\\": isEscaped = true
      case "*": append(.many, to: &elements)
      case "?": append(.one, to: &elements)
      default: ordinary.unicodeScalars.append(scalar)
      }
    }
    append(nil, to: &elements)
    guard !isEscaped else {
      throw PersistenceError(
        .invalidPredicate,
        "the pattern '\(pattern)' ends with a single backslash; write two for the character itself")
    }
  }

  /// The texts between its wildcards.
  var ordinaryTexts: [String] {
    let bytes = elements.map { if case .byte(let byte) = $0 { byte } else { nil as UInt8? } }
    return bytes.split(separator: nil)
      .map { String(decoding: $0.compactMap(\.self), as: UTF8.self) }
  }

  func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    var element = 0
    /// Where the last `*` is, and where the text after its part begins.
    var retry: (element: Int, index: Int)?
    while index < text.count {
      switch element < elements.count ? elements[element] : nil {
      case .many:
        retry = (element + 1, index)
        element += 1
        continue
      case .one:
        index = text.next(after: index)
        element += 1
        continue
      case .byte(let byte) where byte == text[index]:
        index += 1
        element += 1
        continue
      default: break
      }
      guard let last = retry else { return false }
      index = text.next(after: last.index)
      element = last.element
      retry = (element, index)
    }
    return elements[element...].allSatisfy { $0 == .many }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Where the scalar after the one at an index begins.
  fileprivate func next(after index: Int) -> Int {
    var next = index + 1
    while next < count, self[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }
}
