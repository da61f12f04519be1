import OxbowContainer
import OxbowDocuments
import Testing

/// References of files to a protocol, of which the compiler has seen that a class has it: see
/// `Upcast`.
@Suite struct UpcastTests {
  /// A stage with parts, and what they refer to.
  private func builder(_ properties: PropertyAssignment..., voice: String? = nil)
    -> ContainerBuilder
  {
    let builder = ContainerBuilder()
    builder.add(
      ObjectDefinition("stage", class: "Stage", scope: "prototype", properties: properties))
    if let voice { builder.add(ObjectDefinition("voice", class: voice, scope: "prototype")) }
    builder.register(stageDescriptor)
    builder.register(
      ComponentDescriptor(
        Tenor.self, name: "Tenor", sendability: .of(), product: .of(),
        initializers: [InitializerDescriptor { Tenor() }]))
    builder.register(
      ComponentDescriptor(
        Whistle.self, name: "Whistle", sendability: .of(), product: .of(),
        initializers: [InitializerDescriptor { Whistle() }]))
    return builder
  }

  @Test(arguments: [("Tenor", "la"), ("Whistle", "fiu")])
  func `an argument, a property and elements are seen through their protocol`(
    className: String, sound: String
  ) throws {
    let builder = builder(
      .reference("lead", to: "voice"), .reference("second", to: "voice"),
      PropertyAssignment(
        "choir",
        to: .collection([
          InjectedElement(.reference("voice")), InjectedElement(.reference("voice")),
        ])),
      voice: className)
    let container = try builder.build()
    for _ in 0..<2 {
      let stage = try container.object("stage", as: Stage.self)
      #expect(stage.lead.sound() == sound)
      #expect(stage.second?.sound() == sound)
      #expect(stage.choir.map { $0.sound() } == [sound, sound])
    }
  }

  @Test func `an object of a subclass is itself`() throws {
    let builder = builder(.reference("lead", to: "voice"))
    builder.prototype(named: "voice") { () -> Tenor in HeldenTenor() }
    let lead = try builder.build().object("stage", as: Stage.self).lead
    #expect(lead is HeldenTenor)
    #expect(lead.sound() == "LA")
  }

  @Test func `a class without the protocol is an error for each object that needs it`() throws {
    let builder = builder(.reference("lead", to: "voice"))
    builder.prototype(named: "voice") { () -> Mute in Mute() }
    let container = try builder.build()
    for _ in 0..<2 {
      let error = #expect(throws: ContainerError.self) {
        try container.object("stage", as: Stage.self)
      }
      #expect(error?.problems.first?.code == .typeMismatch)
    }
  }

  @MainActor
  @Test func `a protocol that a class has on the main actor is not there on other threads`() throws
  {
    let builder = builder(.reference("lead", to: "screen"))
    let screen = Screen()
    builder.singleton(named: "screen") { screen }
    let container = try builder.build()
    #expect(try container.object("stage", as: Stage.self).lead is Screen)
    onThreads(1) { _ in
      let error = #expect(throws: ContainerError.self) {
        try container.object("stage", as: Stage.self)
      }
      #expect(error?.problems.first?.code == .typeMismatch)
    }
  }
}

private let stageDescriptor = ComponentDescriptor(
  Stage.self, name: "Stage", sendability: .of(), product: .of(),
  initializers: [
    InitializerDescriptor(
      ParameterDescriptor(
        "lead", (any Voice).self, typeName: "any Voice", sendability: .of(),
        accepts: { $0 is any Voice.Type }, upcast: upcast)
    ) { Stage(lead: $0) }
  ],
  properties: [
    .property(
      "second", (any Voice).self, typeName: "any Voice", sendability: .of(), isOptional: true,
      accepts: { $0 is any Voice.Type }, upcast: upcast, set: { $0.second = $1 }),
    .property(
      "choir", [any Voice].self, typeName: "[any Voice]", sendability: .of(),
      accepts: { $0 is any Voice.Type }, upcast: upcast, set: { $0.choir = $1 }),
  ])

@Sendable private func upcast(_ type: any Any.Type) -> Upcast? {
  func open<Object: Voice>(_ type: Object.Type) -> Upcast {
    Upcast { (object: Object) -> any Voice in object }
  }
  return (type as? any Voice.Type).map { open($0) }
}

private protocol Voice {
  func sound() -> String
}

private class Tenor: Voice {
  func sound() -> String { "la" }
}

private final class HeldenTenor: Tenor {
  override func sound() -> String { "LA" }
}

private struct Whistle: Voice {
  func sound() -> String { "fiu" }
}

private class Mute {}

@MainActor private final class Screen: @MainActor Voice {
  func sound() -> String { "beep" }
}

private final class Stage {
  let lead: any Voice
  var second: (any Voice)?
  var choir: [any Voice] = []
  init(lead: any Voice) { self.lead = lead }
}
