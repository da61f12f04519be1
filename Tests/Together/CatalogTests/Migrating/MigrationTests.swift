import Foundation
import Oxbow
import Testing

@testable import catalog

@Suite struct MigrationTests {
  @Test func `a store of version 1 is refused with the command that migrates it`() throws {
    let tree = try VersionOneTree()
    let before = try tree.store.contents(date: "date")
    let refused = try ProgramRun("catalog", ["report", "--store", tree.path])
    #expect(refused.status == 73)
    #expect(refused.output == "")
    #expect(try tree.store.contents(date: "date") == before)

    let command = try #require(refused.migrationCommand)
    #expect(command.contains("/catalogctl migrate apply --store \(tree.path) --migrations "))
    let applied = try ProgramRun("/bin/bash", ["-c", command])
    #expect(applied.status == 0, "\(applied.errors)")
    #expect(applied.output == VersionOneTree.applied(2...5))
    let report = try ProgramRun("catalog", ["report", "--store", tree.path])
    #expect(report.output.contains("25 files in 6 folders, 50 bytes, 2 kinds"))
    #expect(report.output.contains("seen: 1 file"))

    let again = try ProgramRun("/bin/bash", ["-c", command])
    #expect(again.status == 0)
    #expect(again.output == "nothing to do\n")
  }

  @Test func `a new store is at the end of the line, and migrating it changes nothing`() throws {
    let tree = try Tree()
    try tree.fill(folders: 2, files: 2)
    _ = try tree.index()
    let options = ["--store", tree.store, "--migrations", VersionOneTree.migrations]
    let status = try ProgramRun("catalogctl", ["migrate", "status"] + options)
    #expect(status.output.contains("position  after 0005_count-kinds.sql, by its history"))
    let applied = try ProgramRun("catalogctl", ["migrate", "apply"] + options)
    #expect(applied.output == "nothing to do\n", "\(applied.errors)")
  }

  @Test func `a store whose place is not known is refused with the line that says it`() throws {
    let tree = try Tree()
    try PersistentContainer(
      .file(tree.store), types: CatalogModel.classes.types
    ).close()
    let refused = try ProgramRun("catalog", ["report", "--store", tree.store])
    #expect(refused.status == 73)
    #expect(refused.errors.contains("behind '0005_count-kinds.sql': oxbowctl migrate baseline"))
    let options = ["--store", tree.store, "--migrations", VersionOneTree.migrations]
    #expect(try ProgramRun("catalogctl", ["migrate", "baseline"] + options).status == 0)
    #expect(try ProgramRun("catalog", ["report", "--store", tree.store]).status == 0)
  }

  @Test func `a migration keeps every row, and the renamed attribute its values`() throws {
    let tree = try VersionOneTree()
    let before = try tree.store.contents(date: "date")
    #expect(before.count == 25)
    #expect(before.allSatisfy { !$0.hasSuffix("\tNULL") })
    #expect(try tree.apply().status == 0)
    #expect(try tree.store.contents(date: "modified") == before)
    #expect(try tree.store.count("Folder") == 6)
    #expect(try tree.store.count("Volume") == 1)
    #expect(try tree.store.rows("SELECT count(*) FROM File_labels") == ["1"])
    #expect(try tree.store.contradictions() == [])
    #expect(try tree.tree.index().saves == 0)
  }

  @Test func `status and plan write nothing`() throws {
    let tree = try VersionOneTree()
    let before = try Data(contentsOf: URL(fileURLWithPath: tree.path))
    let status = try tree.migrate("status")
    #expect(status.status == 0, "\(status.errors)")
    #expect(status.output.contains("position  after 0001_initial.xml, by its model"))
    let plan = try tree.migrate("plan")
    #expect(plan.output.contains("rename attribute 'File.modified' (was 'date')"))
    #expect(plan.output.contains("add attribute 'Folder.byteCount' (Integer 64, default 0)"))
    #expect(plan.output.contains("add entity 'Kind'"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: tree.path)) == before)
  }

