import OxbowCoreData
import OxbowDocuments
import OxbowTestSupport
import Testing

/// Archives that are not models, and damaged ones.
@Suite struct ModelArchiveTests {
  private func message(_ list: ListValue) -> String? { message(list.bytes) }

  private func message(_ bytes: [UInt8]) -> String? {
    do throws(DocumentError) {
      _ = try ModelArchive(bytes, file: "m")
      return nil
    } catch { return error.message }
  }

  @Test func `CD-30 what is not a model says what it is`() {
    #expect(
      message(.array([1]))
        == "the property list is not a keyed archive: it lacks \"$objects\" or \"$top\"")
    var maker = ArchiveMaker()
    let set = maker.list([], of: "NSSet")
    #expect(
      message(maker.archive(set))
        == "the archive contains an object of class 'NSSet' and not a model")
    #expect(message(maker.archive(1)) == "the archive contains a value and not a model")
    #expect(
      message(maker.archive(.reference(99))) == "the archive is damaged: there is no object 99")
    #expect(
      message(Array("<plist><dict/></plist>".utf8))
        == "the property list is not a keyed archive: it lacks \"$objects\" or \"$top\"")
  }

  @Test func `CD-30 what a document cannot say is noted with its place`() throws {
    var maker = ArchiveMaker()
    let entity = maker.reserve()
    let odd = maker.add("Cover", ["text": maker.add("x")])
    let rule = maker.comparison("SELF", 99, "x")
    let name = maker.add(
      "NSAttributeDescription",
      [
        "NSPropertyName": maker.add("cover"), "NSAttributeType": 1800, "NSDefaultValue": odd,
        "NSFlagsKey": 36, "NSValidationPredicates": maker.list([rule]), "NSFuture": true,
      ])
    let unknown = maker.add("NSExpressionDescription", ["NSPropertyName": maker.add("sum")])
    maker.fill(
      entity, "NSEntityDescription",
      [
        "NSEntityName": maker.add("A"),
        "NSProperties": maker.pairs(["cover": name, "sum": unknown]),
      ])
    let model = maker.add(
      "NSManagedObjectModel",
      [
        "NSEntities": maker.pairs(["A": entity]),
        "NSVersionIdentifiers": maker.list(["2", "1"], of: "NSSet"),
      ])
    let notes = try ModelArchive(maker.archive(model).bytes, file: "m").notes
    #expect(
      notes.map(\.text) == [
        "the model has 2 version identifiers, and a document has one: '1' is kept",
        "attribute 'cover' of entity 'A' has 'NSFuture', which is not used",
        "attribute 'cover' of entity 'A' has flags that are not known: 32",
        "the default value of attribute 'cover' of entity 'A' is not read: it is an object of class "
          + "'Cover'",
        "a rule of attribute 'cover' of entity 'A' is not used: SELF CONTAINS \"x\"",
        "property 'sum' of entity 'A' is not read: it is an object of class "
          + "'NSExpressionDescription'",
      ])
    #expect(notes.allSatisfy { $0.location?.file == "m" && $0.location?.column != 0 })
  }

  /// Forty conditions, each of which has the next one twice: 2⁴⁰ in all.
  @Test func `CD-30 a few objects that are the way to any number of others are refused`() {
    var maker = ArchiveMaker()
    var rule = maker.comparison("SELF", 99, "x")
    for _ in 0..<40 {
      rule = maker.add(
        "NSCompoundPredicate",
        ["NSCompoundPredicateType": 1, "NSSubpredicates": maker.list([rule, rule])])
    }
    let name = maker.add(
      "NSAttributeDescription",
      [
        "NSPropertyName": maker.add("cover"), "NSAttributeType": 700,
        "NSValidationPredicates": maker.list([rule]),
      ])
    let entity = maker.add(
      "NSEntityDescription",
      ["NSEntityName": maker.add("A"), "NSProperties": maker.pairs(["cover": name])])
    let model = maker.add("NSManagedObjectModel", ["NSEntities": maker.pairs(["A": entity])])
    #expect(
      message(maker.archive(model))
        == "the archive is damaged: its objects refer to each other too often")
  }

  /// Entities that inherit from each other, and a stand-in of itself.
  @Test func `CD-30 objects that contain each other end`() throws {
    var maker = ArchiveMaker()
    let (a, b, proxy) = (maker.reserve(), maker.reserve(), maker.reserve())
    maker.fill(proxy, "_NSPropertyDescriptionProxy", ["NSUnderlyingProperty": proxy])
    for (entity, parent, name) in [(a, b, "A"), (b, a, "B")] {
      maker.fill(
        entity, "NSEntityDescription",
        ["NSEntityName": maker.add(.text(name)), "NSSuperentity": parent])
    }
    func model(_ entities: ListValue) -> [UInt8] {
      let root = maker.add("NSManagedObjectModel", ["NSEntities": entities])
      return maker.archive(root).bytes
    }
    let document = try ModelArchive(model(maker.pairs(["A": a, "B": b])), file: "m").document
    #expect(document.contains("<entity name=\"A\" parentEntity=\"B\""))
    let odd = maker.add("NSEntityDescription", ["NSProperties": maker.pairs(["p": proxy])])
    #expect(
      message(model(maker.pairs(["A": odd])))
        == "the archive is damaged: property 'p' of entity 'A' is missing")
    var deep = maker.comparison("SELF", 4, "x")
    for _ in 0..<200 {
      deep = maker.add(
        "NSCompoundPredicate",
        ["NSCompoundPredicateType": 0, "NSSubpredicates": maker.list([deep])])
    }
    let request = maker.add("NSFetchRequest", ["NSPredicate": deep])
    let templates = maker.pairs(["t": request])
    let root = maker.add("NSManagedObjectModel", ["NSFetchRequestTemplates": templates])
    #expect(
      message(maker.archive(root)) == "the archive is damaged: a condition is nested too deep")
  }

  @Test func `CD-30 flipped bits of a model give errors with a place, or a model`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    let model = CoreDataFixture.model()
    var errors = 0
    for _ in 0..<600 {
      var bytes = model
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] ^=
          1 << UInt8.random(in: 0..<8, using: &random)
      }
      do throws(DocumentError) {
        _ = try ModelArchive(bytes, file: "m")
      } catch {
        errors += 1
        #expect(!error.message.isEmpty, "seed \(seed)")
      }
    }
    #expect(errors > 100, "seed \(seed)")
  }

  @Test func `CD-30 a text that many values share is kept once`() throws {
    // 100,000 references to a text of a megabyte.
    var list = ListValue.array([.text(String(repeating: "x", count: 1 << 20))]).bytes
    let table = list.count - 32 - 8
    var shared = Array(list[..<table])
    let count = 100_000
    let array = shared.count
    shared += [0xAF, 0x12] + [0, 1, 0x86, 0xA0] + Array(repeating: 1, count: count)
    let offsets = shared.count
    shared += [0, 0, 0, UInt8(8)] + [0, 0, 0, 13]
    shared += [
      UInt8(array >> 24 & 255), UInt8(array >> 16 & 255), UInt8(array >> 8 & 255),
      UInt8(array & 255),
    ]
    shared += [0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 2]
    shared += (0..<8).reversed().map { UInt8(truncatingIfNeeded: offsets >> ($0 * 8)) }
    list = shared
    let value = try PropertyListDocument.parse(
      anyForm: list, file: "f", limits: DocumentLimits(maximumElements: 200_000))
    guard case .array(let values) = value.content else {
      Issue.record("not an array")
      return
    }
    #expect(values.count == count)
    #expect(values.last?.text?.utf8.count == 1 << 20)
  }
}
