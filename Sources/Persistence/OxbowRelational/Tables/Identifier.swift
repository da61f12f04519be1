/// Returns an identifier in double quotes, quotes inside doubled.
///
/// The only way by which a name gets into SQL text. Values never do: they are bound.
package func quoted(_ identifier: String) -> String { enclosed(identifier, in: "\"") }

/// Returns a text between two marks, marks inside doubled.
///
/// A mark and an accent behind it are one character of Swift's, and two of everyone else's.
package func enclosed(_ text: String, in mark: Unicode.Scalar) -> String {
  var result = String.UnicodeScalarView([mark])
  for scalar in text.unicodeScalars {
    if scalar == mark { result.append(mark) }
    result.append(scalar)
  }
  result.append(mark)
  return String(result)
}

extension String {
  /// The text as one word of a shell's command, for commands to be pasted.
  package var shellWord: String {
    let isPlain = unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0)
        || "_-./,:@%+=".unicodeScalars.contains($0)
    }
    if isPlain, !isEmpty { return self }
    return unicodeScalars.reduce(into: "'") { result, scalar in
      if scalar == "'" { result += "'\\'" }
      result.unicodeScalars.append(scalar)
    } + "'"
  }
}

/// Hands out names that differ in more than the case of their letters, as SQLite needs.
package struct NamePool {
  private var taken: Set<String> = []
  private let maximumBytes: Int?

  /// Creates a pool in which `reserved` are taken, of names with up to `maximumBytes` bytes.
  package init(reserved: [String] = [], maximumBytes: Int? = nil) {
    taken = Set(reserved.map { $0.lowercased() })
    self.maximumBytes = maximumBytes
  }

  /// Whether a name is still free.
  package func isFree(_ name: String) -> Bool { !taken.contains(name.lowercased()) }

  /// Takes the first of `candidates` that is free, or the last of them with a number from 2 on.
  package mutating func take(_ candidates: String...) -> String {
    let last = candidates[candidates.count - 1]
    var name = candidates.lazy.map(fitting).first(where: isFree) ?? fitting(last)
    var number = 2
    while !isFree(name) {
      name = fitting("\(last)_\(number)")
      number += 1
    }
    taken.insert(name.lowercased())
    return name
  }

  /// A name that is not too long: its beginning, and a hash of all of it.
  ///
  /// The hash is part of the format of stores (FNV-1a, 64 bits, in base 36).
  private func fitting(_ name: String) -> String {
    guard let maximumBytes, name.utf8.count > maximumBytes else { return name }
    let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let end = "_" + String(hash, radix: 36)
    var start = String.UnicodeScalarView()
    var count = end.utf8.count
    for scalar in name.unicodeScalars {
      count += UTF8.width(scalar)
      guard count <= maximumBytes else { break }
      start.append(scalar)
    }
    return String(start) + end
  }
}
