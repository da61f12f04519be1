// The system's libsqlite3, with the calls that Swift cannot import.
//
// sqlite3_db_config is variadic, so each switch gets a function of its own. SQLITE_TRANSIENT and
// SQLITE_STATIC are casts of integers to function pointers, which Swift cannot write either.

#ifndef OXBOW_CSQLITE_SHIM_H
#define OXBOW_CSQLITE_SHIM_H

#include <sqlite3.h>

static inline int oxbow_sqlite3_db_config_int(sqlite3 *db, int option, int value, int *seen) {
  return sqlite3_db_config(db, option, value, seen);
}

static inline int oxbow_sqlite3_bind_text_transient(
    sqlite3_stmt *statement, int index, const char *text, int length) {
  return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}

static inline int oxbow_sqlite3_bind_text_static(
    sqlite3_stmt *statement, int index, const char *text, int length) {
  return sqlite3_bind_text(statement, index, text, length, SQLITE_STATIC);
}

static inline int oxbow_sqlite3_bind_blob_transient(
    sqlite3_stmt *statement, int index, const void *bytes, int length) {
  return sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}

static inline int oxbow_sqlite3_bind_blob_static(
    sqlite3_stmt *statement, int index, const void *bytes, int length) {
  return sqlite3_bind_blob(statement, index, bytes, length, SQLITE_STATIC);
}

#endif
