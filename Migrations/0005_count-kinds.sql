-- oxbow: model unchanged
-- Counts the kinds again, because the step before gave files another one. A kind without files keeps
-- its row, as it does when the last file goes. Counting again changes nothing, and there is no
-- section "down": the counts of before were those of kinds that nobody knows any more.
-- up
UPDATE "Kind" SET "fileCount" = "files", "byteCount" = "bytes", "_version" = "_version" + 1
FROM (
  SELECT k."_id" AS "of", count(f."_id") AS "files", coalesce(sum(f."size"), 0) AS "bytes"
  FROM "Kind" AS k LEFT JOIN "File" AS f ON f."kind" = k."name" GROUP BY k."_id")
WHERE "of" = "Kind"."_id" AND ("fileCount" <> "files" OR "byteCount" <> "bytes");

INSERT INTO "Kind" ("_id", "_version", "name", "fileCount", "byteCount")
SELECT (SELECT coalesce(max("_id"), 0) FROM "Kind") + row_number() OVER (ORDER BY "kind"), 1,
  "kind", count(*), sum("size")
FROM "File" WHERE "kind" NOT IN (SELECT "name" FROM "Kind") GROUP BY "kind";
