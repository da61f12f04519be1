ALTER TABLE "A" ADD COLUMN "l3" INTEGER REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "A" RENAME COLUMN "member" TO "card";
ALTER TABLE "B" RENAME COLUMN "r" TO "r2";
ALTER TABLE "R" ADD COLUMN "x" INTEGER;
ALTER TABLE "R" ADD COLUMN "y" INTEGER DEFAULT 2920;
ALTER TABLE "R" ADD COLUMN "z" INTEGER;
ALTER TABLE "R" RENAME COLUMN "B_x" TO "B_z";
ALTER TABLE "R" RENAME COLUMN "B_x" TO "_oxbow_old_1";
ALTER TABLE "R" RENAME COLUMN "C_x" TO "x";
ALTER TABLE "R" RENAME COLUMN "C_y" TO "y";
ALTER TABLE "R" RENAME COLUMN "_oxbow_old_1" TO "y";
ALTER TABLE "R" RENAME COLUMN "x" TO "B_x";
ALTER TABLE "R" RENAME COLUMN "y" TO "z";
ALTER TABLE "Z" RENAME COLUMN "l" TO "l2";
ALTER TABLE "_oxbow_new_A" RENAME TO "A";
ALTER TABLE "_oxbow_new_A_items" RENAME TO "A_items";
ALTER TABLE "_oxbow_new_B" RENAME TO "B";
ALTER TABLE "_oxbow_new_B_r3" RENAME TO "B_r3";
ALTER TABLE "_oxbow_new_B_rs" RENAME TO "B_rs";
ALTER TABLE "_oxbow_new_Note" RENAME TO "Note";
ALTER TABLE "_oxbow_new_R" RENAME TO "R";
ALTER TABLE "_oxbow_new_S" RENAME TO "S";
ALTER TABLE "_oxbow_new_S_l" RENAME TO "S_l";
ALTER TABLE "_oxbow_new_Z" RENAME TO "Z";
ALTER TABLE "_oxbow_new_Z_l" RENAME TO "Z_l";
BEGIN DEFERRED;
BEGIN IMMEDIATE;
COMMIT;
CREATE INDEX "A_b_index" ON "A" ("b");
CREATE INDEX "A_card_index" ON "A" ("card");
CREATE INDEX "A_items_member_owner_index" ON "A_items" ("member", "owner");
CREATE INDEX "A_l3_index" ON "A" ("l3");
CREATE INDEX "A_l_index" ON "A" ("l");
CREATE INDEX "A_l_member_owner_index" ON "A_l" ("member", "owner");
CREATE INDEX "A_member_index" ON "A" ("member");
CREATE INDEX "B_owner__owner_position_index" ON "B" ("owner", "_owner_position");
CREATE INDEX "B_r2__r2_position_index" ON "B" ("r2", "_r2_position");
CREATE INDEX "B_r2_index" ON "B" ("r2");
CREATE INDEX "B_r3_index" ON "B" ("r3");
CREATE INDEX "B_r3_member_owner_index" ON "B_r3" ("member", "owner");
CREATE INDEX "B_r__r_position_index" ON "B" ("r", "_r_position");
CREATE INDEX "B_r_index" ON "B" ("r");
CREATE INDEX "B_r_member_owner_index" ON "B_r" ("member", "owner");
CREATE INDEX "B_rs_member_owner_index" ON "B_rs" ("member", "owner");
CREATE INDEX "B_user_index" ON "B" ("user");
CREATE INDEX "Note_tags_index" ON "Note" ("tags");
CREATE INDEX "Note_tags_member_owner_index" ON "Note_tags" ("member", "owner");
CREATE INDEX "R_U_b_index" ON "R" ("U_b");
CREATE INDEX "R_V_b_index" ON "R" ("V_b");
CREATE INDEX "R_b_index" ON "R" ("b");
CREATE INDEX "S_l2_index" ON "S" ("l2");
CREATE INDEX "S_l_index" ON "S" ("l");
CREATE INDEX "S_l_member_owner_index" ON "S_l" ("member", "owner");
CREATE INDEX "S_r__r_position_index" ON "S" ("r", "_r_position");
CREATE INDEX "S_r_index" ON "S" ("r");
CREATE INDEX "Z_l2_index" ON "Z" ("l2");
CREATE INDEX "Z_l3_index" ON "Z" ("l3");
CREATE INDEX "Z_l3_member_owner_index" ON "Z_l3" ("member", "owner");
CREATE INDEX "Z_l__l_position_index" ON "Z" ("l", "_l_position");
CREATE INDEX "Z_l_index" ON "Z" ("l");
CREATE INDEX "Z_l_member_owner_index" ON "Z_l" ("member", "owner");
CREATE TABLE "A" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL
) STRICT;
CREATE TABLE "A" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "b" INTEGER,
  FOREIGN KEY ("b") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "A" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "l" INTEGER,
  "_l_type" INTEGER,
  FOREIGN KEY ("l") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "A" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "l" INTEGER,
  FOREIGN KEY ("l") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "A" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "member" INTEGER,
  FOREIGN KEY ("member") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "A_items" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  "member_position" INTEGER,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "A" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "A_l" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  "member_position" INTEGER,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "A" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "A_l" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "A" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "B" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL
) STRICT;
CREATE TABLE "B" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL
) STRICT;
CREATE TABLE "B" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "r" INTEGER,
  FOREIGN KEY ("r") REFERENCES "Z" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "B" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "owner" INTEGER,
  "_owner_position" INTEGER,
  FOREIGN KEY ("owner") REFERENCES "A" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "B" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "r" INTEGER,
  "_r_position" INTEGER,
  FOREIGN KEY ("r") REFERENCES "Z" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "B" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "r" INTEGER,
  FOREIGN KEY ("r") REFERENCES "A" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "B" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "user" INTEGER,
  FOREIGN KEY ("user") REFERENCES "A" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "B_r" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  "member_position" INTEGER,
  "owner_position" INTEGER,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Z" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "B_r" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  "owner_position" INTEGER,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Z" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "B_r" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Z" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "B_rs" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "R" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "C" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL
) STRICT;
CREATE TABLE "Note" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL
) STRICT;
CREATE TABLE "Note_tags" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  "member_position" INTEGER,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Note" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Tag" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL
) STRICT;
CREATE TABLE "R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "A_x" INTEGER,
  "B_x" INTEGER,
  "y" INTEGER
) STRICT;
CREATE TABLE "R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "C_y" INTEGER,
  "x" INTEGER,
  "B_y" INTEGER
) STRICT;
CREATE TABLE "R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "U_b" INTEGER,
  "V_b" INTEGER,
  FOREIGN KEY ("U_b") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("V_b") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "x" INTEGER
) STRICT;
CREATE TABLE "R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "x" INTEGER,
  "A_y" INTEGER,
  "B_y" INTEGER
) STRICT;
CREATE TABLE "R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "x" INTEGER,
  "C_y" INTEGER,
  "B_y" INTEGER
) STRICT;
CREATE TABLE "R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "x" INTEGER,
  "y" INTEGER
) STRICT;
CREATE TABLE "R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "y" INTEGER
) STRICT;
CREATE TABLE "R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "y" INTEGER,
  "C_x" INTEGER,
  "B_x" INTEGER
) STRICT;
CREATE TABLE "R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "y" INTEGER,
  "x" INTEGER
) STRICT;
CREATE TABLE "S" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL
) STRICT;
CREATE TABLE "S" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL
) STRICT;
CREATE TABLE "S" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "l" INTEGER,
  "_l_type" INTEGER,
  "r" INTEGER,
  "_r_type" INTEGER,
  FOREIGN KEY ("l") REFERENCES "S" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("r") REFERENCES "S" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "S" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "r" INTEGER,
  "_r_position" INTEGER,
  FOREIGN KEY ("r") REFERENCES "S" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "S_l" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  "member_position" INTEGER,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "S" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "S" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "S_l" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  "owner_position" INTEGER,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "S" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "S" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "S_l" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "S" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "S" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "Tag" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL
) STRICT;
CREATE TABLE "Z" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL
) STRICT;
CREATE TABLE "Z" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "l" INTEGER,
  "_l_position" INTEGER,
  FOREIGN KEY ("l") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "Z" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "l" INTEGER,
  "_l_type" INTEGER,
  "_l_position" INTEGER,
  FOREIGN KEY ("l") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "Z" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "l" INTEGER,
  "_l_type" INTEGER,
  FOREIGN KEY ("l") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "Z" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "l" INTEGER,
  FOREIGN KEY ("l") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "Z_l" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Z" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "Z_l3" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  "member_position" INTEGER,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Z" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "Z_l3" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Z" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
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
CREATE TABLE "_oxbow_links_1" ("owner" INTEGER PRIMARY KEY, "member" INTEGER NOT NULL, "member_entity" INTEGER, "owner_position" INTEGER) STRICT;
CREATE TABLE "_oxbow_metadata" (
  "name" TEXT PRIMARY KEY,
  "value" ANY NOT NULL
) STRICT;
CREATE TABLE "_oxbow_new_A" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL
) STRICT;
CREATE TABLE "_oxbow_new_A" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "b" INTEGER,
  FOREIGN KEY ("b") REFERENCES "C" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_A" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "l" INTEGER,
  FOREIGN KEY ("l") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_A" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "member" INTEGER,
  FOREIGN KEY ("member") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_A_items" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  "member_position" INTEGER,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "A" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "_oxbow_new_B" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL
) STRICT;
CREATE TABLE "_oxbow_new_B" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL
) STRICT;
CREATE TABLE "_oxbow_new_B" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "r" INTEGER,
  FOREIGN KEY ("r") REFERENCES "A" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_B" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "owner" INTEGER,
  "_owner_position" INTEGER,
  FOREIGN KEY ("owner") REFERENCES "A" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_B" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "r2" INTEGER,
  "_r2_position" INTEGER,
  FOREIGN KEY ("r2") REFERENCES "A" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_B" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "r3" INTEGER,
  FOREIGN KEY ("r3") REFERENCES "A" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_B" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "user" INTEGER,
  FOREIGN KEY ("user") REFERENCES "A" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_B_r3" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  "owner_position" INTEGER,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "Z" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "_oxbow_new_B_rs" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "R" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "_oxbow_new_Note" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "tags" INTEGER,
  FOREIGN KEY ("tags") REFERENCES "Tag" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "A_y" INTEGER,
  "A_z" INTEGER,
  "C_x" INTEGER,
  "B_x" INTEGER,
  "B_y" INTEGER,
  "B_z" INTEGER
) STRICT;
CREATE TABLE "_oxbow_new_R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "C_z" INTEGER,
  "B_z" INTEGER
) STRICT;
CREATE TABLE "_oxbow_new_R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "U_b" INTEGER,
  "V_b" INTEGER,
  FOREIGN KEY ("U_b") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("V_b") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "b" INTEGER,
  FOREIGN KEY ("b") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "x" INTEGER
) STRICT;
CREATE TABLE "_oxbow_new_R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "x" INTEGER,
  "C_y" INTEGER,
  "B_y" INTEGER,
  "z" INTEGER
) STRICT;
CREATE TABLE "_oxbow_new_R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "x" INTEGER,
  "C_z" INTEGER,
  "y" INTEGER,
  "B_z" INTEGER
) STRICT;
CREATE TABLE "_oxbow_new_R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "x" INTEGER,
  "y" INTEGER
) STRICT;
CREATE TABLE "_oxbow_new_R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "x" INTEGER,
  "z" INTEGER
) STRICT;
CREATE TABLE "_oxbow_new_R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "x" INTEGER,
  "z" INTEGER,
  "y" INTEGER
) STRICT;
CREATE TABLE "_oxbow_new_R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "y" INTEGER
) STRICT;
CREATE TABLE "_oxbow_new_R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "y" INTEGER,
  "A_z" INTEGER,
  "B_z" INTEGER
) STRICT;
CREATE TABLE "_oxbow_new_R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "y" INTEGER,
  "x" INTEGER
) STRICT;
CREATE TABLE "_oxbow_new_R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "y" INTEGER,
  "x" INTEGER,
  "z" INTEGER
) STRICT;
CREATE TABLE "_oxbow_new_R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "y" INTEGER,
  "z" INTEGER
) STRICT;
CREATE TABLE "_oxbow_new_R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "z" INTEGER,
  "C_x" INTEGER,
  "B_x" INTEGER
) STRICT;
CREATE TABLE "_oxbow_new_R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "z" INTEGER,
  "x" INTEGER,
  "y" INTEGER
) STRICT;
CREATE TABLE "_oxbow_new_R" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "z" INTEGER,
  "y" INTEGER
) STRICT;
CREATE TABLE "_oxbow_new_S" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL
) STRICT;
CREATE TABLE "_oxbow_new_S" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "_type" INTEGER NOT NULL,
  "l2" INTEGER,
  "_l2_type" INTEGER,
  FOREIGN KEY ("l2") REFERENCES "S" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_S" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "l" INTEGER,
  FOREIGN KEY ("l") REFERENCES "S" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_S_l" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "S" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "S" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE TABLE "_oxbow_new_Z" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL
) STRICT;
CREATE TABLE "_oxbow_new_Z" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "l" INTEGER,
  FOREIGN KEY ("l") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_Z" (
  "_id" INTEGER PRIMARY KEY,
  "_version" INTEGER NOT NULL,
  "l3" INTEGER,
  FOREIGN KEY ("l3") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE "_oxbow_new_Z_l" (
  "owner" INTEGER NOT NULL,
  "member" INTEGER NOT NULL,
  "member_position" INTEGER,
  PRIMARY KEY ("owner", "member"),
  FOREIGN KEY ("owner") REFERENCES "Z" ("_id") DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("member") REFERENCES "B" ("_id") DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX "_oxbow_entities_name_unique" ON "_oxbow_entities" ("name");
DELETE FROM "A_items" WHERE ("member", "owner") IN (SELECT "owner", "member" FROM (SELECT "owner", "member", row_number() OVER (PARTITION BY "owner" ORDER BY "member_position" NULLS LAST, "member") AS "place" FROM (SELECT l."member" AS "owner", l."owner" AS "member", NULL AS "member_position" FROM "A_items" AS l WHERE l."member" IS NOT NULL AND l."owner" IS NOT NULL)) WHERE "place" > 1);
DELETE FROM "A_l" WHERE ("member", "owner") IN (SELECT "owner", "member" FROM (SELECT "owner", "member", row_number() OVER (PARTITION BY "owner" ORDER BY "member_position" NULLS LAST, "member") AS "place" FROM (SELECT l."member" AS "owner", l."owner" AS "member", NULL AS "member_position" FROM "A_l" AS l WHERE l."member" IS NOT NULL AND l."owner" IS NOT NULL)) WHERE "place" > 1);
DELETE FROM "B_rs" WHERE ("owner", "member") IN (SELECT l."owner", l."member" FROM "B_rs" AS l LEFT JOIN "R" AS m ON m."_id" = l."member" WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL AND 1 IN (1) AND m."_type" IN (2, 3, 4) AND ((1 IN (1) AND m."_type" IN (3))) IS NOT TRUE);
DELETE FROM "Note_tags" WHERE ("owner", "member") IN (SELECT "owner", "member" FROM (SELECT "owner", "member", row_number() OVER (PARTITION BY "owner" ORDER BY "member_position" NULLS LAST, "member") AS "place" FROM (SELECT l."owner" AS "owner", l."member" AS "member", l."member_position" AS "member_position" FROM "Note_tags" AS l WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL)) WHERE "place" > 1);
DELETE FROM "S_l" WHERE ("owner", "member") IN (SELECT "owner", "member" FROM (SELECT "owner", "member", row_number() OVER (PARTITION BY "owner" ORDER BY "member_position" NULLS LAST, "member") AS "place" FROM (SELECT l."owner" AS "owner", l."member" AS "member", NULL AS "member_position" FROM "S_l" AS l WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL)) WHERE "place" > 1);
DELETE FROM "S_l" WHERE ("owner", "member") IN (SELECT "owner", "member" FROM (SELECT "owner", "member", row_number() OVER (PARTITION BY "owner" ORDER BY "member_position" NULLS LAST, "member") AS "place" FROM (SELECT l."owner" AS "owner", l."member" AS "member", l."member_position" AS "member_position" FROM "S_l" AS l LEFT JOIN "S" AS o ON o."_id" = l."owner" LEFT JOIN "S" AS m ON m."_id" = l."member" WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL)) WHERE "place" > 1);
DELETE FROM "_oxbow_entities";
DELETE FROM "_oxbow_history" WHERE "event" = 'progressed';
DROP INDEX "A_l_index";
DROP INDEX "A_member_index";
DROP INDEX "B_owner__owner_position_index";
DROP INDEX "B_r__r_position_index";
DROP INDEX "B_r_index";
DROP INDEX "R_U_b_index";
DROP INDEX "R_V_b_index";
DROP INDEX "R_b_index";
DROP INDEX "S_l_index";
DROP INDEX "S_r_index";
DROP INDEX "Z_l__l_position_index";
DROP INDEX "Z_l_index";
DROP TABLE "A";
DROP TABLE "A_items";
DROP TABLE "A_l";
DROP TABLE "B";
DROP TABLE "B_r";
DROP TABLE "B_rs";
DROP TABLE "Note";
DROP TABLE "Note_tags";
DROP TABLE "R";
DROP TABLE "S";
DROP TABLE "S_l";
DROP TABLE "Z";
DROP TABLE "Z_l";
DROP TABLE "_oxbow_links_1";
INSERT INTO "_oxbow_keys" ("root", "last") VALUES (?, 0) ON CONFLICT DO NOTHING;
INSERT INTO "_oxbow_links_1" SELECT "owner" AS "owner", "member" AS "member", "member_entity" AS "member_entity", "owner_position" AS "owner_position" FROM (SELECT l."owner" AS "member", 1 AS "member_entity", l."member" AS "owner", l."member_position" AS "owner_position" FROM "A_items" AS l WHERE l."member" IS NOT NULL AND l."owner" IS NOT NULL);
INSERT INTO "_oxbow_links_1" SELECT "owner" AS "owner", "member" AS "member", "member_entity" AS "member_entity", 2048 + 1024 * (row_number() OVER (PARTITION BY "member" ORDER BY "owner") - 1) AS "owner_position" FROM (SELECT l."_id" AS "member", 1 AS "member_entity", l."l" AS "owner", NULL AS "owner_position" FROM "A" AS l WHERE l."l" IS NOT NULL AND l."_id" IS NOT NULL AND l."_l_type" IN (3));
INSERT INTO "_oxbow_links_1" SELECT "owner" AS "owner", "member" AS "member", "member_entity" AS "member_entity", 2048 + 1024 * (row_number() OVER (PARTITION BY "member" ORDER BY "owner") - 1) AS "owner_position" FROM (SELECT l."_id" AS "member", 1 AS "member_entity", l."l" AS "owner", NULL AS "owner_position" FROM "A" AS l WHERE l."l" IS NOT NULL AND l."_id" IS NOT NULL);
INSERT INTO "_oxbow_links_1" SELECT "owner" AS "owner", "member" AS "member", "member_entity" AS "member_entity", 2048 + 1024 * (row_number() OVER (PARTITION BY "member" ORDER BY "owner") - 1) AS "owner_position" FROM (SELECT l."_id" AS "member", 1 AS "member_entity", l."member" AS "owner", NULL AS "owner_position" FROM "A" AS l WHERE l."member" IS NOT NULL AND l."_id" IS NOT NULL);
INSERT INTO "_oxbow_links_1" SELECT "owner" AS "owner", "member" AS "member", "member_entity" AS "member_entity", 2048 + 1024 * (row_number() OVER (PARTITION BY "member" ORDER BY "owner") - 1) AS "owner_position" FROM (SELECT l."_id" AS "member", 1 AS "member_entity", l."r" AS "owner", NULL AS "owner_position" FROM "B" AS l WHERE l."r" IS NOT NULL AND l."_id" IS NOT NULL);
INSERT INTO "_oxbow_links_1" SELECT "owner" AS "owner", "member" AS "member", "member_entity" AS "member_entity", 2048 + 1024 * (row_number() OVER (PARTITION BY "member" ORDER BY "owner") - 1) AS "owner_position" FROM (SELECT l."_id" AS "member", 2 AS "member_entity", l."r" AS "owner", NULL AS "owner_position" FROM "B" AS l WHERE l."r" IS NOT NULL AND l."_id" IS NOT NULL);
INSERT INTO "_oxbow_links_1" SELECT "owner" AS "owner", "member" AS "member", "member_entity" AS "member_entity", 2048 + 1024 * (row_number() OVER (PARTITION BY "member" ORDER BY "owner") - 1) AS "owner_position" FROM (SELECT l."_id" AS "member", 2 AS "member_entity", l."user" AS "owner", NULL AS "owner_position" FROM "B" AS l WHERE l."user" IS NOT NULL AND l."_id" IS NOT NULL);
INSERT INTO "_oxbow_links_1" SELECT "owner" AS "owner", "member" AS "member", "member_entity" AS "member_entity", 2048 + 1024 * (row_number() OVER (PARTITION BY "member" ORDER BY "owner") - 1) AS "owner_position" FROM (SELECT l."member" AS "member", 1 AS "member_entity", l."owner" AS "owner", NULL AS "owner_position" FROM "S_l" AS l WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL);
INSERT INTO "_oxbow_links_1" SELECT "owner" AS "owner", "member" AS "member", "member_entity" AS "member_entity", 2048 + 1024 * (row_number() OVER (PARTITION BY "member" ORDER BY "owner") - 1) AS "owner_position" FROM (SELECT l."member" AS "member", 2 AS "member_entity", l."owner" AS "owner", NULL AS "owner_position" FROM "Note_tags" AS l WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL);
INSERT INTO "_oxbow_links_1" SELECT "owner" AS "owner", "member" AS "member", "member_entity" AS "member_entity", 2048 + 1024 * (row_number() OVER (PARTITION BY "member" ORDER BY "owner") - 1) AS "owner_position" FROM (SELECT l."member" AS "member", m."_type" AS "member_entity", l."owner" AS "owner", NULL AS "owner_position" FROM "S_l" AS l LEFT JOIN "S" AS o ON o."_id" = l."owner" LEFT JOIN "S" AS m ON m."_id" = l."member" WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL);
INSERT INTO "_oxbow_links_1" SELECT "owner" AS "owner", "member" AS "member", "member_entity" AS "member_entity", 2048 + 1024 * (row_number() OVER (PARTITION BY "member" ORDER BY "owner") - 1) AS "owner_position" FROM (SELECT l."owner" AS "member", 1 AS "member_entity", l."member" AS "owner", NULL AS "owner_position" FROM "A_l" AS l WHERE l."member" IS NOT NULL AND l."owner" IS NOT NULL);
INSERT INTO "_oxbow_new_A" ("_id", "_version") SELECT "_id", "_version" FROM "A";
INSERT INTO "_oxbow_new_A" ("_id", "_version", "l") SELECT "_id", "_version", (SELECT "member" FROM "_oxbow_links_1" WHERE "owner" = "_id") FROM "A";
INSERT INTO "_oxbow_new_A" ("_id", "_version", "member") SELECT "_id", "_version", (SELECT "member" FROM "_oxbow_links_1" WHERE "owner" = "_id") FROM "A";
INSERT INTO "_oxbow_new_A_items" ("owner", "member", "member_position") SELECT "owner" AS "owner", "member" AS "member", "member_position" AS "member_position" FROM (SELECT l."_id" AS "member", l."_owner_position" AS "member_position", l."owner" AS "owner" FROM "B" AS l WHERE l."owner" IS NOT NULL AND l."_id" IS NOT NULL);
INSERT INTO "_oxbow_new_B" ("_id", "_version") SELECT "_id", "_version" FROM "B";
INSERT INTO "_oxbow_new_B" ("_id", "_version", "_type") SELECT "_id", "_version", "_type" FROM "B";
INSERT INTO "_oxbow_new_B" ("_id", "_version", "_type", "r") SELECT "_id", "_version", "_type", (SELECT "member" FROM "_oxbow_links_1" WHERE "owner" = "_id") FROM "B";
INSERT INTO "_oxbow_new_B" ("_id", "_version", "owner", "_owner_position") SELECT "_id", "_version", (SELECT "member" FROM "_oxbow_links_1" WHERE "owner" = "_id"), (SELECT "owner_position" FROM "_oxbow_links_1" WHERE "owner" = "_id") FROM "B";
INSERT INTO "_oxbow_new_B" ("_id", "_version", "r2", "_r2_position") SELECT "_id", "_version", (SELECT "member" FROM "_oxbow_links_1" WHERE "owner" = "_id"), (SELECT "owner_position" FROM "_oxbow_links_1" WHERE "owner" = "_id") FROM "B";
INSERT INTO "_oxbow_new_B" ("_id", "_version", "r3") SELECT "_id", "_version", (SELECT "member" FROM "_oxbow_links_1" WHERE "owner" = "_id") FROM "B";
INSERT INTO "_oxbow_new_B" ("_id", "_version", "user") SELECT "_id", "_version", (SELECT "member" FROM "_oxbow_links_1" WHERE "owner" = "_id") FROM "B";
INSERT INTO "_oxbow_new_B_r3" ("owner", "member", "owner_position") SELECT "owner" AS "owner", "member" AS "member", 2048 + 1024 * (row_number() OVER (PARTITION BY "member" ORDER BY "owner") - 1) AS "owner_position" FROM (SELECT l."r" AS "member", l."_id" AS "owner", NULL AS "owner_position" FROM "B" AS l WHERE l."_id" IS NOT NULL AND l."r" IS NOT NULL);
INSERT INTO "_oxbow_new_B_rs" ("owner", "member") SELECT "owner" AS "owner", "member" AS "member" FROM (SELECT l."member" AS "member", l."owner" AS "owner" FROM "B_rs" AS l LEFT JOIN "R" AS m ON m."_id" = l."member" WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL AND m."_type" IN (3));
INSERT INTO "_oxbow_new_Note" ("_id", "_version", "tags") SELECT "_id", "_version", (SELECT "member" FROM "_oxbow_links_1" WHERE "owner" = "_id") FROM "Note";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type") SELECT "_id", "_version", "_type" FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "A_y", "C_x", "B_y", "B_z") SELECT "_id", "_version", "_type", CASE WHEN "_type" IN (2, 3) THEN "y" END, CASE WHEN "_type" IN (3) THEN "x" END, CASE WHEN "_type" IN (4) THEN "y" END, CASE WHEN "_type" IN (4) THEN 2554 END FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "B_x") SELECT "_id", "_version", "_type", "B_x" FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "B_z") SELECT "_id", "_version", "_type", "B_z" FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "C_z", "B_z") SELECT "_id", "_version", "_type", CASE WHEN "_type" IN (3) THEN 2047 END, CASE WHEN "_type" IN (4) THEN 2496 END FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "U_b", "V_b") SELECT "_id", "_version", "_type", CASE WHEN "_type" IN (3) THEN "b" END, CASE WHEN "_type" IN (4) THEN "b" END FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "b") SELECT "_id", "_version", "_type", CASE WHEN "_type" IN (3) THEN "U_b" ELSE CASE WHEN "_type" IN (4) THEN "V_b" END END FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "x") SELECT "_id", "_version", "_type", "x" FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "x", "B_y") SELECT "_id", "_version", "_type", CASE WHEN "_type" IN (3) THEN "A_y" END, CASE WHEN "_type" IN (4) THEN "x" END FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "x", "y") SELECT "_id", "_version", "_type", "x", CASE WHEN "_type" IN (4) THEN "y" END FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "x", "y") SELECT "_id", "_version", "_type", CASE WHEN "_type" IN (1, 2, 4) THEN 2356 ELSE CASE WHEN "_type" IN (3) THEN "x" END END, "y" FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "y") SELECT "_id", "_version", "_type", "y" FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "y") SELECT "_id", "_version", "_type", CASE WHEN "_type" IN (1, 4) THEN 2113 ELSE CASE WHEN "_type" IN (2, 3) THEN "y" END END FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "y") SELECT "_id", "_version", "_type", CASE WHEN "_type" IN (2, 3) THEN "x" END FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "y") SELECT "_id", "_version", "_type", CASE WHEN "_type" IN (2, 3) THEN "y" END FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "y", "B_z") SELECT "_id", "_version", "_type", "y", CASE WHEN "_type" IN (4) THEN 2474 END FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "y", "x") SELECT "_id", "_version", "_type", "y", "x" FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "y", "x") SELECT "_id", "_version", "_type", CASE WHEN "_type" IN (1, 2) THEN "y" ELSE CASE WHEN "_type" IN (3) THEN "C_x" ELSE CASE WHEN "_type" IN (4) THEN "B_x" END END END, CASE WHEN "_type" IN (4) THEN "y" END FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "y", "x", "z") SELECT "_id", "_version", "_type", CASE WHEN "_type" IN (1, 2, 3) THEN 2193 ELSE CASE WHEN "_type" IN (4) THEN "y" END END, CASE WHEN "_type" IN (3) THEN "x" END, CASE WHEN "_type" IN (3) THEN 2098 END FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "y", "z") SELECT "_id", "_version", "_type", CASE WHEN "_type" IN (1, 2, 4) THEN "y" END, CASE WHEN "_type" IN (3) THEN "y" END FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "z") SELECT "_id", "_version", "_type", CASE WHEN "_type" IN (3) THEN "y" END FROM "R";
INSERT INTO "_oxbow_new_R" ("_id", "_version", "_type", "z", "y") SELECT "_id", "_version", "_type", "z", "y" FROM "R";
INSERT INTO "_oxbow_new_S" ("_id", "_version", "_type") SELECT "_id", "_version", "_type" FROM "S";
INSERT INTO "_oxbow_new_S" ("_id", "_version", "_type", "l2", "_l2_type") SELECT "_id", "_version", "_type", (SELECT "member" FROM "_oxbow_links_1" WHERE "owner" = "_id"), (SELECT "member_entity" FROM "_oxbow_links_1" WHERE "owner" = "_id") FROM "S";
INSERT INTO "_oxbow_new_S" ("_id", "_version", "l") SELECT "_id", "_version", (SELECT "member" FROM "_oxbow_links_1" WHERE "owner" = "_id") FROM "S";
INSERT INTO "_oxbow_new_S_l" ("owner", "member") SELECT "owner" AS "owner", "member" AS "member" FROM (SELECT l."l" AS "member", l."_id" AS "owner" FROM "S" AS l WHERE l."_id" IS NOT NULL AND l."l" IS NOT NULL);
INSERT INTO "_oxbow_new_Z" ("_id", "_version") SELECT "_id", "_version" FROM "Z";
INSERT INTO "_oxbow_new_Z" ("_id", "_version", "l") SELECT "_id", "_version", "l" FROM "Z";
INSERT INTO "_oxbow_new_Z" ("_id", "_version", "l3") SELECT "_id", "_version", (SELECT "member" FROM "_oxbow_links_1" WHERE "owner" = "_id") FROM "Z";
INSERT INTO "_oxbow_new_Z_l" ("owner", "member", "member_position") SELECT "owner" AS "owner", "member" AS "member", 2048 + 1024 * (row_number() OVER (PARTITION BY "owner" ORDER BY "member") - 1) AS "member_position" FROM (SELECT l."l" AS "member", NULL AS "member_position", l."_id" AS "owner" FROM "Z" AS l WHERE l."_id" IS NOT NULL AND l."l" IS NOT NULL);
INSERT OR ABORT INTO "_oxbow_entities" ("number", "name", "hash") VALUES (?, ?, ?);
INSERT OR ABORT INTO "_oxbow_history" ("seq", "id", "name", "kind", "event", "checksum", "algorithm", "model_before", "model_after", "cursor", "started", "finished", "tool", "engine", "host", "user", "plan") VALUES ((SELECT coalesce(max("seq"), 0) + 1 FROM "_oxbow_history"), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
INSERT OR ABORT INTO "_oxbow_metadata" ("name", "value") VALUES (?, ?) ON CONFLICT ("name") DO UPDATE SET "value" = excluded."value";
PRAGMA cache_size = -8000;
PRAGMA cell_size_check = ON;
PRAGMA encoding;
PRAGMA foreign_key_check("A");
PRAGMA foreign_key_check("A_items");
PRAGMA foreign_key_check("B");
PRAGMA foreign_key_check("B_r3");
PRAGMA foreign_key_check("B_rs");
PRAGMA foreign_key_check("Note");
PRAGMA foreign_key_check("R");
PRAGMA foreign_key_check("S");
PRAGMA foreign_key_check("S_l");
PRAGMA foreign_key_check("Z");
PRAGMA foreign_key_check("Z_l");
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
SELECT coalesce(sum("links" - 1), 0) FROM (SELECT count(*) AS "links" FROM (SELECT l."l" AS "owner", l."_id" AS "member" FROM "A" AS l WHERE l."l" IS NOT NULL AND l."_id" IS NOT NULL AND l."_l_type" IN (3)) GROUP BY "owner");
SELECT coalesce(sum("links" - 1), 0) FROM (SELECT count(*) AS "links" FROM (SELECT l."l" AS "owner", l."_id" AS "member" FROM "A" AS l WHERE l."l" IS NOT NULL AND l."_id" IS NOT NULL) GROUP BY "owner");
SELECT coalesce(sum("links" - 1), 0) FROM (SELECT count(*) AS "links" FROM (SELECT l."member" AS "owner", l."_id" AS "member" FROM "A" AS l WHERE l."member" IS NOT NULL AND l."_id" IS NOT NULL) GROUP BY "owner");
SELECT coalesce(sum("links" - 1), 0) FROM (SELECT count(*) AS "links" FROM (SELECT l."member" AS "owner", l."owner" AS "member" FROM "A_items" AS l WHERE l."member" IS NOT NULL AND l."owner" IS NOT NULL) GROUP BY "owner");
SELECT coalesce(sum("links" - 1), 0) FROM (SELECT count(*) AS "links" FROM (SELECT l."member" AS "owner", l."owner" AS "member" FROM "A_l" AS l WHERE l."member" IS NOT NULL AND l."owner" IS NOT NULL) GROUP BY "owner");
SELECT coalesce(sum("links" - 1), 0) FROM (SELECT count(*) AS "links" FROM (SELECT l."owner" AS "owner", l."member" AS "member" FROM "Note_tags" AS l WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL) GROUP BY "owner");
SELECT coalesce(sum("links" - 1), 0) FROM (SELECT count(*) AS "links" FROM (SELECT l."owner" AS "owner", l."member" AS "member" FROM "S_l" AS l LEFT JOIN "S" AS o ON o."_id" = l."owner" LEFT JOIN "S" AS m ON m."_id" = l."member" WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL) GROUP BY "owner");
SELECT coalesce(sum("links" - 1), 0) FROM (SELECT count(*) AS "links" FROM (SELECT l."owner" AS "owner", l."member" AS "member" FROM "S_l" AS l WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL) GROUP BY "owner");
SELECT coalesce(sum("links" - 1), 0) FROM (SELECT count(*) AS "links" FROM (SELECT l."r" AS "owner", l."_id" AS "member" FROM "B" AS l WHERE l."r" IS NOT NULL AND l."_id" IS NOT NULL) GROUP BY "owner");
SELECT coalesce(sum("links" - 1), 0) FROM (SELECT count(*) AS "links" FROM (SELECT l."user" AS "owner", l."_id" AS "member" FROM "B" AS l WHERE l."user" IS NOT NULL AND l."_id" IS NOT NULL) GROUP BY "owner");
SELECT count(*) FROM "A";
SELECT count(*) FROM "A" AS l WHERE l."_id" IS NOT NULL AND l."l" IS NOT NULL AND 1 IN (1) AND l."_l_type" IN (2, 3) AND ((1 IN (1) AND l."_l_type" IN (3))) IS NOT TRUE;
SELECT count(*) FROM "B";
SELECT count(*) FROM "B_rs" AS l LEFT JOIN "R" AS m ON m."_id" = l."member" WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL AND 1 IN (1) AND m."_type" IN (2, 3, 4) AND ((1 IN (1) AND m."_type" IN (3))) IS NOT TRUE;
SELECT count(*) FROM "Note";
SELECT count(*) FROM "R";
SELECT count(*) FROM "R" AS l WHERE l."_id" IS NOT NULL AND l."b" IS NOT NULL AND l."_type" IN (2, 3, 4) AND 1 IN (1) AND ((l."_type" IN (3) AND 1 IN (1)) OR (l."_type" IN (4) AND 1 IN (1))) IS NOT TRUE;
SELECT count(*) FROM "R" WHERE "A_x" IS NOT NULL AND "_type" IN (2, 3);
SELECT count(*) FROM "R" WHERE "A_y" IS NOT NULL AND "_type" IN (2);
SELECT count(*) FROM "R" WHERE "B_x" IS NOT NULL AND "_type" IN (4);
SELECT count(*) FROM "R" WHERE "B_y" IS NOT NULL AND "_type" IN (4);
SELECT count(*) FROM "R" WHERE "C_x" IS NOT NULL AND "_type" IN (3);
SELECT count(*) FROM "R" WHERE "x" IS NOT NULL;
SELECT count(*) FROM "R" WHERE "x" IS NOT NULL AND "_type" IN (1, 2, 3);
SELECT count(*) FROM "R" WHERE "x" IS NOT NULL AND "_type" IN (1, 2, 4);
SELECT count(*) FROM "R" WHERE "x" IS NOT NULL AND "_type" IN (1, 4);
SELECT count(*) FROM "R" WHERE "x" IS NOT NULL AND "_type" IN (2);
SELECT count(*) FROM "R" WHERE "x" IS NOT NULL AND "_type" IN (4);
SELECT count(*) FROM "R" WHERE "y" IS NOT NULL;
SELECT count(*) FROM "R" WHERE "y" IS NOT NULL AND "_type" IN (1);
SELECT count(*) FROM "R" WHERE "y" IS NOT NULL AND "_type" IN (1, 2, 3);
SELECT count(*) FROM "R" WHERE "y" IS NOT NULL AND "_type" IN (1, 2, 4);
SELECT count(*) FROM "R" WHERE "y" IS NOT NULL AND "_type" IN (1, 4);
SELECT count(*) FROM "R" WHERE "y" IS NOT NULL AND "_type" IN (2, 3);
SELECT count(*) FROM "R" WHERE "y" IS NOT NULL AND "_type" IN (3);
SELECT count(*) FROM "R" WHERE "y" IS NOT NULL AND "_type" IN (4);
SELECT count(*) FROM "S";
SELECT count(*) FROM "Z";
SELECT count(*) FROM "Z" WHERE "_id" NOT IN (SELECT "owner" FROM (SELECT l."member" AS "owner", l."owner" AS "member" FROM "B_r" AS l LEFT JOIN "B" AS m ON m."_id" = l."owner" WHERE l."member" IS NOT NULL AND l."owner" IS NOT NULL));
SELECT count(*) FROM "Z" WHERE "_l_position" IS NOT NULL;
SELECT count(*) FROM "_oxbow_new_A";
SELECT count(*) FROM "_oxbow_new_B";
SELECT count(*) FROM "_oxbow_new_Note";
SELECT count(*) FROM "_oxbow_new_R";
SELECT count(*) FROM "_oxbow_new_S";
SELECT count(*) FROM "_oxbow_new_Z";
SELECT count(*) FROM (SELECT 1 FROM (SELECT l."member" AS "owner", l."owner" AS "member" FROM "B_r" AS l LEFT JOIN "B" AS m ON m."_id" = l."owner" WHERE l."member" IS NOT NULL AND l."owner" IS NOT NULL) GROUP BY "owner" HAVING count(*) > 1);
SELECT count(*) FROM (SELECT 1 FROM (SELECT l."member" AS "owner", l."owner" AS "member" FROM "B_r" AS l WHERE l."member" IS NOT NULL AND l."owner" IS NOT NULL) GROUP BY "owner" HAVING count(*) > 1);
SELECT count(*) FROM (SELECT 1 FROM (SELECT l."member" AS "owner", l."owner" AS "member" FROM "S_l" AS l WHERE l."member" IS NOT NULL AND l."owner" IS NOT NULL) GROUP BY "owner" HAVING count(*) > 1);
SELECT count(*) FROM (SELECT 1 FROM (SELECT l."owner" AS "owner", l."member" AS "member" FROM "B_r" AS l LEFT JOIN "B" AS o ON o."_id" = l."owner" WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL) GROUP BY "owner" HAVING count(*) > 1);
SELECT count(*) FROM (SELECT 1 FROM (SELECT l."owner" AS "owner", l."member" AS "member" FROM "B_r" AS l WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL) GROUP BY "owner" HAVING count(*) > 1);
SELECT count(*) FROM (SELECT 1 FROM (SELECT l."owner" AS "owner", l."member" AS "member" FROM "S_l" AS l WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL) GROUP BY "owner" HAVING count(*) > 1);
SELECT count(*) FROM (SELECT l."_id" AS "owner", l."b" AS "member" FROM "A" AS l WHERE l."_id" IS NOT NULL AND l."b" IS NOT NULL);
SELECT count(*) FROM (SELECT l."owner" AS "owner", l."member" AS "member" FROM "A_l" AS l WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL);
SELECT count(*) FROM (SELECT l."owner" AS "owner", l."member" AS "member" FROM "B_r" AS l WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL);
SELECT count(*) FROM (SELECT l."owner" AS "owner", l."member" AS "member" FROM "Z_l" AS l LEFT JOIN "B" AS m ON m."_id" = l."member" WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL);
SELECT count(*) FROM (SELECT l."owner" AS "owner", l."member" AS "member" FROM "Z_l" AS l WHERE l."owner" IS NOT NULL AND l."member" IS NOT NULL);
SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '_oxbow_files';
SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1';
SELECT l.name, l."unique", l.partial, s.sql FROM pragma_index_list(?) AS l JOIN sqlite_schema AS s ON s.type = 'index' AND s.name = l.name WHERE l.origin = 'c' ORDER BY l.name;
SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name;
SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) ORDER BY cid;
SELECT t.name, f."table" FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f WHERE t.type = 'table';
SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL AND type IN ('index', 'trigger') ORDER BY rowid;
SELECT type, name, tbl_name FROM sqlite_schema ORDER BY name;
SELECT type, name, tbl_name FROM sqlite_schema WHERE type IN ('view', 'trigger');
SELECT wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = ?;
UPDATE "A" SET "l" = NULL WHERE ("l", "_id") IN (SELECT "owner", "member" FROM (SELECT "owner", "member", row_number() OVER (PARTITION BY "owner" ORDER BY "member_position" NULLS LAST, "member") AS "place" FROM (SELECT l."l" AS "owner", l."_id" AS "member", NULL AS "member_position" FROM "A" AS l WHERE l."l" IS NOT NULL AND l."_id" IS NOT NULL)) WHERE "place" > 1);
UPDATE "A" SET "l" = NULL, "_l_type" = NULL WHERE ("_id", "l") IN (SELECT l."_id", l."l" FROM "A" AS l WHERE l."_id" IS NOT NULL AND l."l" IS NOT NULL AND 1 IN (1) AND l."_l_type" IN (2, 3) AND ((1 IN (1) AND l."_l_type" IN (3))) IS NOT TRUE);
UPDATE "A" SET "l" = NULL, "_l_type" = NULL WHERE ("l", "_id") IN (SELECT "owner", "member" FROM (SELECT "owner", "member", row_number() OVER (PARTITION BY "owner" ORDER BY "member_position" NULLS LAST, "member") AS "place" FROM (SELECT l."l" AS "owner", l."_id" AS "member", NULL AS "member_position" FROM "A" AS l WHERE l."l" IS NOT NULL AND l."_id" IS NOT NULL AND l."_l_type" IN (3))) WHERE "place" > 1);
UPDATE "A" SET "member" = NULL WHERE ("member", "_id") IN (SELECT "owner", "member" FROM (SELECT "owner", "member", row_number() OVER (PARTITION BY "owner" ORDER BY "member_position" NULLS LAST, "member") AS "place" FROM (SELECT l."member" AS "owner", l."_id" AS "member", NULL AS "member_position" FROM "A" AS l WHERE l."member" IS NOT NULL AND l."_id" IS NOT NULL)) WHERE "place" > 1);
UPDATE "B" SET "r" = NULL WHERE ("r", "_id") IN (SELECT "owner", "member" FROM (SELECT "owner", "member", row_number() OVER (PARTITION BY "owner" ORDER BY "member_position" NULLS LAST, "member") AS "place" FROM (SELECT l."r" AS "owner", l."_id" AS "member", NULL AS "member_position" FROM "B" AS l WHERE l."r" IS NOT NULL AND l."_id" IS NOT NULL)) WHERE "place" > 1);
UPDATE "B" SET "r" = NULL, "_r_position" = NULL WHERE ("r", "_id") IN (SELECT "owner", "member" FROM (SELECT "owner", "member", row_number() OVER (PARTITION BY "owner" ORDER BY "member_position" NULLS LAST, "member") AS "place" FROM (SELECT l."r" AS "owner", l."_id" AS "member", l."_r_position" AS "member_position" FROM "B" AS l WHERE l."r" IS NOT NULL AND l."_id" IS NOT NULL)) WHERE "place" > 1);
UPDATE "B" SET "user" = NULL WHERE ("user", "_id") IN (SELECT "owner", "member" FROM (SELECT "owner", "member", row_number() OVER (PARTITION BY "owner" ORDER BY "member_position" NULLS LAST, "member") AS "place" FROM (SELECT l."user" AS "owner", l."_id" AS "member", NULL AS "member_position" FROM "B" AS l WHERE l."user" IS NOT NULL AND l."_id" IS NOT NULL)) WHERE "place" > 1);
UPDATE "R" SET "b" = NULL WHERE ("_id", "b") IN (SELECT l."_id", l."b" FROM "R" AS l WHERE l."_id" IS NOT NULL AND l."b" IS NOT NULL AND l."_type" IN (2, 3, 4) AND 1 IN (1) AND ((l."_type" IN (3) AND 1 IN (1)) OR (l."_type" IN (4) AND 1 IN (1))) IS NOT TRUE);
