import Foundation
import OxbowRuntime
import OxbowTestSupport
import Testing

// The commands that take a save back, and that keep a store's history (PS-11).
extension StoreHistoryTests {
  /// The numbers of the saves that the tool shows.
  private func numbers() throws -> [String] {
    words(try tool.run("store", "history", "s.sqlite").out)
      .compactMap { $0.first.map(String.init) }.filter { Int($0) != nil }
  }

  private func change(_ text: String) throws {
    try save(as: "desk") { context in
      let request = FetchRequest<ManagedObject>(entityNamed: "Note")
      try #require(context.fetch(request).first).setValue(text, for: "text")
    }
  }

  private func open(_ body: (PersistentStoreCoordinator) throws -> Void) throws {
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(model), at: .file(tool.folder.file("s.sqlite")))
    defer { coordinator.close() }
    try body(coordinator)
  }

  private func result(_ arguments: String...) throws -> [String: Any] {
    let output = try tool.run(arguments + ["--json"])
    let value = try JSONSerialization.jsonObject(with: Data(output.out.utf8)) as? [String: Any]
    return try #require(value?["result"] as? [String: Any], "\(output.err)")
  }

  @Test func `PS-11 a save is taken back by a new one, which can be taken back in turn`() throws {
    try fill()
    let update = try #require(numbers().last)
    let shown = try tool.run("store", "undo", "s.sqlite", update, "--dry-run")
    #expect(shown.code == 0, "\(shown.err)")
    #expect(shown.out.contains("text = \"old\"") && shown.out.hasSuffix("nothing was saved\n"))
    #expect(try numbers().count == 3)
    let undone = try tool.run("store", "undo", "s.sqlite", update, "--author", "admin")
    #expect(undone.code == 0, "\(undone.err)")
    #expect(undone.out.contains("undid save \(update) with save"))
    #expect(try numbers().count == 4)
    let again = try result("store", "undo", "s.sqlite", try #require(numbers().last))
    let changes = try #require(again["changes"] as? [[String: Any]])
    #expect(changes.map { $0["kind"] as? String } == ["update"])
    #expect(changes.first?["properties"] as? [String: String] == ["text": "\"new\""])
    #expect(try tool.run("store", "history", "s.sqlite", "--author", "admin").code == 0)
    let none = try tool.run("store", "undo", "s.sqlite", "99")
    #expect(none.code == 1)
    #expect(none.err.contains("has no save 99 in its history"))
  }

  @Test func `PS-11 what was changed since is a table of conflicts, and nothing is saved`() throws {
    try fill()
    let update = try #require(numbers().last)
    try change("newer")
    let refused = try tool.run("store", "undo", "s.sqlite", update)
    #expect(refused.code == 2)
    #expect(words(refused.out).map(\.first) == ["OBJECT", "Note/p1"])
    #expect(refused.err.contains("save \(update) was not undone"))
    let conflict = try #require(
      (try result("store", "undo", "s.sqlite", update)["conflicts"] as? [[String: Any]])?.first)
    #expect(conflict["property"] as? String == "text")
    #expect((conflict["base"] as? String)?.contains("new") == true)
    #expect((conflict["mine"] as? String)?.contains("old") == true)
    #expect((conflict["theirs"] as? String)?.contains("newer") == true)
    #expect(try numbers().count == 4)
  }

  @Test func `PS-11 a history is switched on and off`() throws {
    try save(as: nil, history: .off) { try insert("Note", $0) }
    let made = try tool.run("store", "history", "on", "s.sqlite", "--values")
    #expect(made.code == 0, "\(made.err)")
    #expect(made.out.contains("history = .values"))
    #expect(try tool.run("store", "history", "s.sqlite").out == "no saves\n")
    try change("newer")
    let kept = try tool.run("store", "history", "off", "s.sqlite")
    #expect(kept.code == 1 && kept.err.contains("--allow-loss"), "\(kept.err)")
    try open { _ = try $0.historyConsumer(named: "mailer", from: .now) }
    let read = try tool.run("store", "history", "off", "s.sqlite", "--allow-loss")
    #expect(read.code == 1 && read.err.contains("'mailer'"), "\(read.err)")
    let off = try tool.run("store", "history", "off", "s.sqlite", "--allow-loss", "--force")
    #expect(off.code == 0 && off.out.contains("with 1 save"), "\(off.err)")
    #expect(try result("store", "info", "s.sqlite")["layoutVersion"] as? Int == 1)
    #expect(try tool.run("store", "history", "s.sqlite").err.contains("has no history"))
    #expect(try tool.run("store", "check", "s.sqlite").code == 0)
    #expect(try tool.run("store", "doctor", "s.sqlite").code == 0)
    try change("newest")
    #expect(try numbers().count == 1)
  }

  @Test func `PS-11 consumers are listed and forgotten, and saves are purged`() throws {
    try fill()
    try open { coordinator in
      let mailer = try coordinator.historyConsumer(named: "mailer", from: .beginning)
      let listed = try result("store", "history", "consumers", "s.sqlite")
      let consumer = try #require((listed["consumers"] as? [[String: Any]])?.first)
      #expect(consumer["name"] as? String == "mailer" && consumer["lag"] as? Int == 3)
      #expect(consumer["isAtWork"] as? Bool == true)
      withExtendedLifetime(mailer) {}
    }
    let listed = try tool.run("store", "history", "consumers", "s.sqlite").out
    #expect(listed.hasPrefix("mailer") && !listed.contains("at work"))
    let last = try #require(numbers().last)
    let refused = try tool.run("store", "history", "purge", "s.sqlite", "--before", last)
    #expect(refused.code == 1 && refused.err.contains("'mailer'"), "\(refused.err)")
    let early = try tool.run("store", "history", "purge", "s.sqlite", "--before", "2001-01-01")
    #expect(early.out == "removed 0 saves\n")
    #expect(try tool.run("store", "history", "forget", "s.sqlite", "mailer").code == 0)
    #expect(try tool.run("store", "history", "forget", "s.sqlite", "mailer").code == 1)
    let purged = try tool.run("store", "history", "purge", "s.sqlite", "--before", last)
    #expect(purged.out == "removed 2 saves\n", "\(purged.err)")
    #expect(try numbers().contains(last))
    for wrong in [["--before", "yesterday"], ["--before", "2001-01-01", "--force"], []] {
      #expect(try tool.run(["store", "history", "purge", "s.sqlite"] + wrong).code == 64)
    }
    #expect(try tool.run("store", "history", "s.sqlite", "--follow", "--limit", "1").code == 64)
    #expect(try tool.run("store", "history", "s.sqlite", "--after=-5").code == 64)
  }

  @Test func `PS-11 numbers beyond both ends of a history are purged up to there`() throws {
    try fill()
    let none = try tool.run("store", "history", "purge", "s.sqlite", "--before=\(Int64.min)")
    #expect(none.out == "removed 0 saves\n", "\(none.err)")
    let all = try tool.run("store", "history", "purge", "s.sqlite", "--before=\(Int64.max)")
    #expect(all.out == "removed 3 saves\n", "\(all.err)")
    let missing = try tool.run("store", "history", "s.sqlite", "--after", "0")
    #expect(missing.code == 2)
    #expect(missing.out == "saves 1 to 3 are missing\n")
  }

  @Test func `PS-11 a store without a history does not get one by an undo`() throws {
    try save(as: nil, history: .off) { try insert("Note", $0) }
    for more in [[], ["--dry-run"]] {
      let undone = try tool.run(["store", "undo", "s.sqlite", "1"] + more)
      #expect(undone.code == 1 && undone.err.contains("has no history"), "\(undone.err)")
    }
    #expect(try result("store", "info", "s.sqlite")["layoutVersion"] as? Int == 1)
  }

  @Test func `PS-11 new saves are followed until the tool is interrupted`() throws {
    try fill()
    let (process, out, _) = try tool.process(
      ["store", "history", "s.sqlite", "--follow", "--after", "0", "--json"])
    try process.run()
    var text = ""
    func line() throws -> [String: Any] {
      while !text.contains("\n") {
        let data = out.fileHandleForReading.availableData
        try #require(!data.isEmpty, "the tool has ended")
        text += String(decoding: data, as: UTF8.self)
      }
      let line = text.prefix { $0 != "\n" }
      text.removeFirst(line.count + 1)
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(value as? [String: Any])
    }
    let known = try (0..<3).map { _ in try line()["author"] as? String }
    #expect(known == ["desk", "import", "desk"])
    try save(as: "night") { try insert("Label", $0) }
    #expect(try line()["author"] as? String == "night")
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test(.timeLimit(.minutes(30)))
  func `PS-11 what is purged before it was followed is one line, and a finding in the end`()
    throws
  {
    try fill()
    let (process, out, _) = try tool.process([
      "store", "history", "s.sqlite", "--follow", "--after", "0",
    ])
    try process.run()
    var text = ""
    func wait(for part: String) throws {
      while !text.contains(part) {
        let data = out.fileHandleForReading.availableData
        try #require(!data.isEmpty, "the tool has ended: \(text)")
        text += String(decoding: data, as: UTF8.self)
      }
    }
    try wait(for: "import")
    #expect(process.suspend())
    let last = try #require(numbers().last.flatMap { Int($0) })
    for _ in 0..<3 { try save(as: "night") { try insert("Label", $0) } }
    let purged = try tool.run("store", "history", "purge", "s.sqlite", "--before", "\(last + 3)")
    #expect(purged.code == 0, "\(purged.err)")
    try save(as: "morning") { try insert("Label", $0) }
    #expect(process.resume())
    try wait(for: "morning")
    #expect(text.contains("to \(last + 2) are missing\n"), "\(text)")
    #expect(text.contains("\(last + 3)"))
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 2)
  }

  @Test(.timeLimit(.minutes(30))) func `PS-11 following ends with its reader`() throws {
    try fill()
    let command = "\"$0\" store history s.sqlite --follow --after 0 | head -n 1"
    let (process, out, _) = try tool.process(["-c", command, try #require(Tool.path)])
    process.executableURL = URL(filePath: "/bin/bash")
    try process.run()
    // The reader may go after the first of these.
    while process.isRunning { try save(as: "night") { try insert("Label", $0) } }
    let text = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text.contains("desk") && text.count { $0 == "\n" } == 1)
  }

  @Test(.enabled(if: Shell.hasSQLite))
  func `PS-11 a consumer that has not run for a month is a finding`() throws {
    try fill()
    try open { _ = try $0.historyConsumer(named: "mailer", from: .beginning) }
    try open { _ = try $0.historyConsumer(named: "quiet", from: .now) }
    #expect(try tool.run("store", "doctor", "s.sqlite").code == 0)
    try Shell.sqlite(tool.folder.file("s.sqlite"), "UPDATE _oxbow_consumers SET seen = 0")
    let found = try tool.run("store", "doctor", "s.sqlite")
    #expect(found.code == 2)
    #expect(found.out.contains("'mailer' of the history was last seen on 1970-01-01"))
    #expect(found.out.contains("store history forget s.sqlite mailer"))
    #expect(!found.out.contains("quiet"), "it has seen all that there is")
    try Shell.sqlite(tool.folder.file("s.sqlite"), "DROP TABLE _oxbow_consumers")
    #expect(try tool.run("store", "doctor", "s.sqlite").out.contains("cannot be read"))
  }
}
