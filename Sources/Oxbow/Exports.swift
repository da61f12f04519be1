@_exported public import OxbowAttributes
@_exported public import OxbowRuntime
