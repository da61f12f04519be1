#if OXBOW_INVARIANT_CHECKS
  import OxbowModel
  import OxbowStore
  import Testing

  @testable import OxbowContext

  /// What `Scripts/invariants` looks for, in contexts that were broken on purpose.
  @Suite struct ContextInvariantTests {
    let graph: Graph

    init() throws { graph = try Graph() }

    private func broken(_ harm: (ManagedObjectContext, ManagedObject) throws -> Void) throws
      -> String?
    {
      let context = graph.context()
      let doc = try context.get(try graph.make("Doc")[0])
      #expect(context.brokenInvariant() == nil)
      try harm(context, doc)
      return context.brokenInvariant()
    }

    @Test func `a change that no save writes is found`() throws {
      let text = try broken { _, doc in
        let name = try #require(doc.entity.property(named: "name"))
        doc.makeOverlay()[name.index] = .null
      }
      #expect(text?.contains("has edits that no save writes") == true)
    }

    @Test func `a changed object that is in no list is found`() throws {
      let text = try broken { _, doc in doc._state.insert(.updated) }
      #expect(text?.contains("is changed and in no list") == true)
    }

    @Test func `a deleted object that is in no list is found`() throws {
      let text = try broken { _, doc in doc._state.insert(.deleted) }
      #expect(text == "1 objects are deleted, and 0 are in the list")
    }

    @Test func `a member that went and is there is found`() throws {
      let text = try broken { context, doc in
        let marks = try #require(doc.entity.property(named: "marks"))
        let mark = try context.insert(entityNamed: "Mark").reference
        doc.updateCollection(marks) { $0.remove(mark) }
        context.unsaved.update(doc)
        doc.updateCollection(marks) { $0.members = MemberList([mark]) }
      }
      #expect(text?.contains("in 'marks'") == true)
    }

    @Test func `links to what is not deleted are found`() throws {
      let text = try broken { context, doc in context.untiedLinks[doc.reference] = [] }
      #expect(text?.contains("which is not deleted") == true)
    }
  }
#endif
