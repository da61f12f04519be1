import OxbowModel

// The worlds of the random tests. Between them they have each pair of arities, ordered or not, with
// and without inverse, each delete rule, relationships of an entity to itself, and three levels of
// inheritance with ends at each of them.

extension World {
  private static let common: [Attribute] = [
    Attribute(
      name: "title", initial: .text(""),
      choices: ["", "a", "b", "caf\u{e9}", "cafe\u{301}"].map { .text($0) }),
    Attribute(
      name: "n", initial: .none, choices: [.none, .whole(0), .whole(1), .whole(2), .whole(.max)]),
    Attribute(name: "flag", initial: .truth(false), choices: [.truth(false), .truth(true)]),
    Attribute(
      name: "real", initial: .real(0.5), choices: [.real(0.5), .real(-1.25), .real(1e300)]),
  ]

  /// Entities without inheritance.
  static let flat = World(
    "flat",
    ["Person", "Card", "Folder", "File", "Tag"].map { Entity(name: $0, attributes: common) },
    [
      ("Person", "card", .one, "Card", "person", .nullify),
      ("Card", "person", .one, "Person", "card", .nullify),
      ("Person", "mate", .one, "Person", "mate", .nullify),
      ("Folder", "cover", .one, "Tag", "coverOf", .cascade),
      ("Tag", "coverOf", .one, "Folder", "cover", .nullify),
      ("Folder", "files", .set, "File", "folder", .nullify),
      ("File", "folder", .one, "Folder", "files", .nullify),
      ("Folder", "lines", .list, "File", "page", .nullify),
      ("File", "page", .one, "Folder", "lines", .nullify),
      ("Folder", "notes", .set, "File", "binder", .cascade),
      ("File", "binder", .one, "Folder", "notes", .nullify),
      ("Person", "locks", .set, "Card", "keeper", .deny),
      ("Card", "keeper", .one, "Person", "locks", .nullify),
      ("Person", "hooks", .set, "Card", "hook", .noAction),
      ("Card", "hook", .one, "Person", "hooks", .nullify),
      ("File", "owner", .one, "Person", nil, .nullify),
      ("Person", "marks", .set, "Tag", nil, .nullify),
      ("Person", "order", .list, "Tag", nil, .nullify),
      ("Folder", "labels", .set, "Tag", "folders", .nullify),
      ("Tag", "folders", .set, "Folder", "labels", .noAction),
      ("Tag", "list", .list, "File", "tags", .nullify),
      ("File", "tags", .set, "Tag", "list", .nullify),
      ("Person", "first", .list, "Tag", "second", .nullify),
      ("Tag", "second", .list, "Person", "first", .nullify),
      ("Folder", "children", .list, "Folder", "parent", .cascade),
      ("Folder", "parent", .one, "Folder", "children", .nullify),
      ("Person", "friends", .set, "Person", "friends", .nullify),
    ])

  /// The same with a unique number at one of them.
  static let unique: World = {
    let code = Attribute(
      name: "code", initial: .none, choices: [.none] + (1...4).map { .whole($0) })
    var world = World(
      "unique",
      flat.entities.map { entity in
        entity.name == "Tag" ? Entity(name: "Tag", attributes: common + [code]) : entity
      }, flat.ends)
    world.unique = [("Tag", "code")]
    return world
  }()

  static func named(_ name: String) -> World? {
    [flat, inherited, unique].first { $0.name == name }
  }

  /// Two hierarchies of three levels whose ends lead to any of their entities.
  static let inherited = World(
    "inherited",
    [
      Entity(name: "Shape", isAbstract: true, attributes: common),
      Entity(
        name: "Solid", parent: "Shape",
        attributes: [
          Attribute(name: "weight", initial: .whole(7), choices: [.whole(7), .whole(-7)])
        ]),
      Entity(
        name: "Cube", parent: "Solid",
        attributes: [
          Attribute(name: "note", initial: .none, choices: [.none, .text(""), .text("x")])
        ]),
      Entity(name: "Plane", parent: "Shape"),
      Entity(name: "Box", attributes: common),
      Entity(name: "Crate", parent: "Box"),
      Entity(name: "Cage", parent: "Crate"),
    ],
    [
      ("Box", "shapes", .set, "Shape", "box", .nullify),
      ("Shape", "box", .one, "Box", "shapes", .nullify),
      ("Crate", "solids", .list, "Solid", "crate", .nullify),
      ("Solid", "crate", .one, "Crate", "solids", .nullify),
      ("Cage", "cubes", .set, "Cube", "cage", .cascade),
      ("Cube", "cage", .one, "Cage", "cubes", .nullify),
      ("Box", "lid", .one, "Shape", "lidOf", .nullify),
      ("Shape", "lidOf", .one, "Box", "lid", .nullify),
      ("Cube", "mark", .one, "Shape", nil, .nullify),
      ("Box", "seen", .set, "Shape", nil, .nullify),
      ("Crate", "queue", .list, "Solid", nil, .nullify),
      ("Solid", "ties", .set, "Box", "tied", .nullify),
      ("Box", "tied", .list, "Solid", "ties", .nullify),
      ("Crate", "pairs", .list, "Cube", "pairsOf", .nullify),
      ("Cube", "pairsOf", .list, "Crate", "pairs", .nullify),
      ("Shape", "parts", .list, "Shape", "whole", .cascade),
      ("Shape", "whole", .one, "Shape", "parts", .nullify),
      ("Cage", "locked", .set, "Solid", "lockedIn", .deny),
      ("Solid", "lockedIn", .one, "Cage", "locked", .nullify),
      ("Solid", "twin", .one, "Solid", "twin", .nullify),
      ("Box", "peers", .set, "Box", "peers", .nullify),
    ])
}
