WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 832 bytes, d97812258159ca9b;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 898 bytes, d9428b3782cd4c39;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 2353 bytes, 13dcd5cc43193341;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 2457 bytes, 1640412e33c00a49;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 2530 bytes, c1d2d0954ced947b;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 2169 bytes, d650a77648dde932;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 2273 bytes, f6d08bc2379f6f80;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 2346 bytes, 9ba6c253851dc0bc;
