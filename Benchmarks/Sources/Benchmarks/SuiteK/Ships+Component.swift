import OxbowRuntime

// What `@Component` writes for these classes.

extension Ship: Component {
  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Ship.self, name: "Ship", sendability: .of(), product: .of(),
      initializers: [
        InitializerDescriptor(
          ParameterDescriptor(
            "hull", (any Hull).self, typeName: "any Hull", sendability: .of(),
            accepts: { $0 is any Hull.Type },
            upcast: {
              func open<_Object: Hull>(_ type: _Object.Type) -> Upcast {
                Upcast { (object: _Object) -> any Hull in object }
              }
              return ($0 as? any Hull.Type).map { open($0) }
            }),
          ParameterDescriptor(
            "mast", (any Mast).self, typeName: "any Mast", sendability: .of(),
            accepts: { $0 is any Mast.Type },
            upcast: {
              func open<_Object: Mast>(_ type: _Object.Type) -> Upcast {
                Upcast { (object: _Object) -> any Mast in object }
              }
              return ($0 as? any Mast.Type).map { open($0) }
            }),
          ParameterDescriptor(
            "sail", (any Sail).self, typeName: "any Sail", sendability: .of(),
            accepts: { $0 is any Sail.Type },
            upcast: {
              func open<_Object: Sail>(_ type: _Object.Type) -> Upcast {
                Upcast { (object: _Object) -> any Sail in object }
              }
              return ($0 as? any Sail.Type).map { open($0) }
            }),
          ParameterDescriptor(
            "keel", (any Keel).self, typeName: "any Keel", sendability: .of(),
            accepts: { $0 is any Keel.Type },
            upcast: {
              func open<_Object: Keel>(_ type: _Object.Type) -> Upcast {
                Upcast { (object: _Object) -> any Keel in object }
              }
              return ($0 as? any Keel.Type).map { open($0) }
            }),
          ParameterDescriptor(
            "rudder", (any Rudder).self, typeName: "any Rudder", sendability: .of(),
            accepts: { $0 is any Rudder.Type },
            upcast: {
              func open<_Object: Rudder>(_ type: _Object.Type) -> Upcast {
                Upcast { (object: _Object) -> any Rudder in object }
              }
              return ($0 as? any Rudder.Type).map { open($0) }
            }),
          ParameterDescriptor(
            "anchor", (any Anchor).self, typeName: "any Anchor", sendability: .of(),
            accepts: { $0 is any Anchor.Type },
            upcast: {
              func open<_Object: Anchor>(_ type: _Object.Type) -> Upcast {
                Upcast { (object: _Object) -> any Anchor in object }
              }
              return ($0 as? any Anchor.Type).map { open($0) }
            }),
          ParameterDescriptor(
            "compass", (any Compass).self, typeName: "any Compass", sendability: .of(),
            accepts: { $0 is any Compass.Type },
            upcast: {
              func open<_Object: Compass>(_ type: _Object.Type) -> Upcast {
                Upcast { (object: _Object) -> any Compass in object }
              }
              return ($0 as? any Compass.Type).map { open($0) }
            }),
          ParameterDescriptor(
            "lantern", (any Lantern).self, typeName: "any Lantern", sendability: .of(),
            accepts: { $0 is any Lantern.Type },
            upcast: {
              func open<_Object: Lantern>(_ type: _Object.Type) -> Upcast {
                Upcast { (object: _Object) -> any Lantern in object }
              }
              return ($0 as? any Lantern.Type).map { open($0) }
            }),
          ParameterDescriptor(
            "bell", (any Bell).self, typeName: "any Bell", sendability: .of(),
            accepts: { $0 is any Bell.Type },
            upcast: {
              func open<_Object: Bell>(_ type: _Object.Type) -> Upcast {
                Upcast { (object: _Object) -> any Bell in object }
              }
              return ($0 as? any Bell.Type).map { open($0) }
            }),
          ParameterDescriptor(
            "wheel", (any Wheel).self, typeName: "any Wheel", sendability: .of(),
            accepts: { $0 is any Wheel.Type },
            upcast: {
              func open<_Object: Wheel>(_ type: _Object.Type) -> Upcast {
                Upcast { (object: _Object) -> any Wheel in object }
              }
              return ($0 as? any Wheel.Type).map { open($0) }
            })
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
          accepts: { $0 is any Hull.Type },
          upcast: {
            func open<_Object: Hull>(_ type: _Object.Type) -> Upcast {
              Upcast { (object: _Object) -> any Hull in object }
            }
            return ($0 as? any Hull.Type).map { open($0) }
          }, set: { $0.hull = $1 }),
        .property(
          "mast", (any Mast).self, typeName: "any Mast", sendability: .of(), isOptional: true,
          accepts: { $0 is any Mast.Type },
          upcast: {
            func open<_Object: Mast>(_ type: _Object.Type) -> Upcast {
              Upcast { (object: _Object) -> any Mast in object }
            }
            return ($0 as? any Mast.Type).map { open($0) }
          }, set: { $0.mast = $1 }),
        .property(
          "sail", (any Sail).self, typeName: "any Sail", sendability: .of(), isOptional: true,
          accepts: { $0 is any Sail.Type },
          upcast: {
            func open<_Object: Sail>(_ type: _Object.Type) -> Upcast {
              Upcast { (object: _Object) -> any Sail in object }
            }
            return ($0 as? any Sail.Type).map { open($0) }
          }, set: { $0.sail = $1 }),
        .property(
          "keel", (any Keel).self, typeName: "any Keel", sendability: .of(), isOptional: true,
          accepts: { $0 is any Keel.Type },
          upcast: {
            func open<_Object: Keel>(_ type: _Object.Type) -> Upcast {
              Upcast { (object: _Object) -> any Keel in object }
            }
            return ($0 as? any Keel.Type).map { open($0) }
          }, set: { $0.keel = $1 }),
        .property(
          "rudder", (any Rudder).self, typeName: "any Rudder", sendability: .of(),
          isOptional: true, accepts: { $0 is any Rudder.Type },
          upcast: {
            func open<_Object: Rudder>(_ type: _Object.Type) -> Upcast {
              Upcast { (object: _Object) -> any Rudder in object }
            }
            return ($0 as? any Rudder.Type).map { open($0) }
          }, set: { $0.rudder = $1 }),
        .property(
          "anchor", (any Anchor).self, typeName: "any Anchor", sendability: .of(),
          isOptional: true, accepts: { $0 is any Anchor.Type },
          upcast: {
            func open<_Object: Anchor>(_ type: _Object.Type) -> Upcast {
              Upcast { (object: _Object) -> any Anchor in object }
            }
            return ($0 as? any Anchor.Type).map { open($0) }
          }, set: { $0.anchor = $1 }),
        .property(
          "compass", (any Compass).self, typeName: "any Compass", sendability: .of(),
          isOptional: true, accepts: { $0 is any Compass.Type },
          upcast: {
            func open<_Object: Compass>(_ type: _Object.Type) -> Upcast {
              Upcast { (object: _Object) -> any Compass in object }
            }
            return ($0 as? any Compass.Type).map { open($0) }
          }, set: { $0.compass = $1 }),
        .property(
          "lantern", (any Lantern).self, typeName: "any Lantern", sendability: .of(),
          isOptional: true, accepts: { $0 is any Lantern.Type },
          upcast: {
            func open<_Object: Lantern>(_ type: _Object.Type) -> Upcast {
              Upcast { (object: _Object) -> any Lantern in object }
            }
            return ($0 as? any Lantern.Type).map { open($0) }
          }, set: { $0.lantern = $1 }),
        .property(
          "bell", (any Bell).self, typeName: "any Bell", sendability: .of(), isOptional: true,
          accepts: { $0 is any Bell.Type },
          upcast: {
            func open<_Object: Bell>(_ type: _Object.Type) -> Upcast {
              Upcast { (object: _Object) -> any Bell in object }
            }
            return ($0 as? any Bell.Type).map { open($0) }
          }, set: { $0.bell = $1 }),
        .property(
          "wheel", (any Wheel).self, typeName: "any Wheel", sendability: .of(),
          isOptional: true, accepts: { $0 is any Wheel.Type },
          upcast: {
            func open<_Object: Wheel>(_ type: _Object.Type) -> Upcast {
              Upcast { (object: _Object) -> any Wheel in object }
            }
            return ($0 as? any Wheel.Type).map { open($0) }
          }, set: { $0.wheel = $1 }),
      ])
  }
}
