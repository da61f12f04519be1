import Foundation
import OxbowRuntime
import OxbowTesting

/// A JSON file that breaks a rule.
final class BrokenFile: AtomicStore, @unchecked Sendable {
  // Sendable by argument: a coordinator calls a store from one thread at a time.

  enum Fault: String, CaseIterable {
    case savesNothingWithoutObjects, roundsDoubles, dropsEmptyTexts, cutsTextsAtNUL, composesTexts
    case losesTwins, losesOrder, sortsKeys, keepsFirstVersion, forgetsDeletes, refusesReturns
    case forgetsUpdates, losesBatches, forgetsVersions, forgetsKeys, forgetsValues
    case savesWhenLoading, appliesHalf, swallowsErrors, takesGarbageForNew, takesGarbageForEmpty
    case rewritesGarbage, takesAnyModel, sharesEverything, keepsThousand, keepsFirstThread
    case crossesEntities, losesRoot
  }

  static let shared = SharedContents()

  let name: String
  private let fault: Fault
  private let thread = Thread.current
  private var versions: [AtomicStoreObject.ID: AtomicStoreObject] = [:]
  private var deleted: Set<AtomicStoreObject.ID> = []

  init(_ path: String, _ fault: Fault) {
    name = path
    self.fault = fault
  }

  private var url: URL { URL(filePath: name) }

  func load(_ model: ManagedObjectModel) throws -> AtomicStoreContents? {
    if fault == .sharesEverything { return Self.shared.contents }
    guard let data = FileManager.default.contents(atPath: name) else { return nil }
    guard var contents = try? JSONDecoder().decode(AtomicStoreContents.self, from: data) else {
      return try loadGarbage(model)
    }
    for object in contents.objects { versions[object.id] = object }
    switch fault {
    case .savesWhenLoading:
      contents.objects.removeLast(min(1, contents.objects.count))
      try JSONEncoder().encode(contents).write(to: url)
    case .takesAnyModel:
      contents.metadata.versionHashes = AtomicStoreMetadata(for: model).versionHashes
    default: break
    }
    return contents
  }

  private func loadGarbage(_ model: ManagedObjectModel) throws -> AtomicStoreContents? {
    switch fault {
    case .takesGarbageForNew: return nil
    case .takesGarbageForEmpty: return AtomicStoreContents(metadata: .init(for: model))
    case .rewritesGarbage:
      try Data("{}".utf8).write(to: url)
      throw CocoaError(.fileReadCorruptFile)
    default: throw CocoaError(.fileReadCorruptFile)
    }
  }

  func save(_ changes: AtomicStoreChanges, contents: () throws -> AtomicStoreContents) throws {
    switch fault {
    case .savesNothingWithoutObjects where changes.changed.isEmpty: return
    case .appliesHalf:
      guard let old = try? Data(contentsOf: url) else { break }
      var half = try JSONDecoder().decode(AtomicStoreContents.self, from: old)
      half.objects.removeLast(half.objects.count / 2)
      try JSONEncoder().encode(half).write(to: url)
    case .swallowsErrors:
      guard let all = try? contents() else { return }
      return try write(all)
    case .keepsFirstThread where Thread.current != thread: return
    // Only what a context names in its changes, as a batch does not.
    case .losesBatches where changes.changed.count == 20 && !versions.isEmpty: return
    case .forgetsDeletes:
      return try write(with(contents(), changes.deleted.compactMap { versions[$0] }))
    case .refusesReturns: deleted.formUnion(changes.deleted)
    default: break
    }
    try write(contents())
  }

  private func with(
    _ contents: AtomicStoreContents, _ objects: [AtomicStoreObject]
  ) -> AtomicStoreContents {
    var contents = contents
    contents.objects += objects
    return contents
  }

  private func write(_ contents: AtomicStoreContents) throws {
    let broken = spoilt(contents)
    for object in contents.objects where fault != .keepsFirstVersion || versions[object.id] == nil {
      versions[object.id] = object
    }
    if fault == .sharesEverything { return Self.shared.set(broken) }
    try JSONEncoder().encode(broken).write(to: url, options: .atomic)
  }

  private func spoilt(_ contents: AtomicStoreContents) -> AtomicStoreContents {
    var contents = contents
    switch fault {
    case .forgetsKeys: contents.metadata.lastKeys = [:]
    case .forgetsValues:
      contents.metadata.values = contents.metadata.values.filter { $0.key != "truth" }
    case .keepsThousand: contents.objects = Array(contents.objects.prefix(1000))
    case .refusesReturns: contents.objects.removeAll { deleted.contains($0.id) }
    case .losesRoot: contents.objects.removeAll { $0.id.entity == "Special" }
    default: contents.objects = contents.objects.map(spoilt)
    }
    return contents
  }

  private func spoilt(_ object: AtomicStoreObject) -> AtomicStoreObject {
    var object = object
    switch fault {
    case .forgetsVersions: object.version = 1
    case .losesTwins: object.relationships["twin"] = nil
    case .losesOrder: object.relationships = object.relationships.mapValues { $0.reversed() }
    case .sortsKeys: object.relationships = object.relationships.mapValues { $0.sorted() }
    case .crossesEntities where object.id.entity == "Leaf": object.id.entity = "Branch"
    case .keepsFirstVersion: object = versions[object.id] ?? object
    case .forgetsUpdates:
      if let old = versions[object.id] { object.attributes = old.attributes }
    default: object.attributes = object.attributes.compactMapValues(spoilt)
    }
    return object
  }

  private func spoilt(_ value: AttributeValue) -> AttributeValue? {
    switch (fault, value) {
    case (.roundsDoubles, .double(let number)) where number.isFinite && abs(number) < 1e6:
      .double((number * 1000).rounded() / 1000)
    case (.dropsEmptyTexts, .string("")): nil
    case (.cutsTextsAtNUL, .string(let text)): .string(String(text.prefix { $0 != "\0" }))
    case (.composesTexts, .string(let text)): .string(text.precomposedStringWithCanonicalMapping)
    default: value
    }
  }
}

/// What stores wrongly have in common.
final class SharedContents: @unchecked Sendable {
  // Sendable by argument: the contents are touched under the lock.

  private let lock = NSLock()
  private var value: AtomicStoreContents?

  var contents: AtomicStoreContents? { lock.withLock { value } }

  func set(_ contents: AtomicStoreContents) { lock.withLock { value = contents } }
}
