-- oxbow: model unchanged
-- Counts what version 2 keeps and version 1 did not: the bytes of each folder, and what the files of
-- each kind come to. Counting again changes nothing.
-- up
UPDATE "Folder" SET "byteCount" = "counted", "_version" = "_version" + 1
FROM (SELECT "folder" AS "of", sum("size") AS "counted" FROM "File" GROUP BY "folder")
WHERE "of" = "Folder"."_id" AND "byteCount" <> "counted";

INSERT INTO "Kind" ("_id", "_version", "name", "fileCount", "byteCount")
SELECT (SELECT coalesce(max("_id"), 0) FROM "Kind") + row_number() OVER (ORDER BY "kind"), 1,
  "kind", count(*), sum("size")
FROM "File" WHERE "kind" NOT IN (SELECT "name" FROM "Kind") GROUP BY "kind";
