// OxbowMigration
