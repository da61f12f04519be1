extension ManagedObjectContext {
  /// Creates a context whose store is another context: a draft that is saved into it, or discarded.
  ///
  /// ```swift
  /// let draft = ManagedObjectContext(parent: context)
  /// let book = try draft.existingObject(with: id, as: Book.self)
  /// book.title = "Kindred"
  /// try draft.save()     // the parent's book has the title, unsaved
  /// try context.save()   // the store has it
  /// ```
  ///
  /// A child finds what its parent has, unsaved changes included, in objects of its own with the
  /// same IDs. Its save makes its changes in the parent, as a whole or not at all; the parent's
  /// save writes them. Changes of the parent since the child read are conflicts, which the child's
  /// merge policy resolves. A child that is dropped has changed nothing.
  ///
  /// The store answers SQL of a program, and so finds only what was saved there.
  ///
  /// ## Isolation
  /// A child holds its parent, belongs to its owner, and is used where it is.
  public convenience init(parent: ManagedObjectContext, name: String = "child") {
    self.init(
      parent.coordinator, name, parent.token.owner, parent: parent, ParentStore(of: parent))
  }
}
