import OxbowContainer

// The classes that IVEngine's sample names. `@unchecked`: written while a container builds them,
// read after.

final class SuperMan: Component, @unchecked Sendable {
  var name = ""
  var age = 0

  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      SuperMan.self, name: "SuperMan", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { SuperMan() }],
      properties: [
        .plain("name", String.self) { $0.name = $1 },
        .plain("age", Int.self) { $0.age = $1 },
      ])
  }
}

final class Army: Component {
  var name = ""
  var captain: SuperMan?

  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Army.self, name: "Army", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { Army() }],
      properties: [
        .plain("name", String.self) { $0.name = $1 },
        .plain("captain", SuperMan.self) { $0.captain = $1 },
      ])
  }
}
