BEGIN DEFERRED;
BEGIN IMMEDIATE;
COMMIT;
CREATE INDEX "Book_author_index" ON "Book" ("author");
CREATE INDEX "Book_shelf__shelf_position_index" ON "Book" ("shelf", "_shelf_position");
CREATE INDEX "Book_tags_member_owner_index" ON "Book_tags" ("member", "owner");
CREATE INDEX "Person_friend_index" ON "Person" ("friend");
CREATE INDEX "Person_mentor_index" ON "Person" ("mentor");
CREATE INDEX "Person_peers_member_owner_index" ON "Person_peers" ("member", "owner");
CREATE INDEX "Person_pupil_index" ON "Person" ("pupil");
CREATE INDEX "Tag_related_member_owner_index" ON "Tag_related" ("member", "owner");
CREATE TABLE "Book" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "author" INTEGER,
  "_author_type" INTEGER,
  "copies" INTEGER,
  "cover" BLOB,
  "factor" REAL,
  "grade" INTEGER,
  "isLent" INTEGER,
  "number" BLOB,
  "page" TEXT,
  "pages" INTEGER NOT NULL,
  "price" TEXT,
  "printed" REAL,
  "shelf" INTEGER,
  "_shelf_position" INTEGER,
  "title" TEXT NOT NULL,
  "weight" REAL,
  FOREIGN KEY ("author") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("shelf") REFERENCES "Shelf" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "Book_tags" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  "member_position" INTEGER,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Book" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Tag" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "Person" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "friend" INTEGER,
  "_friend_type" INTEGER,
  "mentor" INTEGER,
  "_mentor_type" INTEGER,
  "name" TEXT NOT NULL,
  "pupil" INTEGER,
  "_pupil_type" INTEGER,
  "card" INTEGER,
  "note" TEXT,
  FOREIGN KEY ("friend") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("mentor") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("pupil") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "Person_peers" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "Shelf" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "label" TEXT NOT NULL
) STRICT;
CREATE TABLE "Tag" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "label" TEXT NOT NULL
) STRICT;
CREATE TABLE "Tag_related" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Tag" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Tag" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "_oxbow_entities" (
  "number" INTEGER PRIMARY KEY,
  "name" TEXT NOT NULL,
  "hash" TEXT NOT NULL
) STRICT;
CREATE TABLE "_oxbow_keys" (
  "root" INTEGER PRIMARY KEY,
  "last" INTEGER NOT NULL
) STRICT;
CREATE TABLE "_oxbow_metadata" (
  "name" TEXT PRIMARY KEY,
  "value" ANY NOT NULL
) STRICT;
CREATE UNIQUE INDEX "Book_number_unique" ON "Book" ("number");
CREATE UNIQUE INDEX "_oxbow_entities_name_unique" ON "_oxbow_entities" ("name");
DELETE FROM "_oxbow_entities";
DELETE FROM "_oxbow_metadata" WHERE "name" = ?;
INSERT INTO "_oxbow_keys" ("root", "last") VALUES (?, 0) ON CONFLICT DO NOTHING;
INSERT OR ABORT INTO "Book" ("_id", "_version", "author", "_author_type", "copies", "cover", "factor", "grade", "isLent", "number", "page", "pages", "price", "printed", "shelf", "_shelf_position", "title", "weight") VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
INSERT OR ABORT INTO "Book_tags" ("owner", "member", "member_position") VALUES (?, ?, ?) ON CONFLICT ("owner", "member") DO UPDATE SET "member_position" = excluded."member_position";
INSERT OR ABORT INTO "Person" ("_id", "_version", "_type", "friend", "_friend_type", "mentor", "_mentor_type", "name", "pupil", "_pupil_type", "card") VALUES (?, 1, 3, ?, ?, ?, ?, ?, ?, ?, ?);
INSERT OR ABORT INTO "Person" ("_id", "_version", "_type", "friend", "_friend_type", "mentor", "_mentor_type", "name", "pupil", "_pupil_type", "note") VALUES (?, 1, 4, ?, ?, ?, ?, ?, ?, ?, ?);
INSERT OR ABORT INTO "Shelf" ("_id", "_version", "label") VALUES (?, 1, ?);
INSERT OR ABORT INTO "Tag" ("_id", "_version", "label") VALUES (?, 1, ?);
INSERT OR ABORT INTO "_oxbow_entities" ("number", "name", "hash") VALUES (?, ?, ?);
INSERT OR ABORT INTO "_oxbow_metadata" ("name", "value") VALUES (?, ?) ON CONFLICT ("name") DO UPDATE SET "value" = excluded."value";
PRAGMA cache_size = -8000;
PRAGMA cell_size_check = ON;
PRAGMA encoding;
PRAGMA journal_mode;
PRAGMA journal_mode = WAL;
PRAGMA mmap_size = 0;
PRAGMA page_size;
PRAGMA query_only = ON;
PRAGMA schema_version;
PRAGMA synchronous = 0;
PRAGMA synchronous = 2;
SELECT "name", "value" FROM "_oxbow_metadata";
SELECT "name", "value" FROM "_oxbow_metadata" WHERE "name" GLOB 'program:*';
SELECT "number", "name", "hash" FROM "_oxbow_entities" ORDER BY "number";
SELECT "title" FROM "Book" WHERE 1 IN (?, ?);
SELECT "value" FROM "_oxbow_metadata" WHERE "name" = 'past_entities';
SELECT "value" FROM "_oxbow_metadata" WHERE "name" = 'saves';
SELECT "value" FROM "_oxbow_metadata" WHERE "name" = ?;
SELECT * FROM (SELECT t0."price" AS "#0" FROM "Book" AS t0) GROUP BY "#0" COLLATE oxbow_decimal ORDER BY "#0" COLLATE oxbow_decimal;
SELECT _id FROM "Book";
SELECT coalesce(oxbow_decimal_sum(t0."price"), '0') AS "#0", count(t0."price") AS "#1", count(DISTINCT t0."price" COLLATE oxbow_decimal) AS "#2", min(t0."price" COLLATE oxbow_decimal) AS "#3", max(t0."price" COLLATE oxbow_decimal) AS "#4" FROM "Book" AS t0;
SELECT count(*) FROM "Book" AS t0 WHERE (t0."title" >= ? AND t0."title" < ?);
SELECT count(*) FROM "Person" AS t0 WHERE 0;
SELECT count(*) FROM (SELECT 1 FROM "Book" AS t0 WHERE (t0."title" >= ? AND t0."title" < ?) AND t0."_id" IN (SELECT value FROM json_each(?)) LIMIT ?);
SELECT count(*) FROM (SELECT 1 FROM "Book" AS t0 WHERE t0."pages" IS NOT ? LIMIT ? OFFSET ?);
SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '_oxbow_files';
SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '_oxbow_saves';
SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '_oxbow_search';
SELECT count(*) FROM sqlite_schema;
SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name;
SELECT name, type, "notnull" FROM pragma_table_info(?);
SELECT oxbow_date_part(t0."printed", 'hour', ?) FROM "Book" AS t0;
SELECT oxbow_date_part(t0."printed", 'month', ?) AS "#0", coalesce(sum((t0."copies" * ?)), 0) AS "#1", min(t0."weight") AS "#2", count(t0."title") AS "#3", count(*) AS "#4", min(t0."title") AS "#5" FROM "Book" AS t0 GROUP BY "#0" ORDER BY "#0";
SELECT oxbow_date_part(t0."printed", 'month', ?) AS "#0", t0."copies" AS "#1", t0."printed" AS "#2", min(t0."printed") AS "#3", min(t0."weight") AS "#4", coalesce(sum((t0."copies" * ?)), 0) AS "#5", max(t0."printed") AS "#6", count(*) AS "#7", min(t0."title") AS "#8" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" ORDER BY "#0", "#1", "#2";
SELECT oxbow_date_part(t0."printed", 'month', ?) AS "#0", t0."printed" AS "#1", max(t0."printed") AS "#2", count(*) AS "#3", min(t0."title") AS "#4" FROM "Book" AS t0 GROUP BY "#0", "#1" ORDER BY "#3" DESC, "#0", "#1";
SELECT oxbow_date_part(t0."printed", 'month', ?) AS "#0", t0."printed" AS "#1", max(t0."printed") AS "#2", max(t0."copies") AS "#3", count(*) AS "#4", min(t0."title") AS "#5" FROM "Book" AS t0 GROUP BY "#0", "#1" ORDER BY "#4" DESC, "#0", "#1";
SELECT oxbow_date_part(t0."printed", 'month', ?) AS "#0", t0."title" AS "#1", min(t0."copies") AS "#2", count(*) AS "#3", min(t0."title") AS "#4" FROM "Book" AS t0 GROUP BY "#0", "#1" HAVING "#3" > ? ORDER BY "#0", "#1";
SELECT oxbow_date_part(t0."printed", 'month', ?) AS "#0", t0."title" AS "#1", t0."copies" AS "#2", oxbow_whole_average(t0."copies") AS "#3", avg(t0."weight") AS "#4", max(t0."printed") AS "#5", max(t0."weight") AS "#6", min(t0."copies") AS "#7", count(*) AS "#8", min(t0."title") AS "#9" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" ORDER BY "#0", "#1", "#2" LIMIT ?;
SELECT oxbow_date_part(t0."printed", 'month', ?) AS "#0", t0."weight" AS "#1", min(t0."copies") AS "#2", oxbow_whole_average(t0."copies") AS "#3", coalesce(sum(t0."copies"), 0) AS "#4", count(*) AS "#5", min(t0."title") AS "#6" FROM "Book" AS t0 GROUP BY "#0", "#1" HAVING "#5" > ? ORDER BY "#5" DESC, "#0", "#1";
SELECT oxbow_date_part(t0."printed", 'month', ?) AS "#0", t0."weight" AS "#1", t0."title" AS "#2", count(t0."title") AS "#3", count(*) AS "#4", min(t0."title") AS "#5" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" HAVING "#4" > ? ORDER BY "#4" DESC, "#0", "#1", "#2";
SELECT oxbow_date_part(t0."printed", 'month', ?) AS "#0", t0."weight" AS "#1", t0."title" AS "#2", max(t0."copies") AS "#3", coalesce(oxbow_decimal_sum(t0."price"), '0') AS "#4", count(t0."title") AS "#5", count(*) AS "#6", min(t0."title") AS "#7" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" ORDER BY "#6" DESC, "#0", "#1", "#2";
SELECT oxbow_date_part(t0."printed", 'month', ?), (t0."copies" * ?), t0."weight", t0."title" FROM "Book" AS t0;
SELECT oxbow_date_part(t0."printed", 'month', ?), t0."copies", t0."printed", t0."printed", t0."weight", (t0."copies" * ?), t0."printed" FROM "Book" AS t0;
SELECT oxbow_date_part(t0."printed", 'month', ?), t0."printed", t0."printed" FROM "Book" AS t0;
SELECT oxbow_date_part(t0."printed", 'month', ?), t0."printed", t0."printed", t0."copies" FROM "Book" AS t0;
SELECT oxbow_date_part(t0."printed", 'month', ?), t0."title", t0."copies" FROM "Book" AS t0;
SELECT oxbow_date_part(t0."printed", 'month', ?), t0."title", t0."copies", t0."copies", t0."weight", t0."printed", t0."weight", t0."copies" FROM "Book" AS t0;
SELECT oxbow_date_part(t0."printed", 'month', ?), t0."weight", t0."copies", t0."copies", t0."copies" FROM "Book" AS t0;
SELECT oxbow_date_part(t0."printed", 'month', ?), t0."weight", t0."title", t0."copies", t0."price", t0."title" FROM "Book" AS t0;
SELECT oxbow_date_part(t0."printed", 'month', ?), t0."weight", t0."title", t0."title" FROM "Book" AS t0;
SELECT strict FROM pragma_table_list(?) WHERE schema = 'main';
SELECT t0."_id" AS "#0", oxbow_date_part(t0."printed", 'year', ?) AS "#1", oxbow_date_part(t0."printed", 'month', ?) AS "#2", oxbow_date_part(t0."printed", 'day', ?) AS "#3", oxbow_date_part(t0."printed", 'hour', ?) AS "#4" FROM "Book" AS t0 ORDER BY t0."_id";
SELECT t0."_id" FROM "Book" AS t0 WHERE (t0."title" >= ? AND t0."title" < ?) ORDER BY t0."_id";
SELECT t0."_id" FROM "Book" AS t0 WHERE EXISTS (SELECT 1 FROM "Book_tags" AS s1_0j JOIN "Tag" AS s1_0 ON s1_0."_id" = s1_0j."member" WHERE s1_0j."owner" = t0."_id" AND EXISTS (SELECT 1 FROM "Book_tags" AS s2_0j JOIN "Book" AS s2_0 ON s2_0."_id" = s2_0j."owner" WHERE s2_0j."member" = s1_0."_id" AND EXISTS (SELECT 1 FROM "Book_tags" AS s3_0j JOIN "Tag" AS s3_0 ON s3_0."_id" = s3_0j."member" WHERE s3_0j."owner" = s2_0."_id" AND s3_0."label" IS NOT ?))) ORDER BY t0."_id";
SELECT t0."_id" FROM "Book" AS t0 WHERE t0."pages" IS NOT ? ORDER BY t0."pages" DESC, t0."_id" LIMIT ? OFFSET ?;
SELECT t0."_id", t0."_version" FROM "Tag" AS t0 ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."_type" FROM "Person" AS t0 WHERE 0 ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."_type", t0."friend", t0."_friend_type", t0."mentor", t0."_mentor_type", t0."name", t0."pupil", t0."_pupil_type", t0."card" FROM "Person" AS t0 WHERE t0."_type" = 3 ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."_type", t0."friend", t0."_friend_type", t0."mentor", t0."_mentor_type", t0."name", t0."pupil", t0."_pupil_type", t0."card", t0."note" FROM "Person" AS t0 ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."_type", t0."friend", t0."_friend_type", t0."mentor", t0."_mentor_type", t0."name", t … 4085 bytes, ace0b03fb1d58dd2;
SELECT t0."_id", t0."_version", t0."_type", t0."friend", t0."_friend_type", t0."mentor", t0."_mentor_type", t0."name", t0."pupil", t0."_pupil_type", t0."note" FROM "Person" AS t0 WHERE t0."_id" IN (?) AND t0."_type" = 4;
SELECT t0."_id", t0."_version", t0."_type", t0."friend", t0."_friend_type", t0."mentor", t0."_mentor_type", t0."name", t0."pupil", t0."_pupil_type", t0."note" FROM "Person" AS t0 WHERE t0."_type" = 4 ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 LEFT JOIN "Person" AS t1 ON t1."_id" = t0."author" WHERE (t0."title" >= ? AND t0."title" < ?) ORDER BY oxbow_text_order(t0."title", 1), t1."name", t0."_id" LIMIT ?;
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 ORDER BY t0."price" COLLATE oxbow_decimal, t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE (length(t0."title") > ?) ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE EXISTS (SELECT 1 FROM "Book_tags" AS s1_0j JOIN "Tag" AS s1_0 ON s1_0."_id" = s1_0j."member" WHERE s1_0j."owner" = t0."_id" AND EXISTS (SELECT 1 FROM "Book_tags" AS s2_0j JOIN "Book" AS s2_0 ON s2_0."_id" = s2_0j."owner" WHERE s2_0j."member" = s1_0."_id" AND EXISTS (SELECT 1 FROM "Book_tags" AS s3_0j JOIN "Tag" AS s3_0 ON s3_0."_id" = s3_0j."member" WHERE s3_0j."owner" = s2_0."_id" AND s3_0."label" IS NOT ?))) ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE NOT (coalesce(oxbow_contains(t0."title", ?, 1), 0)) ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE NOT (coalesce(t0."cover" IN (SELECT CAST(coalesce(substr(?, (value >> 31) + 1, value & 2147483647), x'') AS BLOB) FROM json_each(?)), 0)) ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE NOT (coalesce(t0."number" IN (SELECT CAST(coalesce(substr(?, (value >> 31) + 1, value & 2147483647), x'') AS BLOB) FROM json_each(?)), 0)) ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE NOT (coalesce(t0."page" IN (SELECT CAST(coalesce(substr(?, (value >> 31) + 1, value & 2147483647), x'') AS TEXT) FROM json_each(?)), 0)) ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE NOT (coalesce(t0."pages" IN (SELECT value FROM json_each(?)), 0)) ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE NOT (coalesce(t0."price" COLLATE oxbow_decimal IN (SELECT CAST(coalesce(substr(?, (value >> 31) + 1, value & 2147483647), x'') AS TEXT) FROM json_each(?)), 0)) ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE NOT (coalesce(t0."printed" IN (SELECT * FROM (WITH RECURSIVE larger(e, power) AS (SELECT 0, 1.0 UNION ALL SELECT e + 1, power * 2.0 FROM larger WHERE e < 971), smaller(e, power) AS (SELECT -1, 0.5 UNION ALL SELECT e - 1, power / 2.0 FROM smaller WHERE e > -1074), powers AS MATERIALIZED (SELECT * FROM larger UNION ALL SELECT * FROM smaller) SELECT json_extract(value, '$[0]') * power FROM json_each(?) JOIN powers ON e = json_extract(value, '$[1]'))), 0)) ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE NOT (coalesce(t0."title" IN (SELECT CAST(coalesce(substr(?, (value >> 31) + 1, value & 2147483647), x'') AS TEXT) FROM json_each(?)), 0)) ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE t0."_id" IN (?);
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE t0."cover" IN (SELECT CAST(coalesce(substr(?, (value >> 31) + 1, value & 2147483647), x'') AS BLOB) FROM json_each(?)) ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE t0."number" IN (SELECT CAST(coalesce(substr(?, (value >> 31) + 1, value & 2147483647), x'') AS BLOB) FROM json_each(?)) ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE t0."page" IN (SELECT CAST(coalesce(substr(?, (value >> 31) + 1, value & 2147483647), x'') AS TEXT) FROM json_each(?)) ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE t0."pages" IN (SELECT value FROM json_each(?)) ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE t0."pages" IS NOT ? ORDER BY t0."pages" DESC, t0."_id" LIMIT ? OFFSET ?;
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE t0."price" COLLATE oxbow_decimal < ? ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE t0."price" COLLATE oxbow_decimal IN (SELECT CAST(coalesce(substr(?, (value >> 31) + 1, value & 2147483647), x'') AS TEXT) FROM json_each(?)) ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE t0."printed" IN (SELECT * FROM (WITH RECURSIVE larger(e, power) AS (SELECT 0, 1.0 UNION ALL SELECT e + 1, power * 2.0 FROM larger WHERE e < 971), smaller(e, power) AS (SELECT -1, 0.5 UNION ALL SELECT e - 1, power / 2.0 FROM smaller WHERE e > -1074), powers AS MATERIALIZED (SELECT * FROM larger UNION ALL SELECT * FROM smaller) SELECT json_extract(value, '$[0]') * power FROM json_each(?) JOIN powers ON e = json_extract(value, '$[1]'))) ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE t0."title" IN (SELECT CAST(coalesce(substr(?, (value >> 31) + 1, value & 2147483647), x'') AS TEXT) FROM json_each(?)) ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."label" FROM "Shelf" AS t0 WHERE ((SELECT coalesce(oxbow_decimal_sum(s1_0."price"), '0') FROM "Book" AS s1_0 WHERE s1_0."shelf" = t0."_id") COLLATE oxbow_decimal = ? AND (SELECT max(s1_0."price" COLLATE oxbow_decimal) FROM "Book" AS s1_0 WHERE s1_0."shelf" = t0."_id") COLLATE oxbow_decimal IS NULL) ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."label" FROM "Shelf" AS t0 WHERE (SELECT coalesce(oxbow_decimal_sum(s1_0."price"), '0') FROM "Book" AS s1_0 WHERE s1_0."shelf" = t0."_id") COLLATE oxbow_decimal = ? ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."label" FROM "Shelf" AS t0 WHERE (SELECT max(s1_0."price" COLLATE oxbow_decimal) FROM "Book" AS s1_0 WHERE s1_0."shelf" = t0."_id") COLLATE oxbow_decimal > (SELECT min(s1_0."price" COLLATE oxbow_decimal) FROM "Book" AS s1_0 WHERE s1_0."shelf" = t0."_id") ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."label" FROM "Shelf" AS t0 WHERE (SELECT oxbow_decimal_average(s1_0."price") FROM "Book" AS s1_0 WHERE s1_0."shelf" = t0."_id") COLLATE oxbow_decimal = ? ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."label" FROM "Tag" AS t0 ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."label" FROM "Tag" AS t0 WHERE t0."_id" IN (?, ?, ?, ?, ?, ?, ?, ?);
SELECT t0."_id", t0."_version", t0."label" FROM "Tag" AS t0 WHERE t0."_id" IN (SELECT value FROM json_each(?));
SELECT t0."author" AS "#0", t0."_author_type" AS "#0e", t1."name" AS "#1", t0."number" AS "#2", t0."cover" AS "#3", t0."isLent" AS "#4", t0."page" AS "#5", t0."shelf" AS "#6" FROM "Book" AS t0 LEFT JOIN "Person" AS t1 ON t1."_id" = t0."author" ORDER BY t0."_id";
SELECT t0."copies" AS "#0", coalesce(sum(t0."copies"), 0) AS "#1", coalesce(sum((t0."copies" * ?)), 0) AS "#2", total(t0."weight") AS "#3", max(t0."weight") AS "#4", min(t0."copies") AS "#5", count(*) AS "#6", min(t0."title") AS "#7" FROM "Book" AS t0 GROUP BY "#0" ORDER BY "#6" DESC, "#0";
SELECT t0."copies" AS "#0", max(t0."printed") AS "#1", coalesce(oxbow_decimal_sum(t0."price"), '0') AS "#2", max(t0."copies") AS "#3", coalesce(sum(t0."copies"), 0) AS "#4", count(*) AS "#5", min(t0."title") AS "#6" FROM "Book" AS t0 GROUP BY "#0" ORDER BY "#5" DESC, "#0";
SELECT t0."copies" AS "#0", min(t0."copies") AS "#1", total(t0."weight") AS "#2", min(t0."printed") AS "#3", max(t0."copies") AS "#4", avg(t0."weight") AS "#5", count(*) AS "#6", min(t0."title") AS "#7" FROM "Book" AS t0 GROUP BY "#0" ORDER BY "#6" DESC, "#0" LIMIT ?;
SELECT t0."copies" AS "#0", min(t0."printed") AS "#1", min(t0."copies") AS "#2", oxbow_whole_average(t0."copies") AS "#3", coalesce(oxbow_decimal_sum(t0."price"), '0') AS "#4", count(t0."title") AS "#5", count(*) AS "#6", min(t0."title") AS "#7" FROM "Book" AS t0 GROUP BY "#0" HAVING "#6" > ? ORDER BY "#0";
SELECT t0."copies" AS "#0", oxbow_date_part(t0."printed", 'month', ?) AS "#1", oxbow_decimal_average(t0."price") AS "#2", count(*) AS "#3", min(t0."title") AS "#4" FROM "Book" AS t0 GROUP BY "#0", "#1" HAVING "#3" > ? ORDER BY "#3" DESC, "#0", "#1";
SELECT t0."copies" AS "#0", oxbow_date_part(t0."printed", 'month', ?) AS "#1", t0."title" AS "#2", coalesce(oxbow_decimal_sum(t0."price"), '0') AS "#3", avg(t0."weight") AS "#4", count(t0."price") AS "#5", coalesce(sum(t0."copies"), 0) AS "#6", count(*) AS "#7", min(t0."title") AS "#8" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" ORDER BY "#0", "#1", "#2";
SELECT t0."copies" AS "#0", oxbow_date_part(t0."printed", 'month', ?) AS "#1", total(t0."weight") AS "#2", avg(t0."weight") AS "#3", count(*) AS "#4", min(t0."title") AS "#5" FROM "Book" AS t0 GROUP BY "#0", "#1" ORDER BY "#4" DESC, "#0", "#1";
SELECT t0."copies" AS "#0", oxbow_decimal_average(t0."price") AS "#1", min(t0."printed") AS "#2", min(t0."weight") AS "#3", count(*) AS "#4", min(t0."title") AS "#5" FROM "Book" AS t0 GROUP BY "#0" HAVING "#4" > ? ORDER BY "#0";
SELECT t0."copies" AS "#0", t0."printed" AS "#1", t0."title" AS "#2", max(t0."copies") AS "#3", max(t0."weight") AS "#4", oxbow_whole_average(t0."copies") AS "#5", min(t0."copies") AS "#6", count(*) AS "#7", min(t0."title") AS "#8" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" ORDER BY "#7" DESC, "#0", "#1", "#2";
SELECT t0."copies" AS "#0", t0."title" AS "#1", t0."weight" AS "#2", coalesce(oxbow_decimal_sum(t0."price"), '0') AS "#3", avg(t0."weight") AS "#4", coalesce(sum((t0."copies" * ?)), 0) AS "#5", total(t0."weight") AS "#6", count(*) AS "#7", min(t0."title") AS "#8" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" ORDER BY "#0", "#1", "#2";
SELECT t0."copies" AS "#0", t0."title" AS "#1", t0."weight" AS "#2", total(t0."weight") AS "#3", min(t0."copies") AS "#4", count(t0."title") AS "#5", oxbow_decimal_average(t0."price") AS "#6", avg(t0."weight") AS "#7", count(*) AS "#8", min(t0."title") AS "#9" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" HAVING "#8" > ? ORDER BY "#8" DESC, "#0", "#1", "#2";
SELECT t0."copies" AS "#0", t0."weight" AS "#1", t0."printed" AS "#2", min(t0."printed") AS "#3", count(*) AS "#4", min(t0."title") AS "#5" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" ORDER BY "#4" DESC, "#0", "#1", "#2" LIMIT ?;
SELECT t0."copies" AS "#0", t0."weight" AS "#1", total(t0."weight") AS "#2", count(*) AS "#3", min(t0."title") AS "#4" FROM "Book" AS t0 GROUP BY "#0", "#1" ORDER BY "#3" DESC, "#0", "#1";
SELECT t0."copies" AS "#0", total(t0."weight") AS "#1", count(*) AS "#2", min(t0."title") AS "#3" FROM "Book" AS t0 GROUP BY "#0" ORDER BY "#2" DESC, "#0" LIMIT ?;
SELECT t0."copies" AS "#0", total(t0."weight") AS "#1", min(t0."copies") AS "#2", max(t0."copies") AS "#3", count(*) AS "#4", min(t0."title") AS "#5" FROM "Book" AS t0 GROUP BY "#0" ORDER BY "#4" DESC, "#0";
SELECT t0."copies", oxbow_date_part(t0."printed", 'month', ?), t0."price" FROM "Book" AS t0;
SELECT t0."copies", oxbow_date_part(t0."printed", 'month', ?), t0."title", t0."price", t0."weight", t0."price", t0."copies" FROM "Book" AS t0;
SELECT t0."copies", oxbow_date_part(t0."printed", 'month', ?), t0."weight", t0."weight" FROM "Book" AS t0;
SELECT t0."copies", t0."copies", (t0."copies" * ?), t0."weight", t0."weight", t0."copies" FROM "Book" AS t0;
SELECT t0."copies", t0."copies", t0."weight", t0."printed", t0."copies", t0."weight" FROM "Book" AS t0;
SELECT t0."copies", t0."price", t0."printed", t0."weight" FROM "Book" AS t0;
SELECT t0."copies", t0."printed", t0."copies", t0."copies", t0."price", t0."title" FROM "Book" AS t0;
SELECT t0."copies", t0."printed", t0."price", t0."copies", t0."copies" FROM "Book" AS t0;
SELECT t0."copies", t0."printed", t0."title", t0."copies", t0."weight", t0."copies", t0."copies" FROM "Book" AS t0;
SELECT t0."copies", t0."title", t0."weight", t0."price", t0."weight", (t0."copies" * ?), t0."weight" FROM "Book" AS t0;
SELECT t0."copies", t0."title", t0."weight", t0."weight", t0."copies", t0."title", t0."price", t0."weight" FROM "Book" AS t0;
SELECT t0."copies", t0."weight" FROM "Book" AS t0;
SELECT t0."copies", t0."weight", t0."copies", t0."copies" FROM "Book" AS t0;
SELECT t0."copies", t0."weight", t0."printed", t0."printed" FROM "Book" AS t0;
SELECT t0."copies", t0."weight", t0."weight" FROM "Book" AS t0;
SELECT t0."price" AS "#0", count(*) AS "#1" FROM "Book" AS t0 GROUP BY "#0" COLLATE oxbow_decimal ORDER BY "#0" COLLATE oxbow_decimal;
SELECT t0."printed" AS "#0", count(t0."price") AS "#1", avg(t0."weight") AS "#2", max(t0."copies") AS "#3", min(t0."printed") AS "#4", count(*) AS "#5", min(t0."title") AS "#6" FROM "Book" AS t0 GROUP BY "#0" HAVING "#5" > ? ORDER BY "#5" DESC, "#0";
SELECT t0."printed" AS "#0", count(t0."price") AS "#1", oxbow_whole_average(t0."copies") AS "#2", count(*) AS "#3", min(t0."title") AS "#4" FROM "Book" AS t0 GROUP BY "#0" ORDER BY "#0" LIMIT ?;
SELECT t0."printed" AS "#0", oxbow_decimal_average(t0."price") AS "#1", oxbow_whole_average(t0."copies") AS "#2", max(t0."printed") AS "#3", max(t0."weight") AS "#4", count(*) AS "#5", min(t0."title") AS "#6" FROM "Book" AS t0 GROUP BY "#0" HAVING "#5" > ? ORDER BY "#5" DESC, "#0" LIMIT ?;
SELECT t0."printed" AS "#0", t0."copies" AS "#1", oxbow_date_part(t0."printed", 'month', ?) AS "#2", max(t0."copies") AS "#3", min(t0."copies") AS "#4", count(*) AS "#5", min(t0."title") AS "#6" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" ORDER BY "#0", "#1", "#2";
SELECT t0."printed" AS "#0", t0."copies" AS "#1", t0."title" AS "#2", coalesce(sum(t0."copies"), 0) AS "#3", min(t0."copies") AS "#4", count(*) AS "#5", min(t0."title") AS "#6" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" ORDER BY "#0", "#1", "#2";
SELECT t0."printed" AS "#0", t0."copies" AS "#1", t0."weight" AS "#2", max(t0."weight") AS "#3", min(t0."copies") AS "#4", coalesce(sum(t0."copies"), 0) AS "#5", count(t0."title") AS "#6", min(t0."weight") AS "#7", count(*) AS "#8", min(t0."title") AS "#9" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" ORDER BY "#8" DESC, "#0", "#1", "#2";
SELECT t0."printed" AS "#0", t0."copies" AS "#1", t0."weight" AS "#2", oxbow_whole_average(t0."copies") AS "#3", avg(t0."weight") AS "#4", min(t0."printed") AS "#5", count(*) AS "#6", min(t0."title") AS "#7" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" HAVING "#6" > ? ORDER BY "#6" DESC, "#0", "#1", "#2";
SELECT t0."printed", t0."copies", oxbow_date_part(t0."printed", 'month', ?), t0."copies", t0."copies" FROM "Book" AS t0;
SELECT t0."printed", t0."copies", t0."title", t0."copies", t0."copies" FROM "Book" AS t0;
SELECT t0."printed", t0."copies", t0."weight", t0."copies", t0."weight", t0."printed" FROM "Book" AS t0;
SELECT t0."printed", t0."copies", t0."weight", t0."weight", t0."copies", t0."copies", t0."title", t0."weight" FROM "Book" AS t0;
SELECT t0."printed", t0."price", t0."copies" FROM "Book" AS t0;
SELECT t0."printed", t0."price", t0."copies", t0."printed", t0."weight" FROM "Book" AS t0;
SELECT t0."printed", t0."price", t0."weight", t0."copies", t0."printed" FROM "Book" AS t0;
SELECT t0."title" AS "#0", coalesce(sum(t0."copies"), 0) AS "#1", coalesce(sum((t0."copies" * ?)), 0) AS "#2", max(t0."printed") AS "#3", count(*) AS "#4", min(t0."title") AS "#5" FROM "Book" AS t0 GROUP BY "#0" ORDER BY "#0";
SELECT t0."title" AS "#0", count(t0."title") AS "#1", min(t0."weight") AS "#2", coalesce(sum((t0."copies" * ?)), 0) AS "#3", max(t0."weight") AS "#4", count(*) AS "#5", min(t0."title") AS "#6" FROM "Book" AS t0 GROUP BY "#0" ORDER BY "#5" DESC, "#0";
SELECT t0."title" AS "#0", min(t0."weight") AS "#1", total(t0."weight") AS "#2", avg(t0."weight") AS "#3", coalesce(sum(t0."copies"), 0) AS "#4", oxbow_decimal_average(t0."price") AS "#5", count(*) AS "#6", min(t0."title") AS "#7" FROM "Book" AS t0 GROUP BY "#0" ORDER BY "#6" DESC, "#0";
SELECT t0."title" AS "#0", oxbow_date_part(t0."printed", 'month', ?) AS "#1", coalesce(sum((t0."copies" * ?)), 0) AS "#2", count(*) AS "#3", min(t0."title") AS "#4" FROM "Book" AS t0 GROUP BY "#0", "#1" HAVING "#3" > ? ORDER BY "#0", "#1";
SELECT t0."title" AS "#0", oxbow_date_part(t0."printed", 'month', ?) AS "#1", max(t0."copies") AS "#2", coalesce(oxbow_decimal_sum(t0."price"), '0') AS "#3", coalesce(sum((t0."copies" * ?)), 0) AS "#4", min(t0."weight") AS "#5", count(*) AS "#6", min(t0."title") AS "#7" FROM "Book" AS t0 GROUP BY "#0", "#1" HAVING "#6" > ? ORDER BY "#0", "#1" LIMIT ?;
SELECT t0."title" AS "#0", oxbow_date_part(t0."printed", 'month', ?) AS "#1", max(t0."weight") AS "#2", count(t0."price") AS "#3", max(t0."copies") AS "#4", count(*) AS "#5", min(t0."title") AS "#6" FROM "Book" AS t0 GROUP BY "#0", "#1" ORDER BY "#5" DESC, "#0", "#1" LIMIT ?;
SELECT t0."title" AS "#0", oxbow_whole_average(t0."copies") AS "#1", min(t0."copies") AS "#2", count(*) AS "#3", min(t0."title") AS "#4" FROM "Book" AS t0 GROUP BY "#0" ORDER BY "#0" LIMIT ?;
SELECT t0."title" AS "#0", t0."copies" AS "#1", count(t0."price") AS "#2", min(t0."copies") AS "#3", count(*) AS "#4", min(t0."title") AS "#5" FROM "Book" AS t0 GROUP BY "#0", "#1" ORDER BY "#4" DESC, "#0", "#1";
SELECT t0."title" AS "#0", t0."copies" AS "#1", t0."printed" AS "#2", count(t0."price") AS "#3", avg(t0."weight") AS "#4", min(t0."printed") AS "#5", min(t0."weight") AS "#6", count(*) AS "#7", min(t0."title") AS "#8" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" ORDER BY "#0", "#1", "#2";
SELECT t0."title" AS "#0", t0."printed" AS "#1", max(t0."weight") AS "#2", count(t0."title") AS "#3", oxbow_whole_average(t0."copies") AS "#4", min(t0."printed") AS "#5", avg(t0."weight") AS "#6", count(*) AS "#7", min(t0."title") AS "#8" FROM "Book" AS t0 GROUP BY "#0", "#1" ORDER BY "#0", "#1";
SELECT t0."title" AS "#0", t0."weight" AS "#1", avg(t0."weight") AS "#2", total(t0."weight") AS "#3", count(t0."price") AS "#4", coalesce(sum(t0."copies"), 0) AS "#5", max(t0."copies") AS "#6", count(*) AS "#7", min(t0."title") AS "#8" FROM "Book" AS t0 GROUP BY "#0", "#1" ORDER BY "#0", "#1";
SELECT t0."title" AS "#0", t0."weight" AS "#1", oxbow_date_part(t0."printed", 'month', ?) AS "#2", max(t0."copies") AS "#3", coalesce(sum(t0."copies"), 0) AS "#4", count(*) AS "#5", min(t0."title") AS "#6" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" ORDER BY "#0", "#1", "#2";
SELECT t0."title" AS "#0", t0."weight" AS "#1", oxbow_date_part(t0."printed", 'month', ?) AS "#2", min(t0."copies") AS "#3", count(*) AS "#4", min(t0."title") AS "#5" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" HAVING "#4" > ? ORDER BY "#0", "#1", "#2";
SELECT t0."title" AS "#0", total(t0."weight") AS "#1", oxbow_whole_average(t0."copies") AS "#2", count(t0."price") AS "#3", oxbow_decimal_average(t0."price") AS "#4", count(*) AS "#5", min(t0."title") AS "#6" FROM "Book" AS t0 GROUP BY "#0" ORDER BY "#0";
SELECT t0."title", oxbow_date_part(t0."printed", 'month', ?), (t0."copies" * ?) FROM "Book" AS t0;
SELECT t0."title", oxbow_date_part(t0."printed", 'month', ?), t0."copies", t0."price", (t0."copies" * ?), t0."weight" FROM "Book" AS t0;
SELECT t0."title", oxbow_date_part(t0."printed", 'month', ?), t0."weight", t0."price", t0."copies" FROM "Book" AS t0;
SELECT t0."title", t0."copies", (t0."copies" * ?), t0."printed" FROM "Book" AS t0;
SELECT t0."title", t0."copies", t0."copies" FROM "Book" AS t0;
SELECT t0."title", t0."copies", t0."price", t0."copies" FROM "Book" AS t0;
SELECT t0."title", t0."copies", t0."printed", t0."price", t0."weight", t0."printed", t0."weight" FROM "Book" AS t0;
SELECT t0."title", t0."printed", t0."weight", t0."title", t0."copies", t0."printed", t0."weight" FROM "Book" AS t0;
SELECT t0."title", t0."title", t0."weight", (t0."copies" * ?), t0."weight" FROM "Book" AS t0;
SELECT t0."title", t0."weight", oxbow_date_part(t0."printed", 'month', ?), t0."copies" FROM "Book" AS t0;
SELECT t0."title", t0."weight", oxbow_date_part(t0."printed", 'month', ?), t0."copies", t0."copies" FROM "Book" AS t0;
SELECT t0."title", t0."weight", t0."copies", t0."price", t0."price" FROM "Book" AS t0;
SELECT t0."title", t0."weight", t0."weight", t0."weight", t0."copies", t0."price" FROM "Book" AS t0;
SELECT t0."title", t0."weight", t0."weight", t0."weight", t0."price", t0."copies", t0."copies" FROM "Book" AS t0;
SELECT t0."weight" AS "#0", count(t0."price") AS "#1", oxbow_decimal_average(t0."price") AS "#2", min(t0."printed") AS "#3", min(t0."weight") AS "#4", coalesce(sum((t0."copies" * ?)), 0) AS "#5", count(*) AS "#6", min(t0."title") AS "#7" FROM "Book" AS t0 GROUP BY "#0" HAVING "#6" > ? ORDER BY "#0" LIMIT ?;
SELECT t0."weight" AS "#0", count(t0."title") AS "#1", count(*) AS "#2", min(t0."title") AS "#3" FROM "Book" AS t0 GROUP BY "#0" HAVING "#2" > ? ORDER BY "#2" DESC, "#0";
SELECT t0."weight" AS "#0", min(t0."printed") AS "#1", coalesce(sum((t0."copies" * ?)), 0) AS "#2", count(*) AS "#3", min(t0."title") AS "#4" FROM "Book" AS t0 GROUP BY "#0" ORDER BY "#3" DESC, "#0";
SELECT t0."weight" AS "#0", min(t0."printed") AS "#1", oxbow_whole_average(t0."copies") AS "#2", count(*) AS "#3", min(t0."title") AS "#4" FROM "Book" AS t0 GROUP BY "#0" HAVING "#3" > ? ORDER BY "#0";
SELECT t0."weight" AS "#0", min(t0."weight") AS "#1", min(t0."printed") AS "#2", total(t0."weight") AS "#3", max(t0."copies") AS "#4", oxbow_decimal_average(t0."price") AS "#5", count(*) AS "#6", min(t0."title") AS "#7" FROM "Book" AS t0 GROUP BY "#0" HAVING "#6" > ? ORDER BY "#6" DESC, "#0" LIMIT ?;
SELECT t0."weight" AS "#0", oxbow_date_part(t0."printed", 'month', ?) AS "#1", min(t0."copies") AS "#2", count(t0."title") AS "#3", oxbow_whole_average(t0."copies") AS "#4", count(*) AS "#5", min(t0."title") AS "#6" FROM "Book" AS t0 GROUP BY "#0", "#1" ORDER BY "#5" DESC, "#0", "#1";
SELECT t0."weight" AS "#0", oxbow_date_part(t0."printed", 'month', ?) AS "#1", t0."title" AS "#2", coalesce(sum(t0."copies"), 0) AS "#3", count(t0."price") AS "#4", count(*) AS "#5", min(t0."title") AS "#6" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" ORDER BY "#0", "#1", "#2";
SELECT t0."weight" AS "#0", t0."copies" AS "#1", count(t0."price") AS "#2", total(t0."weight") AS "#3", avg(t0."weight") AS "#4", max(t0."printed") AS "#5", min(t0."printed") AS "#6", count(*) AS "#7", min(t0."title") AS "#8" FROM "Book" AS t0 GROUP BY "#0", "#1" ORDER BY "#0", "#1";
SELECT t0."weight" AS "#0", t0."copies" AS "#1", oxbow_date_part(t0."printed", 'month', ?) AS "#2", max(t0."printed") AS "#3", oxbow_decimal_average(t0."price") AS "#4", count(*) AS "#5", min(t0."title") AS "#6" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" ORDER BY "#0", "#1", "#2" LIMIT ?;
SELECT t0."weight" AS "#0", t0."copies" AS "#1", t0."printed" AS "#2", total(t0."weight") AS "#3", count(*) AS "#4", min(t0."title") AS "#5" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" HAVING "#4" > ? ORDER BY "#0", "#1", "#2";
SELECT t0."weight" AS "#0", t0."copies" AS "#1", t0."title" AS "#2", count(t0."title") AS "#3", oxbow_whole_average(t0."copies") AS "#4", coalesce(oxbow_decimal_sum(t0."price"), '0') AS "#5", total(t0."weight") AS "#6", max(t0."weight") AS "#7", count(*) AS "#8", min(t0."title") AS "#9" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" HAVING "#8" > ? ORDER BY "#8" DESC, "#0", "#1", "#2";
SELECT t0."weight" AS "#0", t0."printed" AS "#1", avg(t0."weight") AS "#2", count(*) AS "#3", min(t0."title") AS "#4" FROM "Book" AS t0 GROUP BY "#0", "#1" ORDER BY "#0", "#1";
SELECT t0."weight" AS "#0", t0."printed" AS "#1", t0."title" AS "#2", coalesce(sum((t0."copies" * ?)), 0) AS "#3", count(t0."price") AS "#4", count(*) AS "#5", min(t0."title") AS "#6" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" ORDER BY "#5" DESC, "#0", "#1", "#2";
SELECT t0."weight" AS "#0", t0."title" AS "#1", oxbow_whole_average(t0."copies") AS "#2", count(t0."price") AS "#3", min(t0."weight") AS "#4", count(*) AS "#5", min(t0."title") AS "#6" FROM "Book" AS t0 GROUP BY "#0", "#1" ORDER BY "#0", "#1";
SELECT t0."weight" AS "#0", t0."title" AS "#1", t0."printed" AS "#2", oxbow_whole_average(t0."copies") AS "#3", count(*) AS "#4", min(t0."title") AS "#5" FROM "Book" AS t0 GROUP BY "#0", "#1", "#2" HAVING "#4" > ? ORDER BY "#0", "#1", "#2";
SELECT t0."weight", oxbow_date_part(t0."printed", 'month', ?), t0."copies", t0."title", t0."copies" FROM "Book" AS t0;
SELECT t0."weight", oxbow_date_part(t0."printed", 'month', ?), t0."title", t0."copies", t0."price" FROM "Book" AS t0;
SELECT t0."weight", t0."copies", oxbow_date_part(t0."printed", 'month', ?), t0."printed", t0."price" FROM "Book" AS t0;
SELECT t0."weight", t0."copies", t0."price", t0."weight", t0."weight", t0."printed", t0."printed" FROM "Book" AS t0;
SELECT t0."weight", t0."copies", t0."printed", t0."weight" FROM "Book" AS t0;
SELECT t0."weight", t0."copies", t0."title", t0."title", t0."copies", t0."price", t0."weight", t0."weight" FROM "Book" AS t0;
SELECT t0."weight", t0."price", t0."price", t0."printed", t0."weight", (t0."copies" * ?) FROM "Book" AS t0;
SELECT t0."weight", t0."printed", (t0."copies" * ?) FROM "Book" AS t0;
SELECT t0."weight", t0."printed", t0."copies" FROM "Book" AS t0;
SELECT t0."weight", t0."printed", t0."title", (t0."copies" * ?), t0."price" FROM "Book" AS t0;
SELECT t0."weight", t0."printed", t0."weight" FROM "Book" AS t0;
SELECT t0."weight", t0."title" FROM "Book" AS t0;
SELECT t0."weight", t0."title", t0."copies", t0."price", t0."weight" FROM "Book" AS t0;
SELECT t0."weight", t0."title", t0."printed", t0."copies" FROM "Book" AS t0;
SELECT t0."weight", t0."weight", t0."printed", t0."weight", t0."copies", t0."price" FROM "Book" AS t0;
UPDATE OR ABORT "Book" AS t0 SET "pages" = (t0."pages" + ?), "weight" = CAST(t0."pages" AS REAL), "_version" = "_version" + 1 WHERE t0."_id" IN (SELECT t0."_id" FROM "Book" AS t0 WHERE (t0."title" >= ? AND t0."title" < ?)) RETURNING "_id", "pages", "weight";
UPDATE OR ABORT "Book" AS t0 SET "weight" = NULL, "_version" = "_version" + 1 WHERE t0."_id" IN (SELECT t0."_id" FROM "Book" AS t0 WHERE (t0."title" >= ? AND t0."title" < ?) ORDER BY t0."_id" LIMIT ?) RETURNING "_id", "weight";
UPDATE OR ABORT "Tag" SET "label" = ?, "_version" = "_version" + 1 WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "_oxbow_metadata" SET "value" = "value" + 1 WHERE "name" = 'saves';
UPDATE OR ABORT "_oxbow_metadata" SET "value" = ? WHERE "name" = 'saves' AND "value" = ?;
