internal import OxbowModel
internal import OxbowRelational

extension Migrator {
  /// What distinguishes the tables and rows of this store from those of another one, in words;
  /// reads only.
  ///
  /// Versions of rows do not count.
  public func differences(to other: Migrator) throws -> [String] {
    Self.differences(try contents(), try other.contents())
  }
}
