extension ManagedObjectModel {
  /// Checks the model as a whole and reports every problem at once.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidModel`.
  package func validate() throws(PersistenceError) {
  }
}
