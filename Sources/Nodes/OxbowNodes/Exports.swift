@_exported public import OxbowContainer
@_exported public import OxbowDocuments
