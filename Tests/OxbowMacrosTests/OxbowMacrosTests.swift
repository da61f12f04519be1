// OxbowMacrosTests
