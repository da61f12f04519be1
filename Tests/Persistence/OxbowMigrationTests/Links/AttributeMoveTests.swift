import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

// Values follow the properties that an entity has, its own and those that it inherits (review M2).
@Suite struct AttributeMoveTests {
  let lab: Lab

  init() throws { lab = try Lab() }

  static func attribute(
    _ name: String, optional: Bool = true, id: String? = nil, default value: Int64? = nil
  ) -> AttributeDescription {
    AttributeDescription(
      name, .integer64, isOptional: optional, defaultValue: value.map(AttributeValue.integer),
      renamingIdentifier: id)
  }

  static func model(
    _ r: [AttributeDescription] = [], u: [AttributeDescription] = [],
    v: [AttributeDescription] = []
  ) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription("R", attributes: r), EntityDescription("U", parent: "R", attributes: u),
      EntityDescription("V", parent: "R", attributes: v),
    ])
  }

  func fill(_ model: ManagedObjectModel, _ rows: [(String, Int64, [String: String])]) throws {
    try lab.fill(model, "")
    let data = try StoreData(lab, model)
    for (entity, key, values) in rows {
      try lab.run(try data.inserting(entity, [key], values))
    }
  }

  func values(_ model: ManagedObjectModel, _ entity: String, _ name: String) throws
    -> [Int64: String]
  {
    #expect(try lab.differences(from: model) == [])
    return try StoreData(lab, model).values(entity, name)
  }

  @Test func `an attribute moves up from two children and down again (review M2, M30)`() throws {
    let before = Self.model(u: [Self.attribute("x")], v: [Self.attribute("x")])
    let after = Self.model([Self.attribute("x")])
    try fill(before, [("R", 1, [:]), ("U", 2, ["x": "20"]), ("V", 3, ["x": "30"])])
    _ = try lab.infer(after)
    #expect(try values(after, "R", "x") == [1: "NULL"])
    #expect(try values(after, "U", "x") == [2: "20"])
    #expect(try values(after, "V", "x") == [3: "30"])
    _ = try lab.inferBack(before)
    #expect(
      try lab.rows("SELECT _id, U_x, V_x FROM R ORDER BY 1") == [
        "1|NULL|NULL", "2|20|NULL", "3|NULL|30",
      ])
  }

  @Test func `an attribute moves up under another name (review M2)`() throws {
    let before = Self.model(u: [Self.attribute("x")], v: [Self.attribute("y")])
    let after = Self.model([Self.attribute("z", id: "x")], v: [Self.attribute("y")])
    try fill(before, [("U", 2, ["x": "20"]), ("V", 3, ["y": "30"])])
    _ = try lab.infer(after)
    #expect(try values(after, "U", "z") == [2: "20"])
    #expect(try values(after, "V", "z") == [3: "NULL"])
    #expect(try values(after, "V", "y") == [3: "30"])
  }

  @Test func `siblings for whom it is new get the default (review M22)`() throws {
    let before = Self.model(u: [Self.attribute("x", default: 7)])
    let after = Self.model([Self.attribute("x", default: 7)])
    try fill(before, [("R", 1, [:]), ("U", 2, [:]), ("V", 3, [:])])
    _ = try lab.infer(after)
    #expect(try values(after, "R", "x") == [1: "7"])
    #expect(try values(after, "U", "x") == [2: "NULL"])
    #expect(try values(after, "V", "x") == [3: "7"])
  }

  @Test func `values that no entity has any more are counted`() throws {
    let before = Self.model([Self.attribute("x")])
    let after = Self.model(u: [Self.attribute("x")])
    try fill(before, [("R", 1, ["x": "10"]), ("U", 2, ["x": "20"]), ("V", 3, ["x": "30"])])
    #expect(
      lab.message { _ = try lab.infer(after) }.contains("would remove data: values of 'R.x': 2. "))
    _ = try lab.infer(after, allowsLoss: true)
    #expect(try lab.rows("SELECT _id, x FROM R ORDER BY 1") == ["1|NULL", "2|20", "3|NULL"])
  }

  @Test func `a new transient attribute names what goes`() throws {
    let before = Self.model([Self.attribute("x")])
    var after = Self.attribute("x")
    after.isTransient = true
    try fill(before, [("R", 1, ["x": "10"])])
    #expect(
      lab.message { _ = try lab.infer(Self.model([after])) }
        .contains("would remove data: values of 'R.x': 1. "))
  }

  @Test func `nothing is refused where there is nothing to lose (review M24)`() throws {
    let before = Self.model([Self.attribute("x")], u: [Self.attribute("y")])
    try fill(before, [("R", 1, [:]), ("V", 3, [:])])
    _ = try lab.infer(Self.model())
    #expect(try lab.differences(from: Self.model()) == [])
  }

  @Test func `an identifier of before that is the name now is a match (review M11)`() throws {
    let before = Self.model([Self.attribute("a", id: "b")])
    try fill(before, [("R", 1, ["a": "10"])])
    let after = Self.model([Self.attribute("b")])
    _ = try lab.infer(after)
    #expect(try values(after, "R", "b") == [1: "10"])
  }

  @Test func `a step for another entity writes no hierarchy anew`() throws {
    let before = Self.model(u: [Self.attribute("x", optional: false, default: 0)])
      .adding(EntityDescription("Other"))
    try fill(before, [("U", 1, ["x": "5"]), ("V", 2, [:])])
    let after = before.changing("Other") { $0.attributes.append(Self.attribute("b")) }
    let plan = try Migrator(lab.backend(), target: after).plan()
    #expect(plan.steps.flatMap(\.operations).map(\.table) == ["Other"])
    #expect(plan.steps[0].reversibility == .lossless)
  }

  @Test func `siblings' rows get no value that is not theirs`() throws {
    let before = Self.model(u: [Self.attribute("x")])
    try fill(before, [("U", 1, [:]), ("V", 2, [:])])
    let after = Self.model(u: [Self.attribute("x", optional: false, default: 4)])
    _ = try lab.infer(after)
    #expect(try lab.rows("SELECT _id, x FROM R ORDER BY 1") == ["1|4", "2|NULL"])
  }
}
