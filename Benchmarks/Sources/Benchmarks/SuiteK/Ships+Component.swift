import OxbowRuntime

// What `@Component` writes for these classes; by hand, to keep swift-syntax out of this package.

extension Ship: Component {
  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Ship.self, name: "Ship", sendability: .of(), product: .of(),
      initializers: [
        InitializerDescriptor(
          ParameterDescriptor(
            "hull", (any Hull).self, typeName: "any Hull", sendability: .of(),
            accepts: { $0 is any Hull.Type }),
          ParameterDescriptor(
            "mast", (any Mast).self, typeName: "any Mast", sendability: .of(),
            accepts: { $0 is any Mast.Type }),
          ParameterDescriptor(
            "sail", (any Sail).self, typeName: "any Sail", sendability: .of(),
            accepts: { $0 is any Sail.Type }),
          ParameterDescriptor(
            "keel", (any Keel).self, typeName: "any Keel", sendability: .of(),
            accepts: { $0 is any Keel.Type }),
          ParameterDescriptor(
            "rudder", (any Rudder).self, typeName: "any Rudder", sendability: .of(),
            accepts: { $0 is any Rudder.Type }),
          ParameterDescriptor(
            "anchor", (any Anchor).self, typeName: "any Anchor", sendability: .of(),
            accepts: { $0 is any Anchor.Type }),
          ParameterDescriptor(
            "compass", (any Compass).self, typeName: "any Compass", sendability: .of(),
            accepts: { $0 is any Compass.Type }),
          ParameterDescriptor(
            "lantern", (any Lantern).self, typeName: "any Lantern", sendability: .of(),
            accepts: { $0 is any Lantern.Type }),
          ParameterDescriptor(
            "bell", (any Bell).self, typeName: "any Bell", sendability: .of(),
            accepts: { $0 is any Bell.Type }),
          ParameterDescriptor(
            "wheel", (any Wheel).self, typeName: "any Wheel", sendability: .of(),
            accepts: { $0 is any Wheel.Type })
        ) {
          Ship(
            hull: $0, mast: $1, sail: $2, keel: $3, rudder: $4, anchor: $5, compass: $6,
            lantern: $7, bell: $8, wheel: $9)
        }
      ])
  }
}

extension Kit: Component {
  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Kit.self, name: "Kit", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { Kit() }],
      properties: [
        .property(
          "hull", (any Hull).self, typeName: "any Hull", sendability: .of(), isOptional: true,
          accepts: { $0 is any Hull.Type }, set: { $0.hull = $1 }),
        .property(
          "mast", (any Mast).self, typeName: "any Mast", sendability: .of(), isOptional: true,
          accepts: { $0 is any Mast.Type }, set: { $0.mast = $1 }),
        .property(
          "sail", (any Sail).self, typeName: "any Sail", sendability: .of(), isOptional: true,
          accepts: { $0 is any Sail.Type }, set: { $0.sail = $1 }),
        .property(
          "keel", (any Keel).self, typeName: "any Keel", sendability: .of(), isOptional: true,
          accepts: { $0 is any Keel.Type }, set: { $0.keel = $1 }),
        .property(
          "rudder", (any Rudder).self, typeName: "any Rudder", sendability: .of(),
          isOptional: true, accepts: { $0 is any Rudder.Type }, set: { $0.rudder = $1 }),
        .property(
          "anchor", (any Anchor).self, typeName: "any Anchor", sendability: .of(),
          isOptional: true, accepts: { $0 is any Anchor.Type }, set: { $0.anchor = $1 }),
        .property(
          "compass", (any Compass).self, typeName: "any Compass", sendability: .of(),
          isOptional: true, accepts: { $0 is any Compass.Type }, set: { $0.compass = $1 }),
        .property(
          "lantern", (any Lantern).self, typeName: "any Lantern", sendability: .of(),
          isOptional: true, accepts: { $0 is any Lantern.Type }, set: { $0.lantern = $1 }),
        .property(
          "bell", (any Bell).self, typeName: "any Bell", sendability: .of(), isOptional: true,
          accepts: { $0 is any Bell.Type }, set: { $0.bell = $1 }),
        .property(
          "wheel", (any Wheel).self, typeName: "any Wheel", sendability: .of(),
          isOptional: true, accepts: { $0 is any Wheel.Type }, set: { $0.wheel = $1 }),
      ])
  }
}
