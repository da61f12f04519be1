internal import SwiftSyntax
internal import SwiftSyntaxBuilder

extension EntityClass {
  /// The key paths rooted in this class, for predicates.
  var keyPathsMember: DeclSyntax {
    """
    /// The key paths of all properties, inherited ones included, rooted in this class.
    nonisolated \(raw: access)\(raw: parent == nil ? "" : "override ")class var _keyPaths: \
    [(keyPath: AnyKeyPath, name: String)] {
      _keptKeyPaths_\(raw: name)
    }
    """
  }

  /// The same as a value, because a key path of a generic root takes some microseconds to make.
  ///
  /// Unsafe only by its type: a constant of key paths, which never change once they are made.
  var keptKeyPaths: DeclSyntax {
    """
    nonisolated(unsafe) private static let _keptKeyPaths_\(raw: name) = \
    _keyPaths_\(raw: name)(\(raw: name).self)
    """
  }

  /// The same for any root below this class, because the key path of an inherited property differs
  /// from the superclass's own.
  var keyPathTable: DeclSyntax {
    let inherited = parent.map { "\($0)._keyPaths_\($0.lastComponent)(root) + " } ?? ""
    let entries = properties.map { "      (\\R.\($0.name), \"\($0.plainName)\"),\n" }.joined()
    let list = properties.isEmpty ? "[]" : "[\n\(entries)    ]"
    return """
      /// The key paths of the properties, rooted in a class that inherits them.
      nonisolated \(raw: access.closed)static func \
      _keyPaths_\(raw: name)<R: \(raw: name)>(_ root: R.Type) \
      -> [(keyPath: AnyKeyPath, name: String)] {
        \(raw: inherited)\(raw: list)
      }
      """
  }
}

extension String {
  /// `Special` of `Library.Special`.
  fileprivate var lastComponent: String { split(separator: ".").last.map(String.init) ?? self }
}
