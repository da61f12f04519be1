import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

#if PostgreSQL
  @testable import OxbowPostgres
#endif

/// A store of a world, and the labels of the objects in it.
final class Bench {
  /// What kind of store a program runs on.
  enum Kind: String, CaseIterable, Sendable, Codable {
    case log, journal, memory, server

    /// Those that several processes can have open.
    #if PostgreSQL
      static let ofProcesses: [Kind] =
        TestServer.shared == nil
        ? [.log, .journal]
        : [.log, .journal, .server]
    #else
      static let ofProcesses: [Kind] = [.log, .journal]
    #endif

    var location: StoreLocation { self == .memory ? .inMemory : .temporary }

    func options(_ history: HistoryRecording) -> SQLiteStoreOptions {
      SQLiteStoreOptions(synchronous: .off, usesWriteAheadLog: self == .log, history: history)
    }
  }

  /// Which objects a program keeps from one step to the next; the context may sweep the others.
  enum Holding: String, Sendable, Codable {
    case all, none, some

    func keeps(_ label: Int) -> Bool { self == .all || self == .some && label % 2 == 0 }
  }

  let world: World
  let coordinator: PersistentStoreCoordinator
  private let tables: any BenchTables
  private(set) var ids: [Int: ManagedObjectID] = [:]
  private var labels: [String: Int] = [:]
  private var entityNames: [Int64: String] = [:]

  /// A store that other processes have open too, at a path, keeps a history with values.
  init(_ world: World, _ model: CompiledModel, _ kind: Kind, at path: String? = nil)
    throws
  {
    self.world = world
    if kind == .server {
      (coordinator, tables) = try Self.onServer(model, at: path)
    } else {
      let store = try SQLiteStore(
        model, at: path.map { .file($0) } ?? kind.location,
        options: kind.options(path == nil ? .off : .values))
      (coordinator, tables) = (PersistentStoreCoordinator(store: store), FileTables(store: store))
    }
    for line in try tables.lines("number || ':' || name", of: "_oxbow_entities") {
      let parts = line.split(separator: ":")
      if let number = Int64(parts[0]) { entityNames[number] = String(parts[1]) }
    }
  }

  deinit { coordinator.close() }

  func name(_ id: ManagedObjectID, _ label: Int) {
    ids[label] = id
    labels["\(id.rootEntityName)/\(id.key)"] = label
  }

  func label(of id: ManagedObjectID) -> Int { label(root: id.rootEntityName, id.key) }

  /// The label of a key; one below zero for a key that no step has made.
  func label(root: String, _ key: Int64) -> Int {
    labels["\(root)/\(key)"] ?? -1 - Int(truncatingIfNeeded: key & 0xffff)
  }

  func label(of reference: ObjectReference) -> Int {
    let entities = coordinator.model.entities
    return label(root: entities[entities[reference.entity].root].name, reference.key)
  }
}

// MARK: - The store, read by SQL

extension Bench {
  /// What the store's tables say, and the versions of their rows.
  struct Contents {
    var state: OracleState
    var versions: [Int: Int64] = [:]
    /// What does not fit the layout.
    var faults: [String] = []
  }

  func contents() throws -> Contents {
    var contents = Contents(state: OracleState(world))
    var positions: [Position] = []
    for entity in world.entities where entity.parent == nil {
      try readRows(of: entity.name, into: &contents, &positions)
    }
    for end in world.ends where world.isJoined(end) && isCanonical(end) {
      try readLinks(of: end, into: &contents, &positions)
    }
    place(positions, in: &contents)
    return contents
  }

  /// The place of a member in an ordered end.
  private struct Position {
    let owner: Int
    let end: World.End
    let member: Int
    let position: Int64?
  }

  private func isCanonical(_ end: World.End) -> Bool {
    guard let inverse = world.inverse(of: end) else { return true }
    return (end.entity, end.name) <= (inverse.entity, inverse.name)
  }

