// OxbowSQLTests
