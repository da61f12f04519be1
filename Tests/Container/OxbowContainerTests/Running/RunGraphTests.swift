import Foundation
import OxbowContainer
import OxbowTestSupport
import Testing

/// Random graphs of services against what their arrows allow, and each start and stop that fails.
///
/// `OXBOW_SERVICES=200` enlarges the graphs.
@Suite(.timeLimit(.minutes(30))) struct RunGraphTests {
  private static let size =
    ProcessInfo.processInfo.environment["OXBOW_SERVICES"].flatMap { Int($0) } ?? 14

  @Test func `in random graphs each start, stop and disposal is one that the arrows allow`()
    async throws
  {
    let seed = UInt64.random(in: 1...UInt64.max / 2)
    print("graphs of services: seed \(seed)")
    var generator = SeededRandom(seed: seed)
    for number in 0..<20 {
      let graph = ServiceGraph(Self.size, using: &generator)
      let (error, journal) = try await graph.run()
      #expect(error == nil, "seed \(seed), graph \(number)")
      let faults = graph.faults(in: journal.all)
      #expect(faults.isEmpty, "seed \(seed), graph \(number): \(faults)\n\(journal.all)")
    }
  }

  @Test(arguments: [Fault.readiness, .early])
  func `whichever start fails, what ran ends in reverse and no dependent starts`(
    fault: Fault
  ) async throws {
    var generator = SeededRandom(seed: 7)
    let graph = ServiceGraph(9, of: [.server], using: &generator)
    for number in 0..<9 {
      let (error, journal) = try await graph.run(failing: number, with: fault)
      #expect(error?.problems.map(\.code) == [.serviceNotReady])
      #expect(error?.message == "service \"\(number)\" could not be started")
      let lines = journal.all
      #expect(graph.faults(in: lines).isEmpty)
      for above in graph.above(number) { #expect(!lines.contains("run \(above)")) }
      #expect(lines.filter { $0.hasPrefix("dispose") }.count == 9)
    }
  }

  @Test func `whichever stop fails, the others are stopped and disposed of`() async throws {
    var generator = SeededRandom(seed: 8)
    let graph = ServiceGraph(9, of: [.server, .runner], using: &generator)
    for number in 0..<9 {
      let (error, journal) = try await graph.run(failing: number, with: .stopping)
      #expect(error?.problems.map(\.code) == [.shutdownFailed])
      #expect(error?.message == "service \"\(number)\" has failed while it was stopped")
      #expect(error?.problems.first?.seen == "\(number) is stuck")
      #expect(graph.faults(in: journal.all).isEmpty)
      #expect(journal.all.filter { $0.hasPrefix("dispose") }.count == 9)
    }
  }

  @Test func `cancelled at any moment, all that ran ends in order`() async throws {
    var generator = SeededRandom(seed: 9)
    let graph = ServiceGraph(8, of: [.server], using: &generator)
    for moment in 0..<24 {
      let (error, journal) = try await graph.run(cancelledAfter: moment)
      #expect(error == nil)
      let faults = graph.faults(in: journal.all)
      #expect(faults.isEmpty, "after \(moment): \(faults)\n\(journal.all)")
    }
  }
}

/// Objects some of which are services.
///
/// References and providers point down, some providers up: these close circles.
private struct ServiceGraph {
  enum Kind: CaseIterable { case plain, runner, waiter, server }

  let kinds: [Kind]
  /// What each needs directly, and by providers.
  private(set) var needs: [[Int]] = []
  private(set) var later: [[Int]] = []

  init(_ size: Int, of kinds: [Kind] = Kind.allCases, using generator: inout SeededRandom) {
    self.kinds = (0..<size).map { _ in kinds.randomElement(using: &generator) ?? .server }
    for number in 0..<size {
      needs.append(generator.some(of: Array(0..<number), atMost: 3))
      let ups = kinds.count == 1 ? [] : generator.some(of: Array(number..<size), atMost: 1)
      later.append(generator.some(of: Array(0..<number), atMost: 2) + (number % 4 == 0 ? ups : []))
    }
  }

  // MARK: - Running

  func run(
    failing faulty: Int? = nil, with fault: Fault? = nil, cancelledAfter moment: Int? = nil
  ) async throws -> (ContainerError?, Journal) {
    let (builder, journal) = (ContainerBuilder(), Journal())
    for number in kinds.indices {
      let fault = number == faulty ? fault : nil
      switch kinds[number] {
      case .plain: define(Employee.self, number, fault, journal, on: builder)
      case .runner: define(Runner.self, number, fault, journal, on: builder)
      case .waiter: define(Waiter.self, number, fault, journal, on: builder)
      case .server: define(Server.self, number, fault, journal, on: builder)
      }
    }
    let container = try builder.build()
    for number in kinds.indices { _ = try container.object("\(number)", as: Employee.self) }
    let run = Task { try await container.run(.late("", at: .zero)) }
    if fault == nil || fault == .stopping {
      await wait(for: moment, in: journal)
      run.cancel()
    }
    return (await run.failure, journal)
  }

  private func define<W: Employee>(
    _ type: W.Type, _ number: Int, _ fault: Fault?, _ journal: Journal, on builder: ContainerBuilder
  ) {
    builder.singleton(named: "\(number)", { try W("\(number)", journal, fault) }) { injections in
      for need in needs[number] {
        injections.set(Ref<Employee>("\(need)")) { $0.needs.append($1) }
      }
      for need in later[number] {
        injections.set(Ref<Employee>("\(need)").provider) { $0.later.append($1) }
      }
    }
  }

  /// Waits until all have started, or for some lines more than those of the constructors.
  private func wait(for moment: Int?, in journal: Journal) async {
    let all = kinds.map { $0 == .plain ? 0 : $0 == .server ? 3 : $0 == .waiter ? 2 : 1 }
    for _ in 0..<(kinds.count + (moment ?? all.reduce(0, +))) {
      await journal.wait(until: { _ in true })
    }
  }

  // MARK: - What is allowed

  /// The numbers of all that need an object, directly or through others.
  func above(_ number: Int) -> [Int] {
    kinds.indices.filter { $0 != number && reaches($0, number) }
  }

  private func reaches(_ from: Int, _ to: Int) -> Bool {
    var (open, seen) = ([from], Set([from]))
    while let next = open.popLast() {
      if next == to { return true }
      for end in needs[next] + later[next] where seen.insert(end).inserted { open.append(end) }
    }
    return false
  }

  /// For each object all that it needs, by arrows that close no circle.
  private var below: [Set<Int>] {
    kinds.indices.map { number in
      var (open, found) = ([number], Set<Int>())
      while let next = open.popLast() {
        for end in needs[next] + later[next] where !reaches(end, next) {
          if found.insert(end).inserted { open.append(end) }
        }
      }
      return found
    }
  }

  /// What a journal has that no order of the arrows allows.
  func faults(in lines: [String]) -> [String] {
    var places: [String: Int] = [:]
    for (place, line) in lines.enumerated() {
      if places.updateValue(place, forKey: line) != nil { return ["\(line) twice"] }
    }
    var faults: [String] = []
    func require(_ first: String, before second: String) {
      guard let b = places[second] else { return }
      if places[first].map({ $0 > b }) ?? true { faults.append("\(second) without \(first)") }
    }
    for (number, below) in below.enumerated() {
      if places["run \(number)"] != nil, places["end \(number)"] == nil {
        faults.append("\(number) goes on")
      }
      for need in below {
        if kinds[need] == .waiter || kinds[need] == .server {
          for start in ["run", "prepare"] { require("ready \(need)", before: "\(start) \(number)") }
        }
        if places["run \(number)"] != nil {
          require("end \(number)", before: "stop \(need)")
          require("end \(number)", before: "dispose \(need)")
        }
        require("dispose \(number)", before: "dispose \(need)")
      }
      for other in kinds.indices where places["run \(number)"] != nil {
        require("end \(number)", before: "dispose \(other)")
      }
    }
    return faults
  }
}
