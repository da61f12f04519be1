import OxbowContainer
import OxbowDocuments
import Testing

@Suite struct CallbackTests {
  private func builder(_ change: (inout ObjectDefinition) -> Void) -> ContainerBuilder {
    let builder = ContainerBuilder.ofTests()
    var definition = ObjectDefinition(
      "blade", class: "Blade", scope: "prototype", properties: [.value("owner", "Arthur")],
      at: OxbowDocuments.SourceLocation(file: "blade.xml", line: 2, column: 1))
    change(&definition)
    builder.add(definition)
    return builder
  }

  @Test func `TY-08 named methods are called before and after properties are set`() throws {
    let blade = try builder {
      $0.methodBeforeInjection = "sharpen"
      $0.methodAfterInjection = "polish"
    }.build().object("blade", as: Blade.self)
    #expect(blade.log.contains("sharpen, owner \"\""))
    #expect(blade.log.contains("polish, owner \"Arthur\""))
  }

  @Test func `TY-09 an observer is told first, and TY-10 all comes in this order`() throws {
    let blade = try builder {
      $0.methodBeforeInjection = "sharpen"
      $0.methodAfterInjection = "polish"
    }.build().object("blade", as: Blade.self)
    #expect(
      blade.log == [
        "before, owner \"\"", "sharpen, owner \"\"", "after, owner \"Arthur\"",
        "polish, owner \"Arthur\"",
      ])
  }

  @Test func `TY-09 an observer that is made in code is told, too, behind a protocol as well`()
    throws
  {
    final class Witness: Quest, InjectionObserver {
      var goal = "none"
      var seen: [String] = []
      func beforePropertiesSet() { seen.append(goal) }
      func afterPropertiesSet() { seen.append(goal) }
    }
    final class Sleeper: InjectionObserver {}
    let builder = ContainerBuilder()
    let plain = builder.prototype("plain", Witness.init) { $0.set(\.goal, to: "grail") }
    let hidden = builder.prototype("hidden", { Witness() as any Quest })
    let sleeper = builder.prototype("sleeper", Sleeper.init)
    let container = try builder.build()
    #expect(try container.object(plain).seen == ["none", "grail"])
    #expect((try container.object(hidden) as? Witness)?.seen == ["none", "none"])
    _ = try container.object(sleeper)
  }

  @Test func `TY-08 a method that the class does not describe is a problem`() {
    let builder = builder {
      $0.methodBeforeInjection = "sharpn"
      $0.methodAfterInjection = "fly"
    }
    #expect(
      builder.failure == """
        cannot build the container: 2 problems
        1. object "blade": class "Blade" has no callback "sharpn"
           at: blade.xml:2:1
           seen: method "sharpn"
           expected: one of "sharpen", "polish", "fail"
           did you mean: "sharpen"?
           next: correct the name, or describe the method
        2. object "blade": class "Blade" has no callback "fly"
           at: blade.xml:2:1
           seen: method "fly"
           expected: one of "sharpen", "polish", "fail"
           next: correct the name, or describe the method
        """)
  }

  @Test func `TY-08 what a callback throws names the definition`() throws {
    let container = try builder { $0.methodAfterInjection = "fail" }.build()
    let error = #expect(throws: ContainerError.self) {
      try container.object("blade", as: Blade.self)
    }
    #expect(error?.problems.first?.what == "object \"blade\": completing it failed")
    #expect(error?.problems.first?.seen == "it broke")
  }
}
