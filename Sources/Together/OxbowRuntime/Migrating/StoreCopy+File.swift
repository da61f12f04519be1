public import OxbowMigration
internal import OxbowSQLite

extension StoreCopy.Place {
  /// A store in a file; as a destination, a path where there is nothing.
  ///
  /// Values of attributes with external storage are beside it, from `externalStorageThreshold`
  /// bytes on.
  public static func file(
    _ path: String, externalStorageThreshold: Int = 100 << 10
  ) -> StoreCopy.Place {
    StoreCopy.Place(SQLiteCopyEngine(path, threshold: externalStorageThreshold))
  }
}
