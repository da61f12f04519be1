import OxbowModel

/// Scripts that somebody could write, for a model of persons, their pets and a log.
enum LintScripts {
  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      "Person",
      attributes: [
        AttributeDescription("name", .string),
        AttributeDescription("email", .string, isOptional: true),
        AttributeDescription("age", .integer32, isOptional: true),
      ],
      relationships: [
        RelationshipDescription("pets", to: "Pet", inverse: "owner", isToMany: true)
      ], fetchIndexes: [FetchIndexDescription("byName", elements: [.init("name")])]),
    EntityDescription(
      "Pet",
      attributes: [
        AttributeDescription("name", .string),
        AttributeDescription("born", .date, isOptional: true),
        AttributeDescription("weight", .double, isOptional: true),
      ],
      relationships: [
        RelationshipDescription("owner", to: "Person", inverse: "pets", isOptional: true)
      ]),
    EntityDescription(
      "Log",
      attributes: [
        AttributeDescription("text", .string), AttributeDescription("level", .integer16),
      ]),
  ])

  /// What a script can do to data or to programs, and what is found.
  static let dangerous: [(script: String, rules: [String])] = [
    // Tables and columns that go or get other names.
    ("DROP TABLE Log", ["OX201", "OX210"]),
    ("DROP TABLE IF EXISTS Log", ["OX201", "OX210"]),
    ("ALTER TABLE Person DROP COLUMN email", ["OX201", "OX210"]),
    ("ALTER TABLE Log RENAME TO Entry", ["OX210"]),
    ("ALTER TABLE Person RENAME COLUMN email TO mail", ["OX210"]),
    ("ALTER TABLE Person ADD COLUMN code TEXT NOT NULL", ["OX210"]),
    ("ALTER TABLE Person ADD COLUMN code TEXT NOT NULL DEFAULT 'x'", ["OX210"]),
    ("ALTER TABLE Log ADD COLUMN mark TEXT DEFAULT (random())", ["OX210"]),
    ("DROP INDEX Pet_owner_index", ["OX210"]),
    (
      "CREATE TABLE n AS SELECT * FROM Person; DROP TABLE Person; ALTER TABLE n RENAME TO Person",
      ["OX201", "OX210"]
    ),
    (
      "ALTER TABLE Pet ADD COLUMN keeper INTEGER REFERENCES Person ON DELETE CASCADE",
      ["OX210"]
    ),
    // Rows.
    ("DELETE FROM Log", ["OX202"]), ("DELETE FROM Log WHERE 1", ["OX202"]),
    ("DELETE FROM Log WHERE true", ["OX202"]), ("DELETE FROM Log WHERE 1 = 1", ["OX202"]),
    ("DELETE FROM Log WHERE (text LIKE '%') OR level = 2", ["OX202"]),
    ("UPDATE Log SET level = 1, _version = _version + 1", ["OX202"]),
    ("UPDATE Log SET level = 1, _version = _version + 1 WHERE level = level", ["OX202"]),
    ("UPDATE Person SET age = 0 WHERE age IS NULL", ["OX204"]),
    ("INSERT OR REPLACE INTO Log (_id, _version, text, level) VALUES (1, 1, 'a', 1)", ["OX203"]),
    ("REPLACE INTO Log (_id, _version, text, level) VALUES (1, 1, 'a', 1)", ["OX203"]),
    (
      "INSERT INTO Log (_id, _version, text, level) VALUES (1, 1, 'a', 1) "
        + "ON CONFLICT DO UPDATE SET level = 2", ["OX204"]
    ),
    ("UPDATE Person SET _id = _id + 1000, _version = _version + 1", ["OX202"]),
    ("DELETE FROM Person WHERE age < 0", ["OX215"]),
    ("CREATE UNIQUE INDEX one ON Person (email)", ["OX106"]),
    (
      "UPDATE Person SET name = NULL, _version = _version + 1 WHERE _id = 7",
      ["OX212"]
    ),
    (
      "UPDATE Log SET level = 0, _version = _version + 1 WHERE _id NOT IN (SELECT owner FROM Pet)",
      ["OX213"]
    ),
    ("DELETE FROM Log WHERE text NOT IN (SELECT DISTINCT p.email FROM Person AS p)", ["OX213"]),
    ("DELETE FROM Log WHERE level NOT IN (1, NULL)", ["OX213"]),
    // Values.
    ("UPDATE Pet SET born = CURRENT_TIMESTAMP, _version = _version + 1 WHERE _id = 1", ["OX211"]),
    ("UPDATE Pet SET born = date('now'), _version = _version + 1 WHERE _id = 1", ["OX211"]),
    ("INSERT INTO Pet (_id, _version, name, born) VALUES (1, 1, 'a', datetime('now'))", ["OX211"]),
    ("UPDATE Person SET age = 'old', _version = _version + 1 WHERE _id = 1", ["OX211"]),
    ("INSERT INTO Log (text, level) VALUES ('a', 1)", ["OX209"]),
    ("INSERT INTO Log SELECT * FROM Log WHERE level > 1", ["OX214"]),
    // What a script may not do, and slips.
    ("PRAGMA foreign_keys = OFF", ["OX206"]), ("PRAGMA writable_schema = ON", ["OX206"]),
    ("BEGIN; SELECT 1; COMMIT", ["OX206", "OX206"]), ("VACUUM", ["OX206"]),
    ("ATTACH 'x.sqlite' AS x", ["OX206"]), ("SELECT load_extension('x')", ["OX206"]),
    ("DELETE FROM _oxbow_history", ["OX202", "OX206"]),
    ("UPDATE _oxbow_metadata SET value = 1 WHERE key = 'saves'", ["OX206"]),
    (
      "CREATE TRIGGER t AFTER UPDATE ON Person BEGIN UPDATE Pet SET weight = 1 WHERE owner = new._id; "
        + "END", ["OX216"]
    ),
    ("CREATE TABLE note (person INTEGER REFERENCES Person (_id))", ["OX207"]),
    ("UPDATE Person SET emial = 'x', _version = _version + 1 WHERE _id = 1", ["OX209"]),
    ("UPDATE Persn SET email = 'x' WHERE _id = 1", ["OX209"]),
    ("UPDTE Person SET age = 1", ["OX209"]),
    (
      "UPDATE Person SET email = \"active\", _version = _version + 1 WHERE _id = 1", ["OX209"]
    ),
    (
      "CREATE VIEW v AS SELECT nix FROM Person", ["OX210"]
    ),
  ]

  /// What a script may do; only notes are found, if anything.
  static let harmless: [String] = [
    "CREATE TEMP TABLE w AS SELECT _id FROM Person WHERE age IS NULL; "
      + "UPDATE Person SET age = 0, _version = _version + 1 WHERE _id IN (SELECT _id FROM w); "
      + "DELETE FROM w; DROP TABLE w",
    "DROP TABLE IF EXISTS own_old",
    "CREATE TABLE own (id INTEGER PRIMARY KEY, t TEXT); CREATE TRIGGER own_t AFTER INSERT ON own "
      + "BEGIN UPDATE own SET t = 'x' WHERE id = new.id; END",
    "CREATE TABLE own (id INTEGER PRIMARY KEY, j TEXT CHECK (json_valid(j)))",
    "CREATE TABLE IF NOT EXISTS own (id INTEGER PRIMARY KEY); CREATE TABLE IF NOT EXISTS own (id)",
    "CREATE TABLE own (id INTEGER PRIMARY KEY); REPLACE INTO own VALUES (1); DROP TABLE own",
    "CREATE TABLE own (a, b); CREATE UNIQUE INDEX own_a ON own (a); ALTER TABLE own DROP COLUMN b",
    "CREATE TABLE own (a TEXT); INSERT INTO own SELECT name FROM Person; UPDATE own SET a = upper(a)",
    "CREATE TABLE own (p INTEGER REFERENCES Person ON DELETE CASCADE); CREATE INDEX own_p ON own (p)",
    "CREATE TABLE kept AS SELECT * FROM Log",
    "UPDATE Person SET age = 0, _version = _version + 1 WHERE age IS NULL",
    "UPDATE Person SET name = trim(name), _version = _version + 1 WHERE name <> trim(name)",
    "UPDATE Person SET email = NULL, _version = _version + 1 WHERE email = ''",
    "UPDATE Person SET email = lower(email), _version = _version + 1 WHERE email IS NOT NULL",
    "UPDATE Person SET age = CAST(email AS INTEGER), _version = _version + 1 WHERE email GLOB '[0-9]*'",
    "UPDATE Person SET name = (SELECT name FROM Pet WHERE owner = Person._id LIMIT 1), "
      + "_version = _version + 1 WHERE _id IN (SELECT owner FROM Pet)",
    "UPDATE Pet SET weight = weight * 2, _version = _version + 1 WHERE weight < 1",
    "UPDATE Pet SET born = (julianday('2020-01-01') - 2451910.5) * 86400, _version = _version + 1 "
      + "WHERE born IS NULL",
    "UPDATE Pet SET weight = 3, _version = _version + 1 WHERE _id = 1",
    "UPDATE Pet SET owner = NULL, _version = _version + 1 WHERE owner = 7",
    "WITH old AS (SELECT _id FROM Pet WHERE born < 0) UPDATE Pet SET weight = 0, "
      + "_version = _version + 1 WHERE _id IN (SELECT _id FROM old)",
    "UPDATE Pet SET weight = p.age, _version = Pet._version + 1 FROM Person AS p "
      + "WHERE p._id = Pet.owner",
    "INSERT INTO Log (_id, _version, text, level) VALUES (1, 1, 'a', 1), (2, 1, 'b', 2)",
    "INSERT OR IGNORE INTO Log (_id, _version, text, level) VALUES (1, 1, 'a', 1)",
    "INSERT INTO Log (_id, _version, text, level) SELECT _id, 1, name, 0 FROM Person",
    "INSERT INTO Log (_id, _version, text, level) VALUES (1, 1, 'a', 1) ON CONFLICT DO NOTHING",
    "INSERT INTO Log (_id, _version, text, level) VALUES (1, 1, 'a', 1) "
      + "ON CONFLICT DO UPDATE SET level = 2, _version = Log._version + 1",
    "DELETE FROM Log WHERE level = 1", "DELETE FROM Log WHERE level NOT IN (1, 2)",
    "DELETE FROM Pet WHERE owner IN (SELECT _id FROM Person WHERE age < 0); "
      + "DELETE FROM Person WHERE age < 0",
    "DELETE FROM Log WHERE text NOT IN (SELECT name FROM Person)",
    "DELETE FROM Log WHERE text NOT IN (SELECT email FROM Person WHERE email IS NOT NULL)",
    "DELETE FROM Log WHERE level BETWEEN 1 AND 2 AND text LIKE 'a%'",
    "CREATE INDEX own_i ON Person (lower(email))",
    "CREATE INDEX own_i ON Person (json_extract(email, '$.a'))",
    "DROP INDEX IF EXISTS own_index", "CREATE VIEW v AS SELECT name FROM Person; SELECT * FROM v",
    "CREATE VIRTUAL TABLE own_ft USING fts5 (name); CREATE TRIGGER own_t AFTER INSERT ON Person "
      + "BEGIN INSERT INTO own_ft (rowid, name) VALUES (new._id, new.name); END",
    "CREATE TRIGGER own_t BEFORE DELETE ON Person WHEN old.age > 100 "
      + "BEGIN SELECT RAISE(ABORT, 'kept'); END",
    "PRAGMA user_version; PRAGMA table_info(Person); SELECT count(*) FROM Person; ANALYZE; REINDEX",
    "DROP INDEX Pet_owner_index; CREATE INDEX Pet_owner_index ON Pet (owner)",
  ]
}
