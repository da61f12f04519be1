// OxbowRuntimeTests
