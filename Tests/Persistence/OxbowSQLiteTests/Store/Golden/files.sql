BEGIN DEFERRED;
BEGIN IMMEDIATE;
COMMIT;
CREATE INDEX "_oxbow_files_discarded" ON "_oxbow_files" ("bytes") WHERE "discarded" IN (1);
CREATE TABLE "Photo" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "image" BLOB,
  "number" INTEGER,
  "proof" BLOB,
  "thumbnail" BLOB,
  "title" TEXT NOT NULL
) STRICT;
CREATE TABLE "_oxbow_entities" (
  "number" INTEGER PRIMARY KEY,
  "name" TEXT NOT NULL,
  "hash" TEXT NOT NULL
) STRICT;
CREATE TABLE "_oxbow_files" (
  "name" TEXT PRIMARY KEY,
  "bytes" INTEGER NOT NULL,
  "discarded" INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE "_oxbow_keys" (
  "root" INTEGER PRIMARY KEY,
  "last" INTEGER NOT NULL
) STRICT;
CREATE TABLE "_oxbow_metadata" (
  "name" TEXT PRIMARY KEY,
  "value" ANY NOT NULL
) STRICT;
CREATE TEMP TRIGGER "oxbow_watch_8_0_delete" AFTER DELETE ON main."Photo" WHEN length(OLD."image") = 58 AND substr(OLD."image", 1, 11) = X'6F78626F772D66696C653A' BEGIN UPDATE "_oxbow_files" SET "discarded" = 1 WHERE "name" = CAST(substr(OLD."image", 12, 36) AS TEXT); END;
CREATE TEMP TRIGGER "oxbow_watch_8_0_update" AFTER UPDATE OF "image" ON main."Photo" WHEN length(OLD."image") = 58 AND substr(OLD."image", 1, 11) = X'6F78626F772D66696C653A' AND OLD."image" IS NOT NEW."image" BEGIN UPDATE "_oxbow_files" SET "discarded" = 1 WHERE "name" = CAST(substr(OLD."image", 12, 36) AS TEXT); END;
CREATE TEMP TRIGGER "oxbow_watch_8_1_delete" AFTER DELETE ON main."Photo" WHEN length(OLD."proof") = 58 AND substr(OLD."proof", 1, 11) = X'6F78626F772D66696C653A' BEGIN UPDATE "_oxbow_files" SET "discarded" = 1 WHERE "name" = CAST(substr(OLD."proof", 12, 36) AS TEXT); END;
CREATE TEMP TRIGGER "oxbow_watch_8_1_update" AFTER UPDATE OF "proof" ON main."Photo" WHEN length(OLD."proof") = 58 AND substr(OLD."proof", 1, 11) = X'6F78626F772D66696C653A' AND OLD."proof" IS NOT NEW."proof" BEGIN UPDATE "_oxbow_files" SET "discarded" = 1 WHERE "name" = CAST(substr(OLD."proof", 12, 36) AS TEXT); END;
CREATE TEMP TRIGGER "oxbow_watch_8_2_delete" AFTER DELETE ON main."Photo" WHEN length(OLD."thumbnail") = 58 AND substr(OLD."thumbnail", 1, 11) = X'6F78626F772D66696C653A' BEGIN UPDATE "_oxbow_files" SET "discarded" = 1 WHERE "name" = CAST(substr(OLD."thumbnail", 12, 36) AS TEXT); END;
CREATE TEMP TRIGGER "oxbow_watch_8_2_update" AFTER UPDATE OF "thumbnail" ON main."Photo" WHEN length(OLD."thumbnail") = 58 AND substr(OLD."thumbnail", 1, 11) = X'6F78626F772D66696C653A' AND OLD."thumbnail" IS NOT NEW."thumbnail" BEGIN UPDATE "_oxbow_files" SET "discarded" = 1 WHERE "name" = CAST(substr(OLD."thumbnail", 12, 36) AS TEXT); END;
CREATE UNIQUE INDEX "Photo_number_unique" ON "Photo" ("number");
CREATE UNIQUE INDEX "_oxbow_entities_name_unique" ON "_oxbow_entities" ("name");
DELETE FROM "Photo" WHERE "_id" = ? AND "_version" = ?;
DELETE FROM "Photo" WHERE "_id" BETWEEN ? AND ? AND "_version" = ?;
DELETE FROM "_oxbow_entities";
DELETE FROM "_oxbow_files" WHERE "name" = ?;
INSERT INTO "_oxbow_keys" ("root", "last") VALUES (?, 0) ON CONFLICT DO NOTHING;
INSERT INTO "_oxbow_metadata" ("name", "value") VALUES ('upkeep', 1) ON CONFLICT ("name") DO UPDATE SET "value" = "value" + 1;
INSERT OR ABORT INTO "Photo" ("_id", "_version", "image", "number", "proof", "thumbnail", "title") VALUES (?, 1, ?, ?, ?, ?, ?);
INSERT OR ABORT INTO "_oxbow_entities" ("number", "name", "hash") VALUES (?, ?, ?);
INSERT OR ABORT INTO "_oxbow_files" ("name", "bytes", "discarded") VALUES (?, ?, 0);
INSERT OR ABORT INTO "_oxbow_metadata" ("name", "value") VALUES (?, ?) ON CONFLICT ("name") DO UPDATE SET "value" = excluded."value";
PRAGMA cache_size = -8000;
PRAGMA cell_size_check = ON;
PRAGMA encoding;
PRAGMA integrity_check(100);
PRAGMA journal_mode;
PRAGMA journal_mode = WAL;
PRAGMA mmap_size = 0;
PRAGMA page_size;
PRAGMA query_only = ON;
PRAGMA schema_version;
PRAGMA synchronous = 2;
SELECT "name" FROM "_oxbow_files" WHERE "discarded" IN (1);
SELECT "name", "bytes", "discarded" FROM "_oxbow_files";
SELECT "name", "value" FROM "_oxbow_metadata";
SELECT "number", "name", "hash" FROM "_oxbow_entities" ORDER BY "number";
SELECT "table", parent, fkid, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2, 3 LIMIT 100;
SELECT "value" FROM "_oxbow_metadata" WHERE "name" = 'past_entities';
SELECT "value" FROM "_oxbow_metadata" WHERE "name" = 'saves';
SELECT _rowid_, "image" FROM "Photo" WHERE typeof("image") = 'blob' AND length("image") = 58 AND substr("image", 1, 11) = X'6F78626F772D66696C653A';
SELECT _rowid_, "proof" FROM "Photo" WHERE typeof("proof") = 'blob' AND length("proof") = 58 AND substr("proof", 1, 11) = X'6F78626F772D66696C653A';
SELECT _rowid_, "thumbnail" FROM "Photo" WHERE typeof("thumbnail") = 'blob' AND length("thumbnail") = 58 AND substr("thumbnail", 1, 11) = X'6F78626F772D66696C653A';
SELECT count(*) FROM "_oxbow_files" WHERE "name" = ?;
SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '_oxbow_files';
SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '_oxbow_saves';
SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '_oxbow_search';
SELECT count(*) FROM sqlite_schema;
SELECT count(*) FROM sqlite_schema AS s, pragma_foreign_key_list(s.name) AS f WHERE s.type = 'table' AND lower(f."table") = lower(?) AND lower(f."to") = lower(?);
SELECT count(*) FROM temp.sqlite_schema WHERE type = 'trigger' AND name GLOB ?;
SELECT count(*), coalesce(sum("bytes"), 0) FROM "_oxbow_files" WHERE "discarded" IN (1);
SELECT name FROM pragma_index_info(?);
SELECT name FROM pragma_index_list(?) WHERE "unique" = 1;
SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name;
SELECT name FROM temp.sqlite_schema WHERE type = 'trigger' AND name GLOB ?;
SELECT name, type, "notnull" FROM pragma_table_info(?);
SELECT strict FROM pragma_table_list(?) WHERE schema = 'main';
SELECT t.name, t.wr, c.name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c WHERE t.schema = 'main' AND t.type = 'table' AND (NOT t.strict OR upper(c.type) IN ('BLOB', 'ANY')) ORDER BY t.name, c.cid;
SELECT t0."_id", t0."_version", t0."image", t0."number", t0."proof", t0."thumbnail", t0."title" FROM "Photo" AS t0 WHERE t0."_id" IN (?);
UPDATE OR ABORT "Photo" AS t0 SET "image" = ?, "_version" = "_version" + 1 WHERE t0."_id" IN (SELECT t0."_id" FROM "Photo" AS t0) RETURNING "_id", "image";
UPDATE OR ABORT "Photo" AS t0 SET "image" = NULL, "_version" = "_version" + 1 WHERE t0."_id" IN (SELECT t0."_id" FROM "Photo" AS t0) RETURNING "_id", "image";
UPDATE OR ABORT "Photo" SET "image" = ? WHERE _rowid_ = ?;
UPDATE OR ABORT "Photo" SET "image" = ?, "_version" = "_version" + 1 WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Photo" SET "image" = ?, "number" = ?, "_version" = "_version" + 1 WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Photo" SET "number" = ? WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Photo" SET "title" = ?, "_version" = "_version" + 1 WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "_oxbow_metadata" SET "value" = "value" + 1 WHERE "name" = 'saves';
UPDATE OR ABORT "_oxbow_metadata" SET "value" = 2 WHERE "name" = 'layout_version' AND "value" < 2;
UPDATE OR ABORT "_oxbow_metadata" SET "value" = ? WHERE "name" = 'saves' AND "value" = ?;
