-- oxbow: model unchanged
-- up
INSERT INTO "Person" ("_id", "_version", "name") VALUES
  (1, 1, 'Ada Lovelace'),
  (2, 1, 'Augusta Ada King'),
  (3, 1, 'Hypatia');
-- down
DELETE FROM "Person" WHERE "_id" IN (1, 2, 3);
