@_exported public import OxbowRuntime
