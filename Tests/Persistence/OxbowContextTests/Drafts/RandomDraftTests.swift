import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct RandomDraftTests {
  /// Values are set in any order, some of them such as no row has, between everything that makes
  /// an object something else than a draft; plain structs say what has to be there.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `PG-08 new objects have what plain structs have, whatever is done between`(
    _ seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    let depot = try Depot()
    let context = depot.context()
    var parcels: [(parcel: Parcel, contents: Contents)] = []
    for step in 0..<4_000 {
      if parcels.isEmpty || Int.random(in: 0..<12, using: &random) == 0 {
        parcels.append((try context.insert(Parcel.self), Contents()))
      }
      let index = Int.random(in: parcels.indices, using: &random)
      change(&parcels[index].contents, parcels[index].parcel, &random)
      #expect(
        Contents(of: parcels[index].parcel) == parcels[index].contents,
        "seed \(seed), step \(step)")
      let other = parcels[Int.random(in: parcels.indices, using: &random)]
      switch Int.random(in: 0..<40, using: &random) {
      case 0: try context.save()
      case 1: context.isUndoEnabled.toggle()
      case 2 where other.parcel !== parcels[index].parcel:
        other.parcel.container =
          parcels[index].parcel.container == nil ? parcels[index].parcel : nil
      case 3: _ = try context.fetch(FetchRequest<Parcel>(where: .equal("large", 1)))
      case 4:
        try context.delete(other.parcel)
        #expect(Contents(of: other.parcel) == other.contents, "seed \(seed), step \(step)")
        parcels.removeAll { $0.parcel === other.parcel }
      default: break
      }
    }
    try context.save()
    let read = depot.context()
    #expect(try read.count(FetchRequest<Parcel>()) == parcels.count)
    for (parcel, contents) in parcels {
      let there = try read.existingObject(with: parcel.objectID, as: Parcel.self)
      #expect(Contents(of: there) == contents, "seed \(seed)")
      #expect(there.container?.objectID == parcel.container?.objectID, "seed \(seed)")
    }
  }

  private func change(
    _ contents: inout Contents, _ parcel: Parcel, _ random: inout SeededRandom
  ) {
    let number = Int.random(in: -5...5, using: &random)
    let text = String(
      repeating: "é\(number)", count: [0, 1, 3, 40, 2_000].randomElement(using: &random) ?? 1)
    switch Int.random(in: 0..<13, using: &random) {
    case 0: contents.title = text
    case 1: contents.note = number < 0 ? nil : text
    case 2: contents.small = Int16(number)
    case 3: contents.middle = number < 0 ? nil : Int32(number)
    case 4: contents.large = number
    case 5: contents.weight = Double(number) / 3
    case 6: contents.ratio = number < 0 ? nil : Float(number) / 3
    case 7: contents.isFragile = number > 0
    case 8: contents.sent = number < 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(number))
    case 9: contents.bytes = number < 0 ? nil : Data(text.utf8)
    case 10: contents.code = number < 0 ? nil : UUID()
    case 11: contents.price = number < 0 ? nil : Decimal(number) / 7
    default: contents.page = number < 0 ? nil : URL(string: "https://example.org/\(number)")
    }
    contents.fill(parcel)
  }
}
