WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 832 bytes, d97812258159ca9b;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 898 bytes, d9428b3782cd4c39;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 2541 bytes, a0a5d5eb92ff3b55;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 2645 bytes, de222557aada8945;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 2718 bytes, 4a91b4c4a44f77af;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 2357 bytes, 38478a7de270ddf6;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 2461 bytes, 19be4d8baba35fb4;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 2534 bytes, 9b9853e3ee559ae8;
