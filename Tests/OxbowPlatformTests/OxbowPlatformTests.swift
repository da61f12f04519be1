// OxbowPlatformTests
