// `OxbowDocuments` is hidden; these are the types of it that stand in the API of this target.
@_exported public import struct OxbowDocuments.DocumentError
@_exported public import struct OxbowDocuments.DocumentLimits
@_exported public import struct OxbowDocuments.SourceLocation
