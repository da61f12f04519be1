// OxbowSQLite
