import Foundation
import OxbowModel
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// Random saves, refused saves, views, backups and reopenings against a dictionary.
@Suite struct RandomExternalTests {
  /// OXBOW_RANDOM_SEED takes another seed, OXBOW_RANDOM_STEPS as many steps.
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  @Test(arguments: filed)
  func `PG-17 a store with values in files has what a dictionary has`(_ kind: StoreKind) throws {
    let seed = Self.number("OXBOW_RANDOM_SEED") ?? Int.random(in: 1...1_000_000)
    print("values in files, \(kind): seed \(seed)")
    var player = try Player(kind, SeededRandom(seed: UInt64(seed)))
    for step in 0..<(Self.number("OXBOW_RANDOM_STEPS") ?? 250) {
      try player.step()
      try #require(try player.isRight(), "seed \(seed), step \(step)")
    }
    try player.end()
  }
}

/// A store and what it should have.
private struct Player {
  private let kind: StoreKind
  private let scratch: Scratch
  private var random: SeededRandom
  private var library: Library
  private var photos: [Int64: Photo] = [:]
  private var nextKey: Int64 = 1
  private var nextImage = 1
  private var view: (store: any PersistentStore, photos: [Int64: Photo])?
  private var backup: [Int64: Photo]?

  private struct Photo: Equatable {
    var version: Int64 = 1
    var images: [String: Data] = [:]
  }

  private static let names = ["image", "proof", "thumbnail"]

  init(_ kind: StoreKind, _ random: SeededRandom) throws {
    self.kind = kind
    self.random = random
    scratch = try Scratch()
    library = try albums(kind, in: scratch)
  }

  mutating func step() throws {
    switch Int.random(in: 0..<100, using: &random) {
    case ..<70: try save()
    case ..<78: try reopen()
    case ..<84: try pin()
    case ..<88: try library.tidy()
    case ..<91: try SQLiteStoreFile(library.store.path).compact()
    case ..<95:
      try SQLiteStoreFile(library.store.path).backUp(to: scratch.file("copy"), overwriting: true)
      backup = photos
    case ..<97: try restore()
    default: try batch()
    }
  }

  /// A value of any size, now and then one that looks like a reference.
  private mutating func value() throws -> Data? {
    if random.chance(15) { return nil }
    if random.chance(5), let key = photos.keys.sorted().first {
      return Data(try library.cell(key).utf8)
    }
    nextImage += 1
    return image(nextImage, [10, 58, 1000, 1001, 5000][Int.random(in: 0..<5, using: &random)])
  }

  private mutating func save() throws {
    var (next, changes) = (photos, ChangeSet())
    for _ in 0..<Int.random(in: 1...12, using: &random) { try change(&next, &changes) }
    let isRefused = random.chance(20)
    let error = errorOf {
      try library.store.save(changes) { () throws(PersistenceError) in
        if isRefused { throw PersistenceError(.validation, "refused") }
      }
    }
    #expect((error == nil) == !isRefused || changes.isEmpty, "\(String(describing: error))")
    if !isRefused { photos = next }
  }

  private mutating func change(
    _ next: inout [Int64: Photo], _ changes: inout ChangeSet
  ) throws {
    let taken = Set(changes.updates.map(\.key) + changes.deletes.map(\.key))
    let free = photos.keys.filter { !taken.contains($0) }.sorted()
    guard let key = free.randomElement(using: &random), !random.chance(35) else {
      var photo = Photo()
      for name in Self.names { photo.images[name] = try value() }
      changes.inserts.append(
        try library.insert("Photo", nextKey, photo.images.mapValues { .data($0) }))
      next[nextKey] = photo
      nextKey += 1
      return
    }
    let version = photos[key]?.version ?? 1
    if random.chance(40) {
      changes.deletes.append(try library.delete("Photo", key, version))
      next[key] = nil
    } else {
      let name = Self.names[Int.random(in: 0..<3, using: &random)]
      let value = try value()
      changes.updates.append(
        try library.update("Photo", key, version, [name: value.map { .data($0) }]))
      next[key]?.images[name] = value
      next[key]?.version += 1
    }
  }

  private mutating func batch() throws {
    let value = image(7, random.chance(50) ? 2000 : 20)
    let property = try library.property("Photo", "proof").index
    _ = try library.store.update(
      StoreUpdate(
        try library.fetch("Photo"), [(property, .value(.attribute(.data(value))))]))
    for key in photos.keys {
      photos[key]?.images["proof"] = value
      photos[key]?.version += 1
    }
  }

  private mutating func pin() throws {
    view?.store.close()
    view = nil
    guard kind == .file, random.chance(70) else { return }
    let limits = PinnedViewLimits(age: .seconds(3600), logBytes: 1 << 30)
    view = (try library.store.pinned(limits), photos)
  }

  private mutating func reopen() throws {
    view?.store.close()
    view = nil
    library.store.close()
    if random.chance(30) { unsettle() }
    library = try albums(kind, mapsFiles: random.chance(50), in: scratch)
  }

  /// Leaves a file as a program does that ends between a commit and moving it up.
  private mutating func unsettle() {
    guard let name = library.externalNames.randomElement(using: &random) else { return }
    try? FileManager.default.moveItem(
      atPath: library.folder + "/" + name, toPath: library.folder + "/incoming/" + name)
  }

  private mutating func restore() throws {
    guard let backup else { return }
    view?.store.close()
    view = nil
    library.store.close()
    let file = SQLiteStoreFile(library.store.path)
    if let kept = try file.restore(from: scratch.file("copy"), replacing: true) {
      for suffix in ["", "-files"] { try? FileManager.default.removeItem(atPath: kept + suffix) }
    }
    library = try albums(kind, mapsFiles: random.chance(50), in: scratch)
    photos = backup
  }

  func isRight() throws -> Bool {
    if let view, try !isEqual(view.store, view.photos) { return false }
    return try isEqual(library.store, photos)
  }

  private func isEqual(_ store: any PersistentStore, _ wanted: [Int64: Photo]) throws -> Bool {
    var seen: [Int64: Photo] = [:]
    let properties = try Self.names.map { try library.property("Photo", $0) }
    for slab in try store.rows(of: try library.fetch("Photo")) {
      for row in 0..<slab.count {
        var photo = Photo(version: slab._version(row))
        for property in properties {
          guard case .data(let data)? = slab.storedValue(row, property) else { continue }
          photo.images[property.name] = data
        }
        seen[slab._key(row)] = photo
      }
    }
    return seen == wanted
  }

  mutating func end() throws {
    view?.store.close()
    library.store.close()
    library = try albums(kind, in: scratch)
    try library.tidy()
    #expect(try SQLiteStoreFile(library.store.path).check() == [])
    let cells = try library.store.database.read { connection in
      try ["image", "proof", "thumbnail"].reduce(Int64(0)) { sum, name in
        sum
          + (try connection.integer(
            "SELECT count(*) FROM Photo WHERE CAST(\(name) AS TEXT) LIKE 'oxbow-file:%'") ?? 0)
      }
    }
    #expect(library.externalNames.count == Int(cells))
    #expect(library.incomingNames == [])
  }
}
