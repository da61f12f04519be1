internal import Dispatch
internal import OxbowFoundation
internal import OxbowPlatform
internal import OxbowRuntime

// The rules about the store as a whole.

extension ContractRun {
  func newStore() throws {
    guard try makeStore().load(ContractModel.model) == nil else {
      throw fail(
        "a store that nothing was saved to has contents",
        "return nil where there is nothing; see whether the place is that of the contract")
    }
    let saved = try saved { _ in }
    let loaded = try load().metadata
    guard loaded.identifier == saved.metadata.identifier else {
      throw fail(
        "the identifier was saved as \(saved.metadata.identifier) and came back as "
          + "\(loaded.identifier)",
        "keep the metadata with each save, also with one without objects")
    }
    try open { container in
      guard container.coordinator.storeIdentifier == saved.metadata.identifier else {
        throw fail("a store that was opened again is another one", "keep the metadata")
      }
    }
  }

  // MARK: Metadata

  func keys() throws {
    var used: Set<Int64> = []
    for round in 0..<4 {
      try open { container in
        try container.perform { [used] context in
          let thing = try context.insertThing("round \(round)")
          guard !used.contains(thing.objectID.key) else {
            throw fail(
              "the key \(thing.objectID.key) of an object that is gone was used again",
              "keep 'lastKeys' of the metadata with each save, also with one without objects")
          }
          guard round != 1 else { return }  // Its object is never saved.
          try context.save()
          try context.delete(thing)
          try context.save()
        }
        for key in try Self.handedOut(container) { used.insert(key) }
      }
    }
    let saved = try change { try $0.insertThing("last") }
    let loaded = try load().metadata.lastKeys
    guard loaded == saved.metadata.lastKeys else {
      throw fail(
        "the last keys were saved as \(saved.metadata.lastKeys) and came back as \(loaded)",
        "keep 'lastKeys' of the metadata as they are")
    }
  }

  /// All keys that may have been handed out up to now.
  private static func handedOut(_ container: PersistentContainer) throws -> ClosedRange<Int64> {
    try container.perform { context in 1...(try context.insertThing("probe").objectID.key) }
  }

  private static let kept: [(String, any AttributeConvertible)] = [
    ("number", Int64.max), ("real", 0.1), ("text", "a\u{0}b ü"), ("bytes", Data([0, 255])),
    ("moment", Date(timeIntervalSinceReferenceDate: 0.1)), ("truth", true), ("empty", ""),
    ("gone", 1),
  ]

  func metadata() throws {
    try compareValues(
      change { context in
        for (key, value) in Self.kept { try context.setMetadata(value, for: key) }
        try context.insertThing("thing")
      })
    try compareValues(
      open { container in try container.coordinator.setMetadata(nil, for: "gone") })
    try compareValues(change { try $0.insertThing("another") })
  }

  private func compareValues(_ saved: AtomicStoreContents?) throws {
    let (loaded, expected) = (try load().metadata.values, saved?.metadata.values ?? [:])
    for key in Set(loaded.keys).union(expected.keys).sorted()
    where !ContentsDifference.isSame(loaded[key], expected[key]) {
      let seen = loaded[key].map { "'\($0)'" } ?? "nothing"
      let was = expected[key].map { "'\($0)'" } ?? "nothing"
      throw fail(
        "the value of '\(key)' was saved as \(was) and came back as \(seen)",
        "keep 'values' of the metadata with each save, as they are")
    }
  }

  func otherModel() throws {
    let saved = try change { try ContractGraph($0).make() }
    let store = WitnessStore(try makeStore())
    do {
      try PersistentContainer(.atomic(store), model: ContractModel.other).close()
    } catch PersistenceError.Code.modelMismatch {
      return try compare(with: saved)
    } catch {
      throw fail(
        "a store that was saved for another model was refused with another error: \(error)",
        "load what is there, with its 'versionHashes'; Oxbow compares them")
    }
    throw fail(
      "a store that was saved for another model was opened",
      "keep 'versionHashes' of the metadata, and return those that were saved")
  }

  // MARK: Reading

  func loading() throws {
    let saved = try change { try ContractGraph($0).make() }
    // As a program that ends before it saves: nothing is closed.
    for _ in 0..<2 { _ = try makeStore().load(ContractModel.model) }
    try compare(with: saved, comparesVersions: true)
    try open { container in
      try container.perform { context in
        for thing in try context.things() { try thing.setValue("unsaved", for: "title") }
        try context.rollback()
      }
    }
    try compare(with: saved, comparesVersions: true)
  }

