import OxbowModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct PredicateTranslationTests {
  private func text<Model: ModelObject>(_ predicate: Predicate<Model>) -> String {
    do throws(PersistenceError) {
      return try FetchPredicate(predicate).description
    } catch {
      return "\(error.code): \(error.message)"
    }
  }

  @Test func `comparisons of attributes with constants`() {
    let age: Int? = 3
    let none: String? = nil
    #expect(text(#Predicate<Person> { $0.name == "x" }) == "name == \"x\"")
    #expect(text(#Predicate<Person> { $0.name != "x" }) == "name != \"x\"")
    #expect(text(#Predicate<Person> { $0.age < 3 && $0.age >= 1 }) == "age < 3 and age >= 1")
    #expect(text(#Predicate<Person> { $0.age <= 3 || $0.age > 5 }) == "age <= 3 or age > 5")
    #expect(text(#Predicate<Person> { !($0.height > 1.5) }) == "not (height > 1.5)")
    #expect(text(#Predicate<Person> { $0.nickname == none }) == "nickname == nil")
    #expect(text(#Predicate<Person> { $0.nickname != nil }) == "nickname != nil")
    #expect(text(#Predicate<Person> { $0.isActive }) == "isActive")
    #expect(text(#Predicate<Person> { $0.isActive == false }) == "isActive == false")
    #expect(text(#Predicate<Person> { _ in true }) == "TRUEPREDICATE")
    if let age { #expect(text(#Predicate<Person> { $0.age == age }) == "age == 3") }
  }

  @Test func `captured values of every type become constants`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 0)
    let data = Data([1])
    let token = Objects.store
    let decimal = Decimal(5) / 2
    let url = try #require(URL(string: "http://a.b"))
    let rank = Rank.high
    #expect(
      text(#Predicate<Person> { $0.born == date }) == "born == date(\"2001-01-01T00:00:00Z\")")
    #expect(text(#Predicate<Person> { $0.photo == data }) == "photo == bytes(\"01\")")
    #expect(
      text(#Predicate<Person> { $0.token == token }) == "token == uuid(\"\(token.uuidString)\")")
    #expect(text(#Predicate<Person> { $0.salary == decimal }) == "salary == decimal(\"2.5\")")
    #expect(text(#Predicate<Person> { $0.homepage == url }) == "homepage == url(\"http://a.b\")")
    #expect(text(#Predicate<Person> { $0.rank == rank }) == "rank == \"high\"")
  }

  @Test func `objects are compared by their IDs`() {
    let id = Objects.id("Team", 7)
    let ids = [Objects.id("Person", 1), Objects.id("Person", 2)]
    let uri = "object(\"x-oxbow://\(Objects.store.uuidString)"
    #expect(text(#Predicate<Person> { $0.team?.objectID == id }) == "team == \(uri)/Team/p7\")")
    #expect(text(#Predicate<Person> { $0.team == nil }) == "team == nil")
    #expect(
      text(#Predicate<Person> { ids.contains($0.objectID) })
        == "self in {\(uri)/Person/p1\"), \(uri)/Person/p2\")}")
    #expect(
      text(#Predicate<Team> { $0.members.contains { $0.objectID == id } })
        == "any members (self == \(uri)/Team/p7\"))")
  }

  @Test func `paths lead through to-one relationships`() {
    #expect(text(#Predicate<Person> { $0.team?.title == "x" }) == "team.title == \"x\"")
    #expect(text(#Predicate<Person> { $0.team?.leader?.age == 3 }) == "team.leader.age == 3")
    #expect(text(#Predicate<Person> { $0.team!.title == "x" }) == "team.title == \"x\"")
    #expect(
      text(#Predicate<Person> { ($0.team?.title ?? "n") == "x" })
        == "(team.title ?? \"n\") == \"x\"")
  }

  @Test func `inherited properties are found from the class below`() {
    #expect(
      text(#Predicate<Manager> { $0.name == "x" && $0.budget > 1 && $0.team?.title == "y" })
        == "name == \"x\" and budget > 1 and team.title == \"y\"")
  }

  @Test func `text is searched`() {
    let part = "b"
    #expect(text(#Predicate<Person> { $0.name.contains(part) }) == "name contains \"b\"")
    #expect(text(#Predicate<Person> { $0.name.starts(with: "a") }) == "name beginsWith \"a\"")
    #expect(text(#Predicate<Person> { $0.name.isEmpty }) == "name == \"\"")
    #expect(text(#Predicate<Person> { $0.photo.isEmpty }) == "photo == bytes(\"\")")
    #expect(
      text(#Predicate<Person> { $0.nickname?.contains("b") == true })
        == "nickname != nil and nickname contains \"b\"")
    #expect(
      text(#Predicate<Person> { $0.nickname?.contains("b") == false })
        == "nickname != nil and not (nickname contains \"b\")")
    #expect(
      text(#Predicate<Person> { $0.nickname?.contains("b") ?? false })
        == "nickname != nil and nickname contains \"b\"")
    #expect(
      text(#Predicate<Person> { $0.nickname?.contains("b") ?? true })
        == "not (nickname != nil) or nickname contains \"b\"")
    #expect(
      text(#Predicate<Person> { if let n = $0.nickname { n.contains("b") } else { false } })
        == "nickname != nil and nickname contains \"b\"")
    #expect(
      text(#Predicate<Person> { $0.nickname.flatMap { $0.isEmpty } != true })
        == "ternary(nickname != nil, (nickname == \"\"), nil) != true")
  }

  @Test func `lists and ranges`() {
    let names = ["a", "b"]
    let range = 2...4
    let none: [Int] = []
    #expect(text(#Predicate<Person> { names.contains($0.name) }) == "name in {\"a\", \"b\"}")
    #expect(text(#Predicate<Person> { none.contains($0.age) }) == "age in {}")
    #expect(text(#Predicate<Person> { (1...3).contains($0.age) }) == "1 <= age and age <= 3")
    #expect(text(#Predicate<Person> { (1..<3).contains($0.age) }) == "1 <= age and age < 3")
    #expect(text(#Predicate<Person> { range.contains($0.age) }) == "2 <= age and age <= 4")
    #expect(
      text(#Predicate<Person> { p in names.contains { p.name.contains($0) } })
        == "name contains \"a\" or name contains \"b\"")
    #expect(
      text(#Predicate<Person> { p in names.allSatisfy { p.name != $0 } })
        == "name != \"a\" and name != \"b\"")
  }

  @Test func `to-many relationships`() {
    let other = 5
    #expect(text(#Predicate<Team> { $0.members.count > 2 }) == "members.@count > 2")
    #expect(text(#Predicate<Team> { $0.members.isEmpty }) == "not (any members (TRUEPREDICATE))")
    #expect(
      text(#Predicate<Team> { $0.members.contains { $0.age > other } })
        == "any members (age > 5)")
    #expect(
      text(#Predicate<Team> { $0.members.allSatisfy { $0.isActive } }) == "all members (isActive)")
    #expect(
      text(#Predicate<Team> { $0.members.filter { $0.age > 1 }.isEmpty })
        == "not (any members (age > 1))")
    #expect(
      text(#Predicate<Team> { $0.members.filter { $0.age > 1 }.contains { $0.age < 9 } })
        == "any members (age > 1 and age < 9)")
    #expect(
      text(#Predicate<Team> { $0.members.contains { $0.friends.contains { $0.name == "x" } } })
        == "any members (any friends (name == \"x\"))")
    #expect(text(#Predicate<Person> { $0.team?.members.count == 1 }) == "team.members.@count == 1")
    #expect(
      text(#Predicate<Person> { $0.team?.members.contains { $0.age > 1 } == true })
        == "team != nil and any team.members (age > 1)")
  }

  @Test func `arithmetic and conditions`() {
    #expect(text(#Predicate<Person> { $0.age * 2 + 1 == 3 }) == "((age * 2) + 1) == 3")
    #expect(text(#Predicate<Person> { $0.age % 2 == 0 }) == "(age % 2) == 0")
    #expect(text(#Predicate<Person> { $0.age / 2 - 1 == 0 }) == "((age / 2) - 1) == 0")
    #expect(text(#Predicate<Person> { $0.height / 2 > 1 }) == "(height / 2.0) > 1.0")
    #expect(text(#Predicate<Person> { -$0.age < 0 }) == "-(age) < 0")
    #expect(
      text(#Predicate<Person> { $0.isActive ? $0.age > 1 : $0.age > 2 })
        == "(isActive and age > 1) or (not (isActive) and age > 2)")
    #expect(
      text(#Predicate<Person> { ($0.isActive ? $0.age : 0) > 2 }) == "ternary(isActive, age, 0) > 2"
    )
    #expect(
      text(#Predicate<Person> { ($0.age > 1) == $0.isActive }) == "(age > 1) == isActive")
  }

  @Test func `what a store cannot answer is named`() {
    #expect(
      text(#Predicate<Person> { $0.unstored == 1 })
        == "invalidPredicate: a key path of type 'Int' is not a stored property of 'Person'; the"
        + " stored ones are 'age', 'born', 'friends', 'height', 'homepage', 'isActive', 'name',"
        + " 'nickname', 'photo', 'rank', 'salary', 'team' and 1 more")
    #expect(
      text(#Predicate<Person> { ($0 as? Manager) != nil })
        == "unsupported: a #Predicate with 'ConditionalCast' cannot be answered by a store")
    #expect(
      text(#Predicate<Person> { $0.name.count > 3 })
        == "unsupported: a property of 'String' that is not a property of an entity cannot be used in a"
        + " predicate")
    #expect(
      text(#Predicate<Team> { t in t.members.contains { $0.name == t.title } })
        == "unsupported: a closure about the members of a relationship uses a variable from outside"
        + " of it; capture its value before the #Predicate")
    #expect(
      text(#Predicate<Team> { $0.members.filter { $0.age > 1 }.count > 1 })
        == "unsupported: a property of 'Array<Person>' that is not a property of an entity cannot be"
        + " used in a predicate")
    #expect(
      text(#Predicate<Person> { $0.rank.rawValue == "low" })
        == "unsupported: a property of 'Rank' that is not a property of an entity cannot be used in a"
        + " predicate; compare the value itself, without 'rawValue'")
  }
}