  private func readRows(
    of root: String, into contents: inout Contents, _ positions: inout [Position]
  ) throws {
    let hierarchy = world.entities.filter { world.root(of: $0.name) == root }
    let attributes = hierarchy.flatMap(\.attributes)
    let ones = world.ends.filter { !$0.isToMany && world.root(of: $0.entity) == root }
    var columns = ["_id", "_version", hierarchy.count > 1 ? "_type" : "0"]
    columns += attributes.map(tables.value)
    for end in ones {
      columns += ["\"\(end.name)\"", typeColumn(end), positionColumn(end)]
    }
    for line in try tables.lines(tables.list(columns), of: root) {
      let cells = line.split(separator: "\u{1f}", omittingEmptySubsequences: false).map(String.init)
      let label = label(root: root, Int64(cells[0]) ?? 0)
      let entity = hierarchy.count > 1 ? entityNames[Int64(cells[2]) ?? 0] ?? "?" : root
      contents.state.insert(label, entity)
      contents.versions[label] = Int64(cells[1])
      read(attributes, cells, label, entity, &contents)
      for (index, end) in ones.enumerated() {
        let three = Array(cells[(3 + attributes.count + 3 * index)...].prefix(3))
        read(end, three, label, &contents, &positions)
      }
    }
  }

  private func typeColumn(_ end: World.End) -> String {
    let isPolymorphic = world.entities.contains { $0.parent == end.destination }
    return isPolymorphic ? "\"_\(end.name)_type\"" : "''"
  }

  private func positionColumn(_ end: World.End) -> String {
    world.inverse(of: end)?.isOrdered == true ? "\"_\(end.name)_position\"" : "''"
  }

  private func read(
    _ attributes: [World.Attribute], _ cells: [String], _ label: Int, _ entity: String,
    _ contents: inout Contents
  ) {
    let own = world.attributes(of: entity).map(\.name)
    for (index, attribute) in attributes.enumerated() {
      let cell = cells[3 + index]
      let value = Value(column: cell, of: attribute)
      if own.contains(attribute.name) {
        contents.state.set(label, attribute.name, value)
      } else if value != .none {
        contents.faults.append("o\(label), a \(entity), has \(attribute.name) \(value)")
      }
    }
  }

  private func read(
    _ end: World.End, _ cells: [String], _ label: Int, _ contents: inout Contents,
    _ positions: inout [Position]
  ) {
    guard let key = Int64(cells[0]) else {
      if !cells[1].isEmpty || !cells[2].isEmpty {
        contents.faults.append("o\(label).\(end.name) has no key but a type or position \(cells)")
      }
      return
    }
    let other = self.label(root: world.root(of: end.destination), key)
    contents.state.objects[label]?.ones[end.index] = other
    if typeColumn(end) != "''", entityNames[Int64(cells[1]) ?? 0] != ids[other]?.entityName {
      contents.faults.append("o\(label).\(end.name) leads to o\(other) with type '\(cells[1])'")
    }
    if let back = world.inverse(of: end), back.isToMany {
      positions.append(
        Position(owner: other, end: back, member: label, position: Int64(cells[2])))
    }
  }

  private func readLinks(
    of end: World.End, into contents: inout Contents, _ positions: inout [Position]
  ) throws {
    let inverse = world.inverse(of: end)
    let columns = [
      "owner", "member", end.isOrdered ? "member_position" : "''",
      inverse?.isOrdered == true ? "owner_position" : "''",
    ]
    for line in try tables.lines(tables.list(columns), of: "\(end.entity)_\(end.name)") {
      let cells = line.split(separator: "\u{1f}", omittingEmptySubsequences: false)
      let owner = label(root: world.root(of: end.entity), Int64(cells[0]) ?? 0)
      let member = label(root: world.root(of: end.destination), Int64(cells[1]) ?? 0)
      positions.append(
        Position(owner: owner, end: end, member: member, position: Int64(cells[2])))
      // A relationship that is its own inverse has a row for each direction.
      if let inverse, inverse.index != end.index {
        positions.append(
          Position(owner: member, end: inverse, member: owner, position: Int64(cells[3])))
      }
    }
  }

