internal import OxbowFoundation
internal import OxbowRuntime

/// A check of one rule, in a folder of its own.
struct ContractRun {
  typealias Rule = AtomicStoreContract.Case

  let contract: AtomicStoreContract
  let rule: Rule
  let folder: String

  init(_ contract: AtomicStoreContract, _ rule: Rule) throws {
    self.contract = contract
    self.rule = rule
    let url = FileManager.default.temporaryDirectory.appending(path: "oxbow-\(UUID().uuidString)")
    folder = url.path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  func end() { try? FileManager.default.removeItem(atPath: folder) }

  /// Another check of the same rule, in another folder.
  func another() throws -> Self { try Self(contract, rule) }

  func fail(_ seen: String, _ advice: String) -> AtomicStoreContract.Failure {
    AtomicStoreContract.Failure(rule: rule, seen: seen, advice: advice)
  }

  func makeStore() throws -> any AtomicStore { try contract.make(folder) }

  // MARK: Changing

  /// Opens the store, works with it, and closes it.
  ///
  /// - Returns: What the store had after the last save, or `nil` without one.
  @discardableResult
  func open(
    _ store: (any AtomicStore)? = nil, _ body: (PersistentContainer) throws -> Void
  ) throws -> AtomicStoreContents? {
    let witness = WitnessStore(try store ?? makeStore())
    let container = try PersistentContainer(.atomic(witness), model: ContractModel.model)
    defer { container.close() }
    try body(container)
    return witness.contents
  }

  /// Opens the store, works with it, and closes it; it must save something.
  func saved(_ body: (PersistentContainer) throws -> Void) throws -> AtomicStoreContents {
    guard let saved = try open(nil, body) else {
      throw fail("nothing was saved", "this is a defect of the contract")
    }
    return saved
  }

  /// Opens the store, changes objects in a context and saves it, closes the store, and compares
  /// what comes back.
  @discardableResult
  func change(
    comparesVersions: Bool = false, _ body: @Sendable (ManagedObjectContext) throws -> Void
  ) throws -> AtomicStoreContents {
    let saved = try saved { container in
      try container.perform { context in
        try body(context)
        try context.save()
      }
    }
    try compare(with: saved, comparesVersions: comparesVersions)
    return saved
  }

  // MARK: Comparing

  /// What another store of the same place loads.
  func load() throws -> AtomicStoreContents {
    let store = try makeStore()
    defer { store.close() }
    let loaded: AtomicStoreContents?
    do { loaded = try store.load(ContractModel.model) } catch {
      throw fail(
        "what was saved cannot be loaded: \(error)",
        "read everything that 'save' writes; see whether 'save' returns before it is written")
    }
    guard let loaded else {
      throw fail(
        "'load' returns nil after a save",
        "return contents once the store was saved; see whether both use the same place")
    }
    return loaded
  }

  /// Compares the objects that come back with those that were saved.
  func compare(with saved: AtomicStoreContents, comparesVersions: Bool = false) throws {
    let loaded = AtomicStoreContents(metadata: saved.metadata, objects: try load().objects)
    let seen: AtomicStoreContents
    do { seen = try asOxbowSees(loaded) } catch {
      throw fail(
        "what came back cannot be opened: \(error)",
        "give back every object as it was saved last, and none that was deleted")
    }
    let difference = ContentsDifference(
      saved.objects, seen.objects, comparesVersions: comparesVersions)
    if let text = difference.description {
      throw fail(text, "see how 'save' writes it, and how 'load' reads it")
    }
  }

  /// Contents with each link at both ends.
  private func asOxbowSees(_ contents: AtomicStoreContents) throws -> AtomicStoreContents {
    try open(GivenStore(contents)) { container in
      try container.coordinator.setMetadata(true, for: "seen")
    } ?? contents
  }
}
