ALTER TABLE "_oxbow_new_Author" RENAME TO "Author";
ALTER TABLE "_oxbow_new_Book" RENAME TO "Book";
ALTER TABLE "_oxbow_new_Book_tags" RENAME TO "Book_tags";
ALTER TABLE "_oxbow_new_Customers" RENAME TO "Customers";
ALTER TABLE "_oxbow_new_Node" RENAME TO "Node";
ALTER TABLE "_oxbow_new_OrderDetails" RENAME TO "OrderDetails";
ALTER TABLE "_oxbow_new_Orders" RENAME TO "Orders";
ALTER TABLE "_oxbow_new_Person" RENAME TO "Person";
ALTER TABLE "_oxbow_new_Person_friendOf" RENAME TO "Person_friendOf";
ALTER TABLE "_oxbow_new_Staff" RENAME TO "Staff";
ALTER TABLE "_oxbow_new_Tag" RENAME TO "Tag";
BEGIN DEFERRED;
BEGIN IMMEDIATE;
COMMIT;
CREATE INDEX "Book_author_index" ON "Book" ("author");
CREATE INDEX "Book_tags_member_owner_index" ON "Book_tags" ("member", "owner");
CREATE INDEX "Node_next_index" ON "Node" ("next");
CREATE INDEX "OrderDetails_order_index" ON "OrderDetails" ("order");
CREATE INDEX "Orders_customer_index" ON "Orders" ("customer");
CREATE INDEX "Passport_person_index" ON "Passport" ("person");
CREATE INDEX "Person_boss__boss_position_index" ON "Person" ("boss", "_boss_position");
CREATE INDEX "Person_friendOf_member_owner_index" ON "Person_friendOf" ("member", "owner");
CREATE INDEX "Person_friends_member_owner_index" ON "Person_friends" ("member", "owner");
CREATE INDEX "Person_passport_index" ON "Person" ("passport");
CREATE INDEX "Person_spouse_index" ON "Person" ("spouse");
CREATE INDEX "Staff_reportsTo_index" ON "Staff" ("reportsTo");
CREATE TABLE "Passport" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "number" INTEGER NOT NULL,
  "person" INTEGER NOT NULL,
  FOREIGN KEY ("person") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "Person_friendOf" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "Person_friends" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
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
CREATE TABLE "_oxbow_metadata" (
  "name" TEXT PRIMARY KEY,
  "value" ANY NOT NULL
) STRICT;
CREATE TABLE "_oxbow_new_Author" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "born" REAL,
  "isAlive" INTEGER NOT NULL,
  "name" TEXT NOT NULL
) STRICT;
CREATE TABLE "_oxbow_new_Book" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "author" INTEGER NOT NULL,
  "cover" BLOB,
  "price" TEXT,
  "publishedAt" REAL,
  "title" TEXT NOT NULL,
  "uuid" BLOB,
  FOREIGN KEY ("author") REFERENCES "Author" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_Book_tags" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Book" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Tag" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "_oxbow_new_Customers" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "column2nd" INTEGER,
  "customerID" TEXT,
  "descriptionValue" TEXT,
  "photo" BLOB
) STRICT;
CREATE TABLE "_oxbow_new_Node" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  "next" INTEGER,
  "_next_type" INTEGER,
  FOREIGN KEY ("next") REFERENCES "Node" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_OrderDetails" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "order" INTEGER NOT NULL,
  "quantity" INTEGER NOT NULL,
  "unitPrice" TEXT,
  FOREIGN KEY ("order") REFERENCES "Orders" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_Orders" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "customer" INTEGER,
  "orderDate" REAL,
  FOREIGN KEY ("customer") REFERENCES "Customers" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_Person" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "boss" INTEGER,
  "_boss_position" INTEGER,
  "code" TEXT,
  "id" INTEGER,
  "passport" INTEGER,
  FOREIGN KEY ("boss") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("passport") REFERENCES "Passport" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_Person" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "spouse" INTEGER,
  FOREIGN KEY ("spouse") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_Person_friendOf" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "_oxbow_new_Staff" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "größe" REAL,
  "reportsTo" INTEGER,
  FOREIGN KEY ("reportsTo") REFERENCES "Staff" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_Tag" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "label" TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX "Customers_customerID_unique" ON "Customers" ("customerID");
