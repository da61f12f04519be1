import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

/// Random edits, links, deletions and saves with random policies in three contexts over one store,
/// against a model of what a policy means.
@Suite struct RandomMergeTests {
  @Test(arguments: 0..<40)
  func `saves with policies do what the model of them says (PG-11)`(seed: Int) throws {
    var game = try MergeGame(seed: UInt64(seed))
    for step in 0..<400 {
      try game.play()
      guard game.differences.isEmpty else {
        Issue.record(
          "seed \(seed), step \(step): \(game.differences)\n\(game.log.suffix(12))"
        )
        return
      }
    }
    #expect(game.merges > 10 && game.refreshes > 0, "seed \(seed)")
  }
}

/// A row as the model has it.
private struct ModelBook: Equatable {
  var version = 1
  var title = ""
  var pages: Int32 = 0
  var author: Int?
  var tags: Set<Int> = []

  /// Whether the values of the row differ, the version and links in rows of their own apart.
  func hasOtherRow(than other: Self) -> Bool {
    title != other.title || pages != other.pages || author != other.author
  }
}

/// A context, and what the model knows of it: the rows that it read, and its edits.
private struct Contender {
  let context: ManagedObjectContext
  var books: [ManagedObjectID: Book] = [:]
  var base: [ManagedObjectID: ModelBook] = [:]
  var mine: [ManagedObjectID: ModelBook] = [:]
  var inserted: Set<ManagedObjectID> = []
  var deleted: Set<ManagedObjectID> = []
  var authors: [Author] = []
  var tags: [Tag] = []
}

/// The three rows of a book, and what is to become of them.
private struct Sides {
  let mine: ModelBook
  let base: ModelBook
  let theirs: ModelBook
  let isConflict: Bool
  let policy: MergePolicy

  /// Sets a property of the result; returns false where the policy has no answer.
  func pick<Value: Equatable>(
    _ key: WritableKeyPath<ModelBook, Value>, _ result: inout ModelBook
  ) -> Bool {
    let own = mine[keyPath: key]
    let old = base[keyPath: key]
    let other = theirs[keyPath: key]
    if policy == .overwrite, isConflict {
      result[keyPath: key] = own
    } else if own != old {
      if other != old, isConflict {
        if policy == .mergeByProperty, other != own { return false }
        if policy == .mergeByPropertyStoreTrump { return true }
      }
      result[keyPath: key] = own
    }
    return true
  }
}

private struct MergeGame {
  let library: Library
  var random: SeededRandom
  var players: [Contender] = []
  var store: [ManagedObjectID: ModelBook] = [:]
  var differences: [String] = []
  var log: [String] = []
  var merges = 0
  var refreshes = 0
  var counter: Int32 = 0

  static let policies: [MergePolicy] = [
    .error, .mergeByProperty, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite,
    .rollback,
  ]

  init(seed: UInt64) throws {
    library = try Library()
    random = SeededRandom(seed: seed)
    let context = library.context()
    for index in 0..<3 {
      _ = try context.insert(Author.self) { $0.name = "\(index)" }
      _ = try context.insert(Tag.self) { $0.name = "\(index)" }
    }
    try context.save()
    for name in ["a", "b", "c"] {
      var player = Contender(context: library.context(name))
      player.authors = try player.context.fetch(
        FetchRequest<Author>(sortedBy: [SortKey("name")]))
      player.tags = try player.context.fetch(FetchRequest<Tag>(sortedBy: [SortKey("name")]))
      players.append(player)
    }
  }

  mutating func play() throws {
    let index = Int.random(in: 0..<3, using: &random)
    switch Int.random(in: 0..<13, using: &random) {
    case 12: try refreshMerging(index)
    case 0: try insert(index)
    case 1...5: try edit(index)
    case 6: try delete(index)
    case 7: try look(index)
    case 8: try rollback(index)
    default: try save(index)
    }
  }

