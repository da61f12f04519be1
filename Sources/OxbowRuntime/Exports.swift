@_exported public import OxbowAssembly
@_exported public import OxbowContainer
@_exported public import OxbowContext
@_exported public import OxbowDocuments
@_exported public import OxbowMigration
@_exported public import OxbowModel
@_exported public import OxbowSQLite
@_exported public import OxbowStore
