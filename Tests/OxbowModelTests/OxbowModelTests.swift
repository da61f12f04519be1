// OxbowModelTests
