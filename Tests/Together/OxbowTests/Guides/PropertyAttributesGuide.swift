import Oxbow
import OxbowNodes
import OxbowTestSupport
import Testing

// The code of docs/guide/property-attributes.md.

/// What the guide's attributes are for.
enum PropertyAttributesGuide {
  final class Clipboard: Sendable {
    init() {}
  }

  final class Speller: Sendable {
    let language: String
    init(_ language: String) { self.language = language }
  }

  final class Preview: Sendable {
    init() {}
  }

  final class Editor: Sendable {
    let language: String
    @Lazy var clipboard: Clipboard
    @Lazy({ (editor: Editor) in Speller(editor.language) }) var speller: Speller
    @Lazy var preview: Preview?
    @Final var document: String?

    init(language: String) { self.language = language }
  }

  final class Engine {
    let power: Int
    private(set) var isRunning = false
    init(power: Int) { self.power = power }
    func start() { isRunning = true }
  }

  protocol Radio: Sendable {}
  final class CarRadio: Radio {}
  final class Van {}

  final class Car {
    @Injected(didInject: Car.check) var engine: Engine
    @Injected var radio: (any Radio)?

    func check(_ engine: Engine) { engine.start() }
  }

  struct Settings {
    @Preference var theme: String = "light"
    @Preference("recent") var recentFiles: [String] = []
    @Preference var owner: String?
  }

  struct Clamp<Value: Comparable & Sendable>: PropertyAttribute {
    let range: ClosedRange<Value>
    init(_ range: ClosedRange<Value>) { self.range = range }

    func set(_ access: inout AttributeAccess<Value>) {
      access.value = access.value.map { min(max($0, range.lowerBound), range.upperBound) }
    }
  }

  final class Amplifier: Sendable {
    @Attributed(Clamp(0...11)) var volume: Int = 5
  }

  @Component final class Panel: ViewNode {
    var caption = ""
  }

  final class Desk: PartialOwner {
    let nodeEnvironment: NodeEnvironment
    @Attributed(Partial<Panel>()) var panel: Panel?

    init(_ environment: NodeEnvironment) { nodeEnvironment = environment }
  }

  @Component final class Player {
    @Attributed(Clamp(0...11)) var volume: Int = 5
    init() {}
  }
}

extension PropertyAttributesGuide {
  static func lazy() -> (Editor, Speller, Preview?) {
    let editor = Editor(language: "en")
    let speller = editor.speller
    editor.preview = nil
    let preview = editor.preview
    editor.$speller.reset()
    return (editor, speller, preview)
  }

  static func final(_ editor: Editor, print: (ContainerError.Code) -> Void) {
    editor.document = "letter.txt"
    do {
      try editor.$document.trySet("essay.txt")
    } catch {
      print(error.code)
    }
  }

  static func elsewhere(print: @escaping (Int, Int) -> Void) throws {
    func test() throws {
      let initializers = PropertyInitializers()
      initializers.register(Engine.self) { _ in Engine(power: 1) }
      let car = Car()
      try initializers.inject(into: car)
      print(car.engine.power, initializers.serve { Car().engine.power })
    }
    try test()
  }

  static func container() throws -> Container {
    func garage() throws -> Container {
      let initializers = PropertyInitializers()
      initializers.register(Engine.self) { _ in Engine(power: 90) }
      initializers.register(Engine.self, owner: Van.self) { _ in Engine(power: 150) }
      initializers.register(protocols: [(any Radio).self], scope: .shared) { _ in CarRadio() }
      let builder = ContainerBuilder()
      builder.add(initializers)
      builder.prototype(named: "car", Car.init)
      return try builder.build()
    }
    return try garage()
  }

  static func byName() throws -> Any? {
    func byName(_ player: Player) throws -> Any? {
      try player.setProperty("volume", to: 99)
      return try player[property: "volume"]
    }
    return try byName(Player())
  }

  static func preferences() {
    Preferences.$taskStore.withValue(MemoryPreferenceStore()) {
      let settings = Settings()
      settings.theme = "dark"
      settings.recentFiles.append("letter.txt")
    }
  }
}

@Suite struct PropertyAttributesGuideTests {
  @Test func `an editor's values are made by their first readers`() {
    let (editor, speller, preview) = PropertyAttributesGuide.lazy()
    #expect(speller.language == "en")
    #expect(preview != nil)
    #expect(!editor.$speller.isMade)
    #expect(editor.speller !== speller)
    #expect(editor.clipboard === editor.clipboard)
    var refused: [ContainerError.Code] = []
    PropertyAttributesGuide.final(editor) { refused.append($0) }
    #expect(refused == [.alreadyAssigned])
    #expect(editor.document == "letter.txt")
  }

  @Test func `a car is injected`() throws {
    let container = try PropertyAttributesGuide.container()
    let car: PropertyAttributesGuide.Car = try container.object("car")
    let other: PropertyAttributesGuide.Car = try container.object("car")
    #expect(car.engine.power == 90)
    #expect(car.engine.isRunning)
    #expect(car.engine !== other.engine)
    #expect(car.radio as AnyObject? === other.radio as AnyObject?)
    var powers: [Int] = []
    try PropertyAttributesGuide.elsewhere { powers += [$0, $1] }
    #expect(powers == [1, 1])
  }

  @Test func `settings are kept in their store, and volumes in their range`() throws {
    PropertyAttributesGuide.preferences()
    Preferences.$taskStore.withValue(MemoryPreferenceStore()) {
      #expect(PropertyAttributesGuide.Settings().theme == "light")
    }
    let amplifier = PropertyAttributesGuide.Amplifier()
    amplifier.volume = 20
    #expect(amplifier.volume == 11)
    #expect(
      try PropertyAttributesGuide.byName() as? Int == 11)
  }

  @Test func `BM-16 a panel is built from the file of its name`() throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"Node": {"caption": "from a file"}}"#, to: "Panel.json")
    let desk = PropertyAttributesGuide.Desk(NodeEnvironment(files: NodeFiles(root: folder.path)))
    let panel = desk.panel
    #expect(panel?.caption == "from a file")
    #expect(desk.panel === panel)
    desk.panel = nil
    #expect(desk.panel !== panel)
    #expect(desk.panel != nil)
  }
}