CREATE UNIQUE INDEX "OrderDetails_order_quantity_unique" ON "OrderDetails" ("order", "quantity");
CREATE UNIQUE INDEX "Person_code_unique" ON "Person" ("code");
CREATE UNIQUE INDEX "Tag_label_unique" ON "Tag" ("label");
CREATE UNIQUE INDEX "_oxbow_entities_name_unique" ON "_oxbow_entities" ("name");
DELETE FROM "_oxbow_entities";
DROP TABLE "Customers";
DROP TABLE "Order Details";
DROP TABLE "Orders";
DROP TABLE "Staff";
DROP TABLE "author";
DROP TABLE "book";
DROP TABLE "bookTag";
DROP TABLE "book_ft";
DROP TABLE "friend";
DROP TABLE "friendship";
DROP TABLE "gone";
DROP TABLE "leaf";
DROP TABLE "left";
DROP TABLE "person";
DROP TABLE "tag";
DROP TRIGGER "book_ai";
DROP VIEW "titles";
INSERT INTO "_oxbow_keys" ("root", "last") VALUES (?, 0) ON CONFLICT DO NOTHING;
INSERT INTO "_oxbow_new_Author" ("_id", "_version", "born", "isAlive", "name") SELECT "t"."id", 1, oxbow_converted("t"."born", 9, 0), oxbow_converted("t"."isAlive", 8, 0), oxbow_converted("t"."name", 7, 0) FROM "author" AS "t";
INSERT INTO "_oxbow_new_Book" ("_id", "_version", "author", "cover", "price", "publishedAt", "title", "uuid") SELECT "t"."id", 1, (SELECT "p"."id" FROM "author" AS "p" WHERE "p"."id" = "t"."authorId"), oxbow_converted("t"."cover", 10, 0), oxbow_converted("t"."price", 4, 0), oxbow_converted("t"."published_at", 9, 0), oxbow_converted("t"."title", 7, 0), oxbow_converted("t"."uuid", 11, 0) FROM "book" AS "t";
INSERT INTO "_oxbow_new_Book_tags" ("owner", "member") SELECT "o", "m" FROM (SELECT (SELECT "p"."id" FROM "book" AS "p" WHERE "p"."id" = "t"."bookId") AS "o", (SELECT "p"."id" FROM "tag" AS "p" WHERE "p"."id" = "t"."tagId") AS "m", min("t".rowid) AS "n" FROM "bookTag" AS "t" WHERE "t"."bookId" IS NOT NULL AND "t"."tagId" IS NOT NULL GROUP BY 1, 2);
INSERT INTO "_oxbow_new_Customers" ("_id", "_version", "column2nd", "customerID", "descriptionValue", "photo") SELECT "t".rowid, 1, oxbow_converted("t"."2nd", 3, 0), oxbow_converted("t"."CustomerID", 7, 0), oxbow_converted("t"."description", 7, 0), oxbow_converted("t"."photo", 10, 0) FROM "Customers" AS "t";
INSERT INTO "_oxbow_new_Node" ("_id", "_version", "_type", "name", "next", "_next_type") SELECT "t"."id", 1, 2, oxbow_converted("t"."NAME", 7, 0), (SELECT "p"."id" FROM "leaf" AS "p" WHERE "p"."id" = "t"."next_id"), CASE WHEN (SELECT "p"."id" FROM "leaf" AS "p" WHERE "p"."id" = "t"."next_id") IS NOT NULL THEN 2 END FROM "leaf" AS "t";
INSERT INTO "_oxbow_new_OrderDetails" ("_id", "_version", "order", "quantity", "unitPrice") SELECT "t".rowid, 1, (SELECT "p"."OrderID" FROM "Orders" AS "p" WHERE "p"."OrderID" = "t"."OrderID"), oxbow_converted("t"."Quantity", 3, 0), oxbow_converted("t"."Unit Price", 4, 0) FROM "Order Details" AS "t";
INSERT INTO "_oxbow_new_Orders" ("_id", "_version", "customer", "orderDate") SELECT "t"."OrderID", 1, (SELECT "p".rowid FROM "Customers" AS "p" WHERE "p"."CustomerID" = "t"."CustomerID"), oxbow_converted("t"."OrderDate", 9, 0) FROM "Orders" AS "t";
INSERT INTO "_oxbow_new_Person" ("_id", "_version", "boss", "_boss_position", "code") SELECT "t".rowid, 1, (SELECT "p".rowid FROM "person" AS "p" WHERE "p"."code" = "t"."boss_code"), CASE WHEN (SELECT "p".rowid FROM "person" AS "p" WHERE "p"."code" = "t"."boss_code") IS NOT NULL THEN 2048 + 1024 * (row_number() OVER (PARTITION BY (SELECT "p".rowid FROM "person" AS "p" WHERE "p"."code" = "t"."boss_code") ORDER BY "t".rowid) - 1) END, oxbow_converted("t"."code", 7, 0) FROM "person" AS "t";
INSERT INTO "_oxbow_new_Person" ("_id", "_version", "id") SELECT "t"."id", 1, oxbow_converted("t"."id", 3, 0) FROM "person" AS "t";
INSERT INTO "_oxbow_new_Person" ("_id", "_version", "spouse") SELECT "t"."id", 1, (SELECT "p"."id" FROM "person" AS "p" WHERE "p"."id" = "t"."spouse_id") FROM "person" AS "t";
INSERT INTO "_oxbow_new_Person_friendOf" ("owner", "member") SELECT "o", "m" FROM (SELECT (SELECT "p"."id" FROM "person" AS "p" WHERE "p"."id" = "t"."b") AS "o", (SELECT "p"."id" FROM "person" AS "p" WHERE "p"."id" = "t"."a") AS "m", min("t".rowid) AS "n" FROM "friendship" AS "t" WHERE "t"."b" IS NOT NULL AND "t"."a" IS NOT NULL GROUP BY 1, 2);
INSERT INTO "_oxbow_new_Staff" ("_id", "_version", "größe", "reportsTo") SELECT "t"."id", 1, oxbow_converted("t"."Größe", 5, 0), (SELECT "p"."id" FROM "Staff" AS "p" WHERE "p"."id" = "t"."ReportsTo") FROM "Staff" AS "t";
INSERT INTO "_oxbow_new_Tag" ("_id", "_version", "label") SELECT "t"."id", 1, oxbow_converted("t"."label", 7, 0) FROM "tag" AS "t";
INSERT OR ABORT INTO "_oxbow_entities" ("number", "name", "hash") VALUES (?, ?, ?);
INSERT OR ABORT INTO "_oxbow_history" ("seq", "id", "name", "kind", "event", "checksum", "algorithm", "model_before", "model_after", "cursor", "started", "finished", "tool", "engine", "host", "user", "plan") VALUES ((SELECT coalesce(max("seq"), 0) + 1 FROM "_oxbow_history"), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
INSERT OR ABORT INTO "_oxbow_metadata" ("name", "value") VALUES (?, ?) ON CONFLICT ("name") DO UPDATE SET "value" = excluded."value";
PRAGMA cache_size = -8000;
PRAGMA cell_size_check = ON;
PRAGMA encoding;
PRAGMA foreign_key_check("Author");
PRAGMA foreign_key_check("Book");
PRAGMA foreign_key_check("Book_tags");
PRAGMA foreign_key_check("Customers");
PRAGMA foreign_key_check("Node");
PRAGMA foreign_key_check("OrderDetails");
PRAGMA foreign_key_check("Orders");
PRAGMA foreign_key_check("Passport");
PRAGMA foreign_key_check("Person");
PRAGMA foreign_key_check("Person_friendOf");
PRAGMA foreign_key_check("Person_friends");
PRAGMA foreign_key_check("Staff");
PRAGMA foreign_key_check("Tag");
PRAGMA foreign_keys;
PRAGMA foreign_keys = OFF;
PRAGMA integrity_check(100);
PRAGMA journal_mode;
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
SELECT "table", parent, fkid, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2, 3 LIMIT 100;
SELECT "value" FROM "_oxbow_metadata" WHERE "name" = 'past_entities';
SELECT (SELECT count(*) FROM "bookTag" AS "t" WHERE "t"."bookId" IS NOT NULL AND "t"."tagId" IS NOT NULL) - (SELECT count(*) FROM (SELECT (SELECT "p"."id" FROM "book" AS "p" WHERE "p"."id" = "t"."bookId") AS "o", (SELECT "p"."id" FROM "tag" AS "p" WHERE "p"."id" = "t"."tagId") AS "m", min("t".rowid) AS "n" FROM "bookTag" AS "t" WHERE "t"."bookId" IS NOT NULL AND "t"."tagId" IS NOT NULL GROUP BY 1, 2));
SELECT (SELECT count(*) FROM "friendship" AS "t" WHERE "t"."b" IS NOT NULL AND "t"."a" IS NOT NULL) - (SELECT count(*) FROM (SELECT (SELECT "p"."id" FROM "person" AS "p" WHERE "p"."id" = "t"."b") AS "o", (SELECT "p"."id" FROM "person" AS "p" WHERE "p"."id" = "t"."a") AS "m", min("t".rowid) AS "n" FROM "friendship" AS "t" WHERE "t"."b" IS NOT NULL AND "t"."a" IS NOT NULL GROUP BY 1, 2));
SELECT DISTINCT typeof("2nd") FROM "Customers" WHERE "2nd" IS NOT NULL LIMIT 2;
SELECT DISTINCT typeof("a") FROM "gone" WHERE "a" IS NOT NULL LIMIT 2;
SELECT DISTINCT typeof("a") FROM "left" WHERE "a" IS NOT NULL LIMIT 2;
SELECT DISTINCT typeof("photo") FROM "Customers" WHERE "photo" IS NOT NULL LIMIT 2;
SELECT coalesce(name, ''), "desc", coll FROM pragma_index_xinfo(?) WHERE "key" = 1 ORDER BY seqno;
SELECT count(*) FROM "Author" WHERE "isAlive" NOT BETWEEN 0 AND 1;
SELECT count(*) FROM "Customers";
SELECT count(*) FROM "Customers" AS "t" WHERE "t"."2nd" IS NOT NULL AND oxbow_converted("t"."2nd", 3, 0) IS NULL;
SELECT count(*) FROM "Customers" AS "t" WHERE "t"."CustomerID" IS NOT NULL AND oxbow_converted("t"."CustomerID", 7, 0) IS NULL;
SELECT count(*) FROM "Customers" AS "t" WHERE "t"."description" IS NOT NULL AND oxbow_converted("t"."description", 7, 0) IS NULL;
SELECT count(*) FROM "Customers" AS "t" WHERE "t"."photo" IS NOT NULL AND oxbow_converted("t"."photo", 10, 0) IS NULL;
SELECT count(*) FROM "Customers" AS "t" WHERE "t".rowid < 1 OR "t".rowid > 9223372036854775806;
SELECT count(*) FROM "Node" AS t LEFT JOIN "Node" AS d ON d."_id" = t."next" WHERE (t."next" IS NULL) <> (t."_next_type" IS NULL) OR d."_type" <> t."_next_type";
SELECT count(*) FROM "Node" WHERE "_type" NOT IN (2, 3);
SELECT count(*) FROM "Order Details";
SELECT count(*) FROM "Order Details" AS "t" WHERE "t"."OrderID" IS NOT NULL AND (SELECT "p"."OrderID" FROM "Orders" AS "p" WHERE "p"."OrderID" = "t"."OrderID") IS NULL;
SELECT count(*) FROM "Order Details" AS "t" WHERE "t"."OrderID" IS NULL;
SELECT count(*) FROM "Order Details" AS "t" WHERE "t"."Quantity" IS NOT NULL AND oxbow_converted("t"."Quantity", 3, 0) IS NULL;
SELECT count(*) FROM "Order Details" AS "t" WHERE "t"."Quantity" IS NULL;
SELECT count(*) FROM "Order Details" AS "t" WHERE "t"."Unit Price" IS NOT NULL AND oxbow_converted("t"."Unit Price", 4, 0) IS NULL;
SELECT count(*) FROM "Order Details" AS "t" WHERE "t".rowid < 1 OR "t".rowid > 9223372036854775806;
SELECT count(*) FROM "Orders";
SELECT count(*) FROM "Orders" AS "t" WHERE "t"."CustomerID" IS NOT NULL AND (SELECT "p".rowid FROM "Customers" AS "p" WHERE "p"."CustomerID" = "t"."CustomerID") IS NULL;
SELECT count(*) FROM "Orders" AS "t" WHERE "t"."OrderDate" IS NOT NULL AND oxbow_converted("t"."OrderDate", 9, 0) IS NULL;
SELECT count(*) FROM "Orders" AS "t" WHERE "t"."OrderID" < 1 OR "t"."OrderID" > 9223372036854775806;
SELECT count(*) FROM "Passport" AS t JOIN "Person" AS d ON d."_id" = t."person" WHERE d."passport" IS NOT t."_id";
SELECT count(*) FROM "Passport" WHERE "number" NOT BETWEEN -2147483648 AND 2147483647;
SELECT count(*) FROM "Person" AS t JOIN "Passport" AS d ON d."_id" = t."passport" WHERE d."person" IS NOT t."_id";
SELECT count(*) FROM "Person" AS t JOIN "Person" AS d ON d."_id" = t."spouse" WHERE d."spouse" IS NOT t."_id";
SELECT count(*) FROM "Person_friends" AS t WHERE NOT EXISTS (SELECT 1 FROM "Person_friends" AS b WHERE b."owner" = t."member" AND b."member" = t."owner");
SELECT count(*) FROM "Staff";
SELECT count(*) FROM "Staff" AS "t" WHERE "t"."Größe" IS NOT NULL AND oxbow_converted("t"."Größe", 5, 0) IS NULL;
SELECT count(*) FROM "Staff" AS "t" WHERE "t"."ReportsTo" IS NOT NULL AND (SELECT "p"."id" FROM "Staff" AS "p" WHERE "p"."id" = "t"."ReportsTo") IS NULL;
SELECT count(*) FROM "Staff" AS "t" WHERE "t"."id" < 1 OR "t"."id" > 9223372036854775806;
SELECT count(*) FROM "_oxbow_new_Author";
SELECT count(*) FROM "_oxbow_new_Book";
SELECT count(*) FROM "_oxbow_new_Book_tags";
SELECT count(*) FROM "_oxbow_new_Customers";
SELECT count(*) FROM "_oxbow_new_Node";
SELECT count(*) FROM "_oxbow_new_OrderDetails";
SELECT count(*) FROM "_oxbow_new_Orders";
SELECT count(*) FROM "_oxbow_new_Person";
SELECT count(*) FROM "_oxbow_new_Person_friendOf";
SELECT count(*) FROM "_oxbow_new_Staff";
SELECT count(*) FROM "_oxbow_new_Tag";
SELECT count(*) FROM "author";
SELECT count(*) FROM "author" AS "t" WHERE "t"."born" IS NOT NULL AND oxbow_converted("t"."born", 9, 0) IS NULL;
SELECT count(*) FROM "author" AS "t" WHERE "t"."id" < 1 OR "t"."id" > 9223372036854775806;
SELECT count(*) FROM "author" AS "t" WHERE "t"."isAlive" IS NOT NULL AND oxbow_converted("t"."isAlive", 8, 0) IS NULL;
SELECT count(*) FROM "author" AS "t" WHERE "t"."isAlive" IS NULL;
SELECT count(*) FROM "author" AS "t" WHERE "t"."name" IS NOT NULL AND oxbow_converted("t"."name", 7, 0) IS NULL;
SELECT count(*) FROM "author" AS "t" WHERE "t"."name" IS NULL;
SELECT count(*) FROM "book";
SELECT count(*) FROM "book" AS "t" WHERE "t"."authorId" IS NOT NULL AND (SELECT "p"."id" FROM "author" AS "p" WHERE "p"."id" = "t"."authorId") IS NULL;
SELECT count(*) FROM "book" AS "t" WHERE "t"."authorId" IS NULL;
SELECT count(*) FROM "book" AS "t" WHERE "t"."cover" IS NOT NULL AND oxbow_converted("t"."cover", 10, 0) IS NULL;
SELECT count(*) FROM "book" AS "t" WHERE "t"."id" < 1 OR "t"."id" > 9223372036854775806;
SELECT count(*) FROM "book" AS "t" WHERE "t"."note" IS NOT NULL;
SELECT count(*) FROM "book" AS "t" WHERE "t"."price" IS NOT NULL AND oxbow_converted("t"."price", 4, 0) IS NULL;
SELECT count(*) FROM "book" AS "t" WHERE "t"."published_at" IS NOT NULL AND oxbow_converted("t"."published_at", 9, 0) IS NULL;
SELECT count(*) FROM "book" AS "t" WHERE "t"."title" IS NOT NULL AND oxbow_converted("t"."title", 7, 0) IS NULL;
SELECT count(*) FROM "book" AS "t" WHERE "t"."title" IS NULL;
SELECT count(*) FROM "book" AS "t" WHERE "t"."uuid" IS NOT NULL AND oxbow_converted("t"."uuid", 11, 0) IS NULL;
SELECT count(*) FROM "bookTag";
SELECT count(*) FROM "bookTag" AS "t" WHERE "t"."bookId" IS NOT NULL AND (SELECT "p"."id" FROM "book" AS "p" WHERE "p"."id" = "t"."bookId") IS NULL;
SELECT count(*) FROM "bookTag" AS "t" WHERE "t"."bookId" IS NULL OR "t"."tagId" IS NULL;
SELECT count(*) FROM "bookTag" AS "t" WHERE "t"."tagId" IS NOT NULL AND (SELECT "p"."id" FROM "tag" AS "p" WHERE "p"."id" = "t"."tagId") IS NULL;
SELECT count(*) FROM "book_ft";
SELECT count(*) FROM "book_ft_config";
SELECT count(*) FROM "book_ft_data";
SELECT count(*) FROM "book_ft_docsize";
SELECT count(*) FROM "book_ft_idx";
SELECT count(*) FROM "friend";
SELECT count(*) FROM "friendship";
SELECT count(*) FROM "friendship" AS "t" WHERE "t"."a" IS NOT NULL AND (SELECT "p"."id" FROM "person" AS "p" WHERE "p"."id" = "t"."a") IS NULL;
SELECT count(*) FROM "friendship" AS "t" WHERE "t"."b" IS NOT NULL AND (SELECT "p"."id" FROM "person" AS "p" WHERE "p"."id" = "t"."b") IS NULL;
SELECT count(*) FROM "friendship" AS "t" WHERE "t"."b" IS NULL OR "t"."a" IS NULL;
SELECT count(*) FROM "gone";
SELECT count(*) FROM "leaf";
SELECT count(*) FROM "leaf" AS "t" WHERE "t"."NAME" IS NOT NULL AND oxbow_converted("t"."NAME", 7, 0) IS NULL;
SELECT count(*) FROM "leaf" AS "t" WHERE "t"."NAME" IS NULL;
SELECT count(*) FROM "leaf" AS "t" WHERE "t"."id" < 1 OR "t"."id" > 9223372036854775806;
SELECT count(*) FROM "leaf" AS "t" WHERE "t"."next_id" IS NOT NULL AND (SELECT "p"."id" FROM "leaf" AS "p" WHERE "p"."id" = "t"."next_id") IS NULL;
SELECT count(*) FROM "left";
SELECT count(*) FROM "person";
SELECT count(*) FROM "person" AS "t" WHERE "t"."boss_code" IS NOT NULL AND (SELECT "p".rowid FROM "person" AS "p" WHERE "p"."code" = "t"."boss_code") IS NULL;
SELECT count(*) FROM "person" AS "t" WHERE "t"."code" IS NOT NULL AND oxbow_converted("t"."code", 7, 0) IS NULL;
SELECT count(*) FROM "person" AS "t" WHERE "t"."id" < 1 OR "t"."id" > 9223372036854775806;
SELECT count(*) FROM "person" AS "t" WHERE "t"."id" IS NOT NULL AND oxbow_converted("t"."id", 3, 0) IS NULL;
SELECT count(*) FROM "person" AS "t" WHERE "t"."spouse_id" IS NOT NULL AND (SELECT "p"."id" FROM "person" AS "p" WHERE "p"."id" = "t"."spouse_id") IS NULL;
SELECT count(*) FROM "person" AS "t" WHERE "t"."spouse_id" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "person" AS "o" WHERE "o"."id" = "t"."spouse_id" AND "o"."spouse_id" = "t"."id");
SELECT count(*) FROM "person" AS "t" WHERE "t".rowid < 1 OR "t".rowid > 9223372036854775806;
SELECT count(*) FROM "tag";
SELECT count(*) FROM "tag" AS "t" WHERE "t"."id" < 1 OR "t"."id" > 9223372036854775806;
SELECT count(*) FROM "tag" AS "t" WHERE "t"."label" IS NOT NULL AND oxbow_converted("t"."label", 7, 0) IS NULL;
SELECT count(*) FROM "tag" AS "t" WHERE "t"."label" IS NULL;
SELECT count(*) FROM (SELECT (SELECT "p"."id" FROM "book" AS "p" WHERE "p"."id" = "t"."bookId") AS "o", (SELECT "p"."id" FROM "tag" AS "p" WHERE "p"."id" = "t"."tagId") AS "m", min("t".rowid) AS "n" FROM "bookTag" AS "t" WHERE "t"."bookId" IS NOT NULL AND "t"."tagId" IS NOT NULL GROUP BY 1, 2);
SELECT count(*) FROM (SELECT (SELECT "p"."id" FROM "person" AS "p" WHERE "p"."id" = "t"."b") AS "o", (SELECT "p"."id" FROM "person" AS "p" WHERE "p"."id" = "t"."a") AS "m", min("t".rowid) AS "n" FROM "friendship" AS "t" WHERE "t"."b" IS NOT NULL AND "t"."a" IS NOT NULL GROUP BY 1, 2);
SELECT count(*) FROM (SELECT 1 FROM "person" AS "t" WHERE "t"."spouse_id" IS NOT NULL GROUP BY "t"."spouse_id" HAVING count(*) > 1);
SELECT count(*) FROM (SELECT 1 FROM (SELECT (SELECT "p"."OrderID" FROM "Orders" AS "p" WHERE "p"."OrderID" = "t"."OrderID") AS "c0", oxbow_converted("t"."Quantity", 3, 0) AS "c1" FROM "Order Details" AS "t") WHERE "c0" IS NOT NULL AND "c1" IS NOT NULL GROUP BY "c0", "c1" HAVING count(*) > 1);
SELECT count(*) FROM (SELECT 1 FROM (SELECT oxbow_converted("t"."CustomerID", 7, 0) AS "c0" FROM "Customers" AS "t") WHERE "c0" IS NOT NULL GROUP BY "c0" HAVING count(*) > 1);
SELECT count(*) FROM (SELECT 1 FROM (SELECT oxbow_converted("t"."code", 7, 0) AS "c0" FROM "person" AS "t") WHERE "c0" IS NOT NULL GROUP BY "c0" HAVING count(*) > 1);
SELECT count(*) FROM (SELECT 1 FROM (SELECT oxbow_converted("t"."label", 7, 0) AS "c0" FROM "tag" AS "t") WHERE "c0" IS NOT NULL GROUP BY "c0" HAVING count(*) > 1);
SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '_oxbow_files';
SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '_oxbow_search';
SELECT count(*) FROM sqlite_schema;
SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence';
SELECT id, "table", "from", "to", on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq;
SELECT l.name, l."unique", l.partial, s.sql FROM pragma_index_list(?) AS l JOIN sqlite_schema AS s ON s.type = 'index' AND s.name = l.name WHERE l.origin = 'c' ORDER BY l.name;
SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name;
SELECT name, "unique", origin, partial FROM pragma_index_list(?) WHERE origin <> 'pk' ORDER BY name;
SELECT name, coll FROM pragma_index_xinfo(?) WHERE key ORDER BY seqno;
SELECT name, seq FROM sqlite_sequence;
SELECT name, type FROM pragma_table_list WHERE schema = 'main';
SELECT name, type, "notnull" FROM pragma_table_info(?);
SELECT name, type, "notnull", dflt_value, hidden FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid;
SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) ORDER BY cid;
SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?;
SELECT strict FROM pragma_table_list(?) WHERE schema = 'main';
SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'trigger') ORDER BY 1, 2;
SELECT wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = ?;
UPDATE OR ABORT "_oxbow_keys" SET "last" = ? WHERE "root" = ?;
