BEGIN DEFERRED;
BEGIN IMMEDIATE;
COMMIT;
CREATE INDEX "Account_bank_index" ON "Account" ("bank");
CREATE INDEX "Author_friends_member_owner_index" ON "Author_friends" ("member", "owner");
CREATE INDEX "Book_author_index" ON "Book" ("author");
CREATE INDEX "Book_shelf__shelf_position_index" ON "Book" ("shelf", "_shelf_position");
CREATE INDEX "Book_tags_member_owner_index" ON "Book_tags" ("member", "owner");
CREATE INDEX "Person_friend_index" ON "Person" ("friend");
CREATE INDEX "Person_mentor_index" ON "Person" ("mentor");
CREATE INDEX "Person_peers_member_owner_index" ON "Person_peers" ("member", "owner");
CREATE INDEX "Person_pupil_index" ON "Person" ("pupil");
CREATE INDEX "Tag_related_member_owner_index" ON "Tag_related" ("member", "owner");
CREATE TABLE "Account" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "bank" INTEGER,
  "name" TEXT NOT NULL,
  "nick" TEXT,
  "number" INTEGER NOT NULL,
  "code" TEXT,
  FOREIGN KEY ("bank") REFERENCES "Bank" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "Author" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "bookCount" INTEGER,
  "name" TEXT NOT NULL,
  "pages" INTEGER,
  "plain" TEXT,
  "price" TEXT,
  "saved" REAL,
  "upper" TEXT,
  "weight" REAL
) STRICT;
CREATE TABLE "Author_friends" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Author" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Author" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "Bank" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL
) STRICT;
CREATE TABLE "Book" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "author" INTEGER,
  "pages" INTEGER,
  "price" TEXT,
  "weight" REAL,
  "writer" TEXT,
  "genre" TEXT,
  "kind" TEXT,
  FOREIGN KEY ("author") REFERENCES "Author" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
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
CREATE TABLE "Thing" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "value" BLOB NOT NULL
) STRICT;
CREATE TABLE "Thing" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "value" INTEGER NOT NULL
) STRICT;
CREATE TABLE "Thing" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "value" REAL NOT NULL
) STRICT;
CREATE TABLE "Thing" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "value" TEXT NOT NULL
) STRICT;
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
CREATE UNIQUE INDEX "Account_bank_name_unique" ON "Account" ("bank", "name");
CREATE UNIQUE INDEX "Account_code_unique" ON "Account" ("code") WHERE "_type" IN (2);
CREATE UNIQUE INDEX "Account_nick_name_unique" ON "Account" ("nick", "name");
CREATE UNIQUE INDEX "Account_number_unique" ON "Account" ("number");
CREATE UNIQUE INDEX "Book_number_unique" ON "Book" ("number");
CREATE UNIQUE INDEX "Thing_value_unique" ON "Thing" ("value");
CREATE UNIQUE INDEX "_oxbow_entities_name_unique" ON "_oxbow_entities" ("name");
DELETE FROM "Book" WHERE "_id" = ? AND "_version" = ?;
DELETE FROM "Book_tags" WHERE "member" = ?;
DELETE FROM "Book_tags" WHERE "member" BETWEEN ? AND ?;
DELETE FROM "Book_tags" WHERE "member" IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, … 1578 bytes, d00ea828e6544c7c;
DELETE FROM "Book_tags" WHERE "owner" = ?;
DELETE FROM "Book_tags" WHERE "owner" = ? AND "member" = ?;
DELETE FROM "Person_peers" WHERE "owner" = ? AND "member" = ?;
DELETE FROM "Tag" WHERE "_id" = ?;
DELETE FROM "Tag" WHERE "_id" = ? AND "_version" = ?;
DELETE FROM "Tag" WHERE "_id" IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AND "_version" = ?;
DELETE FROM "Tag" WHERE "_id" IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, … 1569 bytes, b4a610380cd8df8b;
DELETE FROM "Tag" WHERE "_id" IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, … 1588 bytes, b216db8b608cfc49;
DELETE FROM "Tag_related" WHERE "member" = ?;
DELETE FROM "Tag_related" WHERE "member" BETWEEN ? AND ?;
DELETE FROM "Tag_related" WHERE "member" IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,  … 1580 bytes, e5817b0dbf6ccbfb;
DELETE FROM "Tag_related" WHERE "owner" = ?;
DELETE FROM "Tag_related" WHERE "owner" BETWEEN ? AND ?;
DELETE FROM "Tag_related" WHERE "owner" IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? … 1579 bytes, 83b9b84e75c78076;
DELETE FROM "_oxbow_entities";
INSERT INTO "_oxbow_keys" ("root", "last") VALUES (?, 0) ON CONFLICT DO NOTHING;
INSERT OR ABORT INTO "Account" ("_id", "_version", "_type", "bank", "name", "nick", "number") VALUES (?, 1, 1, ?, ?, ?, ?);
INSERT OR ABORT INTO "Account" ("_id", "_version", "_type", "bank", "name", "nick", "number", "code") VALUES (?, 1, 2, ?, ?, ?, ?, ?);
INSERT OR ABORT INTO "Author" ("_id", "_version", "bookCount", "name", "pages", "plain", "price", "saved", "upper", "weight") VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?);
INSERT OR ABORT INTO "Bank" ("_id", "_version") VALUES (?, 1);
INSERT OR ABORT INTO "Book" ("_id", "_version", "_type", "author", "pages", "price", "weight", "writer", "genre", "kind") VALUES (?, 1, 3, ?, ?, ?, ?, ?, ?, ?);
INSERT OR ABORT INTO "Book" ("_id", "_version", "author", "_author_type", "copies", "cover", "factor", "grade", "isLent", "number", "page", "pages", "price", "printed", "shelf", "_shelf_position", "title", "weight") VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
INSERT OR ABORT INTO "Book_tags" ("owner", "member", "member_position") VALUES (?, ?, ?) ON CONFLICT ("owner", "member") DO NOTHING;
INSERT OR ABORT INTO "Book_tags" ("owner", "member", "member_position") VALUES (?, ?, ?) ON CONFLICT ("owner", "member") DO UPDATE SET "member_position" = excluded."member_position";
INSERT OR ABORT INTO "Person" ("_id", "_version", "_type", "friend", "_friend_type", "mentor", "_mentor_type", "name", "pupil", "_pupil_type", "card") VALUES (?, 1, 3, ?, ?, ?, ?, ?, ?, ?, ?);
INSERT OR ABORT INTO "Person" ("_id", "_version", "_type", "friend", "_friend_type", "mentor", "_mentor_type", "name", "pupil", "_pupil_type", "note") VALUES (?, 1, 4, ?, ?, ?, ?, ?, ?, ?, ?);
INSERT OR ABORT INTO "Person_peers" ("owner", "member") VALUES (?, ?) ON CONFLICT ("owner", "member") DO NOTHING;
INSERT OR ABORT INTO "Shelf" ("_id", "_version", "label") VALUES (?, 1, ?);
INSERT OR ABORT INTO "Tag" ("_id", "_version", "label") VALUES (?, 1, ?);
INSERT OR ABORT INTO "Tag_related" ("owner", "member") VALUES (?, ?) ON CONFLICT ("owner", "member") DO NOTHING;
INSERT OR ABORT INTO "Thing" ("_id", "_version", "value") VALUES (?, 1, ?);
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
ROLLBACK;
SELECT "_id" FROM "Book" WHERE "author" IN (SELECT value FROM json_each(?1));
SELECT "_id" FROM "Book" WHERE "number" = ? AND "_id" <> ? LIMIT 1;
SELECT "_id", "_type" FROM "Account" WHERE "bank" = ? AND "name" = ? AND "_id" <> ? LIMIT 1;
SELECT "_id", "_type" FROM "Account" WHERE "number" = ? AND "_id" <> ? LIMIT 1;
SELECT "bank" FROM "Account" WHERE "_id" = ?;
SELECT "last", coalesce((SELECT max("_id") FROM "Book"), 0) FROM "_oxbow_keys" WHERE "root" = ?;
SELECT "last", coalesce((SELECT max("_id") FROM "Tag"), 0) FROM "_oxbow_keys" WHERE "root" = ?;
SELECT "name", "value" FROM "_oxbow_metadata";
SELECT "number", "name", "hash" FROM "_oxbow_entities" ORDER BY "number";
SELECT "value" FROM "_oxbow_metadata" WHERE "name" = 'past_entities';
SELECT "value" FROM "_oxbow_metadata" WHERE "name" = 'saves';
SELECT DISTINCT "author" FROM "Book" WHERE "_id" IN (SELECT value FROM json_each(?1)) AND "author" IS NOT NULL;
SELECT MAX("_shelf_position") FROM "Book" WHERE "shelf" = ?;
SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '_oxbow_files';
SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '_oxbow_saves';
SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '_oxbow_search';
SELECT count(*) FROM sqlite_schema AS s, pragma_foreign_key_list(s.name) AS f WHERE s.type = 'table' AND lower(f."table") = lower(?) AND lower(f."to") = lower(?);
SELECT name FROM pragma_index_info(?);
SELECT name FROM pragma_index_list(?) WHERE "unique" = 1;
SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name;
SELECT name, type, "notnull" FROM pragma_table_info(?);
SELECT rowid, parent, fkid FROM pragma_foreign_key_check(?) LIMIT 8;
SELECT strict FROM pragma_table_list(?) WHERE schema = 'main';
SELECT t0."_id" FROM "Tag" AS t0 ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."_type", t0."bank", t0."name", t0."nick", t0."number", t0."code" FROM "Account" AS t0 WHERE t0."_id" IN (?);
SELECT t0."_id", t0."_version", t0."_type", t0."bank", t0."name", t0."nick", t0."number", t0."code" FROM "Account" AS t0 WHERE t0."bank" IN (?, ?) ORDER BY t0."bank", t0."_id";
SELECT t0."_id", t0."_version", t0."_type", t0."friend", t0."_friend_type", t0."mentor", t0."_mentor_type", t0."name", t0."pupil", t0."_pupil_type", t0."card" FROM "Person" AS t0 WHERE t0."_id" IN (?) AND t0."_type" = 3;
SELECT t0."_id", t0."_version", t0."_type", t0."friend", t0."_friend_type", t0."mentor", t0."_mentor_type", t0."name", t0."pupil", t0."_pupil_type", t0."card", t0."note", j."owner" FROM "Person_peers" AS j CROSS JOIN "Person" AS t0 ON t0."_id" = j."member" WHERE j."owner" IN (?, ?) ORDER BY j."owner", j."member";
SELECT t0."_id", t0."_version", t0."_type", t0."friend", t0."_friend_type", t0."mentor", t0."_mentor_type", t0."name", t0."pupil", t0."_pupil_type", t0."card", t0."note", j."owner" FROM "Person_peers" AS j CROSS JOIN "Person" AS t0 ON t0."_id" = j."member" WHERE j."owner" IN (?, ?, ?, ?) ORDER BY j."owner", j."member";
SELECT t0."_id", t0."_version", t0."_type", t0."friend", t0."_friend_type", t0."mentor", t0."_mentor_type", t0."name", t0."pupil", t0."_pupil_type", t0."note" FROM "Person" AS t0 WHERE t0."_id" IN (?) AND t0."_type" = 4;
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE t0."_id" IN (?);
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE t0."shelf" IN (?) ORDER BY t0."shelf", t0."_shelf_position" NULLS LAST, t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE t0."shelf" IN (?, ?) ORDER BY t0."shelf", t0."_shelf_position" NULLS LAST, t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight" FROM "Book" AS t0 WHERE t0."shelf" IN (?, ?, ?, ?) ORDER BY t0."shelf", t0."_shelf_position" NULLS LAST, t0."_id";
SELECT t0."_id", t0."_version", t0."author", t0."_author_type", t0."copies", t0."cover", t0."factor", t0."grade", t0."isLent", t0."number", t0."page", t0."pages", t0."price", t0."printed", t0."shelf", t0."title", t0."weight", j."member" FROM "Book_tags" AS j CROSS JOIN "Book" AS t0 ON t0."_id" = j."owner" WHERE j."member" IN (?, ?) ORDER BY j."member", j."owner";
SELECT t0."_id", t0."_version", t0."label" FROM "Tag" AS t0 ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."label" FROM "Tag" AS t0 WHERE t0."_id" IN (?);
SELECT t0."_id", t0."_version", t0."label", j."owner" FROM "Book_tags" AS j CROSS JOIN "Tag" AS t0 ON t0."_id" = j."member" WHERE j."owner" IN (?) ORDER BY j."owner", j."member_position" NULLS LAST, j."member";
SELECT t0."_id", t0."_version", t0."label", j."owner" FROM "Book_tags" AS j CROSS JOIN "Tag" AS t0 ON t0."_id" = j."member" WHERE j."owner" IN (?, ?) ORDER BY j."owner", j."member_position" NULLS LAST, j."member";
SELECT t0."_id", t0."_version", t0."label", j."owner" FROM "Book_tags" AS j CROSS JOIN "Tag" AS t0 ON t0."_id" = j."member" WHERE j."owner" IN (?, ?, ?, ?) ORDER BY j."owner", j."member_position" NULLS LAST, j."member";
SELECT t0."_id", t0."_version", t0."label", j."owner" FROM "Tag_related" AS j CROSS JOIN "Tag" AS t0 ON t0."_id" = j."member" WHERE j."owner" IN (?, ?) ORDER BY j."owner", j."member";
SELECT t0."_id", t0."_version", t0."value" FROM "Thing" AS t0 ORDER BY t0."_id";
SELECT t0."_id", t0."_version", t0."value" FROM "Thing" AS t0 WHERE t0."_id" IN (?);
UPDATE OR ABORT "Account" SET "code" = ?, "number" = ?, "bank" = ? WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Account" SET "code" = ?, "number" = ?, "bank" = ?, "_version" = "_version" + 1 WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Account" SET "name" = ? WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Account" SET "name" = ?, "_version" = "_version" + 1 WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Account" SET "number" = ? WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Account" SET "number" = ?, "_version" = "_version" + 1 WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Author" AS t0 SET "bookCount" = (SELECT count(*) FROM "Book" AS m WHERE m."author" = t0."_id") WHERE t0."_id" IN (SELECT value FROM json_each(?1)) AND (t0."bookCount" IS NOT (SELECT count(*) FROM "Book" AS m WHERE m."author" = t0."_id") OR t0."bookCount" IS NULL) RETURNING "_id", "bookCount";
UPDATE OR ABORT "Author" AS t0 SET "pages" = (SELECT coalesce(sum(m."pages"), 0) FROM "Book" AS m WHERE m."author" = t0."_id") WHERE t0."_id" IN (SELECT value FROM json_each(?1)) AND (t0."pages" IS NOT (SELECT coalesce(sum(m."pages"), 0) FROM "Book" AS m WHERE m."author" = t0."_id") OR t0."pages" IS NULL) RETURNING "_id", "pages";
UPDATE OR ABORT "Author" AS t0 SET "plain" = oxbow_folded(t0."name", 3) WHERE t0."_id" IN (SELECT value FROM json_each(?1)) AND (t0."plain" IS NOT oxbow_folded(t0."name", 3)) RETURNING "_id", "plain";
UPDATE OR ABORT "Author" AS t0 SET "price" = (SELECT coalesce(oxbow_decimal_sum(m."price"), '0') FROM "Book" AS m WHERE m."author" = t0."_id") WHERE t0."_id" IN (SELECT value FROM json_each(?1)) AND (t0."price" IS NOT (SELECT coalesce(oxbow_decimal_sum(m."price"), '0') FROM "Book" AS m WHERE m."author" = t0."_id")) RETURNING "_id", "price";
UPDATE OR ABORT "Author" AS t0 SET "saved" = ?2 WHERE t0."_id" IN (SELECT value FROM json_each(?1)) AND (t0."saved" IS NOT ?2) RETURNING "_id", "saved";
UPDATE OR ABORT "Author" AS t0 SET "upper" = oxbow_uppercase(t0."name") WHERE t0."_id" IN (SELECT value FROM json_each(?1)) AND (t0."upper" IS NOT oxbow_uppercase(t0."name")) RETURNING "_id", "upper";
UPDATE OR ABORT "Author" AS t0 SET "weight" = (SELECT total(m."weight") FROM "Book" AS m WHERE m."author" = t0."_id") WHERE t0."_id" IN (SELECT value FROM json_each(?1)) AND (t0."weight" IS NOT (SELECT total(m."weight") FROM "Book" AS m WHERE m."author" = t0."_id")) RETURNING "_id", "weight";
UPDATE OR ABORT "Author" SET "name" = ?, "_version" = "_version" + 1 WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Book" AS t0 SET "kind" = oxbow_lowercase(t0."genre") WHERE t0."_id" IN (SELECT value FROM json_each(?1)) AND t0."_type" IN (3) AND (t0."kind" IS NOT oxbow_lowercase(t0."genre")) RETURNING "_id", "kind", "_type";
UPDATE OR ABORT "Book" AS t0 SET "writer" = (SELECT t1."name" FROM "Author" AS t1 WHERE t1."_id" = t0."author") WHERE t0."_id" IN (SELECT value FROM json_each(?1)) AND (t0."writer" IS NOT (SELECT t1."name" FROM "Author" AS t1 WHERE t1."_id" = t0."author")) RETURNING "_id", "writer", "_type";
UPDATE OR ABORT "Book" SET "copies" = ?, "cover" = ?, "factor" = ?, "grade" = ?, "isLent" = ?, "number" = ?, "page" = ?, "pages" = ?, "price" = ?, "printed" = ?, "title" = ?, "weight" = ?, "_version" = "_version" + 1 WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Book" SET "genre" = ?, "pages" = ?, "_version" = "_version" + 1 WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Book" SET "number" = ? WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Book" SET "number" = ?, "_version" = "_version" + 1 WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Book" SET "pages" = ?, "_version" = "_version" + 1 WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Book" SET "shelf" = ?, "_shelf_position" = ?, "_version" = "_version" + 1 WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Person" SET "friend" = NULL, "_friend_type" = NULL WHERE "_id" = ? AND "friend" = ?;
UPDATE OR ABORT "Person" SET "mentor" = ?, "_mentor_type" = ? WHERE "_id" = ?;
UPDATE OR ABORT "Person" SET "pupil" = ?, "_pupil_type" = ? WHERE "_id" = ?;
UPDATE OR ABORT "Person" SET "pupil" = NULL, "_pupil_type" = NULL WHERE "_id" = ? AND "pupil" = ?;
UPDATE OR ABORT "Tag" SET "_version" = "_version" + 1 WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Tag" SET "label" = ?, "_version" = "_version" + 1 WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Thing" SET "value" = ? WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "Thing" SET "value" = ?, "_version" = "_version" + 1 WHERE "_id" = ? AND "_version" = ?;
UPDATE OR ABORT "_oxbow_keys" SET "last" = ? WHERE "root" = ?;
UPDATE OR ABORT "_oxbow_metadata" SET "value" = "value" + 1 WHERE "name" = 'saves';
UPDATE OR ABORT "_oxbow_metadata" SET "value" = ? WHERE "name" = 'saves' AND "value" = ?;
