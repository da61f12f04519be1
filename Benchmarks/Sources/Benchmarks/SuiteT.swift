import CBaseline
import Foundation
import OxbowRuntime

/// Suite T of the checklist: a tree of 1 trunk, 1,000 branches and 1,000,000 twigs is fetched with
/// its relationships read ahead, and walked.
struct SuiteT {
  let directory: URL
  let width: Int
  let rounds: Int

  init(directory: URL, width: Int = 1000, rounds: Int = 7) {
    self.directory = directory
    self.width = width
    self.rounds = rounds
  }

  func run(_ selection: [Substring]) throws {
    let path = directory.appending(path: "tree.sqlite").path
    let coordinator = try coordinator(at: path)
    defer { coordinator.close() }
    try fill(coordinator)
    switch selection {
    case []:
      let medians = try interleaved(rounds: rounds, [{ try ours(coordinator) }, { try raw(path) }])
      print(
        Measurement(
          suite: "T", name: "walk", ours: medians[0], baseline: "C", theirs: medians[1],
          target: "1.5"
        ).line)
      try cascade()
    case ["cascade"]: try cascade()
    case ["ours"]: for _ in 0..<5 { print("T\t\(Int(try ours(coordinator))) ns/row") }
    case ["floor"]:
      let medians = try interleaved(rounds: rounds, [{ try floor() }, { try raw(path) }])
      print(
        Measurement(
          suite: "T", name: "walk, objects and sets alone", ours: medians[0], baseline: "C",
          theirs: medians[1], target: ""
        ).line)
    default:
      throw BenchmarkFailure(
        description: "suite T has the parts cascade, floor and ours, not "
          + selection.joined(separator: "/"))
    }
  }

  private func coordinator(at path: String) throws -> PersistentStoreCoordinator {
    let types: [any ModelObject.Type] = [Trunk.self, Branch.self, Twig.self]
    return try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: types), classes: types), at: .file(path))
  }

  private func fill(
    _ coordinator: PersistentStoreCoordinator, branches: Int? = nil
  ) throws {
    let first = ManagedObjectContext(coordinator: coordinator)
    let trunk = try first.insert(Trunk.self) { ($0.name, $0.number) = ("trunk", 0) }
    try first.save()
    for place in 0..<(branches ?? width) {
      let context = ManagedObjectContext(coordinator: coordinator)
      let branch = try context.insert(Branch.self) { ($0.name, $0.number) = ("branch", place) }
      branch.trunk = try context.existingObject(with: trunk.objectID, as: Trunk.self)
      for number in 0..<width {
        let twig = try context.insert(Twig.self)
        twig.name = "twig \(number)"
        twig.number = number
        twig.branch = branch
      }
      try context.save()
    }
  }

  /// Fetches and walks the tree, and releases everything.
  private func ours(_ coordinator: PersistentStoreCoordinator) throws -> Double {
    try nanoseconds {
      let context = ManagedObjectContext(coordinator: coordinator)
      context.faultPolicy = .refuse
      let trunks = try context.fetch(Trunk.self, prefetching: [\.branches.twigs])
      var (count, sum) = (0, 0)
      for trunk in trunks {
        for branch in trunk.branches {
          for twig in branch.twigs {
            count += 1
            sum += twig.number
          }
        }
      }
      try check(count, sum)
    } / Double(width * width)
  }

  // MARK: - Floor

  /// What a walk over objects in sets costs at the least, without a store: as many objects are
  /// made, found by their keys, put into sets, walked and released.
  private func floor() throws -> Double {
    var (count, sum) = (0, 0)
    let elapsed = nanoseconds {
      var objects: [[Leaf]] = []
      var sets: [Set<Leaf>] = []
      for _ in 0..<width {
        let rows = Leaf.Rows(width)
        let leaves = (0..<width).map { Leaf(rows, $0) }
        sets.append(Set(leaves))
        objects.append(leaves)
      }
      for set in sets {
        for leaf in set {
          count += 1
          sum += leaf.number
        }
      }
      withExtendedLifetime(objects) {}
    }
    try check(count, sum)
    return elapsed / Double(width * width)
  }

  // MARK: - Cascade

  /// Deletes a trunk with 100 branches and 100,000 twigs, none of which was read.
  private func cascade() throws {
    let scratch = Scratch(directory: directory, types: [Trunk.self, Branch.self, Twig.self])
    let store = try scratch.emptyStore("forest")
    try fill(store.coordinator, branches: 100)
    let context = store.makeContext()
    let keys = [
      try context.fetchIDs(FetchRequest<Twig>()), try context.fetchIDs(FetchRequest<Branch>()),
      try context.fetchIDs(FetchRequest<Trunk>()),
    ].map { $0.map(\.key) }
    store.close()
    let total = keys.reduce(0) { $0 + $1.count }
    let medians = try interleaved([
      { try cutDown(scratch, total) },
      {
        let path = try scratch.copy("forest", as: "forest-c")
        return try baseline(Self.delete(path, keys), for: total)
      },
    ])
    print(
      Measurement(
        suite: "T", name: "cascade of 100,000", ours: medians[0], baseline: "C",
        theirs: medians[1], target: "2.5"
      ).line)
  }

  private func cutDown(_ scratch: Scratch, _ total: Int) throws -> Double {
    let path = try scratch.copy("forest", as: "forest-ours")
    let store = try PersistentContainer(.file(path), types: scratch.types)
    defer { store.close() }
    let context = store.makeContext()
    let trunk = try context.fetch(FetchRequest<Trunk>())[0]
    let elapsed = try nanoseconds {
      try context.delete(trunk)
      try context.save()
    }
    guard try context.count(FetchRequest<Twig>()) == 0 else {
      throw BenchmarkFailure(description: "there are twigs left")
    }
    return elapsed / Double(total)
  }

  private static func delete(_ path: String, _ keys: [[Int64]]) -> Int64 {
    "Twig".withCString { twig in
      "Branch".withCString { branch in
        "Trunk".withCString { trunk in
          baseline_delete(
            path, [twig, branch, trunk], keys.map { Int64($0.count) }, 3, keys.flatMap { $0 })
        }
      }
    }
  }

  private func raw(_ path: String) throws -> Double {
    var count: Int64 = 0
    var sum: Int64 = 0
    let elapsed = baseline_walk(path, &count, &sum)
    guard elapsed >= 0 else { throw BenchmarkFailure(description: "the C baseline failed") }
    try check(Int(count), Int(sum))
    return Double(elapsed) / Double(width * width)
  }

  private func check(_ count: Int, _ sum: Int) throws {
    guard count == width * width, sum == width * width * (width - 1) / 2 else {
      throw BenchmarkFailure(description: "walked \(count) twigs, sum \(sum)")
    }
  }
}

/// The least that an object of the walk is: a reference to its row, and hashed by its identity.
private final class Leaf: Hashable {
  final class Rows {
    let numbers: [Int]
    init(_ count: Int) { numbers = Array(0..<count) }
  }

  private let rows: Rows
  private let row: Int

  init(_ rows: Rows, _ row: Int) { (self.rows, self.row) = (rows, row) }

  var number: Int { rows.numbers[row] }

  static func == (a: Leaf, b: Leaf) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  // As the objects of a context (decision 0135).
  func _rawHashValue(seed: Int) -> Int {
    _hashOfWord(UInt(bitPattern: ObjectIdentifier(self)), seed: seed)
  }
}
