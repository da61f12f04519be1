import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

@Suite struct CompositeMigrationTests {
  let lab: Lab

  init() throws { lab = try Lab() }

  private func model(
    _ name: String, was: String? = nil, _ parts: [AttributeDescription]
  ) -> ManagedObjectModel {
    Models.first.changing("File") {
      $0.attributes.append(
        AttributeDescription(
          composite: name, of: "Place", isOptional: true, elements: parts,
          renamingIdentifier: was))
    }
  }

  @Test func `parts are added, renamed with their attribute and removed (PG-16)`() throws {
    let x = AttributeDescription("x", .integer32, defaultValue: .integer(4))
    let y = AttributeDescription("y", .string)
    try lab.fill(Models.first, Models.rows)
    let first = model("place", [x])
    _ = try lab.infer(first)
    #expect(try lab.differences(from: first) == [])
    #expect(try lab.rows("SELECT place_x FROM File WHERE _id = 1") == ["4"])
    let second = model("spot", was: "place", [x, y])
    let difference = ModelDifference(from: first, to: second)
    #expect(difference.changes.map(\.property) == ["spot", "spot.x", "spot.y"])
    _ = try lab.infer(second)
    #expect(try lab.differences(from: second) == [])
    #expect(try lab.rows("SELECT spot_x, spot_y FROM File WHERE _id = 1") == ["4|NULL"])
    _ = try lab.infer(model("spot", [y]), allowsLoss: true)
    #expect(try lab.differences(from: model("spot", [y])) == [])
  }
}
