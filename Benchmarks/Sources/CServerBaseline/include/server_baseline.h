// Hand-written C against libpq: what suite N is compared with.
//
// It works on the table Mixed that Oxbow made, in the schema oxbow of the database that `connection` names,
// with prepared statements and values in binary form. Functions return nanoseconds for the whole job, or -1
// with a message on stderr. Those for one thread share a connection, as a pool would lend one.

#ifndef OXBOW_SERVER_BASELINE_H
#define OXBOW_SERVER_BASELINE_H

#include <stdint.h>

// Runs a command of the shell, and returns its status.
int server_script(const char *command);

// Runs statements.
int64_t server_run(const char *connection, const char *sql);

// Reads all rows into a slab of words and one of bytes, by COPY or row by row, and frees it.
int64_t server_fetch(const char *connection, int copies, int64_t *rows);

// Reads `count` rows by their keys, again and again, each time in one round trip.
int64_t server_by_key(const char *connection, const int64_t *keys, int count, int rounds);

// Inserts rows by COPY in one transaction, commit included. The texts are made before the clock starts.
int64_t server_insert(const char *connection, int64_t count);

// Changes a number in the rows of `keys` by one statement that ends the transaction unless all have
// `version`, in one round trip with BEGIN and COMMIT.
int64_t server_update(const char *connection, const int64_t *keys, int64_t count, int64_t version);

// Nanoseconds in which `threads` threads make `saves` saves each: one row of their own changed by its version
// and one inserted, in one round trip with BEGIN, COMMIT and a look at the model's hash. Thread t changes the
// row `keys[t]`, which has the version 1, and inserts rows from `first` + t * `saves` on.
int64_t server_saves(const char *connection, int threads, int saves, const int64_t *keys, int64_t first);

// Listens on a port of this machine, which it returns, and delays what goes to and from the socket of a
// server by so many microseconds each way.
int server_delay(const char *socket, int microseconds);

#endif
