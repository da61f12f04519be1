WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 832 bytes, d97812258159ca9b;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 898 bytes, d9428b3782cd4c39;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 2160 bytes, 2f45352fe9f90f70;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 2264 bytes, f1d3a04baaf2804;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 2337 bytes, 2c44a3bb1e685e58;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 1976 bytes, f217476ade182f3d;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 2080 bytes, 48ecd748264bc07;
WITH "_oxbow_numbers" ("numbers") AS MATERIALIZED (SELECT oxbow_word_statistics(?, "n0", "n1", "n2", "n3") FROM (SELECT  … 2153 bytes, f6cc168725f6580d;
