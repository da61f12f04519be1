// OxbowRuntime
