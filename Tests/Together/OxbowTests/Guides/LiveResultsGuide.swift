import Observation
import Oxbow
import Synchronization
import Testing

// The code of docs/guide/live-results.md.

/// The entity of the guide.
@Entity final class Record: ManagedObject {
  var artist: String = ""
  var title: String = ""
}

/// Counts on any thread.
private final class ChangeSignal: Sendable {
  private let value = Mutex(0)

  var count: Int { value.withLock { $0 } }

  func send() { value.withLock { $0 += 1 } }
}

@Suite struct LiveResultsGuideTests {
  @Test func `a value of the guide tells of its change`() throws {
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: [Record.self]), classes: [Record.self]),
      at: .inMemory)
    let context = ManagedObjectContext(coordinator: coordinator)
    let record = try context.insert(Record.self)

    context.isObservable = true
    let signal = ChangeSignal()
    withObservationTracking {
      _ = record.title
    } onChange: {
      signal.send()
    }
    record.title = "Bitches Brew"
    #expect(signal.count == 1)
  }

  @Test func `the list of the guide follows what is saved`() async throws {
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: [Record.self]), classes: [Record.self]),
      at: .inMemory)
    let context = ManagedObjectContext(coordinator: coordinator)
    let other = ManagedObjectContext(coordinator: coordinator)
    for (artist, title) in [("Nick", "Five Leaves Left"), ("Miles", "Kind of Blue")] {
      _ = try other.insert(Record.self) { ($0.artist, $0.title) = (artist, title) }
    }
    try other.save()

    let shelf = try FetchedResults(
      FetchRequest<Record>(sortedBy: [.ascending(\.artist), .ascending(\.title)]), in: context,
      sectionName: { $0.artist })
    #expect(shelf.objects.map(\.title) == ["Kind of Blue", "Five Leaves Left"])
    #expect(shelf.sections.map(\.name) == ["Miles", "Nick"])

    let position = try #require(shelf.position(of: shelf.objects[1]))
    #expect(position.section == 1 && position.item == 0 && position.index == 1)

    let record = try other.insert(Record.self) { ($0.artist, $0.title) = ("Miles", "Milestones") }
    try other.save()
    let change = try shelf.update()
    #expect(change.insertions.map(\.objectID) == [record.objectID])
    #expect(change.insertions.map(\.position.item) == [1])
    #expect(shelf.objects.count == 3)

    for title in ["Bryter Layter", "Pink Moon"] {
      _ = try other.insert(Record.self) { ($0.artist, $0.title) = ("Nick", title) }
      try other.save()
    }
    var drawn = 0
    for try await change in shelf.changes() {
      drawn += change.insertions.count
      if drawn == 2 { break }
    }
    #expect(shelf.objects.count == 5)
  }
}
