#if PostgreSQL
  internal import OxbowFoundation
  internal import OxbowModel
  internal import OxbowRelational

  /// Computes a derived attribute for all objects, some thousand at a time, as a save does for a
  /// few.
  ///
  /// A migration has locked the facts, which every save reads: nothing else writes meanwhile.
  struct ServerFill {
    private let fill: DerivedFill
    private let computation: DerivedComputation

    private static let keysOfBlock = 2000

    /// `nil` for an attribute without a column.
    init?(_ fill: DerivedFill, _ names: ServerNames) {
      let generator = DerivationGenerator(mapping: fill.mapping) { names.table($0) }
      guard let computation = DerivedComputation(fill.derivation, generator, names) else {
        return nil
      }
      (self.fill, self.computation) = (fill, computation)
    }

    /// What it runs for each block of objects.
    var statements: [String] {
      [
        computation.next(after: 0, limit: Self.keysOfBlock), computation.question([]),
        computation.update([]),
      ].map(\.text)
    }

    /// - Throws: ``PersistenceError``: `migrationRefused` with the number of objects whose value
    ///   the attribute cannot have.
    func run(_ session: StoreSession) throws {
      let now = Date()
      var unfit = 0
      var last = Int64.min
      while true {
        let keys = try keys(after: last, session)
        guard let end = keys.last else { break }
        unfit += try fill(keys, now, session)
        last = end
      }
      guard unfit == 0 else { throw fill.refusal(unfit) }
    }

    private func keys(after key: Int64, _ session: StoreSession) throws -> [Int64] {
      let result = try session.send([computation.next(after: key, limit: Self.keysOfBlock)])[0]
      return (0..<result.count).map { result.integer($0, 0) }
    }

    /// Computes the values of some objects; returns how many are unfit.
    private func fill(_ keys: [Int64], _ now: Date, _ session: StoreSession) throws -> Int {
      let result = try session.send([computation.question(keys)])[0]
      var (changed, unfit) = ([DerivedComputation.Changed](), 0)
      for outcome in try computation.outcomes(result, now) {
        switch outcome {
        case .changed(let value): changed.append(value)
        case .same: break
        case .unfit: unfit += 1
        }
      }
      if !changed.isEmpty { _ = try session.send([computation.update(changed)]) }
      return unfit
    }
  }
#endif
