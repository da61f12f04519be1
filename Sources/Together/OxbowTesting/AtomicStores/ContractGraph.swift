internal import OxbowRuntime

/// Objects with links of every kind.
struct ContractGraph {
  let context: ManagedObjectContext

  init(_ context: ManagedObjectContext) { self.context = context }

  /// Makes objects and ties them.
  func make() throws {
    let tags = try (0..<6).map { try insert("Tag", "word", "tag \($0)") }
    let leaves = try (0..<6).map { try insert("Leaf", "name", "leaf \($0)") }
    let branches = try (0..<3).map { try insert("Branch", "name", "branch \($0)") }
    let passports = try (0..<4).map { try insert("Passport", "number", "\($0)") }
    let things = try (0..<5).map { try context.insertThing("thing \($0)") }
    try things[1].setObjects([things[0]], for: "parent")
    try things[2].setObjects([things[0]], for: "parent")
    try things[3].setObjects([things[3]], for: "parent")
    for (index, thing) in things.enumerated() {
      try thing.setObjects(Array(tags.prefix(index)), for: "tags")
    }
    try branches[0].setObjects([leaves[2], branches[1], leaves[0], leaves[1]], for: "items")
    try branches[1].setObjects([leaves[4], leaves[3]], for: "items")
    try leaves[0].setObjects([tags[3], tags[1], tags[0]], for: "labels")
    try leaves[1].setObjects([tags[1], tags[3]], for: "labels")
    try tags[1].setObjects([leaves[1], leaves[5], leaves[0]], for: "leaves")
    for index in 0..<3 { try leaves[index].setObjects([passports[3 - index]], for: "passport") }
    try leaves[3].setObjects([leaves[4]], for: "twin")
    try leaves[5].setObjects([leaves[5]], for: "twin")
    try leaves[0].setObjects([leaves[0], branches[2], leaves[1]], for: "friends")
    try leaves[2].setObjects([tags[5], tags[4]], for: "seen")
    try leaves[2].setObjects([tags[5]], for: "favourite")
  }

  private func insert(_ entity: String, _ name: String, _ text: String) throws -> ManagedObject {
    let object = try context.insert(entityNamed: entity)
    try object.setValue(text, for: name)
    return object
  }

  /// Ties the objects otherwise.
  func tieAnew() throws {
    let (tags, leaves) = (try context.objects("Tag"), try context.objects("Leaf"))
    let (branches, things) = (try context.objects("Branch"), try context.things())
    try branches[2].setObjects([leaves[0], branches[0]], for: "items")
    try leaves[4].setObjects([try context.objects("Passport")[3]], for: "passport")
    try leaves[5].setObjects([leaves[3]], for: "twin")
    try things[0].setObjects([things[1], things[4]], for: "children")
    try tags[0].setObjects(things, for: "things")
    try leaves[1].setObjects([tags[2], tags[3], tags[1], tags[0]], for: "labels")
    try branches[2].setObjects([branches[1], leaves[3]], for: "friends")
    try leaves[2].setObjects([tags[0]], for: "seen")
  }

  /// Unties what leads to the first objects.
  func untie() throws {
    let leaves = try context.objects("Leaf")
    for leaf in leaves {
      for name in ["twin", "passport", "seen", "favourite"] { try leaf.setObjects([], for: name) }
    }
    try leaves[0].setObjects([], for: "labels")
    try context.objects("Branch")[0].setObjects([], for: "items")
    for thing in try context.things().dropFirst() { try thing.setObjects([], for: "tags") }
    try leaves[0].setObjects([], for: "friends")
  }

  /// Puts ordered relationships into other orders.
  func shuffle(_ seed: UInt64) throws {
    var dice = ContractDice(seed)
    for (entity, name) in [("Branch", "items"), ("Leaf", "labels"), ("Tag", "leaves")] {
      for object in try context.objects(entity) {
        try object.setObjects(object.objects(name).shuffled(using: &dice), for: name)
      }
    }
  }
}

/// Numbers that are random and the same in each run.
struct ContractDice: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

/// Random changes of the objects of a context.
struct ContractWalk {
  private let context: ManagedObjectContext
  private var dice: ContractDice

  init(_ context: ManagedObjectContext, seed: UInt64) {
    self.context = context
    dice = ContractDice(seed)
  }

  mutating func go(steps: Int) throws {
    for _ in 0..<steps { try step() }
  }

  private mutating func step() throws {
    switch Int.random(in: 0..<10, using: &dice) {
    case 0, 1: try insert()
    case 2, 3, 4: try change()
    case 5: try delete()
    default: try tie()
    }
  }

  private mutating func insert() throws {
    let entity = ["Thing", "Special", "Leaf", "Branch", "Tag", "Passport"].randomElement(
      using: &dice)
    let object = try context.insert(entityNamed: entity ?? "Thing")
    if ["Thing", "Special"].contains(entity) { try object.setValue("new", for: "title") }
  }

  private mutating func change() throws {
    guard let thing = try context.things().randomElement(using: &dice),
      let (name, values) = ContractValues.all.randomElement(using: &dice),
      let value = values.randomElement(using: &dice)
    else { return }
    try thing.set(value, for: name)
  }

  private mutating func delete() throws {
    // A relationship without an inverse may still lead to a tag.
    let entity = ["Thing", "Leaf", "Branch", "Passport"].randomElement(using: &dice) ?? "Thing"
    if let object = try context.objects(entity).randomElement(using: &dice) {
      try context.delete(object)
    }
  }

  private static let links = [
    ("Thing", "parent", "Thing"), ("Thing", "children", "Thing"), ("Thing", "tags", "Tag"),
    ("Branch", "items", "Item"), ("Leaf", "labels", "Tag"), ("Tag", "leaves", "Leaf"),
    ("Leaf", "passport", "Passport"), ("Leaf", "twin", "Leaf"), ("Leaf", "seen", "Tag"),
    ("Leaf", "favourite", "Tag"), ("Item", "friends", "Item"),
  ]

  private static let toOne = ["parent", "passport", "twin", "favourite"]

  private mutating func tie() throws {
    guard let (entity, name, other) = Self.links.randomElement(using: &dice),
      let object = try context.objects(entity).randomElement(using: &dice)
    else { return }
    let all = try context.objects(other).shuffled(using: &dice)
    let count = Int.random(in: 0...(Self.toOne.contains(name) ? 1 : 4), using: &dice)
    try object.setObjects(Array(all.prefix(count)), for: name)
  }
}
