import Foundation
import OxbowModel
import OxbowStore

/// What is said to a process with seats, a line of JSON each.
enum SeatOrder: Codable {
  /// Opens a store of a world, with as many contexts as there are names.
  case open(path: String, world: String, kind: Bench.Kind, names: [String])
  /// Something for one of the contexts, and the objects that were made in other processes.
  case run(Int, SeatAction, [Int: ManagedObjectID])
  case close
}

/// The answer to an order.
struct SeatAnswer: Codable {
  var reply = SeatReply()
  /// The objects that were made.
  var made: [Int: ManagedObjectID] = [:]
  /// What failed that should not.
  var trouble: String?
}

/// Obeys the orders that come over a line, until it is cut.
final class SeatServer {
  private var bench: Bench?
  private var seats: [LocalSeat] = []

  static func serve(_ path: String) throws {
    let line = try Line(connectingTo: path)
    let server = SeatServer()
    while let order: SeatOrder = try line.read() {
      try line.write(server.obey(order))
    }
    server.close()
  }

  private func obey(_ order: SeatOrder) -> SeatAnswer {
    var answer = SeatAnswer()
    do {
      switch order {
      case .open(let path, let world, let kind, let names):
        try open(path, world, kind, names)
      case .run(let seat, let action, let names): answer = try run(seat, action, names)
      case .close: close()
      }
    } catch {
      answer.trouble = "\(error)"
    }
    return answer
  }

  private func open(_ path: String, _ name: String, _ kind: Bench.Kind, _ names: [String]) throws {
    close()
    guard let world = World.named(name) else { throw Divergence("test", "no world '\(name)'") }
    let bench = try Bench(world, try CompiledModel(world.model), kind, at: path)
    self.bench = bench
    seats = names.map { LocalSeat(bench, $0) }
  }

  private func close() { (seats, bench) = ([], nil) }

  private func run(
    _ seat: Int, _ action: SeatAction, _ names: [Int: ManagedObjectID]
  ) throws -> SeatAnswer {
    guard let bench else { throw Divergence("test", "no store is open") }
    for (label, id) in names { bench.name(id, label) }
    var answer = SeatAnswer(reply: try seats[seat].run(action))
    if case .insert(let label, _) = action { answer.made[label] = bench.ids[label] }
    return answer
  }
}

/// Another process with seats.
final class SeatProcess {
  private let line: Line
  private var bench: Bench?
  /// The objects that the process knows.
  private var known: Set<Int> = []

  init(_ line: Line) { self.line = line }

  func open(_ bench: Bench, path: String, _ kind: Bench.Kind, _ names: [String]) throws
    -> [any Seat]
  {
    self.bench = bench
    known = []
    _ = try obey(.open(path: path, world: bench.world.name, kind: kind, names: names))
    return names.indices.map { RemoteSeat(self, $0) }
  }

  func close() throws { _ = try obey(.close) }

  fileprivate func run(_ seat: Int, _ action: SeatAction) throws -> SeatReply {
    let new = bench?.ids.filter { !known.contains($0.key) } ?? [:]
    known.formUnion(new.keys)
    let answer = try obey(.run(seat, action, new))
    for (label, id) in answer.made {
      bench?.name(id, label)
      known.insert(label)
    }
    return answer.reply
  }

  private func obey(_ order: SeatOrder) throws -> SeatAnswer {
    try line.write(order)
    guard let answer: SeatAnswer = try line.read() else {
      throw Divergence("crash", "the other process has ended")
    }
    if let trouble = answer.trouble { throw Divergence("test", "in the other process: \(trouble)") }
    return answer
  }
}

/// A context of another process.
private final class RemoteSeat: Seat {
  private let process: SeatProcess
  private let number: Int

  init(_ process: SeatProcess, _ number: Int) {
    self.process = process
    self.number = number
  }

  func run(_ action: SeatAction) throws -> SeatReply { try process.run(number, action) }
}
