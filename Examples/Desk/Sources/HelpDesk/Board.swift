import Oxbow
import Synchronization

/// The open tickets that were changed last, as they are after each save, for all who watch them.
///
/// One fetch serves all watchers, however many there are.
final class Board: RunningObject {
  private struct State {
    var tickets: [TicketSummary]?
    var watchers: [Int: AsyncStream<[TicketSummary]>.Continuation] = [:]
    var number = 0
  }

  private let state = Mutex(State())
  private let coordinator: PersistentStoreCoordinator

  init(coordinator: PersistentStoreCoordinator) { self.coordinator = coordinator }

  /// Follows the saves until its task is cancelled, and shows at most ten lists a second.
  func run() async throws {
    let request = FetchRequest<Ticket>(
      where: .equal("status", TicketStatus.open), sortedBy: [.descending(\.updated)], limit: 50,
      prefetching: [\.assignee])
    let context = ManagedObjectContext(coordinator: coordinator, name: "board")
    let list = try FetchedResults(request, in: context)
    show(list.objects.map(TicketSummary.init))
    for try await _ in list.changes() {
      show(list.objects.map(TicketSummary.init))
      try? await Task.sleep(for: .milliseconds(100))
    }
  }

  /// The list as it is and as it becomes; a slow watcher misses what is out of date by then.
  func lists() -> AsyncStream<[TicketSummary]> {
    let (lists, watcher) = AsyncStream.makeStream(
      of: [TicketSummary].self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.number += 1
      state.watchers[state.number] = watcher
      if let tickets = state.tickets { watcher.yield(tickets) }
      return state.number
    }
    watcher.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.watchers.removeValue(forKey: number) }
    }
    return lists
  }

  private func show(_ tickets: [TicketSummary]) {
    state.withLock { state in
      state.tickets = tickets
      for watcher in state.watchers.values { watcher.yield(tickets) }
    }
  }
}
