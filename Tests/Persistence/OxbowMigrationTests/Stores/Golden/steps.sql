 -- a comment; with semicolon
/* another; one */ INSERT INTO "Folder" VALUES (9, 1, 'x');;
ALTER TABLE "File" ADD COLUMN "note" TEXT;
ALTER TABLE "File" ADD COLUMN "rank" INTEGER NOT NULL DEFAULT 7;
ALTER TABLE "File" RENAME COLUMN "byteCount" TO "size";
ALTER TABLE "File" RENAME COLUMN "size" TO "byteCount";
ALTER TABLE "Photo" RENAME TO "Picture";
ALTER TABLE "Picture" RENAME COLUMN "image" TO "scan";
ALTER TABLE "_oxbow_new_File" RENAME TO "File";
ALTER TABLE "_oxbow_new_Picture" RENAME TO "Picture";
BEGIN DEFERRED;
BEGIN IMMEDIATE;
COMMIT;
CREATE INDEX "Account_card_index" ON "Account" ("card");
CREATE INDEX "Card_asset_index" ON "Card" ("asset");
CREATE INDEX "File_byName" ON "File" ("name");
CREATE INDEX "File_folder_index" ON "File" ("folder");
CREATE INDEX "File_labels_member_owner_index" ON "File_labels" ("member", "owner");
CREATE INDEX "Tag_near_member_owner_index" ON "Tag_near" ("member", "owner");
CREATE INDEX "Tag_totals_member_owner_index" ON "Tag_totals" ("member", "owner");
CREATE INDEX "Tag_twin_index" ON "Tag" ("twin");
CREATE INDEX "Total_account__account_position_index" ON "Total" ("account", "_account_position");
CREATE INDEX "Total_origin_index" ON "Total" ("origin");
CREATE INDEX "_oxbow_files_discarded" ON "_oxbow_files" ("bytes") WHERE "discarded" IN (1);
CREATE TABLE "Account" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "number" TEXT NOT NULL,
  "card" INTEGER,
  FOREIGN KEY ("card") REFERENCES "Card" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "Card" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "asset" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  FOREIGN KEY ("asset") REFERENCES "Account" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "File" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "byteCount" INTEGER NOT NULL,
  "folder" INTEGER NOT NULL,
  "kind" TEXT,
  "name" TEXT NOT NULL,
  "rank" INTEGER NOT NULL,
  FOREIGN KEY ("folder") REFERENCES "Folder" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
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
CREATE TABLE "Person" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "n" INTEGER NOT NULL,
  "name" TEXT NOT NULL
) STRICT;
CREATE TABLE "Photo" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "image" BLOB,
  "proof" BLOB,
  "title" TEXT NOT NULL
) STRICT;
CREATE TABLE "R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "flag" INTEGER NOT NULL,
  "y" TEXT
) STRICT;
CREATE TABLE "R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "x" INTEGER NOT NULL,
  "y" TEXT
) STRICT;
CREATE TABLE "Tag" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "twin" INTEGER,
  FOREIGN KEY ("twin") REFERENCES "Tag" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "Tag_near" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Tag" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Tag" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "Tag_totals" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  "member_position" INTEGER,
  "owner_position" INTEGER,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Tag" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Total" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "Total" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "account" INTEGER,
  "_account_type" INTEGER,
  "_account_position" INTEGER,
  "month" TEXT NOT NULL,
  "origin" INTEGER,
  FOREIGN KEY ("account") REFERENCES "Account" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("origin") REFERENCES "Account" ("_id") DEFERRABLE INITIALLY DEFERRED
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
CREATE TABLE "_oxbow_metadata" (
  "name" TEXT PRIMARY KEY,
  "value" ANY NOT NULL
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
  "kind" TEXT,
  "name" TEXT NOT NULL,
  "size" INTEGER NOT NULL,
  FOREIGN KEY ("folder") REFERENCES "Folder" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_Picture" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "proof" BLOB,
  "rank" INTEGER NOT NULL,
  "scan" BLOB NOT NULL,
  "title" TEXT NOT NULL
) STRICT;
CREATE TEMP TRIGGER "oxbow_watch_9_0_delete" AFTER DELETE ON main."Photo" WHEN length(OLD."image") = 58 AND substr(OLD."image", 1, 11) = X'6F78626F772D66696C653A' BEGIN UPDATE "_oxbow_files" SET "discarded" = 1 WHERE "name" = CAST(substr(OLD."image", 12, 36) AS TEXT); END;
CREATE TEMP TRIGGER "oxbow_watch_9_0_update" AFTER UPDATE OF "image" ON main."Photo" WHEN length(OLD."image") = 58 AND substr(OLD."image", 1, 11) = X'6F78626F772D66696C653A' AND OLD."image" IS NOT NEW."image" BEGIN UPDATE "_oxbow_files" SET "discarded" = 1 WHERE "name" = CAST(substr(OLD."image", 12, 36) AS TEXT); END;
CREATE TEMP TRIGGER "oxbow_watch_9_1_delete" AFTER DELETE ON main."Photo" WHEN length(OLD."proof") = 58 AND substr(OLD."proof", 1, 11) = X'6F78626F772D66696C653A' BEGIN UPDATE "_oxbow_files" SET "discarded" = 1 WHERE "name" = CAST(substr(OLD."proof", 12, 36) AS TEXT); END;
CREATE TEMP TRIGGER "oxbow_watch_9_1_update" AFTER UPDATE OF "proof" ON main."Photo" WHEN length(OLD."proof") = 58 AND substr(OLD."proof", 1, 11) = X'6F78626F772D66696C653A' AND OLD."proof" IS NOT NEW."proof" BEGIN UPDATE "_oxbow_files" SET "discarded" = 1 WHERE "name" = CAST(substr(OLD."proof", 12, 36) AS TEXT); END;
CREATE UNIQUE INDEX "Folder_path_unique" ON "Folder" ("path");
CREATE UNIQUE INDEX "_oxbow_entities_name_unique" ON "_oxbow_entities" ("name");
DELETE FROM "Folder" WHERE "_id" = ?;
DELETE FROM "Tag_near" WHERE "owner" = ? AND "member" = ?;
DELETE FROM "Tag_totals" WHERE "owner" = ? AND "member" = ?;
DELETE FROM "_oxbow_entities";
DELETE FROM "_oxbow_history" WHERE "event" = 'progressed';
DROP TABLE "File";
DROP TABLE "File_labels";
DROP TABLE "Label";
DROP TABLE "Picture";
INSERT INTO "Account" ("_id", "_type", "_version", "number") VALUES (?, ?, ?, ?);
INSERT INTO "Card" ("_id", "_version", "asset", "name") VALUES (?, ?, ?, ?);
INSERT INTO "Folder" ("_id", "_version", "path") VALUES (?, ?, ?);
INSERT INTO "R" ("_id", "_type", "_version", "x") VALUES (?, ?, ?, ?);
INSERT INTO "R" ("_id", "_type", "_version", "x", "y") VALUES (?, ?, ?, ?, ?);
INSERT INTO "Tag" ("_id", "_version") VALUES (?, ?);
INSERT INTO "Tag_near" ("owner", "member") VALUES (?, ?) ON CONFLICT DO NOTHING;
INSERT INTO "Tag_totals" ("member", "owner", "owner_position", "member_position") VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING;
INSERT INTO "Tag_totals" ("owner", "member", "member_position", "owner_position") VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING;
INSERT INTO "Total" ("_account_position", "_account_type", "_id", "_version", "account", "month") VALUES (?, ?, ?, ?, ?, ?);
INSERT INTO "Total" ("_account_position", "_account_type", "_id", "_version", "account", "month", "origin") VALUES (?, ?, ?, ?, ?, ?, ?);
INSERT INTO "Total" ("_id", "_version", "month") VALUES (?, ?, ?);
INSERT INTO "_oxbow_keys" ("root", "last") SELECT 1, coalesce((SELECT max("_id") FROM "Account"), 0) WHERE true ON CONFLICT ("root") DO UPDATE SET "last" = excluded."last" WHERE excluded."last" > "_oxbow_keys"."last";
INSERT INTO "_oxbow_keys" ("root", "last") SELECT 1, coalesce((SELECT max("_id") FROM "File"), 0) WHERE true ON CONFLICT ("root") DO UPDATE SET "last" = excluded."last" WHERE excluded."last" > "_oxbow_keys"."last";
INSERT INTO "_oxbow_keys" ("root", "last") SELECT 1, coalesce((SELECT max("_id") FROM "R"), 0) WHERE true ON CONFLICT ("root") DO UPDATE SET "last" = excluded."last" WHERE excluded."last" > "_oxbow_keys"."last";
INSERT INTO "_oxbow_keys" ("root", "last") SELECT 2, coalesce((SELECT max("_id") FROM "Folder"), 0) WHERE true ON CONFLICT ("root") DO UPDATE SET "last" = excluded."last" WHERE excluded."last" > "_oxbow_keys"."last";
INSERT INTO "_oxbow_keys" ("root", "last") SELECT 4, coalesce((SELECT max("_id") FROM "Card"), 0) WHERE true ON CONFLICT ("root") DO UPDATE SET "last" = excluded."last" WHERE excluded."last" > "_oxbow_keys"."last";
INSERT INTO "_oxbow_keys" ("root", "last") SELECT 5, coalesce((SELECT max("_id") FROM "Tag"), 0) WHERE true ON CONFLICT ("root") DO UPDATE SET "last" = excluded."last" WHERE excluded."last" > "_oxbow_keys"."last";
INSERT INTO "_oxbow_keys" ("root", "last") SELECT 6, coalesce((SELECT max("_id") FROM "Total"), 0) WHERE true ON CONFLICT ("root") DO UPDATE SET "last" = excluded."last" WHERE excluded."last" > "_oxbow_keys"."last";
INSERT INTO "_oxbow_keys" ("root", "last") VALUES (?, 0) ON CONFLICT DO NOTHING;
INSERT INTO "_oxbow_new_File" ("_id", "_version", "byteCount", "folder", "kind", "name", "rank") SELECT "_id", "_version", "byteCount", "folder", "kind", "name", "rank" FROM "File";
INSERT INTO "_oxbow_new_File" ("_id", "_version", "folder", "kind", "name", "size") SELECT "_id", "_version", "folder", "kind", "name", "size" FROM "File";
INSERT INTO "_oxbow_new_Picture" ("_id", "_version", "proof", "rank", "scan", "title") SELECT "_id", "_version", "proof", 7, "scan", "title" FROM "Picture";
INSERT OR ABORT INTO "Photo" ("_id", "_version", "image", "proof", "title") VALUES (?, 1, ?, ?, ?);
INSERT OR ABORT INTO "_oxbow_entities" ("number", "name", "hash") VALUES (?, ?, ?);
INSERT OR ABORT INTO "_oxbow_files" ("name", "bytes", "discarded") VALUES (?, ?, 0);
INSERT OR ABORT INTO "_oxbow_history" ("seq", "id", "name", "kind", "event", "checksum", "algorithm", "model_before", "model_after", "cursor", "started", "finished", "tool", "engine", "host", "user", "plan") VALUES ((SELECT coalesce(max("seq"), 0) + 1 FROM "_oxbow_history"), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
INSERT OR ABORT INTO "_oxbow_metadata" ("name", "value") VALUES (?, ?) ON CONFLICT ("name") DO UPDATE SET "value" = excluded."value";
PRAGMA cache_size = -8000;
PRAGMA cell_size_check = ON;
PRAGMA encoding;
PRAGMA foreign_key_check("Account");
PRAGMA foreign_key_check("Card");
PRAGMA foreign_key_check("File");
PRAGMA foreign_key_check("Folder");
PRAGMA foreign_key_check("Picture");
PRAGMA foreign_key_check("R");
PRAGMA foreign_key_check("Tag");
PRAGMA foreign_key_check("Tag_near");
PRAGMA foreign_key_check("Tag_totals");
PRAGMA foreign_key_check("Total");
PRAGMA foreign_key_check("_oxbow_entities");
PRAGMA foreign_key_check("_oxbow_history");
PRAGMA foreign_key_check("_oxbow_keys");
PRAGMA foreign_key_check("_oxbow_metadata");
PRAGMA foreign_keys;
PRAGMA foreign_keys = OFF;
PRAGMA integrity_check(100);
PRAGMA journal_mode;
PRAGMA journal_mode = WAL;
PRAGMA legacy_alter_table = OFF;
PRAGMA legacy_alter_table = ON;
PRAGMA mmap_size = 0;
PRAGMA page_size;
PRAGMA query_only = ON;
PRAGMA schema_version;
PRAGMA synchronous = 2;
ROLLBACK;
SELECT "_id" FROM "Card" WHERE "asset" = ? AND "_id" <> ?;
SELECT "_id" FROM "Total" WHERE "account" = ? ORDER BY "_account_position" NULLS LAST, "_id";
SELECT "_id", "_type", "number", "card" FROM "Account" WHERE "_id" = ? AND "_type" IN (2);
SELECT "_id", "_type", "number", "card" FROM "Account" WHERE "_id" = ? AND "_type" IN (2, 3);
SELECT "_id", "_type", "x", "y" FROM "R" WHERE "_id" > ? AND "_id" <= ? AND "_type" IN (1, 2, 3) ORDER BY "_id" LIMIT ?;
SELECT "_id", "byteCount", "folder", "kind", "name", "rank" FROM "File";
SELECT "_id", "path" FROM "Folder";
SELECT "_id", "title" FROM "Label";
SELECT "_id", 1, "folder", "kind", "name", "size" FROM "File" WHERE "_id" > ? AND "_id" <= ? ORDER BY "_id" LIMIT ?;
SELECT "_id", 1, "n", "name" FROM "Person" WHERE "_id" = ?;
SELECT "_id", 1, "n", "name" FROM "Person" WHERE "_id" > ? AND "_id" <= ? ORDER BY "_id" LIMIT ?;
SELECT "_id", 2, "path" FROM "Folder" WHERE "_id" = ?;
SELECT "_id", 4, "asset", "name" FROM "Card" WHERE "_id" = ?;
SELECT "_id", 5, "twin" FROM "Tag" WHERE "_id" = ?;
SELECT "_id", 6, "account", "_account_type", "_account_position", "month", "origin" FROM "Total" WHERE "_id" = ?;
SELECT "_type" FROM "Account" WHERE "_id" = ?;
SELECT "account" FROM "Total" WHERE "_id" = ? AND "account" IS NOT NULL;
SELECT "asset" FROM "Card" WHERE "_id" = ? AND "asset" IS NOT NULL;
SELECT "card" FROM "Account" WHERE "_id" = ? AND "card" IS NOT NULL;
SELECT "from", "table", coalesce("to", ''), on_delete, on_update FROM pragma_foreign_key_list(?) ORDER BY id, seq;
SELECT "last", coalesce((SELECT max("_id") FROM "Account"), 0) FROM "_oxbow_keys" WHERE "root" = ?;
SELECT "last", coalesce((SELECT max("_id") FROM "Card"), 0) FROM "_oxbow_keys" WHERE "root" = ?;
SELECT "last", coalesce((SELECT max("_id") FROM "Folder"), 0) FROM "_oxbow_keys" WHERE "root" = ?;
SELECT "last", coalesce((SELECT max("_id") FROM "R"), 0) FROM "_oxbow_keys" WHERE "root" = ?;
SELECT "last", coalesce((SELECT max("_id") FROM "Tag"), 0) FROM "_oxbow_keys" WHERE "root" = ?;
SELECT "last", coalesce((SELECT max("_id") FROM "Total"), 0) FROM "_oxbow_keys" WHERE "root" = ?;
SELECT "member" FROM "Tag_near" WHERE "owner" = ? ORDER BY "member";
SELECT "member" FROM "Tag_totals" WHERE "owner" = ? ORDER BY "member_position" NULLS LAST, "member";
SELECT "member", "owner" FROM "File_labels";
SELECT "name" FROM "_oxbow_files" WHERE "discarded" IN (1);
SELECT "name", "bytes", "discarded" FROM "_oxbow_files";
SELECT "name", "value" FROM "_oxbow_metadata";
SELECT "number", "name", "hash" FROM "_oxbow_entities" ORDER BY "number";
SELECT "owner" FROM "Tag_totals" WHERE "member" = ? ORDER BY "owner_position" NULLS LAST, "owner";
SELECT "seq", "id", "name", "kind", "event", "checksum", "algorithm", "model_before", "model_after", "cursor", "started", "finished", "tool", "engine", "host", "user", "plan" FROM "_oxbow_history" ORDER BY "seq";
SELECT "table", parent, fkid, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2, 3 LIMIT 100;
SELECT "twin" FROM "Tag" WHERE "_id" = ? AND "twin" IS NOT NULL;
SELECT "value" FROM "_oxbow_metadata" WHERE "name" = 'model_hash';
SELECT "value" FROM "_oxbow_metadata" WHERE "name" = 'past_entities';
SELECT "value" FROM "_oxbow_metadata" WHERE "name" = 'saves';
SELECT 1 FROM "Account" WHERE "_id" = ? AND "card" = ?;
SELECT 1 FROM "Card" WHERE "_id" = ? AND "asset" = ?;
SELECT 1 FROM "Tag" WHERE "_id" = ? AND "twin" = ?;
SELECT 1 FROM "Total" WHERE "_id" = ? AND "account" = ?;
SELECT 4 FROM "Card" WHERE "_id" = ?;
SELECT 5 FROM "Tag" WHERE "_id" = ?;
SELECT 6 FROM "Total" WHERE "_id" = ?;
SELECT EXISTS (SELECT 1 FROM "_oxbow_files");
SELECT MAX("_account_position") FROM "Total" WHERE "account" = ?;
SELECT MAX("member_position") FROM "Tag_totals" WHERE "owner" = ?;
SELECT MAX("owner_position") FROM "Tag_totals" WHERE "member" = ?;
SELECT _rowid_, "image" FROM "Photo" WHERE typeof("image") = 'blob' AND length("image") = 58 AND substr("image", 1, 11) = X'6F78626F772D66696C653A';
SELECT _rowid_, "proof" FROM "Photo" WHERE typeof("proof") = 'blob' AND length("proof") = 58 AND substr("proof", 1, 11) = X'6F78626F772D66696C653A';
SELECT _rowid_, "proof" FROM "Picture" WHERE typeof("proof") = 'blob' AND length("proof") = 58 AND substr("proof", 1, 11) = X'6F78626F772D66696C653A';
SELECT _rowid_, "scan" FROM "Picture" WHERE typeof("scan") = 'blob' AND length("scan") = 58 AND substr("scan", 1, 11) = X'6F78626F772D66696C653A';
SELECT coalesce(max("seq"), 0) FROM "_oxbow_history";
SELECT coalesce(name, ''), "desc", coll FROM pragma_index_xinfo(?) WHERE "key" = 1 ORDER BY seqno;
SELECT count(*) FROM "Account" AS t JOIN "Card" AS d ON d."_id" = t."card" WHERE d."asset" IS NOT t."_id";
SELECT count(*) FROM "Account" WHERE "_id" < 1 OR "_id" > 9223372036854775806;
SELECT count(*) FROM "Account" WHERE "_type" NOT IN (2, 3);
SELECT count(*) FROM "Account" WHERE "_version" < 1 OR "_version" > 4611686018427387904;
SELECT count(*) FROM "Card" AS t JOIN "Account" AS d ON d."_id" = t."asset" WHERE d."_type" NOT IN (2);
SELECT count(*) FROM "Card" AS t JOIN "Account" AS d ON d."_id" = t."asset" WHERE d."card" IS NOT t."_id";
SELECT count(*) FROM "Card" WHERE "_id" < 1 OR "_id" > 9223372036854775806;
SELECT count(*) FROM "Card" WHERE "_version" < 1 OR "_version" > 4611686018427387904;
SELECT count(*) FROM "File";
SELECT count(*) FROM "File" WHERE "_id" < 1 OR "_id" > 9223372036854775806;
SELECT count(*) FROM "File" WHERE "_id" <= ?;
SELECT count(*) FROM "File" WHERE "_version" < 1 OR "_version" > 4611686018427387904;
SELECT count(*) FROM "File" WHERE "note" IS NOT NULL;
SELECT count(*) FROM "File" WHERE "rank" IS NOT NULL;
SELECT count(*) FROM "Folder";
SELECT count(*) FROM "Folder" WHERE "_id" < 1 OR "_id" > 9223372036854775806;
SELECT count(*) FROM "Folder" WHERE "_version" < 1 OR "_version" > 4611686018427387904;
SELECT count(*) FROM "Label";
SELECT count(*) FROM "Person" WHERE "_id" <= ?;
SELECT count(*) FROM "Photo" WHERE "image" IS NULL;
SELECT count(*) FROM "Picture";
SELECT count(*) FROM "R" WHERE "_id" < 1 OR "_id" > 9223372036854775806;
SELECT count(*) FROM "R" WHERE "_type" IN (2);
SELECT count(*) FROM "R" WHERE "_type" NOT IN (1, 2);
SELECT count(*) FROM "R" WHERE "_type" NOT IN (1, 2, 3);
SELECT count(*) FROM "R" WHERE "_version" < 1 OR "_version" > 4611686018427387904;
SELECT count(*) FROM "R" WHERE "flag" NOT BETWEEN 0 AND 1;
SELECT count(*) FROM "R" WHERE "y" IS NULL AND "_type" IN (2);
SELECT count(*) FROM "Tag" AS t JOIN "Tag" AS d ON d."_id" = t."twin" WHERE d."twin" IS NOT t."_id";
SELECT count(*) FROM "Tag" WHERE "_id" < 1 OR "_id" > 9223372036854775806;
SELECT count(*) FROM "Tag" WHERE "_version" < 1 OR "_version" > 4611686018427387904;
SELECT count(*) FROM "Tag_near" AS t WHERE NOT EXISTS (SELECT 1 FROM "Tag_near" AS b WHERE b."owner" = t."member" AND b."member" = t."owner");
SELECT count(*) FROM "Total" AS t JOIN "Account" AS d ON d."_id" = t."origin" WHERE d."_type" NOT IN (3);
SELECT count(*) FROM "Total" AS t LEFT JOIN "Account" AS d ON d."_id" = t."account" WHERE (t."account" IS NULL) <> (t."_account_type" IS NULL) OR d."_type" <> t."_account_type";
SELECT count(*) FROM "Total" WHERE "_id" < 1 OR "_id" > 9223372036854775806;
SELECT count(*) FROM "Total" WHERE "_version" < 1 OR "_version" > 4611686018427387904;
SELECT count(*) FROM "_oxbow_files" WHERE "name" = ?;
SELECT count(*) FROM "_oxbow_new_File";
SELECT count(*) FROM "_oxbow_new_Picture";
SELECT count(*) FROM (SELECT l."owner" AS "owner", l."member" AS "member" FROM "File_labels" AS l WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL);
SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '_oxbow_files';
SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '_oxbow_saves';
SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '_oxbow_search';
SELECT count(*) FROM sqlite_schema;
SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1';
SELECT count(*) FROM temp.sqlite_schema WHERE type = 'trigger' AND name GLOB ?;
SELECT count(*), coalesce(sum("bytes"), 0) FROM "_oxbow_files" WHERE "discarded" IN (1);
SELECT l.name, l."unique", l.partial, s.sql FROM pragma_index_list(?) AS l JOIN sqlite_schema AS s ON s.type = 'index' AND s.name = l.name WHERE l.origin = 'c' ORDER BY l.name;
SELECT lower(t.name), lower(f."table"), lower(f."from"), lower(f."to") FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f WHERE t.type = 'table';
SELECT max("_id") FROM "File";
SELECT max("_id") FROM "Person";
SELECT max("_id") FROM "R";
SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name;
SELECT name FROM sqlite_schema WHERE type = 'view';
SELECT name FROM temp.sqlite_schema WHERE type = 'table' ORDER BY rowid;
SELECT name FROM temp.sqlite_schema WHERE type = 'trigger' AND name GLOB ?;
SELECT name, type, "notnull" FROM pragma_table_info(?);
SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) ORDER BY cid;
SELECT sql FROM sqlite_schema WHERE sql LIKE '%replace%';
SELECT strict FROM pragma_table_list(?) WHERE schema = 'main';
SELECT t."_id" FROM "Card" AS t JOIN "Account" AS d ON d."_id" = t."asset" WHERE d."card" IS NOT t."_id" ORDER BY 1 LIMIT 5;
SELECT t."_id" FROM "Total" AS t JOIN "Account" AS d ON d."_id" = t."origin" WHERE d."_type" NOT IN (3) ORDER BY 1 LIMIT 5;
SELECT t."_id" FROM "Total" AS t LEFT JOIN "Account" AS d ON d."_id" = t."account" WHERE (t."account" IS NULL) <> (t."_account_type" IS NULL) OR d."_type" <> t."_account_type" ORDER BY 1 LIMIT 5;
SELECT t."owner" FROM "Tag_near" AS t WHERE NOT EXISTS (SELECT 1 FROM "Tag_near" AS b WHERE b."owner" = t."member" AND b."member" = t."owner") ORDER BY 1 LIMIT 5;
SELECT t.name, f."table" FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f WHERE t.type = 'table';
SELECT t.name, t.wr, c.name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c WHERE t.schema = 'main' AND t.type = 'table' AND (NOT t.strict OR upper(c.type) IN ('BLOB', 'ANY')) ORDER BY t.name, c.cid;
SELECT t0."_id", t0."_version", t0."proof", t0."rank", t0."scan", t0."title" FROM "Picture" AS t0 ORDER BY t0."_id";
SELECT tbl_name, name FROM sqlite_schema WHERE type = 'trigger';
SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL AND type IN ('index', 'trigger') ORDER BY rowid;
SELECT type, name, tbl_name FROM sqlite_schema ORDER BY name;
SELECT type, name, tbl_name FROM sqlite_schema WHERE type IN ('view', 'trigger');
SELECT wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = ?;
UPDATE "Account" SET "card" = ?, "_version" = "_version" + 1 WHERE "_id" = ?;
UPDATE "Account" SET "card" = NULL, "_version" = "_version" + 1 WHERE "card" = ? AND "_id" <> ?;
UPDATE "Card" SET "asset" = ?, "_version" = "_version" + 1 WHERE "_id" = ?;
UPDATE "File" SET "kind" = 'a;b' WHERE "_id" = 2;;
UPDATE "File" SET "kind" = ?, "_version" = "_version" + 1 WHERE "_id" = ?;
UPDATE "File" SET "kind" = lower("kind");;
UPDATE "File" SET "kind" = upper("kind");;
UPDATE "File" SET "name" = lower("name");
UPDATE "Folder" SET "path" = '/d' WHERE "_id" = 3;
UPDATE "Person" SET "n" = ?, "_version" = "_version" + 1 WHERE "_id" = ?;
UPDATE "R" SET "_type" = 99 WHERE "_id" = 3;;
UPDATE "R" SET "flag" = 7;;
UPDATE "R" SET "y" = NULL WHERE "_id" = 1;;
UPDATE "Tag" SET "twin" = ?, "_version" = "_version" + 1 WHERE "_id" = ?;
UPDATE "Tag" SET "twin" = NULL, "_version" = "_version" + 1 WHERE "twin" = ? AND "_id" <> ?;
UPDATE "Total" SET "account" = ?, "_account_type" = ?, "_account_position" = ?, "_version" = "_version" + 1 WHERE "_id" = ?;
UPDATE "Total" SET "account" = NULL, "_account_type" = NULL, "_account_position" = NULL, "_version" = "_version" + 1 WHERE "account" = ? AND "_id" = ?;
UPDATE "_oxbow_keys" SET "last" = (SELECT max("last") FROM "_oxbow_keys");
UPDATE OR ABORT "_oxbow_metadata" SET "value" = "value" + 1 WHERE "name" = 'saves';
UPDATE OR ABORT "_oxbow_metadata" SET "value" = 2 WHERE "name" = 'layout_version' AND "value" < 2;
