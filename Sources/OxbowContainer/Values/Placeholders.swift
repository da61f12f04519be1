#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
internal import OxbowDocuments

/// What the `${key}` in files stand for: in values, and in the names of objects, classes and scopes.
///
/// | Text | Stands for |
/// | --- | --- |
/// | `${port}` | the value of `port` |
/// | `http://${host}:${port}/` | the same inside of longer text |
/// | `${port:8080}` | the value of `port`, or `8080` where nothing says it |
/// | `$${port}` | the text `${port}` |
///
/// A default may hold braces, in pairs: `${settings:{"a": 1}}`. Placeholders may stand in placeholders and
/// values lead on to others 100 deep, and put 1 MiB into one text.
///
/// A key that ``set(_:_:)`` gave goes first, then the ``environment``, then the files; of these the one
/// that was loaded last. A value may hold placeholders itself. A key that nothing knows is a problem
/// of `build()`.
///
/// ```swift
/// builder.placeholders.set("port", "8080")
/// try builder.placeholders.load("production.properties")
/// ```
public struct Placeholders: Sendable {
  private var given: [String: String] = [:]
  private var loaded: [String: String] = [:]

  /// The variables that keys are looked up in, after those that were set; by default the process's.
  ///
  /// A key with dots or dashes is also found in capitals with underscores: `store.url` as `STORE_URL`.
  public var environment: [String: String] = ProcessInfo.processInfo.environment

  /// Creates placeholders that know the environment only.
  public init() {}

  /// Gives a key a value.
  public mutating func set(_ key: String, _ value: String) { given[key] = value }

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
    // A byte order mark is no part of the first key.
    let text =
      text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (number, line) in lines.enumerated() {
      if line.allSatisfy(\.isWhitespace) || line.drop(while: \.isWhitespace).first == "#" {
        continue
      }
      guard let sign = line.firstIndex(of: "="), sign > line.startIndex else {
        let place = SourceLocation(file: name, line: number + 1, column: 1)
        problems.append(.invalidPropertyLine(String(line), at: place))
        continue
      }
      loaded[String(line[..<sign])] = String(line[line.index(after: sign)...])
    }
    guard problems.isEmpty else { throw ContainerError("load the placeholders", problems) }
  }

  /// What a key stands for, placeholders in it not replaced; nil when nothing says.
  package func value(of key: String) -> String? {
    given[key] ?? environment[key] ?? Self.variable(key).flatMap { environment[$0] } ?? loaded[key]
  }

  /// The keys that were set or loaded.
  package var keys: Set<String> { Set(given.keys).union(loaded.keys) }

  /// The variable that a key of several parts also means; a single word is too likely another's name:
  /// `path` is not `PATH`.
  private static func variable(_ key: String) -> String? {
    let name = String(key.map { $0 == "." || $0 == "-" ? "_" : $0 })
    return name == key ? nil : name.uppercased()
  }
}
