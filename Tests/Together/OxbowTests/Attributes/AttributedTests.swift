import Oxbow
import Synchronization
import Testing

/// Attributes that are plain types (BM-03, BM-06, BM-07, BM-09).
@Suite struct AttributedTests {
  struct Clamp<Value: Comparable & Sendable>: PropertyAttribute {
    let range: ClosedRange<Value>
    init(_ range: ClosedRange<Value>) { self.range = range }

    func set(_ access: inout AttributeAccess<Value>) {
      access.value = access.value.map { min(max($0, range.lowerBound), range.upperBound) }
    }
  }

  final class Log: Sendable {
    private let state = Mutex<[String]>([])
    var lines: [String] { state.withLock { $0 } }
    func note(_ line: String) { state.withLock { $0.append(line) } }
  }

  /// Tells its owner of everything.
  struct Told<Value: Sendable>: PropertyAttribute {
    func get(_ access: inout AttributeAccess<Value>) {
      (access.owner as? Radio)?.log.note("get \(access.property.name)")
    }

    func set(_ access: inout AttributeAccess<Value>) {
      let old = access.stored.map { "\($0)" } ?? "nothing"
      let new = access.value.map { "\($0)" } ?? "nothing"
      (access.owner as? Radio)?.log.note("set \(access.property) from \(old) to \(new)")
    }
  }

  /// Keeps its first reader's value, and refuses negative ones.
  struct Remembering: PropertyAttribute {
    func get(_ access: inout AttributeAccess<Int>) {
      if access.stored == nil { access.stored = 42 }
      access.value = (access.stored ?? 0) + 100
    }

    func set(_ access: inout AttributeAccess<Int>) {
      if let value = access.value, value < 0 { access.value = access.stored }
    }
  }

  final class Radio: Sendable {
    let log = Log()
    @Attributed(Clamp(0...11)) var volume: Int = 50
    @Attributed(Told<String>()) var station: String = "news"
    @Attributed(Remembering()) var kept: Int
    @Attributed(Clamp(0.0...1)) fileprivate(set) var balance: Double = 0.5
    @Attributed(Counting()) var changes: Int = 0
    @Lazy var speaker: [Int] = [1]
    @Final var id: Int?
  }

  /// Uses its property while it is assigned.
  struct Counting: PropertyAttribute {
    func set(_ access: inout AttributeAccess<Int>) {
      guard let radio = access.owner as? Radio else { return }
      access.value = radio.changes + 1
    }
  }

  /// Puts a new value in the place of each that is read.
  struct Renewing: PropertyAttribute {
    func get(_ access: inout AttributeAccess<Ending>) {
      access.stored = Ending {}
      access.value = access.stored
    }
  }

  final class Ending: Sendable {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
  }

  final class Fleeting: Sendable { @Attributed(Renewing()) var value: Ending }

  struct Level: Hashable {
    @Attributed(Clamp(1...9)) var n: Int = 0
    @Attributed(Clamp<Int>(1...9)) var m: Int
  }

  struct Kept { @Attributed(Remembering()) var n: Int }

  actor Studio {
    @Attributed(Clamp(1...9)) var n: Int = 5
    func set(_ value: Int) -> Int {
      n = value
      return n
    }
  }

  @Test func `BM-06 a plain type is an attribute`() async {
    let radio = Radio()
    #expect(radio.volume == 11)
    radio.volume = -4
    #expect(radio.volume == 0)
    radio.volume += 3
    #expect(radio.volume == 3)
    radio.balance = 2
    #expect(radio.balance == 1)
    let level = Level()
    #expect(level.n == 1)
    var other = level
    other.n = 20
    other.m = 0
    #expect((other.n, other.m, level.n) == (9, 1, 1))
    #expect(other != level)
    #expect(await Studio().set(0) == 1)
  }

  @Test func `BM-07 get may replace what is stored on its way, set may replace or refuse`() {
    let radio = Radio()
    #expect(radio.kept == 142)
    radio.kept = 1
    #expect(radio.kept == 101)
    radio.kept = -1
    #expect(radio.kept == 101)
  }

  @Test func `BM-07 what get replaces may read the property when it ends`() {
    let (fleeting, log) = (Fleeting(), Log())
    fleeting.value = Ending { [unowned fleeting] in
      _ = fleeting.value
      log.note("ended")
    }
    _ = fleeting.value
    #expect(log.lines == ["ended"])
  }

  @Test func `BM-07 an attribute sees owner, property, old and new value`() {
    let radio = Radio()
    #expect(radio.station == "news")
    radio.station = "music"
    #expect(
      radio.log.lines == ["get station", "set Radio.station from news to music"])
  }

  @Test func `BM-06 an attribute may use the property, and threads take turns`() async {
    let radio = Radio()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<64 { group.addTask { radio.changes = 0 } }
    }
    #expect(radio.changes == 64)
  }

  @Test func `BM-06 a get that stores is refused in a struct`() async {
    await #expect(processExitsWith: .failure) {
      _ = Kept().n
    }
  }

  @Test func `BM-07 reading what was never assigned stops the process`() async {
    await #expect(processExitsWith: .failure) { _ = Level().m }
  }

  @Test func `BM-03 several attributes are in one class, each with its own rule`() {
    let radio = Radio()
    radio.id = 3
    radio.speaker = []
    #expect((radio.id, radio.speaker, radio.volume) == (3, [], 11))
  }

  /// Every attribute, with one import.
  final class Desk {
    let store = MemoryPreferenceStore()
    @Lazy var drawers: [String] = ["pens"]
    @Injected var log: Log?
    @Final var number: Int?
    @Preference(store: \Desk.store) var height: Int = 70
    @Attributed(Clamp(1...3)) var lamps: Int = 1
  }

  @Test func `BM-01 one module has every attribute, and one class may use them all`() throws {
    let initializers = PropertyInitializers()
    let log = Log()
    initializers.register(Log.self) { _ in log }
    let desk = Desk()
    try initializers.inject(into: desk)
    desk.drawers.append("ink")
    desk.number = 1
    desk.height = 80
    desk.lamps = 9
    #expect((desk.drawers, desk.number, desk.height) == (["pens", "ink"], 1, 80))
    #expect(desk.lamps == 3)
    #expect(desk.log === log)
  }

  // MARK: - By name

  @Component class Player {
    @Attributed(Clamp(0...11)) var volume: Int = 5
    @Lazy var queue: [String] = ["first"]
    init() {}
  }

  @Component final class Jukebox: Player {
    @Final var number: Int?
    override init() {}
  }

  @Test func `BM-09 a property is read and set by name through its accessors`() throws {
    let box = Jukebox()
    try box.setProperty("volume", to: 99)
    #expect(try box[property: "volume"] as? Int == 11)
    #expect(box.volume == 11)
    #expect(try box[property: "queue"] as? [String] == ["first"])
    #expect(try box[property: "number"] == nil)
    try box.setProperty("number", to: 4)
    #expect(box.number == 4)
  }

  @Test func `BM-09 an unknown name is an error with near names`() {
    #expect {
      try Player()[property: "volumen"]
    } throws: {
      let problem = ($0 as? ContainerError)?.problems.first
      return problem?.code == .unknownProperty && problem?.nearNames == ["volume"]
    }
    #expect(throws: ContainerError.self) { try Player().setProperty("volume", to: "loud") }
  }
}
