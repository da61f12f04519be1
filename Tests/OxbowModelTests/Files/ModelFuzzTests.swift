import OxbowModel
import Testing

/// Damaged model documents give a model or an error with a place, never a trap.
@Suite struct ModelFuzzTests {
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private let words = [
    "YES", "NO", "", "-1", "1e999", "nan", "99999999999999999999", "Date", "String", "Integer 16",
    "Decimal", "Book", "author", "Cascade", "1", "0.5", "\u{1F600}",
  ]

  /// A document whose attribute values are drawn at random.
  private func document(_ random: inout Generator) -> String {
    func word() -> String { words.randomElement(using: &random) ?? "" }
    return """
      <model><entity name="Book" parentEntity="\(word())" isAbstract="\(word())">
      <attribute name="\(word())" attributeType="\(word())" defaultValueString="\(word())"
        minValueString="\(word())" maxValueString="\(word())" defaultDateTimeInterval="\(word())"
        optional="\(word())" transient="\(word())" derived="\(word())" elementID="\(word())"/>
      <relationship name="\(word())" destinationEntity="\(word())" inverseName="\(word())"
        toMany="\(word())" maxCount="\(word())" deletionRule="\(word())" ordered="\(word())"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="\(word())"/>
      </uniquenessConstraint></uniquenessConstraints>
      <fetchIndex name="\(word())"><fetchIndexElement property="\(word())" type="Binary"/></fetchIndex>
      <userInfo><entry key="oxbow.extends" value="\(word())"/></userInfo></entity></model>
      """
  }

  @Test(arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
  func `any document is read or refused`(seed: UInt64) {
    var random = Generator(state: seed)
    var read = 0
    for round in 0..<600 {
      do throws(PersistenceError) {
        let model = try ModelDocument(Array(document(&random).utf8), file: "m").model
        let merged = try ManagedObjectModel.merging([model, model])
        _ = try Schema(merged)
        read += 1
      } catch {
        #expect(!error.description.isEmpty, "seed \(seed), round \(round)")
      }
    }
    #expect(read < 600, "seed \(seed)")
  }
}
