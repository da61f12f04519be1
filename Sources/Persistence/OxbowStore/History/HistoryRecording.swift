/// What a store notes of each save, for those who ask later what has happened.
///
/// ```swift
/// var options = SQLiteStoreOptions()
/// options.history = .keys
/// ```
///
/// It is switched on for one opening of a store. A program that opens it with `off` saves without
/// a row, and readers of the history find out that saves are missing.
public enum HistoryRecording: String, Sendable, Hashable, CaseIterable {
  /// Nothing.
  case off
  /// Which objects were inserted, updated and deleted, and which of their properties.
  ///
  /// Of deleted objects, the values of the attributes that ask for it are kept
  /// (`AttributeDescription.preservesValueInHistoryOnDeletion`).
  case keys
  /// Likewise, and the values before: those of changed attributes, and all of a deleted object.
  case values
}
