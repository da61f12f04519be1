// OxbowTests
