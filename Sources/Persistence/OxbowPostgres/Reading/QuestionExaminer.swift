#if PostgreSQL
  internal import OxbowFoundation
  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  /// Refuses questions that a store in a file refuses, in the same words.
  ///
  /// The generators of statements check names, types and depths. Theirs is SQLite's language, so
  /// what they write is not used.
  struct QuestionExaminer: Sendable {
    private let mapping: StoreMapping
    private let store: UUID

    init(_ model: CompiledModel, _ store: UUID) {
      mapping = PlainLayout.mapping(of: model)
      self.store = store
    }

    private var generator: SelectGenerator { SelectGenerator(mapping: mapping, store: store) }

    private func shape(_ entity: Int, _ includesSubentities: Bool) -> RowShape {
      RowShape(
        of: mapping.model.entities[entity], includesSubentities: includesSubentities, in: mapping)
    }

    /// - Throws: ``PersistenceError`` with `invalidPredicate`, `unknownProperty` or `unsupported`.
    func check(_ fetch: StoreFetch) throws(PersistenceError) {
      guard !fetch.sortKeys.haveRank else {
        throw .notYet("ranks of searches", "sort by attributes instead")
      }
      guard fetch.predicate != nil || !fetch.sortKeys.isEmpty else { return }
      var fetch = fetch
      // That is the server's language.
      fetch.predicate = try fetch.predicate?.withoutSQL()
      _ = try generator.rows(fetch, shape(fetch.entity, fetch.includesSubentities))
    }

    /// Checks a question for values, and returns the types of its columns.
    func types(_ query: ColumnQuery) throws(PersistenceError) -> [AttributeType] {
      guard query.searchColumn == nil else {
        throw .notYet("ranks and snippets of searches", "fetch the texts themselves")
      }
      var query = query
      query.predicate = try query.predicate?.withoutSQL()
      return try generator.columns(query, shape(query.entity, query.includesSubentities)).types
    }

    /// Checks an update of many objects.
    func check(_ update: StoreUpdate) throws(PersistenceError) {
      var update = update
      update.fetch.predicate = try update.fetch.predicate?.withoutSQL()
      _ = try generator.update(
        update, shape(update.fetch.entity, update.fetch.includesSubentities))
    }
  }
#endif
