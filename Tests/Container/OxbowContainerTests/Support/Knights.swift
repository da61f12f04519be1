import OxbowContainer

/// The world of the tests: a small cast of classes of every kind that a container meets.

protocol Quest: AnyObject {
  var goal: String { get }
}

final class Grail: Quest, Sendable {
  var goal: String { "grail" }
}

final class Dragon: Quest {
  var goal = "dragon"
}

/// A Sendable class: everything through its initializer.
final class Castle: Sendable {
  let name: String
  let quest: any Quest & Sendable

  init(name: String, quest: any Quest & Sendable) {
    self.name = name
    self.quest = quest
  }
}

/// A class with settable properties, as old containers know them.
class Knight {
  var quest: (any Quest)?
  var age = 20
  var title: String = ""
  var motto: String?
  weak var rival: Knight?
  init() {}
}

final class King: Knight {
  var castle: Castle?
}

/// Sendable by a promise of its own, so that circles of properties can be shared.
final class Node: @unchecked Sendable {
  // Sendable by argument: written while a container builds it, read after.
  let name: String
  var neighbours: [Node] = []
  var isComplete = false
  init(_ name: String) { self.name = name }
}

struct Refusal: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
