public import OxbowModel

/// A store of the program's own, in whatever format: a JSON file, a property list, a document on
/// another machine.
///
/// It is what `NSAtomicStore` is to Core Data: all objects are loaded when the store is opened, and
/// each save hands over what has changed. In between, Oxbow keeps the objects in memory, answers
/// every question about them, checks rules and unique values, and settles conflicts of contexts; a
/// store only reads and writes.
///
/// ```swift
/// final class JSONFile: AtomicStore {
///   let name: String
///   init(_ path: String) { name = path }
///
///   func load(_ model: ManagedObjectModel) throws -> AtomicStoreContents? {
///     guard FileManager.default.fileExists(atPath: name) else { return nil }
///     let data = try Data(contentsOf: URL(filePath: name))
///     return try JSONDecoder().decode(AtomicStoreContents.self, from: data)
///   }
///
///   func save(
///     _ changes: AtomicStoreChanges, contents: () throws -> AtomicStoreContents
///   ) throws {
///     try JSONEncoder().encode(contents()).write(to: URL(filePath: name), options: .atomic)
///   }
/// }
///
/// let container = try PersistentContainer(.atomic(JSONFile("notes.json")), types: [Note.self])
/// ```
///
/// One coordinator at a time has a store, and its calls come one after the other, from any thread.
/// Contexts of that coordinator work together as on any store. Two processes must not open the same
/// contents: the last one to save would win.
///
/// `AtomicStoreContract` of `OxbowTesting` tests a store.
public protocol AtomicStore: AnyObject, Sendable {
  /// The name of the store in messages: its path, its address.
  var name: String { get }

  /// Whether the store refuses to be changed; `false` by default.
  var isReadOnly: Bool { get }

  /// Reads everything that the store has.
  ///
  /// It is the first call. The objects may come in any order.
  ///
  /// - Parameter model: The entities that the store is opened for, which a format that keeps
  ///   everything does not need.
  /// - Returns: The contents, or `nil` if the store was never saved. `nil` makes a new store, whose
  ///   first save replaces whatever was there.
  /// - Throws: Why the contents cannot be read as a whole.
  func load(_ model: ManagedObjectModel) throws -> AtomicStoreContents?

  /// Makes a save last: all of it, or nothing.
  ///
  /// Everything has been checked before this call, and the save is done when it returns. If the
  /// process ends or the power fails in between, ``load(_:)`` must return either the contents
  /// before or those with the save: a store in a file writes another file beside it, waits until
  /// that is on the disk, and renames it.
  ///
  /// A new store is saved once when it is opened, without objects. Contexts wait while it runs; it
  /// must not use them, nor close the coordinator.
  ///
  /// - Parameters:
  ///   - changes: The objects that have changed and those that are gone, and the metadata.
  ///   - contents: Reads everything that the store has with this save, for formats that are written
  ///     as a whole; pass on what it throws.
  /// - Throws: Why nothing was saved: ``load(_:)`` still returns what was there before. Contexts
  ///   keep their changes, and `save()` of the context throws an error that has this one
  ///   (`PersistenceError.underlyingError`).
  func save(_ changes: AtomicStoreChanges, contents: () throws -> AtomicStoreContents) throws

  /// Closes files and connections; does nothing by default.
  ///
  /// It is the last call, after a save in progress has ended.
  func close()
}

extension AtomicStore {
  /// `false`.
  public var isReadOnly: Bool { false }

  /// Does nothing.
  public func close() {}
}
