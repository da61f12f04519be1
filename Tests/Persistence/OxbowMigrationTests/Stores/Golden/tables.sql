ALTER TABLE "Animal" RENAME TO "Cat";
ALTER TABLE "File" ADD COLUMN "_type" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "File" ADD COLUMN "form" TEXT;
ALTER TABLE "File" ADD COLUMN "place" TEXT;
ALTER TABLE "File" ADD COLUMN "rank" INTEGER NOT NULL DEFAULT 7;
ALTER TABLE "File" ADD COLUMN "width" INTEGER;
ALTER TABLE "File" RENAME COLUMN "_oxbow_old_1" TO "name";
ALTER TABLE "File" RENAME COLUMN "kind" TO "_oxbow_old_1";
ALTER TABLE "File" RENAME COLUMN "name" TO "kind";
ALTER TABLE "File" RENAME COLUMN "size" TO "byteCount";
ALTER TABLE "File" RENAME TO "Folder";
ALTER TABLE "File" RENAME TO "Item";
ALTER TABLE "Folder" ADD COLUMN "_cover_type" INTEGER;
ALTER TABLE "Folder" ADD COLUMN "bytes" INTEGER;
ALTER TABLE "Folder" ADD COLUMN "count" INTEGER;
ALTER TABLE "Folder" ADD COLUMN "cover" INTEGER REFERENCES "File" ("_id") DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "Folder" ADD COLUMN "key" TEXT;
ALTER TABLE "Folder" ADD COLUMN "saved" REAL;
ALTER TABLE "Folder" RENAME TO "_oxbow_old_1";
ALTER TABLE "Item" RENAME TO "File";
ALTER TABLE "Note_marks" RENAME TO "Note_tags";
ALTER TABLE "Note_tags" RENAME TO "_oxbow_old_1";
ALTER TABLE "_oxbow_new_Cat" RENAME TO "Cat";
ALTER TABLE "_oxbow_new_Cat_enemies" RENAME TO "Cat_enemies";
ALTER TABLE "_oxbow_new_Dog" RENAME TO "Dog";
ALTER TABLE "_oxbow_new_File" RENAME TO "File";
ALTER TABLE "_oxbow_new_File_folder" RENAME TO "File_folder";
ALTER TABLE "_oxbow_new_Folder" RENAME TO "Folder";
ALTER TABLE "_oxbow_new_Item" RENAME TO "Item";
ALTER TABLE "_oxbow_old_1" RENAME TO "File";
ALTER TABLE "_oxbow_old_1" RENAME TO "Note_marks";
BEGIN DEFERRED;
BEGIN IMMEDIATE;
COMMIT;
CREATE INDEX "Animal_mother_index" ON "Animal" ("mother");
CREATE INDEX "Animal_owner__owner_position_index" ON "Animal" ("owner", "_owner_position");
CREATE INDEX "Cat_enemies_member_owner_index" ON "Cat_enemies" ("member", "owner");
CREATE INDEX "Dog_mother_index" ON "Dog" ("mother");
CREATE INDEX "Dog_owner__owner_position_index" ON "Dog" ("owner", "_owner_position");
CREATE INDEX "File_byName" ON "File" ("name");
CREATE INDEX "File_folder_index" ON "File" ("folder");
CREATE INDEX "File_folder_member_owner_index" ON "File_folder" ("member", "owner");
CREATE INDEX "File_labels_member_owner_index" ON "File_labels" ("member", "owner");
CREATE INDEX "Folder_byName" ON "Folder" ("name");
CREATE INDEX "Folder_cover_index" ON "Folder" ("cover");
CREATE INDEX "Folder_folder_index" ON "Folder" ("folder");
CREATE INDEX "Item_byName" ON "Item" ("name");
CREATE INDEX "Item_folder_index" ON "Item" ("folder");
CREATE INDEX "Note_marks_member_owner_index" ON "Note_marks" ("member", "owner");
CREATE INDEX "Note_tags_member_owner_index" ON "Note_tags" ("member", "owner");
CREATE TABLE "A" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "ofA" TEXT
) STRICT;
CREATE TABLE "Animal" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "name" TEXT,
  "mood" TEXT,
  "breed" TEXT,
  "mother" INTEGER,
  "_mother_type" INTEGER,
  "owner" INTEGER,
  "_owner_position" INTEGER,
  "age" TEXT,
  FOREIGN KEY ("mother") REFERENCES "Animal" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("owner") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "B" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "ofB" TEXT
) STRICT;
CREATE TABLE "C" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "ofC" TEXT
) STRICT;
CREATE TABLE "Cat_enemies" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Animal" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Animal" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "File" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "folder" INTEGER NOT NULL,
  "kind" TEXT,
  "name" TEXT NOT NULL,
  "size" INTEGER NOT NULL,
  FOREIGN KEY ("folder") REFERENCES "Folder" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "File_labels" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "File" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Label" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "Folder" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "path" TEXT NOT NULL
) STRICT;
CREATE TABLE "Label" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "title" TEXT NOT NULL
) STRICT;
CREATE TABLE "Note" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL
) STRICT;
CREATE TABLE "Note_marks" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Note" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Tag" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "Note_tags" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  "member_position" INTEGER,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Note" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Tag" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "Person" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL
) STRICT;
CREATE TABLE "Tag" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL
) STRICT;
CREATE TABLE "_oxbow_entities" (
  "number" INTEGER PRIMARY KEY,
  "name" TEXT NOT NULL,
  "hash" TEXT NOT NULL
) STRICT;
CREATE TABLE "_oxbow_history" (
  "seq" INTEGER PRIMARY KEY,
  "id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "event" TEXT NOT NULL,
  "checksum" TEXT,
  "algorithm" TEXT,
  "model_before" TEXT,
  "model_after" TEXT,
  "cursor" TEXT,
  "started" TEXT NOT NULL,
  "finished" TEXT NOT NULL,
  "tool" TEXT NOT NULL,
  "engine" TEXT NOT NULL,
  "host" TEXT NOT NULL,
  "user" TEXT NOT NULL,
  "plan" TEXT
) STRICT;
CREATE TABLE "_oxbow_keys" (
  "root" INTEGER PRIMARY KEY,
  "last" INTEGER NOT NULL
) STRICT;
CREATE TABLE "_oxbow_links_1" ("owner" INTEGER PRIMARY KEY, "member" INTEGER NOT NULL, "member_entity" INTEGER, "owner_position" INTEGER) STRICT;
CREATE TABLE "_oxbow_metadata" (
  "name" TEXT PRIMARY KEY,
  "value" ANY NOT NULL
) STRICT;
CREATE TABLE "_oxbow_new_Cat" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "mood" TEXT,
  "name" TEXT
) STRICT;
CREATE TABLE "_oxbow_new_Cat_enemies" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Cat" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Dog" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "_oxbow_new_Dog" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "breed" TEXT,
  "mother" INTEGER,
  "_mother_type" INTEGER,
  "name" TEXT,
  "owner" INTEGER,
  "_owner_position" INTEGER,
  "age" TEXT,
  FOREIGN KEY ("mother") REFERENCES "Dog" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("owner") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_File" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "byteCount" INTEGER NOT NULL,
  "folder" INTEGER NOT NULL,
  "kind" TEXT,
  "name" TEXT NOT NULL,
  "rank" INTEGER NOT NULL,
  FOREIGN KEY ("folder") REFERENCES "Folder" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_File" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "folder" INTEGER NOT NULL,
  "kind" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "size" INTEGER NOT NULL,
  FOREIGN KEY ("folder") REFERENCES "Folder" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_File" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "folder" INTEGER NOT NULL,
  "kind" TEXT,
  "name" TEXT NOT NULL,
  "size" INTEGER NOT NULL,
  FOREIGN KEY ("folder") REFERENCES "Folder" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_File" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "folder" INTEGER NOT NULL,
  "kind" TEXT,
  "name" TEXT NOT NULL,
  "size" REAL NOT NULL,
  FOREIGN KEY ("folder") REFERENCES "Folder" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_File" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "folder" INTEGER NOT NULL,
  "kind" TEXT,
  "name" TEXT NOT NULL,
  "size" TEXT NOT NULL,
  FOREIGN KEY ("folder") REFERENCES "Folder" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_File" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "folder" INTEGER NOT NULL,
  "kind" TEXT,
  "name" TEXT NOT NULL,
  FOREIGN KEY ("folder") REFERENCES "Folder" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_File" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "kind" TEXT,
  "name" TEXT NOT NULL,
  "size" INTEGER NOT NULL
) STRICT;
CREATE TABLE "_oxbow_new_File_folder" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "File" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Folder" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "_oxbow_new_Folder" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "cover" INTEGER,
  "path" TEXT NOT NULL,
  FOREIGN KEY ("cover") REFERENCES "File" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_Folder" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "depth" INTEGER NOT NULL,
  "path" TEXT
) STRICT;
CREATE TABLE "_oxbow_new_Item" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  "folder" INTEGER,
  "kind" TEXT,
  "size" INTEGER,
  FOREIGN KEY ("folder") REFERENCES "Folder" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE UNIQUE INDEX "Animal_mood_unique" ON "Animal" ("mood") WHERE "_type" IN (2);
