import Foundation
import Oxbow

/// Keeps the totals of kinds in step with the files, in the same transactions.
///
/// All workers change the same few rows, by increments: the store adds them to what is there, so
/// that none conflicts with another, of other processes included. The workers take turns for that,
/// so that only one of them makes the row of a new kind. (A second process may; then the save
/// throws `uniquenessViolated`, and the worker does its batch again.)
@Component final class KindLedger: Sendable {
  private let context: any ObjectContext & Sendable
  /// The IDs of the kinds that this process has met.
  private let known = Guarded<[String: ManagedObjectID]>([:])

  init(context: any ObjectContext & Sendable) { self.context = context }

  /// Saves the thread's context together with changes of kinds.
  func save(_ changes: KindChanges) throws {
    if changes.isEmpty { return try context.save() }
    try known.withLock { known in
      let kinds = try kinds(of: changes, known: known)
      for (name, change) in changes.byName {
        guard let kind = kinds[name] else { continue }
        try context.increment(\.fileCount, of: kind, by: change.files)
        try context.increment(\.byteCount, of: kind, by: change.bytes)
      }
      try context.save()
      for (name, kind) in kinds { known[name] = kind.objectID }
    }
  }

  /// The rows of the kinds that change: read, or made.
  private func kinds(
    of changes: KindChanges, known: [String: ManagedObjectID]
  ) throws -> [String: Kind] {
    var kinds: [String: Kind] = [:]
    for name in changes.byName.keys {
      if let id = known[name] {
        kinds[name] = try context.object(with: id) as? Kind
      } else {
        kinds[name] = try stored(name) ?? context.insert(Kind.self) { $0.name = name }
      }
    }
    try context.load(kinds.values.filter(\.isFault))
    return kinds
  }

  private func stored(_ name: String) throws -> Kind? {
    try context.fetch(Kind.self, where: #Predicate { $0.name == name }, limit: 1).first
  }
}
