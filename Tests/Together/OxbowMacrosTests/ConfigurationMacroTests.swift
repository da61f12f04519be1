import Testing

@Suite struct ConfigurationMacroTests {
  @Test func `a property in a branch is refused, for it would keep its default`() {
    let found = diagnostics(
      of: """
        @Configuration struct Server {
          var port: Int = 80
          #if DEBUG
            var isVerbose: Bool = false
          #endif
        }
        """)
    #expect(
      found.messages == [
        "'@Configuration' cannot see which branch of '#if' is compiled; declare the property "
          + "outside of it"
      ])
    #expect(found.places == ["3:3"])
  }

  @Test(arguments: [
    ("public extension A { @Configuration struct S { var n: Int } }", "public static var _key"),
    ("package extension A { @Configuration struct S { var n: Int } }", "package static func _d"),
    ("public extension A { @Woven class C {} }", "public final let _weaving"),
    ("public extension A { @Component class C {} }", "public class var"),
    ("public extension A { @Entity class C: ManagedObject {} }", "public class var"),
  ])
  func `members in an extension have its access`(source: String, member: String) {
    let found = diagnostics(of: source)
    #expect(found.messages == [] && found.expansion.contains(member))
    let closer = diagnostics(of: source.replacing("class C", with: "internal class C"))
    #expect(source.contains("@Configuration") || !closer.expansion.contains(member))
  }
}
