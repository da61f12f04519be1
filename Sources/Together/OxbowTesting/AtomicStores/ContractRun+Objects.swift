internal import OxbowFoundation
internal import OxbowRuntime

// The rules about objects and what they have.

extension ContractRun {
  func check() throws {
    switch rule {
    case .newStore: try newStore()
    case .values: try values()
    case .absence: try absence()
    case .links: try links()
    case .order: try order()
    case .updates: try updates()
    case .batches: try batches()
    case .deletes: try deletes()
    case .returning: try returning()
    case .versions: try versions()
    case .keys: try keys()
    case .metadata: try metadata()
    case .loading: try loading()
    case .interruption: try interruption()
    case .damage: try damage()
    case .otherModel: try otherModel()
    case .independence: try independence()
    case .manyObjects: try manyObjects()
    case .threads: try threads()
    case .history: try history()
    }
  }

  // MARK: Values

  private func values() throws {
    try change { context in
      for (name, values) in ContractValues.all {
        for (index, value) in values.enumerated() {
          let thing = try context.insertThing("\(name) \(index)")
          try thing.set(value, for: name)
        }
      }
      for text in ContractValues.texts {
        let thing = try context.insertThing("place")
        try thing.setValue(text, for: "place.name")
        try thing.setValue(0.1, for: "place.x")
      }
    }
  }

  private func absence() throws {
    try change { context in
      _ = try context.insertThing("nothing")
      let empty = try context.insertThing("")
      try empty.setValue("", for: "string")
      try empty.setValue(Data(), for: "data")
      try empty.setValue(Data(), for: "transformable")
      try empty.setValue(0.0, for: "double")
      try empty.setValue(false, for: "boolean")
      try empty.setValue("", for: "place.name")
    }
    // What had a value has none, and the other way round.
    try change { context in
      for thing in try context.things() {
        let isEmpty = try thing.value("string", as: String.self) == nil
        try thing.setValue(isEmpty ? "" : nil, for: "string")
        try thing.setValue(isEmpty ? Data() : nil, for: "data")
        try thing.setValue(isEmpty ? 0.0 : nil, for: "double")
        try thing.setValue(isEmpty ? "" : nil, for: "place.name")
      }
    }
  }

  // MARK: Links

  private func links() throws {
    try change { try ContractGraph($0).make() }
    try change { try ContractGraph($0).tieAnew() }
    try change { try ContractGraph($0).untie() }
  }

  private func order() throws {
    try change { try ContractGraph($0).make() }
    for seed in 1...4 as ClosedRange<UInt64> {
      try change { try ContractGraph($0).shuffle(seed) }
    }
  }

  // MARK: Changes

  private func updates() throws {
    try change { context in
      for number in 0..<20 {
        try context.insertThing("thing \(number)").set(.integer(1), for: "count")
      }
    }
    for round in 0..<3 {
      try change { context in
        for thing in try context.things().enumerated() where thing.offset % 3 == round {
          try thing.element.set(.string("round \(round)"), for: "string")
          try thing.element.set(.double(Double(round) / 3), for: "double")
        }
      }
    }
  }

  private func batches() throws {
    try change { context in
      for number in 0..<20 { try context.insertThing("thing \(number)") }
    }
    try change { context in
      let all = FetchRequest<ManagedObject>(entityNamed: "Thing")
      _ = try context.batchUpdate(all, [("string", .value(.attribute(.string("all"))))])
    }
    try change { context in
      let some = FetchRequest<ManagedObject>(
        entityNamed: "Thing", where: try FetchPredicate(format: "title ENDSWITH '1'"))
      _ = try context.batchDelete(some)
    }
  }

  private func deletes() throws {
    try change { try ContractGraph($0).make() }
    try change { context in
      for name in ["Tag", "Leaf", "Passport"] {
        for object in try context.objects(name).prefix(2) { try context.delete(object) }
      }
    }
    try change { context in
      for object in try context.objects("Item") { try context.delete(object) }
      for object in try context.objects("Tag") { try context.delete(object) }
      for object in try context.objects("Passport") { try context.delete(object) }
    }
  }

  private func returning() throws {
    try change { try ContractGraph($0).make() }
    try change { context in
      context.isUndoEnabled = true
      for object in try context.objects("Leaf") { try context.delete(object) }
      try context.save()
      try context.undo()
    }
  }

  private func versions() throws {
    try change(comparesVersions: true) { context in
      for number in 0..<5 { try context.insertThing("thing \(number)") }
    }
    for round in 0..<3 {
      try change(comparesVersions: true) { context in
        for thing in try context.things().dropFirst(round) {
          try thing.set(.integer(Int64(round)), for: "integer64")
        }
      }
    }
  }

  // MARK: Many

  private func manyObjects() throws {
    try change { context in
      for number in 0..<2500 {
        let thing = try context.insertThing("thing \(number)")
        try thing.set(.string(String(repeating: "x", count: number % 100)), for: "string")
      }
    }
    try change { context in
      for (number, thing) in try context.things().enumerated() where number % 10 == 0 {
        if number % 20 == 0 {
          try context.delete(thing)
        } else {
          try thing.set(.boolean(true), for: "boolean")
        }
      }
    }
  }

  private func history() throws {
    for seed in 1...12 as ClosedRange<UInt64> {
      try change(comparesVersions: true) { context in
        var walk = ContractWalk(context, seed: seed)
        for _ in 0..<4 {
          try walk.go(steps: 12)
          try context.save()
        }
        try context.insertThing("seed \(seed)")
      }
    }
  }
}
