// OxbowContextTests