  private func place(_ positions: [Position], in contents: inout Contents) {
    let sorted = positions.sorted {
      ($0.position ?? .max, ids[$0.member]?.key ?? 0) < (
        $1.position ?? .max, ids[$1.member]?.key ?? 0
      )
    }
    for place in sorted {
      contents.state.objects[place.owner]?.many[place.end.index, default: []].append(place.member)
    }
  }
}

extension Value {
  /// A value of a column, after the first letter of its storage class.
  fileprivate init(column: String, of attribute: World.Attribute) {
    let text = String(column.dropFirst())
    switch (column.first, attribute.type) {
    case ("t", .string): self = .text(text)
    case ("i", .integer64): self = Int64(text).map { .whole($0) } ?? .none
    case ("i", .boolean): self = .truth(text == "1")
    case ("r", .double): self = Double(text).map { .real($0) } ?? .none
    default: self = .none
    }
  }
}

extension World.Attribute {
  /// The type of its values.
  fileprivate var type: AttributeType? { initial.type ?? choices.compactMap(\.type).first }
}

// MARK: - Tables of a file and of a server

/// The tables of a store, read as another program reads them.
private protocol BenchTables {
  /// An expression of the rows of a table, a line for each.
  func lines(_ expression: String, of table: String) throws -> [Substring]

  /// The value of an attribute, behind a letter of its type.
  func value(_ attribute: World.Attribute) -> String

  /// Columns in one text; NULL is empty.
  func list(_ columns: [String]) -> String
}

private struct FileTables: BenchTables {
  let store: SQLiteStore

  func lines(_ expression: String, of table: String) throws -> [Substring] {
    let text = try store.database.read {
      try $0.text(
        "SELECT coalesce(group_concat(line, char(30)), '') FROM "
          + "(SELECT \(expression) AS line FROM \"\(table)\")")
    }
    return (text ?? "").split(separator: "\u{1e}")
  }

  func value(_ attribute: World.Attribute) -> String {
    "substr(typeof(\"\(attribute.name)\"), 1, 1) || \"\(attribute.name)\""
  }

  func list(_ columns: [String]) -> String {
    columns.map { "ifnull(\($0), '')" }.joined(separator: " || char(31) || ")
  }
}

#if PostgreSQL
  private struct ServerTables: BenchTables {
    let store: PostgresStore

    func lines(_ expression: String, of table: String) throws -> [Substring] {
      try store.pool.withConnection { connection in
        let result = try connection.run([
          ServerStatement("SELECT \(expression) FROM \(store.names.table(table))", isKept: false)
        ])[0]
        return (0..<result.count).compactMap { result.text($0, 0).map { Substring($0) } }
      }
    }

    func value(_ attribute: World.Attribute) -> String {
      let column = "\"\(attribute.name)\""
      return switch attribute.type {
      case .string: "'t' || \(column)"
      case .double: "'r' || \(column)::text"
      case .boolean: "'i' || \(column)::int4::text"
      default: "'i' || \(column)::text"
      }
    }

    func list(_ columns: [String]) -> String {
      columns.map { "coalesce((\($0))::text, '')" }.joined(separator: " || chr(31) || ")
    }
  }
#endif

extension Bench {
  /// A place for a store that other processes have open, too: a path, or what names a schema.
  static func newPlace(_ kind: Kind, _ path: String) throws -> String {
    #if PostgreSQL
      if kind == .server {
        let server = try #require(TestServer.shared)
        return "\(server.connection)\n\(server.newSchema())"
      }
    #endif
    return path
  }

  private static func onServer(
    _ model: CompiledModel, at place: String?
  ) throws -> (PersistentStoreCoordinator, any BenchTables) {
    #if PostgreSQL
      let parts = try (place ?? newPlace(.server, "")).split(separator: "\n").map(String.init)
      let store = try PostgresStore(
        model, at: PostgresLocation(parts[0], schema: parts[1]),
        options: PostgresStoreOptions(
          connections: 4, waitMilliseconds: 30_000, history: place == nil ? .off : .values))
      return (PersistentStoreCoordinator(store: store), ServerTables(store: store))
    #else
      throw PersistenceError(.unsupported, "this build has no stores on servers")
    #endif
  }
}
