// OxbowMigrationTests