CREATE UNIQUE INDEX "Cat_mood_unique" ON "Cat" ("mood");
CREATE UNIQUE INDEX "File_folder_unique" ON "File" ("folder");
CREATE UNIQUE INDEX "File_path_unique" ON "File" ("path");
CREATE UNIQUE INDEX "Folder_path_unique" ON "Folder" ("path");
CREATE UNIQUE INDEX "_oxbow_entities_name_unique" ON "_oxbow_entities" ("name");
DELETE FROM "Animal" WHERE "_type" IN (3);
DELETE FROM "Animal" WHERE "_type" IN (3, 4);
DELETE FROM "Cat_enemies" WHERE "member" IN (SELECT "_id" FROM "Animal" WHERE "_type" IN (3));
DELETE FROM "Cat_enemies" WHERE "owner" IN (SELECT "_id" FROM "Animal" WHERE "_type" IN (3));
DELETE FROM "File" WHERE "_type" IN (3);
DELETE FROM "File_folder" WHERE ("owner", "member") IN (SELECT "owner", "member" FROM (SELECT "owner", "member", row_number() OVER (PARTITION BY "owner" ORDER BY "member_position" NULLS LAST, "member") AS "place" FROM (SELECT l."owner" AS "owner", l."member" AS "member", NULL AS "member_position" FROM "File_folder" AS l WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL)) WHERE "place" > 1);
DELETE FROM "File_labels" WHERE "owner" IN (SELECT "_id" FROM "File" WHERE "_type" IN (3));
DELETE FROM "_oxbow_entities";
DELETE FROM "_oxbow_history" WHERE "event" = 'progressed';
DROP INDEX "Animal_mood_unique";
DROP INDEX "Animal_mother_index";
DROP INDEX "Animal_owner__owner_position_index";
DROP INDEX "File_byName";
DROP INDEX "File_folder_index";
DROP INDEX "Folder_path_unique";
DROP INDEX "Item_byName";
DROP INDEX "Item_folder_index";
DROP INDEX "Note_marks_member_owner_index";
DROP INDEX "Note_tags_member_owner_index";
DROP TABLE "B";
DROP TABLE "C";
DROP TABLE "Cat";
DROP TABLE "Cat_enemies";
DROP TABLE "File";
DROP TABLE "File_folder";
DROP TABLE "File_labels";
DROP TABLE "Folder";
DROP TABLE "Item";
DROP TABLE "Label";
DROP TABLE "_oxbow_links_1";
INSERT INTO "_oxbow_keys" ("root", "last") SELECT 1, "last" FROM "_oxbow_keys" WHERE "root" = 3 ON CONFLICT ("root") DO UPDATE SET "last" = max("last", excluded."last");
INSERT INTO "_oxbow_keys" ("root", "last") SELECT 2, "last" FROM "_oxbow_keys" WHERE "root" = 1 ON CONFLICT ("root") DO UPDATE SET "last" = max("last", excluded."last");
INSERT INTO "_oxbow_keys" ("root", "last") SELECT 3, "last" FROM "_oxbow_keys" WHERE "root" = 1 ON CONFLICT ("root") DO UPDATE SET "last" = max("last", excluded."last");
INSERT INTO "_oxbow_keys" ("root", "last") VALUES (?, 0) ON CONFLICT DO NOTHING;
INSERT INTO "_oxbow_links_1" SELECT "owner" AS "owner", "member" AS "member", "member_entity" AS "member_entity", 2048 + 1024 * (row_number() OVER (PARTITION BY "member" ORDER BY "owner") - 1) AS "owner_position" FROM (SELECT l."member" AS "member", 2 AS "member_entity", l."owner" AS "owner", NULL AS "owner_position" FROM "File_folder" AS l WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL);
INSERT INTO "_oxbow_new_Cat" ("_id", "_version", "mood", "name") SELECT "_id", "_version", "mood", CASE WHEN "_type" IN (2) THEN "name" END FROM "Cat";
INSERT INTO "_oxbow_new_Cat_enemies" ("owner", "member") SELECT "owner", "member" FROM "Cat_enemies";
INSERT INTO "_oxbow_new_Dog" ("_id", "_version", "_type", "breed", "mother", "_mother_type", "name", "owner", "_owner_position", "age") SELECT "_id", "_version", "_type", "breed", "mother", "_mother_type", CASE WHEN "_type" IN (3, 4) THEN "name" END, "owner", "_owner_position", "age" FROM "Animal" WHERE "_type" IN (3, 4);
INSERT INTO "_oxbow_new_File" ("_id", "_version", "byteCount", "folder", "kind", "name", "rank") SELECT "_id", "_version", "byteCount", "folder", "kind", "name", "rank" FROM "File";
INSERT INTO "_oxbow_new_File" ("_id", "_version", "folder", "kind", "name") SELECT "_id", "_version", "folder", "kind", "name" FROM "File";
INSERT INTO "_oxbow_new_File" ("_id", "_version", "folder", "kind", "name", "size") SELECT "_id", "_version", "folder", "kind", "name", "size" FROM "File";
INSERT INTO "_oxbow_new_File" ("_id", "_version", "folder", "kind", "name", "size") SELECT "_id", "_version", "folder", "kind", "name", CAST("size" AS REAL) FROM "File";
INSERT INTO "_oxbow_new_File" ("_id", "_version", "folder", "kind", "name", "size") SELECT "_id", "_version", "folder", "kind", "name", CAST("size" AS TEXT) FROM "File";
INSERT INTO "_oxbow_new_File" ("_id", "_version", "folder", "kind", "name", "size") SELECT "_id", "_version", "folder", coalesce("kind", 'it''s'), "name", "size" FROM "File";
INSERT INTO "_oxbow_new_File" ("_id", "_version", "folder", "kind", "name", "size") SELECT "_id", "_version", (SELECT "member" FROM "_oxbow_links_1" WHERE "owner" = "_id"), "kind", "name", "size" FROM "File";
INSERT INTO "_oxbow_new_File" ("_id", "_version", "kind", "name", "size") SELECT "_id", "_version", "kind", "name", "size" FROM "File";
INSERT INTO "_oxbow_new_File_folder" ("owner", "member") SELECT "owner" AS "owner", "member" AS "member" FROM (SELECT l."folder" AS "member", l."_id" AS "owner" FROM "File" AS l WHERE l."_id" IS NOT NULL AND l."folder" IS NOT NULL);
INSERT INTO "_oxbow_new_Folder" ("_id", "_version", "cover", "path") SELECT "_id", "_version", "cover", "path" FROM "Folder";
INSERT INTO "_oxbow_new_Folder" ("_id", "_version", "depth", "path") SELECT "_id", "_version", 0, "path" FROM "Folder";
INSERT INTO "_oxbow_new_Item" ("_id", "_version", "_type", "name", "folder", "kind", "size") SELECT "_id", "_version", 1, "name", "folder", "kind", "size" FROM "Item";
INSERT OR ABORT INTO "_oxbow_entities" ("number", "name", "hash") VALUES (?, ?, ?);
INSERT OR ABORT INTO "_oxbow_history" ("seq", "id", "name", "kind", "event", "checksum", "algorithm", "model_before", "model_after", "cursor", "started", "finished", "tool", "engine", "host", "user", "plan") VALUES ((SELECT coalesce(max("seq"), 0) + 1 FROM "_oxbow_history"), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
INSERT OR ABORT INTO "_oxbow_metadata" ("name", "value") VALUES (?, ?) ON CONFLICT ("name") DO UPDATE SET "value" = excluded."value";
PRAGMA cache_size = -8000;
PRAGMA cell_size_check = ON;
PRAGMA encoding;
PRAGMA foreign_key_check("Animal");
PRAGMA foreign_key_check("Cat");
PRAGMA foreign_key_check("Cat_enemies");
PRAGMA foreign_key_check("Dog");
PRAGMA foreign_key_check("File");
PRAGMA foreign_key_check("File_folder");
PRAGMA foreign_key_check("File_labels");
PRAGMA foreign_key_check("Folder");
PRAGMA foreign_key_check("Item");
PRAGMA foreign_keys;
PRAGMA foreign_keys = OFF;
PRAGMA journal_mode = WAL;
PRAGMA legacy_alter_table = OFF;
PRAGMA legacy_alter_table = ON;
PRAGMA mmap_size = 0;
PRAGMA query_only = ON;
PRAGMA schema_version;
PRAGMA synchronous = 2;
ROLLBACK;
SELECT "from", "table", coalesce("to", ''), on_delete, on_update FROM pragma_foreign_key_list(?) ORDER BY id, seq;
SELECT "name", "value" FROM "_oxbow_metadata";
SELECT "number", "name", "hash" FROM "_oxbow_entities" ORDER BY "number";
SELECT "seq", "id", "name", "kind", "event", "checksum", "algorithm", "model_before", "model_after", "cursor", "started", "finished", "tool", "engine", "host", "user", "plan" FROM "_oxbow_history" ORDER BY "seq";
SELECT "value" FROM "_oxbow_metadata" WHERE "name" = 'model_hash';
SELECT "value" FROM "_oxbow_metadata" WHERE "name" = 'past_entities';
SELECT coalesce(max("seq"), 0) FROM "_oxbow_history";
SELECT coalesce(name, ''), "desc", coll FROM pragma_index_xinfo(?) WHERE "key" = 1 ORDER BY seqno;
SELECT coalesce(sum("links" - 1), 0) FROM (SELECT count(*) AS "links" FROM (SELECT l."owner" AS "owner", l."member" AS "member" FROM "File_folder" AS l WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL) GROUP BY "owner");
SELECT count(*) FROM "Animal" AS t JOIN "Animal" AS d ON d."_id" = t."mother" WHERE d."_type" NOT IN (4);
SELECT count(*) FROM "Animal" AS t LEFT JOIN "Animal" AS d ON d."_id" = t."mother" WHERE (t."mother" IS NULL) <> (t."_mother_type" IS NULL) OR d."_type" <> t."_mother_type";
SELECT count(*) FROM "Animal" WHERE "_id" < 1 OR "_id" > 9223372036854775806;
SELECT count(*) FROM "Animal" WHERE "_type" IN (3);
SELECT count(*) FROM "Animal" WHERE "_version" < 1 OR "_version" > 4611686018427387904;
SELECT count(*) FROM "B";
SELECT count(*) FROM "C";
SELECT count(*) FROM "Cat";
SELECT count(*) FROM "Cat" WHERE "_id" < 1 OR "_id" > 9223372036854775806;
SELECT count(*) FROM "Cat" WHERE "_version" < 1 OR "_version" > 4611686018427387904;
SELECT count(*) FROM "Cat_enemies";
SELECT count(*) FROM "Cat_enemies" AS t JOIN "Animal" AS d ON d."_id" = t."member" WHERE d."_type" NOT IN (4);
SELECT count(*) FROM "Cat_enemies" AS t JOIN "Animal" AS d ON d."_id" = t."owner" WHERE d."_type" NOT IN (2);
SELECT count(*) FROM "Dog" AS t LEFT JOIN "Dog" AS d ON d."_id" = t."mother" WHERE (t."mother" IS NULL) <> (t."_mother_type" IS NULL) OR d."_type" <> t."_mother_type";
SELECT count(*) FROM "Dog" WHERE "_id" < 1 OR "_id" > 9223372036854775806;
SELECT count(*) FROM "Dog" WHERE "_version" < 1 OR "_version" > 4611686018427387904;
SELECT count(*) FROM "File";
SELECT count(*) FROM "File" AS t0 WHERE (t0."form" IS NULL);
SELECT count(*) FROM "File" AS t0 WHERE (t0."place" IS NULL);
SELECT count(*) FROM "File" WHERE "_id" NOT IN (SELECT "owner" FROM (SELECT l."owner" AS "owner", l."member" AS "member" FROM "File_folder" AS l WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL));
SELECT count(*) FROM "File" WHERE "_type" IN (3);
SELECT count(*) FROM "File" WHERE "kind" IS NULL;
SELECT count(*) FROM "File" WHERE "size" NOT BETWEEN -32768 AND 32767;
SELECT count(*) FROM "File" WHERE "size" NOT BETWEEN 0 AND 1;
SELECT count(*) FROM "File" WHERE (CAST(CAST("size" AS REAL) AS INTEGER) <> "size" OR CAST("size" AS REAL) >= 9223372036854775808.0);
SELECT count(*) FROM "Folder";
SELECT count(*) FROM "Folder" AS t0 WHERE (t0."bytes" IS NULL);
SELECT count(*) FROM "Folder" AS t0 WHERE (t0."count" IS NULL OR t0."count" NOT BETWEEN -2147483648 AND 2147483647);
SELECT count(*) FROM "Folder" AS t0 WHERE (t0."key" IS NULL);
SELECT count(*) FROM "Folder" AS t0 WHERE (t0."saved" IS NULL);
SELECT count(*) FROM "Item";
SELECT count(*) FROM "Item" WHERE "folder" IS NULL;
SELECT count(*) FROM "Item" WHERE "size" IS NULL;
SELECT count(*) FROM "Note" WHERE "_id" < 1 OR "_id" > 9223372036854775806;
SELECT count(*) FROM "Note" WHERE "_version" < 1 OR "_version" > 4611686018427387904;
SELECT count(*) FROM "Person" WHERE "_id" < 1 OR "_id" > 9223372036854775806;
SELECT count(*) FROM "Person" WHERE "_version" < 1 OR "_version" > 4611686018427387904;
SELECT count(*) FROM "Tag" WHERE "_id" < 1 OR "_id" > 9223372036854775806;
SELECT count(*) FROM "Tag" WHERE "_version" < 1 OR "_version" > 4611686018427387904;
SELECT count(*) FROM "_oxbow_new_Cat";
SELECT count(*) FROM "_oxbow_new_Cat_enemies";
SELECT count(*) FROM "_oxbow_new_File";
SELECT count(*) FROM "_oxbow_new_Folder";
SELECT count(*) FROM "_oxbow_new_Item";
SELECT count(*) FROM (SELECT 1 FROM (SELECT "folder" AS "c0" FROM "File") WHERE "c0" IS NOT NULL GROUP BY "c0" HAVING count(*) > 1);
SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '_oxbow_files';
SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1';
SELECT l.name, l."unique", l.partial, s.sql FROM pragma_index_list(?) AS l JOIN sqlite_schema AS s ON s.type = 'index' AND s.name = l.name WHERE l.origin = 'c' ORDER BY l.name;
SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name;
SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) ORDER BY cid;
SELECT s.tbl_name, sum(d.pgsize) FROM dbstat AS d JOIN sqlite_schema AS s ON s.name = d.name WHERE d.aggregate = TRUE GROUP BY s.tbl_name;
SELECT t.name, f."table" FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f WHERE t.type = 'table';
SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL AND type IN ('index', 'trigger') ORDER BY rowid;
SELECT type, name, tbl_name FROM sqlite_schema ORDER BY name;
SELECT type, name, tbl_name FROM sqlite_schema WHERE type IN ('view', 'trigger');
SELECT wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = ?;
UPDATE "Animal" SET "mother" = NULL, "_mother_type" = NULL WHERE "mother" IN (SELECT "_id" FROM "Animal" WHERE "_type" IN (3)) AND NOT ("_type" IN (3));
UPDATE "Folder" SET "cover" = NULL, "_cover_type" = NULL WHERE "cover" IN (SELECT "_id" FROM "File" WHERE "_type" IN (3));
UPDATE "_oxbow_keys" SET "last" = (SELECT max("last") FROM "_oxbow_keys");
UPDATE OR ABORT "File" AS t0 SET "form" = oxbow_lowercase(t0."kind") WHERE t0."form" IS NOT oxbow_lowercase(t0."kind");
UPDATE OR ABORT "File" AS t0 SET "place" = (SELECT t1."path" FROM "Folder" AS t1 WHERE t1."_id" = t0."folder") WHERE t0."place" IS NOT (SELECT t1."path" FROM "Folder" AS t1 WHERE t1."_id" = t0."folder");
UPDATE OR ABORT "Folder" AS t0 SET "bytes" = (SELECT coalesce(sum(m."size"), 0) FROM "File" AS m WHERE m."folder" = t0."_id") WHERE t0."bytes" IS NOT (SELECT coalesce(sum(m."size"), 0) FROM "File" AS m WHERE m."folder" = t0."_id");
UPDATE OR ABORT "Folder" AS t0 SET "count" = (SELECT count(*) FROM "File" AS m WHERE m."folder" = t0."_id") WHERE t0."count" IS NOT (SELECT count(*) FROM "File" AS m WHERE m."folder" = t0."_id");
UPDATE OR ABORT "Folder" AS t0 SET "key" = oxbow_uppercase(t0."path") WHERE t0."key" IS NOT oxbow_uppercase(t0."path");
UPDATE OR ABORT "Folder" AS t0 SET "saved" = ((julianday('now') - 2451910.5) * 86400.0) WHERE t0."saved" IS NULL;
