import OxbowModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct PredicateEvaluationTests {
  private let team: MemoryObject
  private let ada: MemoryObject
  private let bob: MemoryObject

  init() throws {
    team = try MemoryObject("Team", 1, ["title": .string("Core")])
    ada = try MemoryObject(
      "Person", 2,
      [
        "name": .string("Ada"), "age": .integer(36), "height": .double(1.5),
        "isActive": .boolean(true),
        "salary": .decimal(10), "nickname": .string("é"), "photo": .data(Data([1, 2])),
        "born": .date(Date(timeIntervalSinceReferenceDate: 5)),
      ])
    bob = try MemoryObject("Person", 3, ["name": .string("Bob")])
    ada.one["team"] = team
    team.many["members"] = [ada]
    team.one["leader"] = ada
    ada.many["friends"] = [bob]
  }

  private func result(_ predicate: FetchPredicate, _ object: MemoryObject) -> String {
    do throws(PersistenceError) {
      return try "\(predicate.isTrue(for: object))"
    } catch {
      return "\(error.code): \(error.message)"
    }
  }

  @Test func `logic has two values`() {
    #expect(result(.isNil("age"), bob) == "true")
    #expect(result(.notEqual("age", 1), bob) == "true")
    #expect(result(.equal("age", 1), bob) == "false")
    #expect(result(.greater("age", 1), bob) == "false")
    #expect(result(!(.greater("age", 1)), bob) == "true")
    #expect(result(.isTrue("isActive"), bob) == "false")
    #expect(result(!(.isTrue("isActive")), bob) == "true")
    #expect(result(.oneOf("age", [1, nil] as [Int?]), bob) == "true")
    #expect(result(.oneOf("age", [1]), bob) == "false")
    #expect(result(.contains("nickname", ""), bob) == "false")
    #expect(result(.and([]), bob) == "true")
    #expect(result(.or([]), bob) == "false")
  }

  @Test func `numbers of different types compare by their values`() {
    #expect(result(.equal("age", 36.0), ada) == "true")
    #expect(result(.less("age", 36.5), ada) == "true")
    #expect(result(.greater("height", 1), ada) == "true")
    #expect(result(.equal("salary", 10), ada) == "true")
    #expect(result(.greaterOrEqual("salary", 9.5), ada) == "true")
    #expect(result(.between("age", 30...36), ada) == "true")
    #expect(result(.less("salary", Double.infinity), ada) == "true")
    #expect(result(.greater("salary", 1e-300), ada) == "true")
    #expect(result(.equal("height", Double.nan), ada) == "false")
    #expect(result(.notEqual("height", Double.nan), ada) == "true")
    #expect(result(.lessOrEqual("height", Double.nan), ada) == "false")
  }

  @Test func `large whole numbers are not rounded`() {
    let big: AttributeValue = .integer(9_007_199_254_740_993)
    #expect(big.order(to: .double(9_007_199_254_740_992)) == .descending)
    #expect(AttributeValue.integer(.max).order(to: .double(0x1p63)) == .ascending)
    #expect(AttributeValue.double(-0x1p63).order(to: .integer(.min)) == .same)
    #expect(AttributeValue.integer(-1).order(to: .double(-0.5)) == .ascending)
  }

  @Test func `text compares by bytes`() {
    // "é" as one scalar and as two are equal in Swift, not in a store.
    #expect(result(.equal("nickname", "e\u{301}"), ada) == "false")
    #expect(result(.equal("nickname", "\u{E9}"), ada) == "true")
    #expect(result(.greater("nickname", "z"), ada) == "true")
    #expect(result(.contains("name", "d"), ada) == "true")
    #expect(result(.beginsWith("name", "ad"), ada) == "false")
    #expect(result(.beginsWith("name", "ad", .caseInsensitive), ada) == "true")
    #expect(result(.endsWith("name", "DA", .caseInsensitive), ada) == "true")
    #expect(result(.contains("nickname", "\u{C9}", .caseInsensitive), ada) == "true")
    #expect(result(.endsWith("name", ""), ada) == "true")
  }

  @Test func `PS-15 words of texts, of which a missing one has none`() throws {
    ada.values["nickname"] = .string("Countess of Lovelace")
    let names = ["name", "nickname"]
    #expect(result(try .words("nickname", "lovelace COUNT*"), ada) == "true")
    #expect(result(try .words("name", "lovelace"), ada) == "false")
    #expect(result(try .words(names, "ada lovelace NOT bob"), ada) == "true")
    #expect(result(try .words("nickname", "bob"), bob) == "false")
    #expect(result(!(try .words("nickname", "bob")), bob) == "true")
    #expect(result(try .words(names, "bob"), bob) == "true")
    #expect(result(try .words(names, "bob NOT lovelace"), bob) == "true")
    #expect(result(.words("name", all: ""), ada) == "false")
    #expect(result(.words([], all: "ada"), ada) == "false")
    #expect(result(.words([.path(["name"])], .value(.null)), ada) == "false")
    #expect(result(.words([.path(["name"])], .path(["name"])), ada) == "true")
    #expect(result(try FetchPredicate(format: "ANY members.name WORDS 'ad*'"), team) == "true")
    #expect(result(try FetchPredicate(format: "NONE members.name WORDS 'ada'"), team) == "false")
    #expect(result(try FetchPredicate(format: "ALL friends.name WORDS 'bob'"), ada) == "true")
    #expect(
      result(try .words("age", "1"), ada)
        == "invalidPredicate: a whole number cannot be searched with 'words'; it needs text")
  }

  @Test func `bytes and dates have an order`() {
    #expect(result(.less("photo", Data([1, 3])), ada) == "true")
    #expect(result(.greater("photo", Data([1])), ada) == "true")
    #expect(result(.less("born", Date(timeIntervalSinceReferenceDate: 6)), ada) == "true")
  }

  @Test func `paths end early without a value`() {
    #expect(result(.equal("team.title", "Core"), ada) == "true")
    #expect(result(.equal("team.leader.name", "Ada"), ada) == "true")
    #expect(result(.isNil("team.title"), bob) == "true")
    #expect(result(.notEqual("team.title", "Core"), bob) == "true")
    #expect(result(.equal("team", Objects.id("Team", 1)), ada) == "true")
    #expect(result(.object(Objects.id("Person", 2)), ada) == "true")
    #expect(result(.object(Objects.id("Person", 2)), bob) == "false")
  }

  @Test func `to-many relationships`() {
    #expect(result(.any("members", .equal("name", "Ada")), team) == "true")
    #expect(result(.any("members", .equal("name", "Bob")), team) == "false")
    #expect(result(.all("members", .equal("name", "Bob")), team) == "false")
    #expect(result(.all("friends", .equal("name", "x")), bob) == "true")
    #expect(result(.count("members", .equal, 1), team) == "true")
    #expect(result(.count("team.members", .equal, 0), bob) == "false")
    #expect(result(.any("team.members", .any("friends", .equal("name", "Bob"))), ada) == "true")
  }

  @Test func `arithmetic`() {
    func age(_ sign: ArithmeticOperator, _ number: Int, _ result: Int) -> FetchPredicate {
      .comparison(
        .arithmetic(.path(["age"]), sign, .value(number.fetchValue)), .equal,
        .value(result.fetchValue))
    }
    #expect(result(age(.add, 4, 40), ada) == "true")
    #expect(result(age(.subtract, 4, 32), ada) == "true")
    #expect(result(age(.multiply, 2, 72), ada) == "true")
    #expect(result(age(.divide, -5, -7), ada) == "true")
    #expect(result(age(.remainder, -5, 1), ada) == "true")
    #expect(result(age(.bitwiseExclusiveOr, 5, 33), ada) == "true")
    #expect(result(age(.power, 2, 1296), ada) == "true")
    #expect(result(age(.power, 0, 1), ada) == "true")
    #expect(result(age(.add, 1, 1), bob) == "false")
    #expect(result(age(.divide, 0, 0), ada) == "false")
    #expect(result(age(.remainder, 0, 0), ada) == "false")
    let smallest = FetchExpression.value(Int.min.fetchValue)
    let minusOne = FetchExpression.value((-1).fetchValue)
    let zero = FetchExpression.value(0.fetchValue)
    // What a file answers: a number that is rounded where it does not fit, no value for a division
    // by zero.
    let large = FetchExpression.value(9_223_372_036_854_775_808.0.fetchValue)
    for expression in [
      .negated(smallest), .arithmetic(smallest, .divide, minusOne),
      .arithmetic(.value(Int.max.fetchValue), .add, .path(["age"])),
    ] as [FetchExpression] {
      #expect(result(.comparison(expression, .equal, large), ada) == "true")
    }
    #expect(
      result(.comparison(.arithmetic(smallest, .remainder, minusOne), .equal, zero), ada) == "true")
    #expect(
      result(.comparison(.arithmetic(.path(["height"]), .divide, zero), .equal, .value(.null)), ada)
        == "true")
    #expect(
      result(.comparison(.negated(.path(["name"])), .equal, zero), ada)
        == "invalidPredicate: text cannot be calculated with")
  }

  @Test func `expressions choose`() {
    let three = FetchExpression.value(3.fetchValue)
    #expect(result(.comparison(.coalesced(.path(["age"]), three), .equal, three), bob) == "true")
    #expect(
      result(
        .comparison(.conditional(.isNil("age"), three, .path(["age"])), .equal, three), bob)
        == "true")
    #expect(
      result(
        .comparison(.condition(.isNil("age")), .equal, .value(true.fetchValue)), bob) == "true")
  }

  @Test(arguments: [
    (
      FetchPredicate.equal("nam", "x"),
      "unknownProperty: the entity 'Person' has no property 'nam'; it has 'age', 'born', 'friends', 'height', 'isActive', 'name', 'nickname', 'photo', 'salary', 'team'"
    ),
    (.equal("name", 1), "invalidPredicate: text cannot be compared with a whole number"),
    (.equal("team", 1), "invalidPredicate: an object cannot be compared with a whole number"),
    (.less("isActive", true), "invalidPredicate: a truth value has no order: '<' needs one"),
    (
      .contains("age", "x"),
      "invalidPredicate: a whole number cannot be searched with 'contains'; it needs text"
    ),
    (
      .isTrue("age"),
      "invalidPredicate: a whole number is not a condition; compare it with something"
    ),
    (
      .equal("friends", nil),
      "invalidPredicate: 'friends' of 'Person' leads to many objects; use 'any', 'all' or 'count'"
    ),
    (
      .equal("friends.name", nil),
      "invalidPredicate: 'friends' of 'Person' leads to no single object, so a path cannot go on behind it"
    ),
    (
      .any("team", .constant(true)),
      "invalidPredicate: 'team' of 'Person' is not a to-many relationship; 'any', 'all' and 'count' need one"
    ),
  ])
  func `what makes no sense is an error`(predicate: FetchPredicate, expected: String) {
    #expect(result(predicate, ada) == expected)
  }

  @Test func `a translated predicate means what Swift means`() throws {
    let predicate = #Predicate<Person> { $0.team?.title == "Core" && $0.age > 30 }
    #expect(try FetchPredicate(predicate).isTrue(for: ada))
    #expect(try !FetchPredicate(predicate).isTrue(for: bob))
  }
}