  func independence() throws {
    let other = try another()
    defer { other.end() }
    let saved = try change { try ContractGraph($0).make() }
    let others = try other.change { context in try context.insertThing("elsewhere") }
    guard saved.metadata.identifier != others.metadata.identifier else {
      throw fail(
        "stores of two folders have one identifier",
        "let each store have contents of its own, at the place that it was made for")
    }
    try compare(with: saved)
    try other.change { context in
      for thing in try context.things() { try context.delete(thing) }
    }
    try compare(with: saved)
  }

  func damage() throws {
    for damage in AtomicStoreContract.Damage.allCases {
      let run = try another()
      defer { run.end() }
      try run.check(damage)
    }
  }

  private func check(_ damage: AtomicStoreContract.Damage) throws {
    var states = [try change { try ContractGraph($0).make() }]
    states.append(try change { try ContractGraph($0).tieAnew() })
    let before = try files()
    guard !before.isEmpty || contract.damagesElsewhere else {
      throw fail(
        "the store keeps no file in its folder, so nothing can be damaged",
        "give 'damaging:', which damages what the store keeps")
    }
    try contract.damage(folder, damage)
    let damaged = try files()
    let loaded: AtomicStoreContents?
    do { loaded = try makeStore().load(ContractModel.model) } catch {
      guard try files() == damaged else {
        throw fail("loading damaged contents (\(damage)) changed them", "leave them for a repair")
      }
      return
    }
    guard let loaded else {
      throw fail(
        "'load' returned nil for damaged contents (\(damage)), and a save would replace them",
        "return nil only where nothing was ever saved, and throw what cannot be read")
    }
    // A store with a log may lose the last saves of a file that was cut, as a whole.
    let isEarlier = ([[]] + states.map(\.objects)).contains { objects in
      ContentsDifference(objects, loaded.objects, comparesVersions: true).description == nil
    }
    guard damage == .cut, isEarlier else {
      throw fail(
        "'load' returned \(loaded.objects.count) objects from damaged contents (\(damage))",
        "throw an error for what cannot be read as a whole; keep a checksum, if need be")
    }
  }

  private func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      files[path] = FileManager.default.contents(atPath: folder + "/" + path)
    }
    return files
  }

  // MARK: Saving

  func interruption() throws {
    let saved = try change { try ContractGraph($0).make() }
    for round in 0..<3 {
      try interrupt(round)
      try compare(with: saved, comparesVersions: true)
    }
    try change { try ContractGraph($0).tieAnew() }
  }

  private func interrupt(_ round: Int) throws {
    let store = try makeStore()
    let witness = WitnessStore(store)
    let container = try PersistentContainer(.atomic(witness), model: ContractModel.model)
    defer { container.close() }
    let context = container.makeContext()
    for thing in try context.things() { try thing.setValue("lost \(round)", for: "title") }
    try context.objects("Tag").first?.setValue("lost", for: "word")
    for passport in try context.objects("Passport") { try context.delete(passport) }
    witness.interrupt()
    try contract.interrupt?(store)
    do { try context.save() } catch { return }
    throw fail(
      witness.hasInterrupted
        ? "the save went on after 'contents' had thrown"
        : "the store does not ask for 'contents', so its save could not be interrupted",
      witness.hasInterrupted
        ? "pass on what 'contents' throws, and change nothing"
        : "give 'interrupting:', which lets the next save of a store fail in the middle")
  }

  // MARK: Threads

  func threads() throws {
    let saved = try saved { container in
      let group = DispatchGroup()
      let failure = Lock<(any Error)?>(nil)
      for number in 0..<8 {
        // A thread for each: a queue of its own waits for no other.
        DispatchQueue(label: "contract \(number)").async(group: group) {
          do { try Self.save(number, container) } catch { failure.withLock { $0 = error } }
        }
      }
      group.wait()
      if let error = failure.withLock(\.self) { throw error }
    }
    let count = saved.objects.count
    guard count == 80 else {
      throw fail("\(count) objects of 80 were saved", "this is a defect of Oxbow")
    }
    try compare(with: saved, comparesVersions: true)
  }

  private static func save(_ number: Int, _ container: PersistentContainer) throws {
    for round in 0..<5 {
      try container.perform { context in
        let thing = try context.insertThing("thread \(number)")
        try thing.setObjects([context.insertThing("round \(round)")], for: "children")
        try context.save()
        try thing.setValue(Int64(round), for: "count")
        try context.save()
      }
    }
  }
}
