import Foundation
import Testing

@Suite struct InterruptedIndexTests {
  /// Every process is killed when its log has grown to another size, so at another place.
  @Test func `a run that was killed leaves a sound store, and the next one completes it`() throws {
    let tree = try Tree()
    try tree.fill(folders: 300, files: 12)
    var seed = UInt64.random(in: 1...UInt64.max)
    let printed = seed
    for _ in 1...5 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let threshold = Int(seed >> 33) % 600_000
      try tree.killIndex(whenLogReaches: threshold)
      if FileManager.default.fileExists(atPath: tree.store) {
        let store = StoreReader(path: tree.store)
        #expect(try store.rows("PRAGMA integrity_check") == ["ok"], "seed \(printed)")
        if try !store.rows("SELECT 1 FROM sqlite_master WHERE name = 'File'").isEmpty {
          #expect(try store.contradictions() == [], "seed \(printed)")
        }
      }
    }
    let result = try tree.index()
    let store = StoreReader(path: tree.store)
    #expect(try store.paths() == tree.find(), "seed \(printed)")
    #expect(try store.contradictions() == [], "seed \(printed)")
    #expect(result.files.inserted + result.files.unchanged == 3600)
    #expect(try tree.index().saves == 0)
  }

  @Test func `two processes may index a tree at the same time`() throws {
    let tree = try Tree()
    try tree.fill(folders: 100, files: 12)
    let arguments = ["index", tree.root, "--store", tree.store, "--json", "--quiet"]
    let both = try [
      RunningProgram("catalog", arguments), RunningProgram("catalog", arguments),
    ]
    let results = try both.map { try IndexResult($0.wait()) }
    #expect(results.map(\.files.inserted).reduce(0, +) == 1200)
    #expect(results.map(\.folders.inserted).reduce(0, +) == 101)
    let store = StoreReader(path: tree.store)
    #expect(try store.paths() == tree.find())
    #expect(try store.contradictions() == [])
  }

  @Test func `Ctrl-C ends a run in order, and the next one goes on from there`() throws {
    let tree = try Tree()
    try tree.fill(folders: 300, files: 12)
    let running = try RunningProgram(
      "catalog", ["index", tree.root, "--store", tree.store, "--quiet"])
    tree.waitUntilLogReaches(1, of: running.process)
    running.process.interrupt()
    let run = try running.wait()
    // The run may have been at its end already.
    #expect([0, 130].contains(run.status), "\(run.errors)")
    if run.status == 130 { #expect(run.output.contains("interrupted: run the command again")) }
    let store = StoreReader(path: tree.store)
    #expect(try store.contradictions() == [])
    _ = try tree.index()
    #expect(try store.paths() == tree.find())
  }
}

extension Tree {
  /// Starts an index run and kills it when the store's log has a size, or lets it end before.
  fileprivate func killIndex(whenLogReaches size: Int) throws {
    let running = try RunningProgram("catalog", ["index", root, "--store", store, "--quiet"])
    waitUntilLogReaches(size, of: running.process)
    kill(running.process.processIdentifier, SIGKILL)
    _ = try running.wait()
  }

  /// Waits for something that a process does, which it does or it ends.
  fileprivate func waitUntilLogReaches(_ size: Int, of process: Process) {
    var status = stat()
    while process.isRunning {
      if stat(store + "-wal", &status) == 0, Int(status.st_size) >= size { return }
      sched_yield()
    }
  }
}
