/// One step of a random program, whole in itself: a step whose objects are not there does nothing,
/// so steps can be left out while a failure is made smaller.
struct Step: Sendable {
  /// The number of the context.
  var context = 0
  var action: Action

  enum Action: Sendable {
    case insert(Int, String)
    case set(Int, String, Value)
    case point(Int, World.End, Int?)
    case replace(Int, World.End, [Int])
    case add(Int, World.End, Int)
    case remove(Int, World.End, Int)
    case delete(Int)
    /// Reads an end; all properties without one.
    case read(Int, World.End?)
    case prefetch(World.End)
    case fetch(String, Filter)
    case refresh(Int)
    case sweep
    case save(AfterFailure, Policy = .error)
    case undo
    case redo
    case rollback
    case reset
    /// Copies a number from another object, which may be gone, and saves.
    case copy(Int, from: Int)
    /// Ties an object that is gone to one that is there.
    case misuse(World.End, Int)
  }

  enum Filter: Sendable {
    case all
    case number(Int64)
    case target(World.End, Int)
    case path(World.End, Int64)
  }

  /// The policies of merging.
  enum Policy: String, CaseIterable, Codable {
    case error, mergeByProperty, storeTrump, objectTrump, overwrite, rollback
  }

  /// What a program does when a save has failed.
  enum AfterFailure: CaseIterable, Sendable { case rollback, reset, refresh, keep }
}

extension Step {
  /// The step with its members halved, or without one of them, to be tried by the shrinker.
  var smaller: [Step] {
    guard case .replace(let label, let end, let members) = action else { return [] }
    return members.indices.map { index in
      var fewer = members
      fewer.remove(at: index)
      return Step(context: context, action: .replace(label, end, fewer))
    }
  }
}

extension Step.Action {
  /// The name of the kind of step, for `OXBOW_RANDOM_WITHOUT`.
  var name: String {
    switch self {
    case .insert: "insert"
    case .set: "set"
    case .point: "point"
    case .replace, .add, .remove: "many"
    case .delete: "delete"
    case .read: "read"
    case .prefetch: "load"
    case .fetch: "fetch"
    case .refresh: "refresh"
    case .sweep: "sweep"
    case .save: "save"
    case .rollback: "rollback"
    case .undo, .redo: "undo"
    case .reset: "reset"
    case .copy: "copy"
    case .misuse: "misuse"
    }
  }
}

extension Step: CustomStringConvertible {
  var description: String { context == 0 ? text : "\(context): \(text)" }

  private var text: String {
    switch action {
    case .insert(let label, let entity): "let o\(label) = insert(\(entity))"
    case .set(let label, let name, let value): "o\(label).\(name) = \(value)"
    case .point(let label, let end, let other):
      "o\(label).\(end.name) = \(other.map { "o\($0)" } ?? "nil")"
    case .replace(let label, let end, let members):
      "o\(label).\(end.name) = \(OracleState.list(members))"
    case .add(let label, let end, let other): "o\(label).\(end.name) += o\(other)"
    case .remove(let label, let end, let other): "o\(label).\(end.name) -= o\(other)"
    case .delete(let label): "delete(o\(label))"
    case .read(let label, let end): "read o\(label)\(end.map { ".\($0.name)" } ?? "")"
    case .prefetch(let end): "load(\"\(end.name)\", of: all \(end.entity))"
    case .fetch(let entity, let filter): "fetch(\(entity)\(filter))"
    case .refresh(let label): "refresh(o\(label))"
    case .sweep: "sweep()"
    case .save(.keep, .error) where context == 0: "save()"
    case .save(let after, let policy): "save(\(policy), else: \(after))"
    case .undo: "undo()"
    case .redo: "redo()"
    case .rollback: "rollback()"
    case .reset: "reset()"
    case .copy(let label, let other): "o\(label).n = o\(other).n"
    case .misuse(let end, let label): "(an object that is gone).\(end.name) = o\(label)"
    }
  }
}

extension Step.Filter: CustomStringConvertible {
  var description: String {
    switch self {
    case .all: ""
    case .number(let number): " where n == \(number)"
    case .target(let end, let label): " where \(end.name) == o\(label)"
    case .path(let end, let number): " where \(end.name).n == \(number)"
    }
  }
}
