import OxbowModel
import Testing

@Suite struct PredicateBuildingTests {
  @Test func `conditions are built from paths and values`() {
    let id = Objects.id("Team", 1)
    #expect(FetchPredicate.equal("a.b", "x").description == "a.b == \"x\"")
    #expect(FetchPredicate.equal("a", nil).description == "a == nil")
    #expect(FetchPredicate.equal("team", id).description == "team == object(\"\(id)\")")
    #expect(FetchPredicate.between("a", 1...2).description == "a >= 1 and a <= 2")
    #expect(FetchPredicate.oneOf("a", [1.5, 2]).description == "a in {1.5, 2.0}")
    #expect(
      FetchPredicate.contains("a", "x", .caseInsensitive).description == "a contains[c] \"x\"")
    #expect(FetchPredicate.count("a", .greater, 2).description == "a.@count > 2")
    #expect(FetchPredicate.all("a", .isNotNil("b")).description == "all a (b != nil)")
  }

  @Test func `operators join conditions flatly`() {
    let a = FetchPredicate.isTrue("a")
    let b = FetchPredicate.isTrue("b")
    #expect((a && b && a) == .and([a, b, a]))
    #expect((a || b || a) == .or([a, b, a]))
    #expect(((a || b) && !a).description == "(a or b) and not (a)")
  }
}
