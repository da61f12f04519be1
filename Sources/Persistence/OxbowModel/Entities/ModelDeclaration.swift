internal import OxbowDocuments
internal import Synchronization

/// The `model` element of a document, and what has been computed of it.
final class ModelDeclaration: Sendable {
  let root: XMLElement

  /// The version hashes (`CoreDataHashes`), once they are there.
  let computed = Mutex<(any Sendable)?>(nil)

  init(_ root: XMLElement) { self.root = root }
}
