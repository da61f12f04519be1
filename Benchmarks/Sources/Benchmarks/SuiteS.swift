import Foundation
import OxbowRuntime

/// Suite S: stores in Core Data's layout, against the same objects in the plain layout.
final class SuiteS {
  private let scratch: Scratch
  private let rows = 200_000
  private let changed = 1_000

  init(directory: URL) { scratch = Scratch(directory: directory, types: [Mixed.self]) }

  func run(_ parts: [Substring]) throws {
    let wants = { (part: String) in parts.isEmpty || parts[0] == part }
    if wants("read") || wants("save") {
      let (app, plain) = (try open("app", .coreData), try open("plain", .plain))
      defer {
        app.close()
        plain.close()
      }
      for store in [app, plain] { try fill(store) }
      if wants("read") { try reads(app, plain) }
      if wants("save") { try saves(app, plain) }
    }
    if wants("open") { try opens() }
  }

  private func open(_ name: String, _ layout: StoreLayout) throws -> PersistentContainer {
    var options = SQLiteStoreOptions()
    options.layout = layout
    return try PersistentContainer(
      .file(scratch.path(name)), types: scratch.types, options: options)
  }

  private func fill(_ store: PersistentContainer) throws {
    let context = store.makeContext()
    for row in 0..<rows {
      let mixed = try context.insert(Mixed.self)
      (mixed.name, mixed.city, mixed.note) = (
        "name \(row)", "city", "a note of 21 bytes \(row % 9)"
      )
      (mixed.small, mixed.large) = (row % 200, row << 20)
      (mixed.latitude, mixed.longitude, mixed.flag) = (Double(row) / 7, 0.5, row % 2 == 0)
    }
    try context.save()
  }

  private func emit(
    _ name: String, _ ours: Double, _ baseline: String, _ theirs: Double, _ target: String
  ) {
    print(
      Measurement(
        suite: "S", name: name, ours: ours, baseline: baseline, theirs: theirs, target: target
      ).line)
  }

  // MARK: - Reading

  private func reads(_ app: PersistentContainer, _ plain: PersistentContainer) throws {
    func read(_ store: PersistentContainer) throws -> Double {
      try processorNanoseconds {
        let found = try store.makeContext().fetch(FetchRequest<Mixed>())
        guard found.count == self.rows else {
          throw BenchmarkFailure(description: "rows are missing")
        }
      } / Double(rows)
    }
    let medians = try interleaved([{ try read(app) }, { try read(plain) }])
    emit("fetch 200,000", medians[0], "plain", medians[1], "1.15")
  }

  // MARK: - Saving

  private func saves(_ app: PersistentContainer, _ plain: PersistentContainer) throws {
    let desks = try [app, plain].map { store in
      let context = store.makeContext()
      let held = try context.fetch(FetchRequest<Mixed>(where: .equal("small", 7)))
      return (context, Array(held.prefix(changed)))
    }
    var round = 0
    func save(_ desk: (ManagedObjectContext, [Mixed])) throws -> Double {
      round += 1
      return try processorNanoseconds(CLOCK_PROCESS_CPUTIME_ID) {
        for (place, mixed) in desk.1.enumerated() { mixed.large = -round - place }
        try desk.0.save()
      } / Double(desk.1.count)
    }
    let medians = try interleaved(rounds: 21, [{ try save(desks[0]) }, { try save(desks[1]) }])
    emit("1,000 changed of 200,000, save", medians[0], "plain", medians[1], "1.5")
  }

  // MARK: - Opening

  private func opens() throws {
    let document = scratch.directory.appending(path: "Large.xcdatamodel")
    try FileManager.default.createDirectory(at: document, withIntermediateDirectories: true)
    try Data(Self.contents.utf8).write(to: document.appending(path: "contents"))
    var options = SQLiteStoreOptions()
    options.layout = .coreData
    try PersistentContainer(
      .file(scratch.path("large")), model: ModelDocument(contentsOf: document.path).model,
      options: options
    ).close()
    for isReadOnly in [true, false] {
      let opening = SQLiteStoreOptions(isReadOnly: isReadOnly)
      let median = try interleaved([
        {
          try processorNanoseconds {
            try PersistentContainer(
              document.path, store: .file(self.scratch.path("large")), options: opening
            ).close()
          }
        }
      ])[0]
      emit(
        "open 200 entities" + (isReadOnly ? " for reading" : ""), median, "30 ms", 30e6, "1.0")
    }
  }

  /// 200 entities of ten attributes, each with a relationship to the next.
  private static let contents: String = {
    let entities = (0..<200).map { number in
      let attributes = (0..<10).map {
        "<attribute name=\"value\($0)\" optional=\"YES\" attributeType=\"String\"/>"
      }
      let (next, before) = ((number + 1) % 200, (number + 199) % 200)
      return "<entity name=\"Entity\(number)\">\(attributes.joined())"
        + "<relationship name=\"next\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" "
        + "destinationEntity=\"Entity\(next)\" inverseName=\"before\" inverseEntity=\"Entity\(next)\"/>"
        + "<relationship name=\"before\" optional=\"YES\" toMany=\"YES\" deletionRule=\"Nullify\" "
        + "destinationEntity=\"Entity\(before)\" inverseName=\"next\" inverseEntity=\"Entity\(before)\"/>"
        + "</entity>"
    }
    return "<model>\(entities.joined())</model>"
  }()
}
