import OxbowRuntime

// The graph that suite K builds: a ship of ten parts, each of a class and a protocol of its own.

protocol Hull { var mark: Int { get } }
protocol Mast { var mark: Int { get } }
protocol Sail { var mark: Int { get } }
protocol Keel { var mark: Int { get } }
protocol Rudder { var mark: Int { get } }
protocol Anchor { var mark: Int { get } }
protocol Compass { var mark: Int { get } }
protocol Lantern { var mark: Int { get } }
protocol Bell { var mark: Int { get } }
protocol Wheel { var mark: Int { get } }

final class OakHull: Hull { var mark = 1 }
final class PineMast: Mast { var mark = 2 }
final class FlaxSail: Sail { var mark = 3 }
final class ElmKeel: Keel { var mark = 4 }
final class IronRudder: Rudder { var mark = 5 }
final class IronAnchor: Anchor { var mark = 6 }
final class BrassCompass: Compass { var mark = 7 }
final class OilLantern: Lantern { var mark = 8 }
final class BronzeBell: Bell { var mark = 9 }
final class TeakWheel: Wheel { var mark = 10 }

/// Gets its parts from the initializer.
final class Ship {
  let hull: any Hull
  let mast: any Mast
  let sail: any Sail
  let keel: any Keel
  let rudder: any Rudder
  let anchor: any Anchor
  let compass: any Compass
  let lantern: any Lantern
  let bell: any Bell
  let wheel: any Wheel

  init(
    hull: any Hull, mast: any Mast, sail: any Sail, keel: any Keel, rudder: any Rudder,
    anchor: any Anchor, compass: any Compass, lantern: any Lantern, bell: any Bell,
    wheel: any Wheel
  ) {
    self.hull = hull
    self.mast = mast
    self.sail = sail
    self.keel = keel
    self.rudder = rudder
    self.anchor = anchor
    self.compass = compass
    self.lantern = lantern
    self.bell = bell
    self.wheel = wheel
  }
}

/// Gets its parts one by one.
final class Kit {
  var hull: (any Hull)?
  var mast: (any Mast)?
  var sail: (any Sail)?
  var keel: (any Keel)?
  var rudder: (any Rudder)?
  var anchor: (any Anchor)?
  var compass: (any Compass)?
  var lantern: (any Lantern)?
  var bell: (any Bell)?
  var wheel: (any Wheel)?
}

// MARK: - By hand

/// The baseline, not inlined so that each object is made and escapes.
@inline(never) func makeShip() -> Ship {
  Ship(
    hull: OakHull(), mast: PineMast(), sail: FlaxSail(), keel: ElmKeel(), rudder: IronRudder(),
    anchor: IronAnchor(), compass: BrassCompass(), lantern: OilLantern(), bell: BronzeBell(),
    wheel: TeakWheel())
}

@inline(never) func makeKit() -> Kit {
  let kit = Kit()
  kit.hull = OakHull()
  kit.mast = PineMast()
  kit.sail = FlaxSail()
  kit.keel = ElmKeel()
  kit.rudder = IronRudder()
  kit.anchor = IronAnchor()
  kit.compass = BrassCompass()
  kit.lantern = OilLantern()
  kit.bell = BronzeBell()
  kit.wheel = TeakWheel()
  return kit
}

@inline(never) func makeHull() -> OakHull { OakHull() }

// MARK: - In code

struct Shipyard {
  let container: Container
  let ship: Ref<Ship>
  let kit: Ref<Kit>
  let hull: Ref<OakHull>

  init() throws {
    let builder = ContainerBuilder()
    let hull = builder.prototype(named: "hull", OakHull.init)
    let mast = builder.prototype(named: "mast", PineMast.init)
    let sail = builder.prototype(named: "sail", FlaxSail.init)
    let keel = builder.prototype(named: "keel", ElmKeel.init)
    let rudder = builder.prototype(named: "rudder", IronRudder.init)
    let anchor = builder.prototype(named: "anchor", IronAnchor.init)
    let compass = builder.prototype(named: "compass", BrassCompass.init)
    let lantern = builder.prototype(named: "lantern", OilLantern.init)
    let bell = builder.prototype(named: "bell", BronzeBell.init)
    let wheel = builder.prototype(named: "wheel", TeakWheel.init)
    ship = builder.prototype(
      named: "ship",
      Ship.init(hull:mast:sail:keel:rudder:anchor:compass:lantern:bell:wheel:), hull, mast, sail,
      keel, rudder, anchor, compass, lantern, bell, wheel)
    kit = builder.prototype(named: "kit", Kit.init) {
      $0.set(hull, named: "hull") { $0.hull = $1 }
      $0.set(mast, named: "mast") { $0.mast = $1 }
      $0.set(sail, named: "sail") { $0.sail = $1 }
      $0.set(keel, named: "keel") { $0.keel = $1 }
      $0.set(rudder, named: "rudder") { $0.rudder = $1 }
      $0.set(anchor, named: "anchor") { $0.anchor = $1 }
      $0.set(compass, named: "compass") { $0.compass = $1 }
      $0.set(lantern, named: "lantern") { $0.lantern = $1 }
      $0.set(bell, named: "bell") { $0.bell = $1 }
      $0.set(wheel, named: "wheel") { $0.wheel = $1 }
    }
    self.hull = hull
    container = try builder.build()
  }

  /// The same in a file.
  static func fromFile() throws -> Container {
    let parts = [
      "hull": "OakHull", "mast": "PineMast", "sail": "FlaxSail", "keel": "ElmKeel",
      "rudder": "IronRudder", "anchor": "IronAnchor", "compass": "BrassCompass",
      "lantern": "OilLantern", "bell": "BronzeBell", "wheel": "TeakWheel",
    ]
    let references = parts.keys.sorted().map { "<property name=\"\($0)\" ref=\"\($0)\"/>" }
    let objects = parts.sorted(by: <).map {
      "<object id=\"\($0.key)\" class=\"\($0.value)\" scope=\"prototype\"/>"
    }
    let builder = ContainerBuilder()
    try builder.load(
      text: """
        <container>
          <object id="ship" class="Ship" scope="prototype">\(references.joined())</object>
          <object id="kit" class="Kit" scope="prototype">\(references.joined())</object>
          \(objects.joined(separator: "\n"))
        </container>
        """)
    register(in: builder)
    return try builder.build()
  }

  private static func register(in builder: ContainerBuilder) {
    builder.register(Ship.self)
    builder.register(Kit.self)
    builder.register(part(OakHull.self, OakHull.init))
    builder.register(part(PineMast.self, PineMast.init))
    builder.register(part(FlaxSail.self, FlaxSail.init))
    builder.register(part(ElmKeel.self, ElmKeel.init))
    builder.register(part(IronRudder.self, IronRudder.init))
    builder.register(part(IronAnchor.self, IronAnchor.init))
    builder.register(part(BrassCompass.self, BrassCompass.init))
    builder.register(part(OilLantern.self, OilLantern.init))
    builder.register(part(BronzeBell.self, BronzeBell.init))
    builder.register(part(TeakWheel.self, TeakWheel.init))
  }

  private static func part<T>(
    _ type: T.Type, _ make: @escaping @Sendable () -> T
  ) -> ComponentDescriptor {
    ComponentDescriptor(
      type, name: "\(type)", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor(make: make)])
  }
}
