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
    case ["ours"]: for _ in 0..<5 { print("T\t\(Int(try ours(coordinator))) ns/row") }
    default:
      throw BenchmarkFailure(
        description: "suite T has the part ours, not " + selection.joined(separator: "/"))
    }
  }

  private func coordinator(at path: String) throws -> PersistentStoreCoordinator {
    let types: [any ModelObject.Type] = [Trunk.self, Branch.self, Twig.self]
    return try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: types), classes: types), at: .file(path))
  }

  private func fill(_ coordinator: PersistentStoreCoordinator) throws {
    let first = ManagedObjectContext(coordinator: coordinator)
    let trunk = try first.insert(Trunk.self) { ($0.name, $0.number) = ("trunk", 0) }
    try first.save()
    for place in 0..<width {
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
