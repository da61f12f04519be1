/// A change of tables beside programs with the model before, which do not notice it until its end:
/// what is made under reserved names, part by part, and what is left for one short transaction.
package struct OnlineChange: Hashable, Sendable {
  /// A piece that is done, or not, whatever becomes of the others.
  package struct Part: Hashable, Sendable {
    package enum Way: Hashable, Sendable {
      /// In one short transaction.
      case whole
      /// In transactions of some thousand keys each; the statement has the key before the first and
      /// the last one as its parameters.
      case ranges(key: String)
      /// In no transaction: what makes an index while rows are written.
      case concurrently(index: String)
    }

    package var operation: MigrationOperation
    package var way: Way

    package init(_ operation: MigrationOperation, _ way: Way = .whole) {
      (self.operation, self.way) = (operation, way)
    }
  }

  package var parts: [Part] = []

  /// What is left to do, from the tables as the parts leave them.
  package var closing: TableMigration

  /// Why the change cannot be made in this way, in words; without any it can.
  package var refusals: [String] = []

  package init(closing: TableMigration) { self.closing = closing }
}
