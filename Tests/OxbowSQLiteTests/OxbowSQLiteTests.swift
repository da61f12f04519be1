// OxbowSQLiteTests
