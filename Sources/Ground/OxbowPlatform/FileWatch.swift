internal import OxbowFoundation

/// Calls a closure after a file was written, by this process or by another one, until it is gone.
///
/// It opens nothing, so no lock on the file is in danger. On Linux the system reports writes
/// (inotify). The closure is also called every three seconds, and ten times a second where the
/// system refuses to report, while the file is missing, and on other systems. So it has to look
/// whether anything has happened. Within 5 ms of a call that has found something, all writes are
/// one call.
///
/// All watches of a process share one thread, which begins with the first and ends with the last.
package final class FileWatch: Sendable {
  /// What a call has found.
  package enum Look: Sendable {
    /// Nothing, so that the next write is looked at at once.
    case nothing
    case found
    /// It has to be called again soon.
    case again
  }

  /// Creates a watch.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - look: Called on the thread of all watches, which waits for it.
  package init(_ path: String, _ look: @escaping @Sendable () -> Look) {
    FileWatcher.shared.add(ObjectIdentifier(self), path, look)
  }

  deinit { FileWatcher.shared.remove(ObjectIdentifier(self)) }

  /// Whether the system reports writes.
  package var isReported: Bool { FileWatcher.shared.isReported(ObjectIdentifier(self)) }
}

/// The thread of all watches.
private final class FileWatcher: Sendable {
  static let shared = FileWatcher()

  private struct Entry {
    let path: String
    let look: @Sendable () -> FileWatch.Look
    /// The number by which the system reports the file; negative if it does not.
    var number: Int32
    var isWritten = false
    /// When it was last looked at, in milliseconds.
    var last: Int

    var next: Int {
      last + (isWritten ? FileWatcher.pause : number >= 0 ? FileWatcher.rare : FileWatcher.often)
    }
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    /// The descriptors of the thread that runs.
    var descriptors: WatchDescriptors?
  }

  /// The least time between two looks, and the most with and without reports; in milliseconds.
  private static let (pause, rare, often) = (5, 3000, 100)

  private let state = Lock(State())

  func add(
    _ id: ObjectIdentifier, _ path: String, _ look: @escaping @Sendable () -> FileWatch.Look
  ) {
    let isNew = state.withLock { state in
      let known = state.descriptors
      let descriptors = known ?? WatchDescriptors()
      state.descriptors = descriptors
      state.entries[id] = Entry(
        path: path, look: look, number: descriptors.watch(path), last: monotonicMilliseconds())
      // A thread that waits does not know how long the new one lets it.
      if known != nil { descriptors.wake() }
      return known == nil
    }
    guard isNew, !runInBackground({ FileWatcher.shared.run() }) else { return }
    // The next watch tries again.
    state.withLock { state in
      state.descriptors?.end()
      state.descriptors = nil
    }
  }

  func remove(_ id: ObjectIdentifier) {
    // Released after the lock.
    let removed = state.withLock { state in
      let removed = state.entries.removeValue(forKey: id)
      if let removed, !state.entries.values.contains(where: { $0.number == removed.number }) {
        state.descriptors?.forget(removed.number)
      }
      if state.entries.isEmpty { state.descriptors?.wake() }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  func isReported(_ id: ObjectIdentifier) -> Bool {
    state.withLock { $0.entries[id].map { $0.number >= 0 } ?? false }
  }

  /// What the thread does next.
  private enum Turn {
    case look([(id: ObjectIdentifier, look: @Sendable () -> FileWatch.Look)])
    case wait(WatchDescriptors, milliseconds: Int, forWrites: Bool)
    case end
  }

  private func run() {
    while true {
      switch state.withLock({ Self.turn(&$0, monotonicMilliseconds()) }) {
      case .look(let entries):
        for (id, look) in entries { note(look(), id) }
      case .wait(let descriptors, let milliseconds, let forWrites):
        guard let reports = descriptors.wait(milliseconds, forWrites: forWrites) else { continue }
        note(reports)
      case .end: return
      }
    }
  }

  private static func turn(_ state: inout State, _ now: Int) -> Turn {
    guard let descriptors = state.descriptors, !state.entries.isEmpty else {
      state.descriptors?.end()
      state.descriptors = nil
      return .end
    }
    let due = state.entries.filter { $0.value.next <= now }
    guard due.isEmpty else {
      for id in due.keys {
        state.entries[id]?.last = now
        state.entries[id]?.isWritten = false
      }
      return .look(due.map { ($0.key, $0.value.look) })
    }
    let next = state.entries.values.map(\.next).min() ?? now
    // A busy process is not woken by each of its own writes.
    let forWrites = !state.entries.values.contains(where: \.isWritten)
    return .wait(descriptors, milliseconds: next - now, forWrites: forWrites)
  }

  private func note(_ look: FileWatch.Look, _ id: ObjectIdentifier) {
    guard look != .found else { return }
    state.withLock { state in
      // A writer that was not the last one writes its name before it saves.
      if look == .nothing { state.entries[id]?.last -= Self.pause }
      if look == .again { state.entries[id]?.isWritten = true }
    }
  }

  /// Notes what the system has reported.
  private func note(_ reports: WatchReports) {
    state.withLock { state in
      for (id, entry) in state.entries {
        if reports.ended.contains(entry.number) { state.entries[id]?.number = -1 }
        if reports.areIncomplete || reports.written.contains(entry.number) {
          state.entries[id]?.isWritten = true
        }
      }
    }
  }
}

/// What the system has reported of files.
private struct WatchReports {
  var written: Set<Int32> = []
  /// The files that it reports no longer.
  var ended: Set<Int32> = []
  /// Whether there were more reports than it keeps.
  var areIncomplete = false
}

/// What the thread of all watches waits for.
private struct WatchDescriptors: Sendable {
  private let reports: Int32
  private let waking = WakingPipe()

  init() {
    #if os(Linux)
      reports = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    #else
      reports = -1
    #endif
  }

  func end() { if reports >= 0 { close(reports) } }

  /// Asks for reports of a file; negative where they are refused.
  func watch(_ path: String) -> Int32 {
    #if os(Linux)
      reports >= 0 ? inotify_add_watch(reports, path, UInt32(IN_MODIFY)) : -1
    #else
      -1
    #endif
  }

  func forget(_ number: Int32) {
    #if os(Linux)
      if number >= 0 { _ = inotify_rm_watch(reports, number) }
    #endif
  }

  /// Ends the thread's waiting.
  func wake() { waking.wake() }

  /// Waits, for reports too if asked to.
  ///
  /// - Returns: The reports, if there are any.
  func wait(_ milliseconds: Int, forWrites: Bool) -> WatchReports? {
    // A negative descriptor is left out.
    var descriptors = [
      pollfd(fd: waking.reader, events: Int16(POLLIN), revents: 0),
      pollfd(fd: forWrites ? reports : -1, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&descriptors, 2, Int32(clamping: milliseconds)) > 0 else { return nil }
    if descriptors[0].revents != 0 { waking.drain() }
    return descriptors[1].revents == 0 ? nil : taken()
  }

  private func taken() -> WatchReports {
    var found = WatchReports()
    #if os(Linux)
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(reports, &bytes, bytes.count)
      bytes.withUnsafeBytes { bytes in
        var place = 0
        while place + MemoryLayout<inotify_event>.size <= count {
          let event = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
          if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { found.areIncomplete = true }
          if event.mask & UInt32(IN_IGNORED) != 0 { found.ended.insert(event.wd) }
          found.written.insert(event.wd)
          place += MemoryLayout<inotify_event>.size + Int(event.len)
        }
      }
    #endif
    return found
  }
}
