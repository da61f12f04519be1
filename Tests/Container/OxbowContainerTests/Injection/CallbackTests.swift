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

  @Test func `TY-09 an observer is notified before the methods that are named`() throws {
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

  @Test func `TY-09 an observer that is made in code is notified, too, behind a protocol as well`()
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
    let plain = builder.prototype(named: "plain", Witness.init) { $0.set(\.goal, to: "grail") }
    let hidden = builder.prototype(named: "hidden", { Witness() as any Quest })
    let sleeper = builder.prototype(named: "sleeper", Sleeper.init)
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
    #expect(error?.problems.first?.message == "object \"blade\": completing it failed")
    #expect(error?.problems.first?.seen == "it broke")
  }

  @Test
  func
    `TY-10 arguments, calls before, properties as written, the container, calls after, processors`()
    throws
  {
    struct Herald: ObjectPostProcessor {
      func process<T>(_ object: T, named name: String) throws -> T {
        (object as? Diary)?.lines.append("processor")
        return object
      }
    }
    let builder = ContainerBuilder()
    builder.register(Diary.self)
    builder.add(Herald())
    var definition = ObjectDefinition(
      "diary", class: "Diary", scope: "prototype",
      properties: [.value("second", "2"), .value("first", "1"), .value("title", "argument")])
    definition.methodBeforeInjection = "open"
    definition.methodAfterInjection = "shut"
    builder.add(definition)
    let diary = try builder.build().object("diary", as: Diary.self)
    #expect(
      diary.lines == [
        "argument", "before", "open", "second 2", "first 1", "container", "after", "shut",
        "processor",
      ])
  }
}

/// Writes down what happens to it.
private final class Diary: Component, InjectionObserver, ContainerAware {
  var lines: [String] = []
  init(title: String) { lines.append(title) }
  func beforePropertiesSet() { lines.append("before") }
  func afterPropertiesSet() { lines.append("after") }
  func setContainer(_ container: Container) { lines.append("container") }

  nonisolated static var componentDescriptor: ComponentDescriptor {
    let number = { (name: String) in
      PropertyDescriptor<Diary>.property(
        name, Int.self, typeName: "Int", sendability: .of(), accepts: { $0 is Int.Type },
        set: { $0.lines.append("\(name) \($1)") })
    }
    return ComponentDescriptor(
      Diary.self, name: "Diary", sendability: .of(), product: .of(),
      initializers: [
        InitializerDescriptor(
          ParameterDescriptor(
            "title", String.self, typeName: "String", sendability: .of(),
            accepts: { $0 is String.Type })
        ) { Diary(title: $0) }
      ],
      properties: [number("first"), number("second")],
      callbacks: [
        CallbackDescriptor("open") { $0.lines.append("open") },
        CallbackDescriptor("shut") { $0.lines.append("shut") },
      ])
  }
}
