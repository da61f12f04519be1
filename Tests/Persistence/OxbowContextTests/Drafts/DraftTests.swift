import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// New objects, whose values are in rows that they write (decision 0189).
@Suite struct DraftTests {
  let depot: Depot

  init() throws { depot = try Depot() }

  static let extremes: [Contents] = [
    Contents(),
    Contents(
      title: "", note: "", small: .min, middle: .min, large: .min, weight: -0.0, ratio: -0.0,
      isFragile: false, sent: Date(timeIntervalSinceReferenceDate: 0), bytes: Data(),
      code: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), price: 0,
      page: URL(string: "https://example.org/a")),
    Contents(
      title: "a\u{0}b\u{301}🧺", note: String(repeating: "long ", count: 2_000), small: .max,
      middle: .max, large: .max, weight: .greatestFiniteMagnitude, ratio: .greatestFiniteMagnitude,
      isFragile: true, sent: Date(timeIntervalSinceReferenceDate: -1e11),
      bytes: Data(repeating: 0xff, count: 100_000), code: UUID(),
      price: Decimal(string: "-12345678901234567890.123456789"), page: URL(string: "urn:x:1")),
    Contents(title: "plain", weight: .infinity, bytes: Data([0, 1, 2]), price: 19.99),
  ]

  @Test(arguments: extremes)
  func `PG-08 a new object has the values that it was given, unsaved, saved and read again`(
    _ contents: Contents
  ) throws {
    let context = depot.context()
    let parcel = try context.insert(Parcel.self)
    #expect(Contents(of: parcel) == Contents())
    contents.fill(parcel)
    #expect(Contents(of: parcel) == contents)
    try context.save()
    #expect(Contents(of: parcel) == contents)
    #expect(!parcel.hasChanges)
    let read = try depot.context().existingObject(with: parcel.objectID, as: Parcel.self)
    #expect(Contents(of: read) == contents)
  }

  @Test func `PG-08 a value that is set again replaces the one before, however often`() throws {
    let context = depot.context()
    let parcels = try (0..<40).map { _ in try context.insert(Parcel.self) }
    for round in 0..<400 {
      for (index, parcel) in parcels.enumerated() {
        parcel.title = "\(index) in round \(round)"
        parcel.note = round.isMultiple(of: 3) ? nil : parcel.title
        parcel.bytes = Data("\(round)".utf8)
      }
    }
    try context.save()
    let read = try depot.context().fetch(FetchRequest<Parcel>())
    #expect(Set(read.map(\.title)) == Set((0..<40).map { "\($0) in round 399" }))
    #expect(read.allSatisfy { $0.note == nil && $0.bytes == Data("399".utf8) })
  }

  @Test func `PG-08 thousands of new objects keep their rows apart`() throws {
    let context = depot.context()
    let parcels = try (0..<3_000).map { number in
      try context.insert(Parcel.self) { ($0.title, $0.large) = ("number \(number)", number) }
    }
    for (number, parcel) in parcels.enumerated() {
      #expect(parcel.title == "number \(number)" && parcel.large == number)
    }
    try context.save()
    for (number, parcel) in parcels.enumerated() {
      #expect(parcel.title == "number \(number)" && parcel.large == number)
      #expect(!parcel.hasChanges)
    }
    #expect(try depot.context().count(FetchRequest<Parcel>()) == 3_000)
  }

  @Test func `PG-01 new objects are linked before and after a save`() throws {
    let context = depot.context()
    let crate = try context.insert(Parcel.self) { $0.title = "crate" }
    let box = try context.insert(Parcel.self) { $0.title = "box" }
    #expect(crate.contents.isEmpty && box.container == nil)
    box.container = crate
    #expect(crate.contents == [box])
    box.title = "a box"
    try context.save()
    #expect(box.container === crate && crate.contents == [box] && box.title == "a box")
    let jar = try context.insert(Parcel.self) { $0.title = "jar" }
    jar.container = box
    box.container = nil
    try context.save()
    let other = depot.context()
    let read = try other.existingObject(with: jar.objectID, as: Parcel.self)
    #expect(read.container?.title == "a box" && read.container?.container == nil)
    #expect(read.container?.contents == [read])
  }

  @Test func `PG-05 every rule that the values of new objects break is named`() throws {
    let context = depot.context()
    let parcel = try context.insert(Parcel.self)
    parcel.weight = .nan
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .validation)
    #expect(error?.validationFailures.map(\.property) == ["weight"])
    #expect(parcel.weight.isNaN && parcel.isInserted)
    parcel.weight = 1
    try context.save()
    #expect(try depot.context().fetch(FetchRequest<Parcel>()).map(\.weight) == [1])
  }

  @Test func `PF-07 a fetch finds new objects by their values, and sorts by them`() throws {
    let context = depot.context()
    for number in 0..<20 {
      try context.insert(Parcel.self) { ($0.title, $0.large) = ("parcel", number) }
    }
    let found = try context.fetch(
      FetchRequest<Parcel>(
        where: .greater("large", 15),
        sortedBy: [.descending(\.large)]))
    #expect(found.map(\.large) == [19, 18, 17, 16])
    #expect(try context.count(FetchRequest<Parcel>(where: .equal("isFragile", true))) == 20)
  }

  @Test func `PG-09 edits of a new object are undone once undo is on`() throws {
    let context = depot.context()
    let parcel = try context.insert(Parcel.self) { ($0.title, $0.large) = ("before", 1) }
    context.isUndoEnabled = true
    parcel.title = "after"
    parcel.large = 2
    try context.undo()
    #expect(parcel.title == "before" && parcel.large == 1)
    try context.redo()
    #expect(parcel.title == "after" && parcel.large == 2)
    try context.save()
    #expect(try depot.context().fetch(FetchRequest<Parcel>()).map(\.title) == ["after"])
  }

  @Test func `PG-09 a rolled back new object keeps the values that it had`() throws {
    let context = depot.context()
    let parcel = try context.insert(Parcel.self)
    Self.extremes[3].fill(parcel)
    try context.rollback()
    #expect(Contents(of: parcel) == Self.extremes[3])
    #expect(parcel.context == nil)
    parcel.title = "refused"
    #expect(parcel.title == "plain")
    #expect(parcel.faultError?.code == .foreignObject)
    #expect("\(try #require(parcel.faultError))".contains("its insert was undone"))
  }

  @Test func `PG-08 new objects outlive their context with their values`() throws {
    var context: ManagedObjectContext? = depot.context()
    let parcel = try #require(try context?.insert(Parcel.self) { $0.title = "kept" })
    try context?.reset()
    #expect(parcel.title == "kept")
    context = nil
    #expect(parcel.title == "kept")
  }

  @Test func `PG-12 a new object whose unique value is there is merged into its holder`() throws {
    let code = UUID()
    let first = depot.context()
    try first.insert(Parcel.self) { ($0.code, $0.title, $0.large) = (code, "theirs", 1) }
    try first.save()
    let second = depot.context()
    second.mergePolicy = .mergeByPropertyObjectTrump
    try second.insert(Parcel.self) { ($0.code, $0.title, $0.price) = (code, "mine", 3.5) }
    try second.insert(Parcel.self) { $0.title = "another" }
    try second.save()
    let read = try depot.context().fetch(FetchRequest<Parcel>(sortedBy: [SortKey("title")]))
    #expect(read.map(\.title) == ["another", "mine"])
    #expect(read.last?.large == 1 && read.last?.price == 3.5)
  }

  @Test func `PG-12 a save that a policy cannot resolve leaves new objects as they were`() throws {
    let code = UUID()
    let first = depot.context()
    try first.insert(Parcel.self) { ($0.code, $0.title) = (code, "theirs") }
    try first.save()
    let second = depot.context()
    second.mergePolicy = .mergeByProperty
    let mine = try second.insert(Parcel.self) { ($0.code, $0.title) = (code, "mine") }
    let box = try second.insert(Parcel.self) { $0.title = "box" }
    mine.container = box
    #expect(throws: PersistenceError.self) { try second.save() }
    #expect(mine.isInserted && mine.title == "mine" && mine.code == code)
    #expect(mine.container === box && box.contents == [mine])
    mine.code = UUID()
    try second.save()
    #expect(try depot.context().count(FetchRequest<Parcel>()) == 3)
  }

  @Test func `PG-10 a child's new objects are new in the parent`() throws {
    let parent = depot.context()
    let child = ManagedObjectContext(parent: parent)
    let parcel = try child.insert(Parcel.self)
    Self.extremes[2].fill(parcel)
    try child.save()
    let there = try #require(parent.registeredObject(for: parcel.objectID) as? Parcel)
    #expect(there.isInserted && Contents(of: there) == Self.extremes[2])
    parcel.title = "changed in the child"
    try child.save()
    #expect(there.title == "changed in the child")
    try parent.save()
    #expect(
      try depot.context().fetch(FetchRequest<Parcel>()).map(\.title) == ["changed in the child"])
  }

  @Test func `PG-02 a new object that is deleted is not written`() throws {
    let context = depot.context()
    let parcel = try context.insert(Parcel.self) { $0.title = "gone" }
    try context.delete(parcel)
    #expect(!context.hasChanges)
    try context.insert(Parcel.self) { $0.title = "there" }
    try context.save()
    #expect(try depot.context().fetch(FetchRequest<Parcel>()).map(\.title) == ["there"])
    #expect(parcel.title == "gone")
  }

  @Test func `PM-06 the values of a new object by name are the same`() throws {
    let context = depot.context()
    let parcel = try context.insert(entityNamed: "Parcel")
    try parcel.setValue("named", for: "title")
    try parcel.setValue(Int16(7), for: "small")
    try parcel.setValue(Date?.none, for: "sent")
    #expect(throws: PersistenceError.self) { try parcel.setValue("seven", for: "small") }
    #expect(try parcel.value("title", as: String.self) == "named")
    #expect(try parcel.value("small", as: Int16.self) == 7)
    try context.save()
    let read = try #require(try depot.context().fetch(FetchRequest<Parcel>()).first)
    #expect(read.title == "named" && read.small == 7 && read.sent == nil)
  }
}