  @Test func `a migration that is killed leaves the state before or after a step`() throws {
    for size in [0, 1, 20_000, 40_000, 80_000] {
      let tree = try VersionOneTree()
      let running = try RunningProgram("catalogctl", tree.arguments("apply"))
      var status = stat()
      while running.process.isRunning {
        if stat(tree.path + "-wal", &status) == 0, Int(status.st_size) >= size { break }
        sched_yield()
      }
      kill(running.process.processIdentifier, SIGKILL)
      _ = try running.wait()
      #expect(try tree.store.rows("PRAGMA integrity_check") == ["ok"])
      let isRenamed = try !tree.store.rows(
        "SELECT 1 FROM pragma_table_info('File') WHERE name = 'modified'"
      ).isEmpty
      let hasKind = try !tree.store.rows("SELECT 1 FROM sqlite_master WHERE name = 'Kind'").isEmpty
      #expect(isRenamed == hasKind)
      #expect(try tree.apply().status == 0)
      #expect(try tree.store.contradictions() == [])
      #expect(try tree.store.contents().count == 25)
    }
  }

  @Test func `a writer that was open during the migration gets an error that says so`() throws {
    let tree = try VersionOneTree()
    let writer = try PersistentContainer(
      .file(tree.path), model: try VersionOneTree.model())
    try writer.perform { context in
      let label = try context.insert(entityNamed: "Label")
      try label.setValue("before", for: "name")
      try context.save()
    }
    let refused = try tree.apply("--wait", "0")
    #expect(refused.status == 75, "\(refused.output)")
    let applied = try tree.apply("--while-open")
    #expect(applied.status == 0, "\(applied.errors)")
    let error = #expect(throws: PersistenceError.self) {
      try writer.perform { context in
        let label = try context.insert(entityNamed: "Label")
        try label.setValue("after", for: "name")
        try context.save()
      }
    }
    #expect(error?.code == .storeWasMigrated)
    writer.close()
    #expect(try tree.store.rows("SELECT name FROM Label ORDER BY 1") == ["before", "seen"])
  }

  @Test func `the line of migrations ends at the model of the documents`() throws {
    let tree = try Tree()
    let line = tree.folder + "/Migrations"
    try FileManager.default.copyItem(atPath: VersionOneTree.migrations, toPath: line)
    let run = try ProgramRun(
      "oxbowctl", ["migrate", "new", "more", "--migrations", line, "--model"] + documents())
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("nothing to do: the migrations lead to the model"))
  }

  @Test func `the line of migrations ends at the classes of the tool`() throws {
    let diff = try ProgramRun("catalogctl", ["model", "diff", VersionOneTree.migrations])
    #expect(diff.status == 0, "\(diff.output)\(diff.errors)")
    #expect(diff.output.hasPrefix("equal"))
    let lint = try ProgramRun(
      "catalogctl", ["migrate", "lint", "--migrations", VersionOneTree.migrations])
    #expect(lint.status == 0, "\(lint.output)")
  }

  @Test func `a tool of a project's own says its own name in help and stubs`() throws {
    let help = try ProgramRun("catalogctl", ["migrate", "plan", "--help"]).output
    #expect(help.contains("USAGE: catalogctl migrate plan "))
    #expect(help.contains("\ncatalogctl migrate apply --store catalog.sqlite "))
    #expect(!help.contains("oxbowctl"))

    let line = try Tree().folder + "/Migrations"
    try FileManager.default.copyItem(atPath: VersionOneTree.migrations, toPath: line)
    for (program, name) in [("catalogctl", "catalogctl"), ("oxbowctl", "TOOL")] {
      let run = try ProgramRun(program, ["migrate", "new", name, "--code", "--migrations", line])
      #expect(run.status == 0, "\(run.errors)")
    }
    let stubs = try ["0006_catalogctl", "0007_TOOL"].map {
      try String(contentsOfFile: "\(line)/\($0).code.xml", encoding: .utf8)
    }
    #expect(stubs[0].contains("run=\"swift run catalogctl migrate apply\""))
    #expect(stubs[1].contains("run=\"swift run TOOL migrate apply\""))
  }

  private func documents() throws -> [String] {
    let models = try Resources.path("Models")
    return [models + "/Files.xcdatamodeld", models + "/Labels.xcdatamodel"]
  }
}

extension ProgramRun {
  /// The last line of the messages, which is the command to run.
  fileprivate var migrationCommand: String? {
    errors.split(separator: "\n").last.map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
