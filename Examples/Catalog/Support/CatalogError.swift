/// What keeps the catalog from doing what it was asked to do.
struct CatalogError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
