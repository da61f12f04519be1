// The system's libsqlite3, with the calls that Swift cannot import.
//
// sqlite3_db_config is variadic, so each switch gets a function of its own. SQLITE_TRANSIENT and
// SQLITE_STATIC are casts of integers to function pointers, which Swift cannot write either.

#ifndef OXBOW_CSQLITE_SHIM_H
#define OXBOW_CSQLITE_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>

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

// Locks on single bytes of a file, owned by the open file description: they survive that another
// descriptor of the same file is closed, and they end with the process. glibc hides the commands
// behind _GNU_SOURCE; the numbers are the kernel's.
#if defined(__linux__) && !defined(F_OFD_SETLK)
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#endif

// Sets (F_RDLCK, F_WRLCK) or clears (F_UNLCK) the lock on one byte; never waits. Returns 0 or errno.
static inline int oxbow_lock_byte(int descriptor, int type, long long byte) {
  struct flock range;
  memset(&range, 0, sizeof range);
  range.l_type = (short)type;
  range.l_whence = SEEK_SET;
  range.l_start = byte;
  range.l_len = 1;
  return fcntl(descriptor, F_OFD_SETLK, &range) == 0 ? 0 : errno;
}

// Tells whether another open file description holds a lock on the byte that excludes `type`.
static inline int oxbow_byte_is_locked(int descriptor, int type, long long byte) {
  struct flock range;
  memset(&range, 0, sizeof range);
  range.l_type = (short)type;
  range.l_whence = SEEK_SET;
  range.l_start = byte;
  range.l_len = 1;
  return fcntl(descriptor, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
}

#endif
