import Oxbow
import Testing

// `@Woven`: aspects in a class, which see the calls of an object to itself.

private struct Torn: Error {}

@Woven class Tailor {
  var cuts = 0
  var names: [String] = []

  func sew(_ cloth: String, stitches: Int = 2) throws -> String {
    let found = try (0..<stitches).map { [self] _ in try cut(cloth) }
    return found.joined(separator: "+")
  }
  func cut(_ cloth: String) throws -> String {
    if cloth.isEmpty { throw Torn() }
    cuts += 1
    return if cloth == "silk" { "s\(cuts)" } else { "\(cloth)\(cuts)" }
  }
  func cut(_ pieces: Int) -> Int { cuts + pieces }
  func count() -> Int { cuts }
  func press(_ cloth: String) async throws -> String {
    await Task.yield()
    cuts += 1
    return try await steam(cloth) + " pressed"
  }
  func steam(_ cloth: String) async throws -> String { cloth.isEmpty ? throwing() : cloth }
  func caller() throws -> String { #function }
  func each(_ body: (Int) -> Void) { body(cuts) }
  func rename(_ cloth: inout String) { cloth += "!" }
  func first<T>(_ list: [T]) -> T? { list.first }
  static func make() -> Tailor { Tailor() }
  required init() { names.append("made \(count())") }
  func note(_ line: String) throws { names.append(line) }
  private func throwing() -> String { "torn" }
  func trim() throws -> String { try snip(length: 3) }
  private func snip(length: Int) throws -> String { "snip \(length)" }
}

@Woven final class Master: Tailor {
  override func cut(_ cloth: String) throws -> String { try super.cut(cloth + "'") }
  func teach() throws -> Int { try sew("wool").count }
}

/// Marked methods alone.
@Woven final class Apprentice: Sendable {
  @Weave func sweep(_ rooms: Int) throws -> Int { try wipe(rooms) + wash(rooms) }
  @Weave func wipe(_ rooms: Int) throws -> Int { rooms }
  // As an optional argument, too, `Any` is meant: the compiler would warn, which is an error here.
  @Weave func dust(_ rooms: Int?) throws -> Int { rooms ?? 0 }
  func wash(_ rooms: Int) throws -> Int { rooms * 10 }
}

@Woven final class Chest<Value: Sendable> {
  private(set) var values: [Value] = []
  func put(_ value: Value) throws -> Int {
    values.append(value)
    return try size()
  }
  func size() throws -> Int { values.count }
}

@Component @Woven final class Draper: Sendable {
  init() {}
  func fold(_ cloth: String) throws -> String { try lay(cloth) + " folded" }
  func lay(_ cloth: String) throws -> String { cloth }
}

@Proxied(aspects: true) protocol Folding {
  func fold(_ cloth: String) throws -> String
}
extension FoldingProxy: FoldingForwarding {}
extension Draper: Folding {}

private let tailors = Pointcut.objects("tailor")

@Suite struct WovenTests {
  private let journal = Journal()

  private func tailor(
    on pointcuts: [Pointcut], _ define: (ContainerBuilder) -> Void = { _ in }
  ) throws -> Tailor {
    let builder = ContainerBuilder()
    builder.prototype(named: "tailor", { Tailor() })
    for (number, pointcut) in pointcuts.enumerated() {
      builder.aspect(named: "s\(number)", on: pointcut) { [journal] in
        Steps(name: "s\(number)", journal: journal)
      }
    }
    define(builder)
    return try builder.build().object("tailor", as: Tailor.self)
  }

  private var befores: [String] {
    journal.lines.compactMap { line in
      line.firstRange(of: " before ").map { String(line[$0.upperBound...]) }
    }
  }

  @Test func `IV-21 aspects of a woven class see the calls of an object to itself`() throws {
    let tailor = try tailor(on: [tailors.methods("cut(_:)")])
    #expect(try tailor.sew("wool") == "wool1+wool2")
    #expect(befores == ["cut(wool)", "cut(wool)"])
    #expect(try tailor.sew("silk", stitches: 1) == "s3")
  }

