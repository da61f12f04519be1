internal import OxbowDocuments
internal import OxbowFoundation

/// The values of the `${key}` in files: in values, and in the names of objects, classes and
/// scopes.
///
/// | Text | Meaning |
/// | --- | --- |
/// | `${port}` | the value of `port` |
/// | `http://${host}:${port}/` | the same inside of longer text |
/// | `${port:8080}` | the value of `port`, or `8080` where nothing says it |
/// | `$${port}` | the text `${port}` |
///
/// A default may hold braces, in pairs: `${settings:{"a": 1}}`. Placeholders may be in
/// placeholders and values lead on to others 100 deep, and put 1 MiB into one text.
///
/// A key that ``set(_:_:)`` gave goes first, then providers of swift-configuration (`load(from:)`
/// of `OxbowConfiguration`), then the ``environment``, then the files, the last one first. A value
/// may hold placeholders itself. A key that is unknown is a problem of `build()`.
///
/// ```swift
/// builder.placeholders.set("port", "8080")
/// try builder.placeholders.load("production.properties")
/// ```
///
/// Errors show the value of no key that is marked as secret, and none of the environment: they
/// write `‹secret›` and `‹environment: PORT›` for it. Printed, dumped and reflected, placeholders
/// show their keys.
public struct Placeholders: Sendable {
  private var given: [String: String] = [:]
  private var loaded: [String: String] = [:]
  private var secrets: Set<String> = []

  /// What other packages give, the first one that knows a key.
  package var sources: [any PlaceholderSource] = []

  /// The variables that keys are looked up in, after those that were set; by default the process's.
  ///
  /// A key with dots or dashes is also found in capitals with underscores: `store.url` as
  /// `STORE_URL`, `pool.maxSize` as `POOL_MAXSIZE` and `POOL_MAX_SIZE`.
  public var environment: [String: String] = ProcessInfo.processInfo.environment

  /// Creates placeholders that read the environment only.
  public init() {}

  /// Gives a key a value.
  public mutating func set(_ key: String, _ value: String) { given[key] = value }

  /// Marks keys as secret, wherever their values come from.
  ///
  /// A secret fills properties and parameters as any value does, and nothing shows it: `explain`,
  /// graphs, reports and errors write `‹secret›`. It cannot be a part of a name (of a class, a
  /// scope, an object), because names are shown.
  ///
  /// - Parameter keys: The keys, as in `${key}`.
  public mutating func markSecret(_ keys: String...) { secrets.formUnion(keys) }

  /// Reads a file of lines `key=value`.
  ///
  /// A line is split at its first `=` and taken as it is: blanks count. Empty lines and those that
  /// start with `#` are comments.
  ///
  /// - Parameter path: The file.
  /// - Throws: ``ContainerError``: `unreadableDocument` when there is no such file, when it is not
  ///   UTF-8, and for lines without `=`.
  public mutating func load(_ path: String) throws {
    let text: String
    do throws(DocumentError) {
      guard let read = String(validating: try DocumentFile.bytes(of: path), as: UTF8.self) else {
        throw DocumentError(message: "the text is not UTF-8", location: nil)
      }
      text = read
    } catch {
      throw ContainerError(.unreadableProperties(path, error), task: "load the placeholders")
    }
    try load(text: text, named: path)
  }

  /// Reads lines `key=value` of a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - name: The text's name, for messages.
  /// - Throws: ``ContainerError``: `unreadableDocument` for lines without `=`.
  public mutating func load(text: String, named name: String) throws {
    var problems: [ContainerError.Problem] = []
    // A byte order mark is not part of the first key.
    let text =
      text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (number, line) in lines.enumerated() {
      if line.allSatisfy(\.isWhitespace) || line.drop(while: \.isWhitespace).first == "#" {
        continue
      }
      guard let sign = line.firstIndex(of: "="), sign > line.startIndex else {
        let location = SourceLocation(file: name, line: number + 1, column: 1)
        problems.append(.invalidPropertyLine.at(location))
        continue
      }
      loaded[String(line[..<sign])] = String(line[line.index(after: sign)...])
    }
    guard problems.isEmpty else { throw ContainerError("load the placeholders", problems) }
  }

