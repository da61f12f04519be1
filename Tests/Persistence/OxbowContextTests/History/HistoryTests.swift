import Foundation
import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

@Suite struct HistoryTests {
  private let library: HistoryLibrary

  init() throws { library = try HistoryLibrary() }

  @Test(arguments: [true, false])
  func `PS-11 each save is a row with who made it and what changed`(hasLog: Bool) throws {
    let coordinator = try library.open(hasLog: hasLog)
    defer { coordinator.close() }
    let start = try coordinator.currentHistoryToken()
    let context = coordinator.context("editor")
    context.transactionAuthor = "web"
    let author = try context.insert(Author.self) { $0.name = "Lem" }
    let book = try context.insert(Novel.self) { $0.title = "Eden" }
    book.author = author
    try context.save()
    (book.title, book.pages) = ("Fiasco", 300)
    try context.save()
    try context.delete(book)
    try context.save()
    let saves = try coordinator.saves(after: start)
    #expect(saves.map(\.author) == ["web", "web", "web"])
    #expect(saves.map(\.contextName) == ["editor", "editor", "editor"])
    #expect(saves.map(\.kind) == [.save, .save, .save])
    #expect(zip(saves, saves.dropFirst()).allSatisfy { $1.number == $0.number + 1 })
    #expect(saves.map(\.insertedCount) == [2, 0, 0] && saves.map(\.deletedCount) == [0, 0, 1])
    let inserted = saves[0].changes.filter { $0.kind == .insert }
    #expect(Set(inserted.map(\.objectID)) == [author.objectID, book.objectID])
    #expect(Set(inserted.map(\.entityName)) == ["Author", "Novel"])
    #expect(saves[1].changes.map(\.changedProperties) == [["pages", "title"]])
    #expect(saves[1].changes.map(\.before) == [nil])
    let deleted = saves[2].changes.filter { $0.kind == .delete }
    #expect(deleted.map(\.objectID) == [book.objectID])
    #expect(try coordinator.currentHistoryToken() == saves[2].token)
    #expect(context.lastHistoryToken == saves[2].token)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 with values, a change has what was there before`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open(.values)
    defer { coordinator.close() }
    let context = coordinator.context()
    let lem = try context.insert(Author.self) { $0.name = "Lem" }
    let dick = try context.insert(Author.self) { $0.name = "Dick" }
    let book = try context.insert(Book.self) { ($0.title, $0.pages) = ("Eden", 250) }
    book.author = lem
    try context.save()
    let start = try coordinator.currentHistoryToken()
    book.title = "Ubik"
    book.author = dick
    try context.save()
    try context.delete(book)
    try context.save()
    let saves = try coordinator.saves(after: start)
    let update = try #require(saves[0].changes.first { $0.objectID == book.objectID })
    #expect(update.changedProperties == ["author", "title"])
    #expect(
      update.before == [
        "title": .attribute(.string("Eden")), "author": .object(lem.objectID),
      ])
    let deletion = try #require(saves[1].changes.first { $0.kind == .delete })
    #expect(deletion.before?["title"] == .attribute(.string("Ubik")))
    #expect(deletion.before?["pages"] == .attribute(.integer(250)))
    #expect(deletion.before?["author"] == .object(dick.objectID))
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 an increment has what the store had, and a fault that is deleted too`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open(.values)
    defer { coordinator.close() }
    let mine = coordinator.context()
    let theirs = coordinator.context()
    let book = try mine.insert(Book.self) { ($0.title, $0.pages) = ("Eden", 1) }
    try mine.save()
    let copy = try theirs.existingObject(with: book.objectID, as: Book.self)
    copy.pages = 10
    try theirs.save()
    let start = try coordinator.currentHistoryToken()
    try mine.increment(\Book.pages, of: book, by: 5)
    try mine.save()
    let fresh = coordinator.context()
    try fresh.delete(try fresh.object(with: book.objectID))
    try fresh.save()
    let changes = try coordinator.saves(after: start).flatMap(\.changes)
    #expect(
      changes.map { $0.before?["pages"] } == [
        .attribute(.integer(10)), .attribute(.integer(15)),
      ])
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 batches are saves with rows, with values where they are kept`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open(.values)
    defer { coordinator.close() }
    let context = coordinator.context()
    context.transactionAuthor = "batch"
    let start = try coordinator.currentHistoryToken()
    try context.batchInsert(Book.self, 1...20) { number, book in
      book.set(\.title, to: "Book \(number)")
      book.set(\.pages, to: Int32(number))
    }
    try context.batchUpdate(Book.self, where: .greater("pages", 15)) {
      $0.set(\.title, to: "long")
    }
    try context.batchDelete(Book.self)
    let saves = try coordinator.saves(after: start)
    #expect(saves.map(\.kind) == [.save, .batch, .save])
    #expect(saves.map(\.author) == ["batch", "batch", "batch"])
    #expect(saves.map(\.count) == [20, 5, 20])
    #expect(
      Set(saves[1].changes.compactMap { $0.before?["title"] })
        == Set((16...20).map { .attribute(.string("Book \($0)")) }))
    #expect(
      saves[2].changes.filter { $0.before?["title"] == .attribute(.string("long")) }.count == 5)
    #expect(context.lastHistoryToken == (kind == .server ? nil : saves[2].token))
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 values of the program have their keys, and every save has a row`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    let start = try coordinator.currentHistoryToken()
    try coordinator.setMetadata(1, for: "a")
    let context = coordinator.context()
    try context.setMetadata("x", for: "b")
    try context.save()
    let saves = try coordinator.saves(after: start)
    #expect(saves.map(\.metadataKeys) == [["a"], ["b"]])
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 saves are filtered by author, entity and object`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    let (web, importer) = (coordinator.context(), coordinator.context())
    (web.transactionAuthor, importer.transactionAuthor) = ("web", "import")
    let author = try web.insert(Author.self) { $0.name = "Lem" }
    let book = try web.insert(Book.self) { $0.title = "Eden" }
    try web.save()
    _ = try importer.insert(Book.self) { $0.title = "Ubik" }
    try importer.save()
    author.name = "S. Lem"
    try web.save()
    #expect(try coordinator.saves(where: .author("web")).map(\.number) == [1, 3])
    #expect(try coordinator.saves(where: .notAuthor("web")).map(\.number) == [2])
    let books = try coordinator.saves(where: .entity("Book"))
    #expect(books.map(\.number) == [1, 2] && books.allSatisfy { $0.changes.count == 1 })
    #expect(try coordinator.saves(where: .object(author.objectID)).map(\.number) == [1, 3])
    #expect(
      try coordinator.saves(where: .author("web") && .object(book.objectID)).map(\.number) == [1])
  }

  @Test func `PS-11 a token survives as text and as JSON, and others are refused`() throws {
    let coordinator = try library.open()
    defer { coordinator.close() }
    let token = try coordinator.currentHistoryToken()
    #expect(HistoryToken(token.description) == token)
    #expect(
      try JSONDecoder().decode(HistoryToken.self, from: JSONEncoder().encode(token)) == token)
    #expect(HistoryToken("nonsense") == nil && HistoryToken("\(token)/1") == nil)
    let other = try HistoryLibrary()
    let stranger = try other.open()
    defer { stranger.close() }
    let error = #expect(throws: PersistenceError.self) {
      try coordinator.saves(after: try stranger.currentHistoryToken())
    }
    #expect(error?.code == .historyForeign)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 a store without a history says so`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open(.off)
    defer { coordinator.close() }
    let error = #expect(throws: PersistenceError.self) { try coordinator.currentHistoryToken() }
    #expect(error?.code == .historyOff)
    #expect(error?.message.contains("has no history") == true)
  }

  @Test func `PS-11 saves of an opening without a history are missing by number`() throws {
    do {
      let coordinator = try library.open()
      defer { coordinator.close() }
      let context = coordinator.context()
      _ = try context.insert(Tag.self) { $0.name = "tag" }
      try context.save()
    }
    do {
      let coordinator = try library.open(.off)
      defer { coordinator.close() }
      let context = coordinator.context()
      for _ in 0..<3 {
        _ = try context.insert(Tag.self) { $0.name = "tag" }
        try context.save()
      }
      var history = try coordinator.history()
      _ = try history.next()
      guard case .missed(let gap)? = try history.next() else {
        Issue.record("the gap at the end is not reported")
        return
      }
      #expect(gap.count == 3 && gap.first == 2)
    }
    let coordinator = try library.open()
    defer { coordinator.close() }
    let context = coordinator.context()
    _ = try context.insert(Tag.self) { $0.name = "tag" }
    try context.save()
    let error = #expect(throws: PersistenceError.self) { try coordinator.saves() }
    #expect(error?.code == .historyMissed)
    var history = try coordinator.history()
    var elements: [HistoryElement] = []
    while let element = try history.next() { elements.append(element) }
    #expect(elements.count == 3)
    guard case .missed(let gap) = elements[1] else {
      Issue.record("the gap is not between the saves")
      return
    }
    #expect(gap.first == 2 && gap.last == 4)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 history is deleted before a place, and numbers go on`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    let context = coordinator.context()
    var tokens: [HistoryToken] = [try coordinator.currentHistoryToken()]
    for _ in 0..<5 {
      _ = try context.insert(Tag.self) { $0.name = "tag" }
      try context.save()
      tokens.append(try coordinator.currentHistoryToken())
    }
    #expect(try coordinator.deleteHistory(before: tokens[3]) == 3)
    #expect(try coordinator.saves().map(\.number) == [4, 5])
    var history = try coordinator.history(after: tokens[0])
    guard case .missed(let gap)? = try history.next() else {
      Issue.record("the gap is not reported")
      return
    }
    #expect(gap.count == 3 && gap.token == tokens[3])
    #expect(try coordinator.deleteHistory(before: tokens[5]) == 2)
    #expect(try coordinator.deleteHistory(before: tokens[5]) == 0)
    _ = try context.insert(Tag.self) { $0.name = "tag" }
    try context.save()
    #expect(try coordinator.saves().map(\.number) == [6])
  }

  @Test(arguments: [true, false])
  func `PS-11 no number is given twice, whatever opening saves and whatever is removed`(
    hasLog: Bool
  ) throws {
    let seed = UInt64.random(in: 0...9999)
    var random = SeededRandom(seed: seed)
    let noting = try library.open(hasLog: hasLog)
    defer { noting.close() }
    let silent = try library.open(.off, hasLog: hasLog)
    defer { silent.close() }
    for number in 1...100 {
      let before = try noting.currentHistoryToken()
      let isNoted = random.chance(50)
      let context = (isNoted ? noting : silent).context()
      _ = try context.insert(Tag.self) { $0.name = "tag" }
      try context.save()
      let now = try noting.currentHistoryToken()
      #expect("\(now)".hasSuffix("/\(number)"), "seed \(seed)")
      #expect(try areSaves(noting, after: before) == [isNoted], "seed \(seed)")
      if random.chance(25) { _ = try noting.deleteHistory(before: now) }
    }
    noting.close()
    silent.close()
    #expect(
      try SQLiteStoreFile(library.path).removeHistory(allowsLoss: true, force: true) < 100)
    let again = try library.open(hasLog: hasLog)
    defer { again.close() }
    #expect("\(try again.currentHistoryToken())".hasSuffix("/100"), "seed \(seed)")
  }

  /// Whether each element of a history has saves, and is not a gap.
  private func areSaves(
    _ coordinator: PersistentStoreCoordinator, after token: HistoryToken? = nil
  ) throws -> [Bool] {
    var history = try coordinator.history(after: token)
    var result: [Bool] = []
    while let element = try history.next() {
      if case .saves = element { result.append(true) } else { result.append(false) }
    }
    return result
  }

  /// A store whose history did not count yet, as Oxbow wrote it before.
  @Test(arguments: [HistoryRecording.off, .keys])
  func `PS-11 a history that did not count goes on`(_ recording: HistoryRecording) throws {
    func save(_ recording: HistoryRecording) throws {
      let coordinator = try library.open(recording)
      defer { coordinator.close() }
      let context = coordinator.context()
      _ = try context.insert(Tag.self) { $0.name = "tag" }
      try context.save()
    }
    for _ in 0..<3 { try save(.keys) }
    try FixtureDatabase.run(
      library.path,
      """
      UPDATE _oxbow_metadata SET value = 3 WHERE name IN ('saves', 'layout_version')
      """)
    try save(recording)
    try save(.keys)
    let coordinator = try library.open()
    defer { coordinator.close() }
    #expect("\(try coordinator.currentHistoryToken())".hasSuffix("/5"))
    #expect(try coordinator.saves(after: coordinator.currentHistoryToken()).isEmpty)
    #expect(try areSaves(coordinator) == (recording == .off ? [true, false, true] : [true]))
    let version = try SQLiteStoreFile(library.path).digest().layoutVersion
    #expect(version == 5)
  }

  @Test func `PS-11 a restored backup has another history`() throws {
    let backup = library.folder.file("backup.sqlite")
    let token: HistoryToken
    do {
      let coordinator = try library.open()
      defer { coordinator.close() }
      let context = coordinator.context()
      _ = try context.insert(Tag.self) { $0.name = "tag" }
      try context.save()
      token = try coordinator.currentHistoryToken()
      try SQLiteStoreFile(library.path).backUp(to: backup)
    }
    try SQLiteStoreFile(library.path).restore(from: backup, replacing: true)
    let coordinator = try library.open()
    defer { coordinator.close() }
    let error = #expect(throws: PersistenceError.self) { try coordinator.saves(after: token) }
    #expect(error?.code == .historyForeign)
    #expect(error?.message.contains("restored from a backup") == true)
    #expect(try coordinator.saves().map(\.kind) == [.save, .migration])
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 a save of the history brings a context up to date`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    let (mine, theirs) = (coordinator.context(), coordinator.context())
    let author = try mine.insert(Author.self) { $0.name = "Lem" }
    let book = try mine.insert(Book.self) { $0.title = "Eden" }
    book.author = author
    try mine.save()
    #expect(author.books.count == 1)
    let start = try coordinator.currentHistoryToken()
    let copy = try theirs.existingObject(with: book.objectID, as: Book.self)
    copy.title = "Fiasco"
    let new = try theirs.insert(Book.self) { $0.title = "Solaris" }
    new.author = copy.author
    try theirs.save()
    #expect(book.title == "Eden")
    for save in try coordinator.saves(after: start) { try mine.mergeChanges(from: save) }
    #expect(book.title == "Fiasco")
    #expect(Set(author.books.map(\.title)) == ["Fiasco", "Solaris"])
  }

  @Test func `PS-11 a row that another program has damaged is an error with its number`() throws {
    let coordinator = try library.open()
    let context = coordinator.context()
    for _ in 0..<3 {
      _ = try context.insert(Tag.self) { $0.name = "tag" }
      try context.save()
    }
    coordinator.close()
    let connection = try Connection(path: library.path, configuration: .init(role: .sole))
    try connection.execute("UPDATE _oxbow_saves SET changes = x'0128' WHERE number = 2")
    connection.close()
    let damaged = try library.open()
    defer { damaged.close() }
    let error = #expect(throws: PersistenceError.self) { try damaged.saves() }
    #expect(error?.code == .invalidStoredValue)
    #expect(error?.message.contains("save 2 in the history") == true)
    #expect(error?.message.contains("there is no kind 40") == true)
  }

  @Test func `PS-11 a damaged text that is deleted keeps no reader from what comes later`() throws {
    let coordinator = try library.open(.values)
    defer { coordinator.close() }
    let context = coordinator.context()
    _ = try context.insert(Tag.self) { $0.name = "tag" }
    try context.save()
    try FixtureDatabase.run(library.path, "UPDATE Tag SET name = CAST(x'FF41' AS TEXT)")
    // The object cannot be read any more, so it is deleted without.
    #expect(throws: PersistenceError.self) { try coordinator.context().fetch(Tag.self) }
    _ = try coordinator.context().batchDelete(Tag.self)
    let saves = try coordinator.saves()
    #expect(saves.map(\.deletedCount) == [0, 1])
    let bytes = PropertyValue.attribute(.data(Data([0xFF, 0x41])))
    #expect(saves[1].changes.first?.before?["name"] == bytes)
    let error = #expect(throws: PersistenceError.self) { try context.undo(saves[1]) }
    #expect(error?.code == .undoRefused)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 saves of many threads have one row each, in the order of commits`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    let start = try coordinator.currentHistoryToken()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      let context = coordinator.context("thread \(thread)")
      for index in 0..<20 {
        _ = try? context.insert(Book.self) { $0.title = "\(thread)/\(index)" }
        try? context.save()
      }
    }
    let saves = try coordinator.saves(after: start)
    #expect(saves.count == 160)
    #expect(zip(saves, saves.dropFirst()).allSatisfy { $1.number == $0.number + 1 })
    #expect(Set(saves.flatMap { $0.changes.map(\.objectID) }).count == 160)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 a save that is refused has no row and no number`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    let (mine, theirs) = (coordinator.context(), coordinator.context())
    let book = try mine.insert(Book.self) { $0.title = "Eden" }
    try mine.save()
    let copy = try theirs.existingObject(with: book.objectID, as: Book.self)
    copy.title = "Ubik"
    try theirs.save()
    book.title = "Fiasco"
    #expect(throws: PersistenceError.self) { try mine.save() }
    try mine.rollback()
    let saves = try coordinator.saves()
    #expect(saves.map(\.number) == [1, 2])
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 links and the other end are named`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    let context = coordinator.context()
    let book = try context.insert(Book.self) { $0.title = "Eden" }
    let tag = try context.insert(Tag.self) { $0.name = "tag" }
    try context.save()
    let start = try coordinator.currentHistoryToken()
    book.tags.insert(tag)
    try context.save()
    let changes = try coordinator.saves(after: start).flatMap(\.changes)
    let names = Dictionary(changes.map { ($0.objectID, $0.changedProperties) }) { a, _ in a }
    #expect(names[book.objectID] == ["tags"] && names[tag.objectID] == ["books"])
  }

  @Test func `PS-11 with values, both ends of a one-to-one have what was there before`() throws {
    let graph = try Graph(history: .values)
    defer { graph.coordinator.close() }
    let (people, passports) = (try graph.make("Person", 2), try graph.make("Passport", 2))
    try graph.elsewhere { context in
      for (person, passport) in zip(people, passports) {
        try context.get(person).set("passport", try context.get(passport))
      }
    }
    let start = try graph.coordinator.currentHistoryToken()
    try graph.elsewhere { try $0.get(people[0]).set("passport", try $0.get(passports[1])) }
    let changes = try graph.coordinator.saves(after: start).flatMap(\.changes)
    let before = Dictionary(uniqueKeysWithValues: changes.map { ($0.objectID, $0.before) })
    #expect(before[people[0]]??["passport"] == .object(passports[0]))
    #expect(before[people[1]]??["passport"] == .object(passports[1]))
    #expect(before[passports[0]]??["owner"] == .object(people[0]))
    #expect(before[passports[1]]??["owner"] == .object(people[1]))
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 a save of several parts has each new object once`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    let context = coordinator.context()
    let tags = try (0..<150).map { number in
      try context.insert(Tag.self) { $0.name = "\(number)" }
    }
    for number in 0..<1000 {
      let book = try context.insert(Book.self) { $0.title = "\(number)" }
      book.tags = Set(tags)
    }
    try context.save()
    let parts = try coordinator.saves()
    #expect(parts.count > 1 && Set(parts.map(\.number)) == [1])
    #expect(parts.map(\.isContinued) == parts.dropLast().map { _ in true } + [false])
    let changes = parts.flatMap(\.changes)
    #expect(changes.count == 1150 && changes.allSatisfy { $0.kind == .insert })
    #expect(Set(changes.map(\.objectID)).count == 1150)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 of a save of several parts, the last one that fits a filter ends it`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    let start = try coordinator.currentHistoryToken()
    let context = coordinator.context()
    let tags = try (0..<150).map { number in
      try context.insert(Tag.self) { $0.name = "\(number)" }
    }
    for number in 0..<1000 {
      let book = try context.insert(Book.self) { $0.title = "\(number)" }
      book.tags = Set(tags)
    }
    try context.save()
    #expect(try coordinator.saves(after: start).count > 1)
    var history = try coordinator.history(after: start, where: .entity("Tag"))
    let element = try #require(try history.next())
    let saves = if case .saves(let saves) = element { saves } else { [HistoryTransaction]() }
    #expect(saves.map(\.isContinued) == [false])
    #expect(saves.last?.token == history.token && element.token == history.token)
    #expect(try coordinator.saves(after: element.token, where: .entity("Tag")) == [])
    let consumer = try coordinator.historyConsumer(
      named: "tags", from: .token(start), where: .entity("Tag"))
    let batch = try #require(try consumer.nextBatch())
    #expect(batch.element.token == batch.token)
  }

  @Test(arguments: [HistoryRecording.keys, .values])
  func `PS-11 an object of a sub-entity has one change, by whichever entity links name it`(
    recording: HistoryRecording
  ) throws {
    let coordinator = try library.open(recording)
    defer { coordinator.close() }
    let context = coordinator.context()
    let tag = try context.insert(Tag.self) { $0.name = "tag" }
    let novel = try context.insert(Novel.self) { ($0.title, $0.genre) = ("Eden", "a") }
    novel.tags = [tag]
    try context.save()
    let start = try coordinator.currentHistoryToken()
    // The links go in the store, where they say which entity declares them.
    _ = try coordinator.context().batchDelete(Novel.self)
    let changes = try coordinator.saves(after: start).flatMap(\.changes)
    #expect(changes.first { $0.objectID == novel.objectID }?.kind == .delete)
    #expect(changes.filter { $0.objectID == novel.objectID }.count == 1)
  }

  @Test(arguments: [6, Int64.max])
  func `PS-11 a place after the last save is refused, and removes nothing`(number: Int64) throws {
    let coordinator = try library.open()
    defer { coordinator.close() }
    let context = coordinator.context()
    for _ in 0..<5 {
      _ = try context.insert(Tag.self) { $0.name = "tag" }
      try context.save()
    }
    let last = try coordinator.currentHistoryToken()
    let token = last.at(number)
    let refused = [
      #expect(throws: PersistenceError.self) { try coordinator.deleteHistory(before: token) },
      #expect(throws: PersistenceError.self) {
        try coordinator.deleteHistory(before: token, force: true)
      },
      #expect(throws: PersistenceError.self) {
        try coordinator.historyConsumer(named: "early", from: .token(token))
      },
    ]
    #expect(refused.map { $0?.code } == [.historyForeign, .historyForeign, .historyForeign])
    #expect(try coordinator.saves().map(\.number) == [1, 2, 3, 4, 5])
    #expect(try coordinator.historyConsumers() == [])
  }
}
