import Foundation
import OxbowRuntime
import Testing

// Run these under the thread sanitizer: Scripts/sanitize.

@Suite(.serialized) struct ConcurrencyTests {
  let store: PersistentContainer

  init() throws { store = try PersistentContainer(.temporary, model: notesModel) }

  @Test func `eight threads insert, change and delete through one repository`() throws {
    let notes = Notes(context: store.contexts)
    try onThreads(8) { thread in
      for number in 0..<25 {
        try notes.add("\(thread)-\(number)")
        try notes.save()
      }
      for note in try notes.context.fetch(allNotes()) {
        let text = try note.value("text", as: String.self) ?? ""
        guard text.hasPrefix("\(thread)-") else { continue }
        if text.hasSuffix("1") {
          try notes.context.delete(note)
        } else if text.hasSuffix("2") {
          try note.setValue(text + "!", for: "text")
        }
      }
      try notes.save()
    }
    // Of 0 to 24, 1, 11 and 21 go; 2, 12 and 22 change.
    #expect(try store.perform { try $0.count(allNotes()) } == 8 * 22)
    let changed = FetchRequest<ManagedObject>(entityNamed: "Note", where: .endsWith("text", "!"))
    #expect(try store.perform { try $0.count(changed) } == 8 * 3)
  }

  @Test func `objects that other threads release do no harm`() throws {
    let notes = Notes(context: store.contexts)
    try onThreads(1) { _ in
      for number in 0..<200 { try notes.add("\(number)") }
      try notes.save()
    }
    // The compiler sees disconnected objects here, so nothing but the strong identity map keeps
    // this from being a use after free.
    final class Bin: @unchecked Sendable {
      private let lock = NSLock()
      private var objects: [ManagedObject] = []
      func put(_ more: [ManagedObject]) { lock.withLock { objects += more } }
      func empty() {
        let old = lock.withLock {
          defer { objects = [] }
          return objects
        }
        withExtendedLifetime(old) {}
      }
    }
    let bin = Bin()
    try onThreads(8) { thread in
      for _ in 0..<20 {
        bin.put(try notes.context.fetch(allNotes()))
        bin.empty()
        try notes.add("from \(thread)")
        try notes.save()
      }
    }
    #expect(try store.perform { try $0.count(allNotes()) } == 200 + 160)
  }

  @Test func `readers see whole saves while others write`() throws {
    let notes = Notes(context: store.contexts)
    let store = self.store
    try onThreads(8) { thread in
      for number in 0..<20 {
        if thread % 2 == 0 {
          try notes.add("pair \(thread)-\(number) a")
          try notes.add("pair \(thread)-\(number) b")
          try notes.save()
        } else {
          let count = try store.perform { try $0.count(allNotes()) }
          #expect(count % 2 == 0)
        }
      }
    }
  }

  @Test func `a proxy's object that is sent to a task is reported at its first checked access`()
    async
    throws
  {
    let notes = Notes(context: store.contexts)
    let store = self.store
    let reports = ReportBox()
    store.coordinator.sendReports { reports.add($0) }
    try await store.perform { context in
      try context.insert(entityNamed: "Note").setValue("secret", for: "text")
      try context.save()
    }
    final class Leak: @unchecked Sendable {
      // Guarded by `lock`, which the thread sanitizer sees; it does not see the semaphores.
      private let lock = NSLock()
      private var stored: ManagedObject?
      var note: ManagedObject? {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
      }
    }
    let leak = Leak()
    let (started, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let owner = Thread {
      let id = try? notes.context.fetchIDs(allNotes()).first
      leak.note = id.flatMap { try? notes.context.object(with: $0) }
      started.signal()
      done.wait()
    }
    owner.start()
    await withCheckedContinuation { continuation in
      Thread {
        started.wait()
        continuation.resume()
      }.start()
    }
    let read = await Task.detached { leak.note?._optionalValue(0) as String? }.value
    done.signal()
    #expect(read == nil)
    let text = try #require(reports.all.first)
    #expect(text.contains("the object 'Note/p1' was used off its owner"))
    #expect(text.contains("the context 'thread's context' belongs to thread"))
    #expect(text.contains("in task"))
  }
}

final class ReportBox: @unchecked Sendable {
  // Guarded by `lock`.
  private let lock = NSLock()
  private var texts: [String] = []
  func add(_ text: String) { lock.withLock { texts.append(text) } }
  var all: [String] { lock.withLock { texts } }
}