  /// The value of a key, placeholders in it not replaced; nil when there is none.
  ///
  /// - Throws: Why a source has a value that is not one for a text.
  package func value(of key: String) throws(PlaceholderText.Failure) -> Found? {
    let isSecret = secrets.contains(key)
    if let text = given[key] { return Found(text: text, isSecret: isSecret) }
    for source in sources {
      do {
        guard let found = try source.value(of: key) else { continue }
        return Found(text: found.text, isSecret: isSecret || found.isSecret)
      } catch { throw .unfit(key, source: source.name) }
    }
    for name in [key] + Self.variables(key) {
      guard let text = environment[name] else { continue }
      return Found(text: text, mask: "‹environment: \(name)›", isSecret: isSecret)
    }
    return loaded[key].map { Found(text: $0, isSecret: isSecret) }
  }

  /// Whether nothing may show the value of a key.
  func isSecret(_ key: String) -> Bool { secrets.contains(key) }

  /// A value.
  package struct Found {
    package let text: String
    /// What messages show in its place; nil where they show the value.
    var mask: String?
    /// Whether nothing may show it.
    let isSecret: Bool

    /// What is shown of a value that errors do not quote.
    fileprivate var shown: String? { isSecret ? ExpandedText.secret : mask }
  }

  /// Keys and variables with values whose names are near to that of an unknown key.
  func nearNames(to key: String) -> [String] {
    let variables = Self.variables(key).flatMap {
      OxbowDocuments.nearNames(to: $0, among: environment.keys)
    }
    let names =
      OxbowDocuments.nearNames(to: key, among: keys)
      + sources.flatMap { $0.nearKeys(to: key) } + variables
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  /// The keys that were set or loaded.
  package var keys: Set<String> { Set(given.keys).union(loaded.keys) }

  /// The variables that a key of several parts also means; a single word is too likely another's
  /// name: `path` is not `PATH`.
  private static func variables(_ key: String) -> [String] {
    let name = String(key.map { $0 == "." || $0 == "-" ? "_" : $0 })
    guard name != key else { return [] }
    var parts = ""
    for character in name {
      if character.isUppercase, parts.last?.isLowercase == true { parts.append("_") }
      parts.append(character)
    }
    let short = name.uppercased()
    return parts == name ? [short] : [short, parts.uppercased()]
  }
}

/// Values for placeholders from another package.
package protocol PlaceholderSource: Sendable {
  /// What messages call it.
  var name: String { get }

  /// The value of a key as text, and whether nothing may show it; nil when there is none.
  ///
  /// - Throws: Why it has a value that no text has.
  func value(of key: String) throws -> (text: String, isSecret: Bool)?

  /// The keys with values that a misspelled one may mean.
  func nearKeys(to key: String) -> [String]
}

extension Placeholders: CustomStringConvertible, CustomReflectable {
  /// The keys that were set and loaded, without their values.
  public var description: String {
    "Placeholders(set: \(given.keys.sorted()), loaded: \(loaded.keys.sorted()), "
      + "secret: \(secrets.sorted()))"
  }

  /// The keys, without their values.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "set": given.keys.sorted(), "loaded": loaded.keys.sorted(), "secret": secrets.sorted(),
      ])
  }
}

