// Hand-written C against SQLite: what suite M is compared with.
//
// Each call opens the file as Oxbow does (NOMUTEX, WAL), works on the table that Oxbow made, and
// returns nanoseconds for the whole job, or -1 with a message on stderr. The work ends with the release
// of what was made, as it does on the other side.

#ifndef OXBOW_BASELINE_H
#define OXBOW_BASELINE_H

#include <stdint.h>

// Reads all columns of all rows into an array of structs (texts are copied), then frees them.
// With touch, sums up every field of every struct first.
int64_t baseline_fetch(const char *path, int touch, int64_t *rows, double *checksum);

// Reads key and version of all rows into an array.
int64_t baseline_keys(const char *path, int64_t *rows);

// Runs a statement of two keys and a sum, and collects its rows; 0, or -1 when it failed.
int64_t baseline_groups(const char *path, const char *sql, int64_t *rows);

// Inserts rows with the columns that Oxbow writes, in one transaction, commit included. The texts are
// made before the clock starts, on every side.
int64_t baseline_insert(const char *path, int64_t count);

// Runs a statement `count` times in one transaction, commit and checkpoint included. Its first
// parameter is a key, of `keys` or counted from 1; behind it come whole numbers and texts, which are
// made before the clock starts.
int64_t baseline_repeat(const char *path, const char *sql, int64_t count, const int64_t *keys, int integers,
                        int texts);

// Reads the row of each key, whole numbers all, into an array, and frees it.
int64_t baseline_by_key(const char *path, const char *sql, int64_t count, const int64_t *keys, int integers);

// Reads a row of the table Volume for each of `count` questions, of `rows` rows in all, with one prepared
// statement: by its text or by its key, which the question gives. Copies and frees its texts, and sums
// up its whole numbers.
int64_t baseline_points(const char *path, const char *sql, int64_t count, int64_t rows, int by_text,
                        int64_t *sum);

// Deletes rows by their keys, in blocks of 500 and in one transaction: `counts[i]` of each table, the keys
// one after the other.
int64_t baseline_delete(const char *path, const char *const *tables, const int64_t *counts, int number,
                        const int64_t *keys);

// Inserts rows into the table Mixed, on average `group` of them in one transaction.
int64_t baseline_commits(const char *path, int64_t count, double group);

// Inserts rows into the table Volume, each in a transaction of its own, with the texts of numbers from
// `first` on; `durable` waits for the medium. Returns nanoseconds, of the processor if not durable.
int64_t baseline_saves(const char *path, int64_t first, int64_t count, int durable);

// Nanoseconds in which `threads` threads insert `saves` rows each and wait for each until it is
// committed, in transactions that they share. `size` is how many rows one had on average.
int64_t baseline_group_commits(const char *path, int threads, int64_t saves, double *size);

// Reads all rows of the table Mixed and writes the note of each, a batch in one transaction.
int64_t baseline_update(const char *path, int batch, int64_t *rows);

// Walks a tree of three levels: one ordered statement for each, into arrays of structs in which each
// parent has the place and the number of its children. Sums up the numbers of the leaves.
int64_t baseline_walk(const char *path, int64_t *leaves, int64_t *sum);

// Reads all rows of a select of key, version, whole numbers and texts into an array, sums up every
// field, and frees it; `repeats` times with one prepared statement.
int64_t baseline_columns(const char *path, const char *sql, int integers, int texts, int repeats,
                         int64_t *rows, int64_t *sum);

// The bytes that the heap has given out.
int64_t baseline_live_bytes(void);

// The bytes that the rows of the table Mixed take as an array of structs with copied texts, which has
// room for `rows` of them; `rows` is their number afterwards.
int64_t baseline_fetch_bytes(const char *path, int64_t *rows);

// Does nothing with an object, which no optimiser of Swift can know.
void baseline_consume(const void *object);

#endif
