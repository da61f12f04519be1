package import OxbowModel

extension PersistenceError {
  /// Refuses what has something against it, with each of the texts that say what.
  package static func refuse(
    _ texts: [String], as label: String, _ code: Code, _ message: @autoclosure () -> String
  ) throws(PersistenceError) {
    guard !texts.isEmpty else { return }
    throw PersistenceError(code, message(), details: texts.map { .init(label: label, text: $0) })
  }
}