  private mutating func insert(_ index: Int) throws {
    counter += 1
    let title = "t\(counter)"
    let book = try players[index].context.insert(Book.self) { $0.title = title }
    players[index].books[book.objectID] = book
    players[index].mine[book.objectID] = ModelBook(version: 0, title: title)
    players[index].inserted.insert(book.objectID)
  }

  private mutating func edit(_ index: Int) throws {
    let player = players[index]
    let ids = player.books.keys.filter { !player.deleted.contains($0) }
      .sorted { $0.key < $1.key }
    guard let id = ids.randomElement(using: &random), let book = player.books[id],
      var mine = player.mine[id] ?? player.base[id]
    else { return }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      mine.title = ["x", "y", "z"][Int.random(in: 0..<3, using: &random)]
      book.title = mine.title
    case 1:
      mine.author = [nil, 0, 1, 2][Int.random(in: 0..<4, using: &random)]
      book.author = mine.author.map { player.authors[$0] }
    case 2:
      mine.pages = Int32.random(in: 0..<3, using: &random)
      book.pages = mine.pages
    default:
      // Links in rows of their own check no version; with a new value, the row is written as well.
      counter += 1
      mine.pages = 100 + counter
      book.pages = mine.pages
      let tag = Int.random(in: 0..<3, using: &random)
      // What others linked meanwhile is known once the collection was read.
      guard book.tags == Set(mine.tags.map { player.tags[$0] }) else { break }
      mine.tags.formSymmetricDifference([tag])
      book.tags = Set(mine.tags.map { player.tags[$0] })
    }
    players[index].mine[id] = mine
    log.append("\(player.context.name) edits \(id.key) to \(mine)")
  }

  private mutating func delete(_ index: Int) throws {
    let player = players[index]
    var ids: [ManagedObjectID] = []
    for id in player.books.keys where player.mine[id] == nil && !player.deleted.contains(id) {
      if store[id] == player.base[id] { ids.append(id) }
    }
    ids.sort { $0.key < $1.key }
    guard let id = ids.randomElement(using: &random), let book = player.books[id] else { return }
    players[index].deleted.insert(id)
    // The policy of the save is known when the deletion is made.
    players[index].context.mergePolicy = .rollback
    try player.context.delete(book)
    log.append("\(player.context.name) deletes \(id.key)")
  }

  /// Reads all rows anew; changed objects keep what they have.
  private mutating func look(_ index: Int) throws {
    let player = players[index]
    let isClean = player.mine.isEmpty && player.deleted.isEmpty
    guard isClean else { return }
    try player.context.reset()
    players[index].authors = try player.context.fetch(
      FetchRequest<Author>(sortedBy: [SortKey("name")]))
    players[index].tags = try player.context.fetch(FetchRequest<Tag>(sortedBy: [SortKey("name")]))
    players[index].books = [:]
    for book in try player.context.fetch(FetchRequest<Book>()) {
      players[index].books[book.objectID] = book
    }
    players[index].base = store
    _ = players[index].authors.map(\.books)
    _ = players[index].books.values.map(\.tags)
    if Set(players[index].books.keys) != Set(store.keys) { differences.append("fetched others") }
  }

  /// Makes the edits of a book edits of the row that the store has.
  private mutating func refreshMerging(_ index: Int) throws {
    let player = players[index]
    let ids = player.mine.keys.filter { id in
      player.base[id].map { player.mine[id]?.hasOtherRow(than: $0) == true } ?? false
    }
    guard let id = ids.sorted(by: { $0.key < $1.key }).randomElement(using: &random),
      let book = player.books[id], let base = player.base[id], let mine = player.mine[id]
    else { return }
    log.append("\(player.context.name) refreshes \(id.key), merging")
    guard let theirs = store[id] else {
      let error = #expect(throws: PersistenceError.self) {
        try player.context.refresh(book, mergingChanges: true)
      }
      if error?.code != .rowGone { differences.append("\(id.key) is gone, but for a refresh") }
      return compareEdits(index)
    }
    try player.context.refresh(book, mergingChanges: true)
    var expected = theirs
    let sides = Sides(
      mine: mine, base: base, theirs: theirs, isConflict: true, policy: .mergeByPropertyObjectTrump)
    _ = sides.pick(\.title, &expected)
    _ = sides.pick(\.pages, &expected)
    _ = sides.pick(\.author, &expected)
    expected.tags.subtract(base.tags.subtracting(mine.tags))
    expected.tags.formUnion(mine.tags.subtracting(base.tags))
    players[index].base[id] = theirs
    players[index].mine[id] = expected
    refreshes += 1
    compareEdits(index)
  }

  private mutating func rollback(_ index: Int) throws {
    try players[index].context.rollback()
    forget(index)
    try look(index)
  }

  private mutating func forget(_ index: Int) {
    for id in players[index].inserted { players[index].books[id] = nil }
    players[index].mine = [:]
    players[index].inserted = []
    players[index].deleted = []
  }

  private mutating func save(_ index: Int) throws {
    let policy = Self.policies[Int.random(in: 0..<Self.policies.count, using: &random)]
    let player = players[index]
    player.context.mergePolicy = policy
    let expected = outcome(player, policy)
    log.append("\(player.context.name) saves with \(policy): \(expected == nil ? "refused" : "ok")")
    if let error = Self.failure(of: player.context) {
      guard error.code == .conflict else { throw error }
      if expected != nil { differences.append("a save was refused") }
      return compareEdits(index)
    }
    guard let expected else { return differences.append("a save was not refused") }
    let rewritten = Set(player.mine.keys.filter { store[$0] == nil && player.base[$0] != nil })
    store = expected
    merges += player.context.mergedConflicts.count
    try compareStore(rewritten)
    let written = Set(player.mine.keys.filter { isWritten($0, player) }).union(player.deleted)
    // Where links in rows of their own are all that changed, the row of the object was not read.
    let linked = written.filter { id in
      guard let mine = player.mine[id], let base = player.base[id] else { return false }
      return store[id] != nil && !mine.hasOtherRow(than: base)
    }
    compareObjects(index, written.subtracting(linked))
    for id in linked { players[index].base[id]?.tags = player.mine[id]?.tags ?? [] }
    for id in written.subtracting(linked) {
      players[index].base[id] = store[id]
      if store[id] == nil { players[index].books[id] = nil }
    }
    players[index].mine = [:]
    players[index].inserted = []
    players[index].deleted = []
  }

  /// Whether a save has something of a book to write; a link that ends in a row that is gone is
  /// nothing.
  private func isWritten(_ id: ManagedObjectID, _ player: Contender) -> Bool {
    guard let mine = player.mine[id], let base = player.base[id] else { return true }
    return mine.hasOtherRow(than: base) || !mine.tags.isSubset(of: base.tags)
      || mine.tags != base.tags && store[id] != nil
  }

  private static func failure(of context: ManagedObjectContext) -> PersistenceError? {
    do throws(PersistenceError) {
      try context.save()
      return nil
    } catch {
      return error
    }
  }

  /// The store after a save, or `nil` when it is refused.
  private func outcome(
    _ player: Contender, _ policy: MergePolicy
  ) -> [ManagedObjectID: ModelBook]? {
    var result = store
    for id in player.deleted {
      if let theirs = store[id], theirs.version != player.base[id]?.version {
        if [.error, .mergeByProperty].contains(policy) { return nil }
        if [.mergeByPropertyStoreTrump, .rollback].contains(policy) { continue }
      } else if store[id] == nil, policy == .error {
        return nil
      }
      result[id] = nil
    }
    for (id, mine) in player.mine {
      guard let base = player.base[id] else {
        result[id] = mine
        result[id]?.version = 1
        continue
      }
      let isEdited = mine.hasOtherRow(than: base)
      guard isEdited || mine.tags != base.tags else { continue }
      guard let theirs = store[id] else {
        if !isEdited, mine.tags.isSubset(of: base.tags) { continue }
        if !isEdited, !policyTakesBack(policy) { return nil }
        if [.error, .mergeByProperty].contains(policy) { return nil }
        if [.mergeByPropertyStoreTrump, .rollback].contains(policy) { continue }
        result[id] = mine
        result[id]?.version = base.version + (1 << 32)
        continue
      }
      guard let merged = merged(mine, base, theirs, isEdited, policy) else { return nil }
      result[id] = merged
    }
    return result
  }

  private func policyTakesBack(_ policy: MergePolicy) -> Bool {
    policy == .mergeByPropertyStoreTrump || policy == .rollback
  }

  private func merged(
    _ mine: ModelBook, _ base: ModelBook, _ theirs: ModelBook, _ isEdited: Bool,
    _ policy: MergePolicy
  ) -> ModelBook? {
    let isConflict = isEdited && base.version != theirs.version
    if isConflict, policy == .error { return nil }
    if isConflict, policy == .rollback { return theirs }
    var result = theirs
    result.tags.subtract(base.tags.subtracting(mine.tags))
    result.tags.formUnion(mine.tags.subtracting(base.tags))
    let sides = Sides(
      mine: mine, base: base, theirs: theirs, isConflict: isConflict, policy: policy)
    guard sides.pick(\.title, &result), sides.pick(\.pages, &result), sides.pick(\.author, &result)
    else { return nil }
    if result.hasOtherRow(than: theirs) || !isConflict && isEdited {
      result.version = theirs.version + 1
    }
    return result
  }

  private mutating func compareStore(_ rewritten: Set<ManagedObjectID>) throws {
    let fresh = library.context()
    var found: [ManagedObjectID: ModelBook] = [:]
    for book in try fresh.fetch(FetchRequest<Book>()) {
      found[book.objectID] = Self.model(of: book)
    }
    // Links in rows of their own went with the row; those that the context had read come back.
    for id in rewritten where store[id] != nil { store[id]?.tags = found[id]?.tags ?? [] }
    for id in Set(found.keys).union(store.keys) {
      var expected = store[id]
      // The version is the store's; the model follows it to know what is stale.
      expected?.version = 0
      if found[id] != expected {
        differences.append(
          "\(id.key): \(String(describing: found[id])), not \(String(describing: expected))")
      }
    }
  }

  private mutating func compareObjects(_ index: Int, _ ids: Set<ManagedObjectID>) {
    let player = players[index]
    if player.context.hasChanges { differences.append("changes remain") }
    for id in ids {
      guard let book = player.books[id] else { continue }
      guard var expected = store[id] else {
        if book.context != nil { differences.append("\(id.key) has a context") }
        continue
      }
      expected.version = 0
      var seen = Self.model(of: book)
      // Links of others are seen when the collection is read anew.
      seen.tags = expected.tags
      if seen != expected { differences.append("in memory \(id.key): \(seen), not \(expected)") }
      for author in player.authors where author.books.contains(book) != (book.author === author) {
        differences.append("the ends of \(id.key) differ at author \(author.name)")
      }
    }
  }

  /// After a refused save: all edits are there.
  private mutating func compareEdits(_ index: Int) {
    let player = players[index]
    for (id, mine) in player.mine {
      var expected = mine
      expected.version = 0
      guard let book = player.books[id] else { continue }
      var seen = Self.model(of: book)
      // A collection that is read now has the links of others as well.
      let base = player.base[id]?.tags ?? []
      if mine.tags.subtracting(base).isSubset(of: seen.tags),
        base.subtracting(mine.tags).isDisjoint(with: seen.tags)
      {
        seen.tags = expected.tags
      }
      if seen != expected {
        differences.append("after a refusal \(id.key): \(seen), not \(expected)")
      }
    }
    for id in player.deleted where player.books[id]?.isDeleted != true {
      differences.append("after a refusal \(id.key) is not deleted")
    }
  }

  private static func model(of book: Book) -> ModelBook {
    ModelBook(
      version: 0, title: book.title, pages: book.pages,
      author: book.author.flatMap { Int($0.name) },
      tags: Set(book.tags.compactMap { Int($0.name) }))
  }
}
