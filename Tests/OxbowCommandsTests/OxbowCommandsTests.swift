// OxbowCommandsTests
