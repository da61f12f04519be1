import Foundation
import OxbowRuntime

/// A model of one entity without a class.
let notesModel = ManagedObjectModel(entities: [
  EntityDescription("Note", attributes: [AttributeDescription("text", .string)])
])

func allNotes() -> FetchRequest<ManagedObject> {
  FetchRequest(entityNamed: "Note", sortedBy: [SortKey("text")])
}

/// A repository as applications write them: shared by threads, without a context of its own.
final class Notes: Sendable {
  let context: any ObjectContext & Sendable

  init(context: any ObjectContext & Sendable) { self.context = context }

  func add(_ text: String) throws {
    try context.insert(entityNamed: "Note").setValue(text, for: "text")
  }

  func texts() throws -> [String] {
    try context.fetch(allNotes()).map { try $0.value("text", as: String.self) ?? "" }
  }

  func save() throws { try context.save() }
}

/// Runs `body` on `count` threads and waits for all; throws the first error.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
  let group = DispatchGroup()
  let errors = ErrorBox()
  for index in 0..<count {
    group.enter()
    Thread {
      do { try body(index) } catch { errors.add(error) }
      group.leave()
    }.start()
  }
  group.wait()
  if let first = errors.first { throw first }
}

final class ErrorBox: @unchecked Sendable {
  // Guarded by `lock`.
  private let lock = NSLock()
  private var errors: [any Error] = []

  func add(_ error: any Error) {
    lock.lock()
    defer { lock.unlock() }
    errors.append(error)
  }

  var first: (any Error)? {
    lock.lock()
    defer { lock.unlock() }
    return errors.first
  }
}