  @Test func `IV-19 aspects nest as they do in proxies`() throws {
    let tailor = try tailor(on: [tailors.methods("sew"), tailors])
    #expect(try tailor.sew("wool", stitches: 1) == "wool1")
    #expect(
      journal.lines == [
        "s0 before sew(wool, stitches: 1)", "s1 before sew(wool, stitches: 1)",
        "s1 before cut(wool)", "s1 returning", "s1 after", "s1 returning", "s1 after",
        "s0 returning", "s0 after",
      ])
  }

  @Test func `IV-13 arguments and results can be changed, and a call has names`() throws {
    let tailor = try tailor(on: []) {
      $0.aspect(named: "change", on: tailors.methods("cut")) {
        Bending { call in
          #expect([call.protocolName, call.objectName] == ["Tailor", "tailor"])
          if call.argument(0, as: String.self) != nil { try? call.setArgument(0, to: "linen") }
        } after: { call in
          if let piece = call.result as? String { try? call.setResult(piece.uppercased()) }
        }
      }
    }
    #expect(try tailor.sew("wool") == "LINEN1+LINEN2")
    #expect(tailor.cut(3) == 5)
  }

  @Test func `IV-22 errors go through the aspects`() throws {
    let tailor = try tailor(on: [tailors]) {
      $0.aspect(named: "translate", on: tailors.methods("sew"), order: -1) { Translating() }
    }
    #expect(throws: CancellationError.self) { try tailor.sew("") }
    #expect(
      journal.lines == ["s0 before sew(, stitches: 2)", "s0 before cut()", "s0 after", "s0 after"])
  }

  @Test func `methods that do not throw, and async ones`() async throws {
    let tailor = try tailor(on: [tailors])
    #expect(tailor.count() == 0)
    #expect(tailor.cut(4) == 4)
    #expect(try await tailor.press("wool") == "wool pressed")
    #expect(befores == ["count()", "cut(4)", "press(wool)", "steam(wool)"])
    #expect(tailor.cuts == 1)
  }

  @Test func `a method without a result, and one that is private`() throws {
    let tailor = try tailor(on: [tailors])
    try tailor.note("done")
    #expect(try tailor.trim() == "snip 3")
    #expect(befores == ["note(done)", "trim()", "snip(length: 3)"])
    #expect(tailor.names == ["made 0", "done"])
  }

  @Test func `a method knows its name`() throws {
    #expect(try tailor(on: [tailors]).caller() == "caller()")
    #expect(try Tailor().caller() == "caller()")
  }

  @Test func `what cannot be woven is called as ever, and an error when it is named`() throws {
    let tailor = try tailor(on: [tailors])
    var seen = -1
    tailor.each { seen = $0 }
    #expect(seen == 0)
    #expect(journal.lines == [])
    #expect(Tailor.make().cuts == 0)
    let error = #expect(throws: ContainerError.self) {
      try self.tailor(on: [Pointcut.objects("tailor").methods("each")])
    }
    #expect(error?.problems.map(\.code) == [.invalidAspect])
  }

  @Test func `what is generic or inout is woven`() throws {
    let tailor = try tailor(on: [tailors])
    var cloth = "wool"
    tailor.rename(&cloth)
    #expect(cloth == "wool!")
    #expect(tailor.first([3, 4]) == 3)
    #expect(befores == ["rename(wool)", "first([3, 4])"])
  }

  @Test func `an object without aspects runs its own code`() throws {
    #expect(try Tailor().sew("wool") == "wool1+wool2")
    let tailor = try tailor(on: [Pointcut.objects("others").methods("cut")])
    #expect(try tailor.sew("wool") == "wool1+wool2")
    #expect(journal.lines == [])
  }

  @Test func `a subclass is woven with its superclass`() throws {
    let builder = ContainerBuilder()
    builder.prototype(named: "master", { Master() })
    builder.aspect(named: "s", on: .objects(of: Master.self).methods("cut", "teach")) { [journal] in
      Steps(name: "s", journal: journal)
    }
    let master = try builder.build().object("master", as: Master.self)
    #expect(try master.teach() == "wool'1+wool'2".count)
    #expect(
      befores == ["teach()", "cut(wool)", "cut(wool')", "cut(wool)", "cut(wool')"])
  }

  @Test func `where methods are marked, those alone are woven`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "apprentice", { Apprentice() })
    builder.aspect(named: "s", on: .objects("apprentice")) { [journal] in
      Steps(name: "s", journal: journal)
    }
    let container = try builder.build()
    #expect(try container.object("apprentice", as: Apprentice.self).sweep(2) == 22)
    #expect(befores == ["sweep(2)", "wipe(2)"])
    builder.aspect(named: "t", on: .objects("apprentice").methods("wash")) { Translating() }
    #expect(
      builder.check().notes.map(\.text) == [
        "aspect \"t\": no method is called \"wash\""
      ])
  }

  @Test func `a generic class is woven`() throws {
    let builder = ContainerBuilder()
    builder.prototype(named: "chest", { Chest<String>() })
    builder.aspect(named: "s", on: .objects("chest")) { [journal] in
      Steps(name: "s", journal: journal)
    }
    #expect(try builder.build().object("chest", as: Chest<String>.self).put("coat") == 1)
    #expect(befores == ["put(coat)", "size()"])
  }

  @Test func `IV-15 joinpoints of files mean woven classes, too, and no proxy takes their place`()
    throws
  {
    let builder = ContainerBuilder()
    builder.register(Draper.self)
    builder.register(WeaponInterceptor.self)
    try builder.load(
      text: """
        <container>
          <entity id="draper" class="Draper" singleton="true"/>
          <aop:config>
            <aspect id="a" class="WeaponInterceptor">
              <joinpoint expression="class||Draper||(lay)"/>
              <joinpoint expression="object||draper||(fold)"/>
            </aspect>
          </aop:config>
        </container>
        """, file: "context.xml")
    let container = try builder.build()
    try Diary.$shared.withValue(journal) {
      let draper: any Folding = try container.object("draper", as: Draper.self)
      #expect(try draper.fold("silk") == "silk folded")
    }
    #expect(
      journal.lines == [
        "WeaponInterceptor before fold(silk)", "WeaponInterceptor before lay(silk)",
        "WeaponInterceptor after", "WeaponInterceptor after",
      ])
  }

  @Test func `an object that was made elsewhere gets aspects by injection, once`() throws {
    func container() throws -> Container {
      let builder = ContainerBuilder()
      builder.prototype(named: "tailor", { Tailor() })
      builder.aspect(named: "s", on: tailors.methods("count")) { [journal] in
        Steps(name: "s", journal: journal)
      }
      return try builder.build()
    }
    let (own, tailor) = (try container(), Tailor())
    try own.inject(into: tailor, as: "tailor")
    try own.inject(into: tailor, as: "tailor")
    #expect(tailor.count() == 0)
    #expect(befores == ["count()"])
    let error = #expect(throws: ContainerError.self) {
      try container().inject(into: tailor, as: "tailor")
    }
    #expect("\(error as Any)".contains("has the aspects of \"tailor\""))
    #expect(tailor.count() == 0)
  }

  @Test func `aspects are there before properties are set, and may need the object`() throws {
    let builder = ContainerBuilder()
    let tailor = builder.singleton(
      named: "tailor", { Draper() })
    builder.aspect(
      named: "s", on: .objects("tailor"),
      { [journal] (draper: Provider<Draper>) in
        Asking(draper, journal)
      }, tailor.provider)
    let container = try builder.build()
    #expect(try container.object(tailor).fold("wool") == "wool folded")
    #expect(journal.lines == ["true", "true"])
  }
}

/// Changes calls.
private final class Bending: NonThrowingAspect {
  private let before: @Sendable (Invocation) -> Void
  private let after: @Sendable (Invocation) -> Void

  init(
    before: @escaping @Sendable (Invocation) -> Void,
    after: @escaping @Sendable (Invocation) -> Void
  ) {
    (self.before, self.after) = (before, after)
  }

  func before(_ call: Invocation) { before(call) }
  func afterReturning(_ call: Invocation) { after(call) }
}

/// Needs the object around whose methods it runs.
private final class Asking: Aspect {
  private let draper: Provider<Draper>
  private let journal: Journal

  init(_ draper: Provider<Draper>, _ journal: Journal) {
    (self.draper, self.journal) = (draper, journal)
  }

  func before(_ call: Invocation) throws {
    journal.note("\(try draper() === draper())")
  }
}