/// Replaces the placeholders of one text.
package struct PlaceholderText {
  /// Why a text has no value.
  package enum Failure: Error, Equatable {
    case unknownKey(String)
    /// A source has a value that is not text, for example a list.
    case unfit(String, source: String)
    /// Keys whose values need each other, the first again at the end.
    case circle([String])
    case unclosed
    /// Placeholders are inside of placeholders, or keys lead to keys, more than `deepest` times.
    case tooDeep
    /// More than `longest` bytes would replace placeholders.
    case tooLong
  }

  /// How deep placeholders may be nested, keys and values that lead on included.
  static let deepest = 100
  /// How many bytes may replace the placeholders of one text, 1 MiB; a short
  /// value counts as 64, so that there are at most 16,384 values.
  static let longest = 1_048_576

  /// What a text becomes whose placeholders have no value: a problem that is reported already.
  ///
  /// It is not written by hand: it differs in each run of the program.
  static let unresolved = "\u{0}unresolved \(UInt64.random(in: 0...UInt64.max))"

  private let placeholders: Placeholders
  /// The keys whose values are read, outermost first.
  private var keys: [Key] = []
  private var depth = 0
  private var spent = 0

  init(placeholders: Placeholders) { self.placeholders = placeholders }

  func expand(_ text: String) throws(Failure) -> ExpandedText {
    guard text.mayHavePlaceholders else { return ExpandedText(text) }
    var work = self
    return try work.expanded(Substring(text))
  }

  /// The value of a key, which may have colons and braces.
  func value(ofKey key: String) throws(Failure) -> ExpandedText {
    var work = self
    return try work.value(of: Key(text: key, shown: key), or: nil)
  }

  /// Whether every placeholder of a text has an end.
  package static func isClosed(_ text: String) -> Bool {
    var rest = Substring(text)
    while let start = Start(in: rest) {
      rest = rest[start.end...]
      guard start.isPlaceholder else { continue }
      guard let end = end(ofPlaceholder: rest) else { return false }
      rest = rest[rest.utf8.index(after: end)...]
    }
    return true
  }

  // MARK: - Expanding one text

  private mutating func expanded(_ text: Substring) throws(Failure) -> ExpandedText {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw .tooDeep }
    var result = ExpandedText("")
    var rest = text
    while let start = Start(in: rest) {
      result.append(rest[..<start.start])
      rest = rest[start.end...]
      guard start.isPlaceholder else {
        result.append(start.text[...])
        continue
      }
      guard let end = end(ofPlaceholder: rest) else { throw .unclosed }
      result.append(try value(of: rest[..<end]))
      rest = rest[rest.utf8.index(after: end)...]
    }
    result.append(rest)
    return result
  }

  private mutating func value(of body: Substring) throws(Failure) -> ExpandedText {
    let (name, fallback) = split(body)
    let expandedKey = try expanded(name)
    return try value(of: Key(text: expandedKey.text, shown: expandedKey.shown), or: fallback)
  }

  private mutating func value(
    of key: Key, or fallback: Substring?
  ) throws(Failure) -> ExpandedText {
    guard !keys.contains(key) else {
      throw .circle((keys.drop { $0 != key } + [key]).map(\.shown))
    }
    var value: ExpandedText
    if let found = try found(key) {
      keys.append(key)
      do throws(Failure) { value = try expanded(Substring(found.text)) } catch {
        throw found.shown.map(error.hidden) ?? error
      }
      keys.removeLast()
      if let mask = found.mask { value.shown = mask }
      if found.isSecret { value.hide() }
    } else if let fallback {
      value = try expanded(fallback)
    } else {
      throw .unknownKey(key.shown)
    }
    if placeholders.isSecret(key.text) { value.hide() }
    spent += max(64, value.text.utf8.count)
    guard spent <= Self.longest else { throw .tooLong }
    return value
  }
}

extension PlaceholderText {
  private func found(_ key: Key) throws(Failure) -> Placeholders.Found? {
    do throws(Failure) { return try placeholders.value(of: key.text) } catch {
      guard case .unfit(_, let source) = error else { throw error }
      throw .unfit(key.shown, source: source)
    }
  }
}

extension PlaceholderText.Failure {
  /// The failure of a value that errors do not quote, without the keys in it, which may be parts of
  /// a password.
  fileprivate func hidden(as shown: String) -> Self {
    switch self {
    case .unknownKey: .unknownKey(shown)
    case .unfit(_, let source): .unfit(shown, source: source)
    default: self
    }
  }
}

extension PlaceholderText {
  /// A key, which other placeholders may have made.
  fileprivate struct Key: Equatable {
    let text: String
    let shown: String
  }

  /// The next sign in a text that means something: `${`, `$${` or another `$`.
  fileprivate struct Start {
    let start: Substring.Index
    /// Behind it.
    let end: Substring.Index
    let isPlaceholder: Bool
    /// The text that it means, where it is not a placeholder.
    let text: String

    init?(in text: Substring) {
      guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "$")) else { return nil }
      start = sign
      let rest = text[sign...]
      let isEscaped = rest.utf8.starts(with: "$${".utf8)
      isPlaceholder = !isEscaped && rest.utf8.starts(with: "${".utf8)
      self.text = isEscaped ? "${" : "$"
      end = text.utf8.index(sign, offsetBy: isEscaped ? 3 : isPlaceholder ? 2 : 1)
    }
  }
}

/// The brace that closes a placeholder whose body starts a text.
///
/// Inner braces come in pairs, whatever they mean there.
private func end(ofPlaceholder text: Substring) -> Substring.Index? {
  var depth = 1
  return text.utf8.indices.first { index in
    switch text.utf8[index] {
    case UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: "}"): depth -= 1
    default: break
    }
    return depth == 0
  }
}

/// The key and the default of a placeholder, which its first colon outside of inner ones separates.
private func split(_ body: Substring) -> (key: Substring, fallback: Substring?) {
  var depth = 0
  let colon = body.utf8.indices.first { index in
    switch body.utf8[index] {
    case UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: "}"): depth -= 1
    case UInt8(ascii: ":"): return depth == 0
    default: break
    }
    return false
  }
  guard let colon else { return (body, nil) }
  return (body[..<colon], body[body.utf8.index(after: colon)...])
}
