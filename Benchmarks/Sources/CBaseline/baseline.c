#include "baseline.h"

#include <malloc.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  int64_t key, version;
  char *name, *city, *note;
  int64_t small, large;
  double latitude, longitude;
  int flag;
} Row;

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t fail(sqlite3 *db, const char *what) {
  fprintf(stderr, "baseline: %s: %s\n", what, db ? sqlite3_errmsg(db) : "no connection");
  sqlite3_close(db);
  return -1;
}

static sqlite3 *open_database(const char *path) {
  sqlite3 *db = NULL;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &db, flags, NULL) != SQLITE_OK) return NULL;
  sqlite3_wal_autocheckpoint(db, 0);
  sqlite3_exec(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL", NULL, NULL, NULL);
  return db;
}

static char *copy_text(sqlite3_stmt *s, int column) {
  const unsigned char *text = sqlite3_column_text(s, column);
  int length = sqlite3_column_bytes(s, column);
  char *copy = malloc(length + 1);
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

int64_t baseline_fetch(const char *path, int touch, int64_t *count, double *checksum) {
  sqlite3 *db = open_database(path);
  sqlite3_stmt *s = NULL;
  const char *sql =
      "SELECT _id, _version, city, flag, large, latitude, longitude, name, note, small FROM Mixed";
  if (!db || sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) return fail(db, sql);
  int64_t start = now();
  int64_t n = 0, capacity = 1024;
  Row *rows = malloc(capacity * sizeof(Row));
  while (sqlite3_step(s) == SQLITE_ROW) {
    if (n == capacity) rows = realloc(rows, (capacity *= 2) * sizeof(Row));
    Row *r = &rows[n++];
    r->key = sqlite3_column_int64(s, 0);
    r->version = sqlite3_column_int64(s, 1);
    r->city = copy_text(s, 2);
    r->flag = sqlite3_column_int(s, 3);
    r->large = sqlite3_column_int64(s, 4);
    r->latitude = sqlite3_column_double(s, 5);
    r->longitude = sqlite3_column_double(s, 6);
    r->name = copy_text(s, 7);
    r->note = copy_text(s, 8);
    r->small = sqlite3_column_int64(s, 9);
  }
  double sum = 0;
  if (touch)
    for (int64_t i = 0; i < n; i++) {
      Row *r = &rows[i];
      sum += r->small + r->large + r->latitude + r->longitude + r->flag + strlen(r->name) +
             strlen(r->city) + strlen(r->note);
    }
  for (int64_t i = 0; i < n; i++) {
    free(rows[i].name);
    free(rows[i].city);
    free(rows[i].note);
  }
  free(rows);
  int64_t elapsed = now() - start;
  *count = n;
  *checksum = sum;
  sqlite3_finalize(s);
  sqlite3_close(db);
  return elapsed;
}

int64_t baseline_keys(const char *path, int64_t *count) {
  sqlite3 *db = open_database(path);
  sqlite3_stmt *s = NULL;
  const char *sql = "SELECT _id, _version FROM Mixed";
  if (!db || sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) return fail(db, sql);
  int64_t start = now();
  int64_t n = 0, capacity = 1024;
  int64_t *keys = malloc(2 * capacity * sizeof(int64_t));
  while (sqlite3_step(s) == SQLITE_ROW) {
    if (n == capacity) keys = realloc(keys, 2 * (capacity *= 2) * sizeof(int64_t));
    keys[2 * n] = sqlite3_column_int64(s, 0);
    keys[2 * n++ + 1] = sqlite3_column_int64(s, 1);
  }
  free(keys);
  int64_t elapsed = now() - start;
  *count = n;
  sqlite3_finalize(s);
  sqlite3_close(db);
  return elapsed;
}

int64_t baseline_groups(const char *path, const char *sql, int64_t *count) {
  typedef struct {
    int64_t account, month;
    double sum;
  } Line;
  sqlite3 *db = open_database(path);
  sqlite3_stmt *s = NULL;
  if (!db || sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) return fail(db, sql);
  int64_t n = 0, capacity = 64;
  Line *lines = malloc(capacity * sizeof(Line));
  while (sqlite3_step(s) == SQLITE_ROW) {
    if (n == capacity) lines = realloc(lines, (capacity *= 2) * sizeof(Line));
    Line *line = &lines[n++];
    line->account = sqlite3_column_int64(s, 0);
    line->month = sqlite3_column_int64(s, 1);
    line->sum = sqlite3_column_double(s, 2);
  }
  free(lines);
  *count = n;
  sqlite3_finalize(s);
  sqlite3_close(db);
  return 0;
}

int64_t baseline_insert(const char *path, int64_t count) {
  sqlite3 *db = open_database(path);
  sqlite3_stmt *s = NULL;
  const char *sql =
      "INSERT OR ABORT INTO Mixed (_id, _version, city, flag, large, latitude, longitude, name, note,"
      " small) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?)";
  if (!db || sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) return fail(db, sql);
  typedef struct {
    char name[32], city[32], note[32];
    int nameLength, cityLength, noteLength;
  } Texts;
  Texts *texts = malloc(count * sizeof(Texts));
  for (int64_t i = 0; i < count; i++) {
    Texts *t = &texts[i];
    t->nameLength = snprintf(t->name, sizeof t->name, "name number %lld", (long long)i);
    t->cityLength = snprintf(t->city, sizeof t->city, "city %lld", (long long)(i % 100));
    t->noteLength = snprintf(t->note, sizeof t->note, "note %lld of many", (long long)(i % 1000));
  }
  int64_t start = now();
  if (sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK) return fail(db, "BEGIN");
  for (int64_t i = 0; i < count; i++) {
    Texts *t = &texts[i];
    sqlite3_bind_int64(s, 1, i + 1);
    sqlite3_bind_text(s, 2, t->city, t->cityLength, SQLITE_STATIC);
    sqlite3_bind_int(s, 3, i % 2 == 0);
    sqlite3_bind_int64(s, 4, i * 1000003);
    sqlite3_bind_double(s, 5, i * 0.5);
    sqlite3_bind_double(s, 6, i * 0.25);
    sqlite3_bind_text(s, 7, t->name, t->nameLength, SQLITE_STATIC);
    sqlite3_bind_text(s, 8, t->note, t->noteLength, SQLITE_STATIC);
    sqlite3_bind_int64(s, 9, i % 30000);
    if (sqlite3_step(s) != SQLITE_DONE) return fail(db, sql);
    sqlite3_reset(s);
  }
  if (sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) return fail(db, "COMMIT");
  // A log of this size is copied into the database at once, by SQLite's default and by Oxbow's writer.
  sqlite3_wal_checkpoint_v2(db, "main", SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
  int64_t elapsed = now() - start;
  free(texts);
  sqlite3_finalize(s);
  sqlite3_close(db);
  return elapsed;
}

static int note_pages(void *pages, sqlite3 *db, const char *name, int count) {
  *(int *)pages = count;
  return SQLITE_OK;
}

// Ends a transaction as Oxbow's writer does: a log of 1,000 pages is copied into the database at once.
static int commit(sqlite3 *db) {
  int pages = 0;
  sqlite3_wal_hook(db, note_pages, &pages);
  if (sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) return 0;
  if (pages >= 1000) sqlite3_wal_checkpoint_v2(db, "main", SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
  return 1;
}

int64_t baseline_repeat(const char *path, const char *sql, int64_t count, const int64_t *keys, int integers,
                        int texts) {
  enum { size = 24 };
  sqlite3 *db = open_database(path);
  sqlite3_stmt *s = NULL;
  if (!db || sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) return fail(db, sql);
  char *made = malloc(count * size);
  for (int64_t i = 0; i < count; i++) snprintf(made + i * size, size, "name number %lld", (long long)i);
  int64_t start = now();
  if (sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK) return fail(db, "BEGIN");
  for (int64_t i = 0; i < count; i++) {
    int at = 1;
    sqlite3_bind_int64(s, at++, keys ? keys[i] : i + 1);
    for (int n = 0; n < integers; n++) sqlite3_bind_int64(s, at++, i + n);
    for (int n = 0; n < texts; n++) sqlite3_bind_text(s, at++, made + i * size, -1, SQLITE_STATIC);
    if (sqlite3_step(s) != SQLITE_DONE) return fail(db, sql);
    if (sqlite3_changes(db) != 1) return fail(db, "a row is missing");
    sqlite3_reset(s);
  }
  if (!commit(db)) return fail(db, "COMMIT");
  int64_t elapsed = now() - start;
  free(made);
  sqlite3_finalize(s);
  sqlite3_close(db);
  return elapsed;
}

int64_t baseline_by_key(const char *path, const char *sql, int64_t count, const int64_t *keys,
                        int integers) {
  sqlite3 *db = open_database(path);
  sqlite3_stmt *s = NULL;
  if (!db || sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) return fail(db, sql);
  int64_t start = now();
  int64_t *rows = malloc(count * integers * sizeof(int64_t));
  if (sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK) return fail(db, "BEGIN");
  for (int64_t i = 0; i < count; i++) {
    sqlite3_bind_int64(s, 1, keys[i]);
    if (sqlite3_step(s) != SQLITE_ROW) return fail(db, sql);
    for (int n = 0; n < integers; n++) rows[i * integers + n] = sqlite3_column_int64(s, n);
    sqlite3_reset(s);
  }
  if (sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) return fail(db, "COMMIT");
  free(rows);
  int64_t elapsed = now() - start;
  sqlite3_finalize(s);
  sqlite3_close(db);
  return elapsed;
}

int64_t baseline_points(const char *path, const char *sql, int64_t count, int64_t rows, int by_text,
                        int64_t *sum) {
  sqlite3 *db = open_database(path);
  sqlite3_stmt *s = NULL;
  if (!db || sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL) != SQLITE_OK)
    return fail(db, sql);
  *sum = 0;
  int64_t start = now();
  for (int64_t i = 0; i < count; i++) {
    int64_t row = i * 7919 % rows;
    char text[32];
    if (by_text) {
      int length = snprintf(text, sizeof text, "code%lld", (long long)row);
      sqlite3_bind_text(s, 1, text, length, SQLITE_STATIC);
    } else {
      sqlite3_bind_int64(s, 1, row + 1);
    }
    if (sqlite3_step(s) != SQLITE_ROW) return fail(db, sql);
    char *code = copy_text(s, 2), *title = copy_text(s, 3);
    *sum += sqlite3_column_int64(s, 4);
    free(code);
    free(title);
    sqlite3_reset(s);
  }
  int64_t elapsed = now() - start;
  sqlite3_finalize(s);
  sqlite3_close(db);
  return elapsed;
}

int64_t baseline_delete(const char *path, const char *const *tables, const int64_t *counts, int number,
                        const int64_t *keys) {
  enum { block = 500 };
  sqlite3 *db = open_database(path);
  if (!db) return fail(db, path);
  int64_t start = now();
  if (sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK) return fail(db, "BEGIN");
  for (int t = 0; t < number; t++) {
    char sql[2 * block + 100];
    int length = snprintf(sql, sizeof sql, "DELETE FROM %s WHERE _id IN (", tables[t]);
    for (int i = 0; i < block; i++) length += sprintf(sql + length, i ? ",?" : "?");
    sprintf(sql + length, ")");
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) return fail(db, sql);
    for (int64_t done = 0; done < counts[t]; done += block) {
      for (int i = 0; i < block; i++) {
        if (done + i < counts[t]) sqlite3_bind_int64(s, i + 1, keys[done + i]);
        else sqlite3_bind_null(s, i + 1);
      }
      if (sqlite3_step(s) != SQLITE_DONE) return fail(db, sql);
      sqlite3_reset(s);
    }
    keys += counts[t];
    sqlite3_finalize(s);
  }
  if (!commit(db)) return fail(db, "COMMIT");
  int64_t elapsed = now() - start;
  sqlite3_close(db);
  return elapsed;
}

int64_t baseline_commits(const char *path, int64_t count, double group) {
  sqlite3 *db = open_database(path);
  sqlite3_stmt *s = NULL, *begin = NULL, *commit = NULL;
  const char *sql =
      "INSERT OR ABORT INTO Mixed (_version, city, flag, large, latitude, longitude, name, note, small)"
      " VALUES (1, 'city', 1, ?, 0.5, 0.25, 'a name', 'a note of many', 7)";
  if (!db || sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) return fail(db, sql);
  if (sqlite3_prepare_v2(db, "BEGIN IMMEDIATE", -1, &begin, NULL) != SQLITE_OK ||
      sqlite3_prepare_v2(db, "COMMIT", -1, &commit, NULL) != SQLITE_OK)
    return fail(db, "COMMIT");
  // What Oxbow's writer does as well.
  sqlite3_wal_autocheckpoint(db, 1000);
  int64_t start = now(), done = 0, groups = 0;
  while (done < count) {
    int64_t end = (int64_t)(++groups * group + 0.5);
    if (end <= done) end = done + 1;
    sqlite3_step(begin), sqlite3_reset(begin);
    for (; done < end && done < count; done++) {
      sqlite3_bind_int64(s, 1, done);
      if (sqlite3_step(s) != SQLITE_DONE) return fail(db, sql);
      sqlite3_reset(s);
    }
    if (sqlite3_step(commit) != SQLITE_DONE) return fail(db, "COMMIT");
    sqlite3_reset(commit);
  }
  int64_t elapsed = now() - start;
  sqlite3_finalize(s), sqlite3_finalize(begin), sqlite3_finalize(commit);
  sqlite3_close(db);
  return elapsed;
}

static int64_t processor_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t baseline_saves(const char *path, int64_t first, int64_t count, int durable) {
  sqlite3 *db = open_database(path);
  sqlite3_stmt *s = NULL, *begin = NULL, *commit = NULL;
  const char *sql = "INSERT INTO Volume (_version, code, price, title, year) VALUES (1, ?, 1.5, 'a title', ?)";
  if (!db || sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL) != SQLITE_OK ||
      sqlite3_prepare_v3(db, "BEGIN IMMEDIATE", -1, SQLITE_PREPARE_PERSISTENT, &begin, NULL) != SQLITE_OK ||
      sqlite3_prepare_v3(db, "COMMIT", -1, SQLITE_PREPARE_PERSISTENT, &commit, NULL) != SQLITE_OK)
    return fail(db, sql);
  if (!durable) sqlite3_exec(db, "PRAGMA synchronous=NORMAL", NULL, NULL, NULL);
  // What Oxbow's writer does as well.
  sqlite3_wal_autocheckpoint(db, 1000);
  int64_t start = durable ? now() : processor_time();
  for (int64_t i = first; i < first + count; i++) {
    char text[32];
    int length = snprintf(text, sizeof text, "code%lld", (long long)i);
    sqlite3_step(begin), sqlite3_reset(begin);
    sqlite3_bind_text(s, 1, text, length, SQLITE_STATIC);
    sqlite3_bind_int64(s, 2, i);
    if (sqlite3_step(s) != SQLITE_DONE) return fail(db, sql);
    sqlite3_reset(s);
    if (sqlite3_step(commit) != SQLITE_DONE) return fail(db, "COMMIT");
    sqlite3_reset(commit);
  }
  int64_t elapsed = (durable ? now() : processor_time()) - start;
  sqlite3_finalize(s), sqlite3_finalize(begin), sqlite3_finalize(commit);
  sqlite3_close(db);
  return elapsed;
}

// A group commit of threads: who comes first while nobody writes leads, commits all that wait with its
// own in one transaction, and wakes them; the first of those that came meanwhile leads next.
typedef struct Waiter {
  struct Waiter *next;
  pthread_cond_t wake;
  int64_t number;
  int leads, done;
} Waiter;

typedef struct {
  pthread_mutex_t lock;
  Waiter *first, **last;
  int is_led;
  sqlite3 *db;
  sqlite3_stmt *insert, *begin, *commit;
  int64_t saves, groups;
  int failed;
} Group;

static void commit_group(Group *group, Waiter *waiters) {
  sqlite3_step(group->begin), sqlite3_reset(group->begin);
  for (Waiter *w = waiters; w; w = w->next) {
    sqlite3_bind_int64(group->insert, 1, w->number);
    if (sqlite3_step(group->insert) != SQLITE_DONE) group->failed = 1;
    sqlite3_reset(group->insert);
  }
  if (sqlite3_step(group->commit) != SQLITE_DONE) group->failed = 1;
  sqlite3_reset(group->commit);
}

static void save_in_group(Group *group, Waiter *own) {
  pthread_mutex_lock(&group->lock);
  own->next = NULL, own->leads = own->done = 0;
  *group->last = own, group->last = &own->next;
  if (!group->is_led) group->is_led = own->leads = 1;
  while (!own->leads && !own->done) pthread_cond_wait(&own->wake, &group->lock);
  if (own->done) {
    pthread_mutex_unlock(&group->lock);
    return;
  }
  Waiter *waiters = group->first;
  group->first = NULL, group->last = &group->first, group->groups++;
  pthread_mutex_unlock(&group->lock);
  commit_group(group, waiters);
  pthread_mutex_lock(&group->lock);
  for (Waiter *w = waiters, *next; w; w = next) {
    next = w->next, w->done = 1;
    if (w != own) pthread_cond_signal(&w->wake);
  }
  group->is_led = group->first != NULL;
  if (group->first) group->first->leads = 1, pthread_cond_signal(&group->first->wake);
  pthread_mutex_unlock(&group->lock);
}

static void *save_many(void *argument) {
  Group *group = argument;
  Waiter own = {.wake = PTHREAD_COND_INITIALIZER};
  for (int64_t i = 0; i < group->saves; i++) {
    own.number = i;
    save_in_group(group, &own);
  }
  return NULL;
}

int64_t baseline_group_commits(const char *path, int threads, int64_t saves, double *size) {
  sqlite3 *db = open_database(path);
  Group group = {.lock = PTHREAD_MUTEX_INITIALIZER, .db = db, .saves = saves};
  group.last = &group.first;
  const char *sql =
      "INSERT OR ABORT INTO Mixed (_version, city, flag, large, latitude, longitude, name, note, small)"
      " VALUES (1, 'city', 1, ?, 0.5, 0.25, 'a name', 'a note of many', 7)";
  if (!db || sqlite3_prepare_v2(db, sql, -1, &group.insert, NULL) != SQLITE_OK ||
      sqlite3_prepare_v2(db, "BEGIN IMMEDIATE", -1, &group.begin, NULL) != SQLITE_OK ||
      sqlite3_prepare_v2(db, "COMMIT", -1, &group.commit, NULL) != SQLITE_OK)
    return fail(db, sql);
  sqlite3_wal_autocheckpoint(db, 1000);
  pthread_t *all = malloc(threads * sizeof(pthread_t));
  int64_t start = now();
  for (int i = 0; i < threads; i++) pthread_create(&all[i], NULL, save_many, &group);
  for (int i = 0; i < threads; i++) pthread_join(all[i], NULL);
  int64_t elapsed = now() - start;
  free(all);
  *size = (double)(threads * saves) / group.groups;
  sqlite3_finalize(group.insert), sqlite3_finalize(group.begin), sqlite3_finalize(group.commit);
  sqlite3_close(db);
  return group.failed ? -1 : elapsed;
}

int64_t baseline_update(const char *path, int batch, int64_t *count) {
  sqlite3 *db = open_database(path);
  sqlite3_stmt *s = NULL, *u = NULL;
  const char *sql =
      "SELECT _id, _version, city, flag, large, latitude, longitude, name, note, small FROM Mixed"
      " WHERE _id > ? ORDER BY _id LIMIT ?";
  const char *update = "UPDATE Mixed SET note = ?, _version = _version + 1 WHERE _id = ?";
  if (!db || sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) return fail(db, sql);
  if (sqlite3_prepare_v2(db, update, -1, &u, NULL) != SQLITE_OK) return fail(db, update);
  Row *rows = malloc(batch * sizeof(Row));
  int64_t start = now(), last = INT64_MIN, total = 0;
  int n;
  do {
    if (sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK) return fail(db, "BEGIN");
    n = 0;
    sqlite3_bind_int64(s, 1, last);
    sqlite3_bind_int(s, 2, batch);
    while (sqlite3_step(s) == SQLITE_ROW) {
      Row *r = &rows[n++];
      r->key = sqlite3_column_int64(s, 0);
      r->version = sqlite3_column_int64(s, 1);
      r->city = copy_text(s, 2);
      r->flag = sqlite3_column_int(s, 3);
      r->large = sqlite3_column_int64(s, 4);
      r->latitude = sqlite3_column_double(s, 5);
      r->longitude = sqlite3_column_double(s, 6);
      r->name = copy_text(s, 7);
      r->note = copy_text(s, 8);
      r->small = sqlite3_column_int64(s, 9);
    }
    sqlite3_reset(s);
    for (int i = 0; i < n; i++) {
      char note[80];
      int length = snprintf(note, sizeof note, "%s!", rows[i].name);
      sqlite3_bind_text(u, 1, note, length, SQLITE_TRANSIENT);
      sqlite3_bind_int64(u, 2, rows[i].key);
      if (sqlite3_step(u) != SQLITE_DONE) return fail(db, update);
      sqlite3_reset(u);
      last = rows[i].key;
      free(rows[i].name);
      free(rows[i].city);
      free(rows[i].note);
    }
    total += n;
    if (sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) return fail(db, "COMMIT");
  } while (n == batch);
  *count = total;
  free(rows);
  sqlite3_finalize(s);
  sqlite3_finalize(u);
  // The last connection copies the log when it closes, on both sides.
  sqlite3_close(db);
  return now() - start;
}

typedef struct {
  int64_t key, version, parent, number;
  char *name;
  int64_t first, count;
} Node;

typedef struct {
  Node *nodes;
  int64_t count;
} Level;

// Reads a level in the order of its parents, and links these to it.
static int read_level(sqlite3 *db, const char *sql, Level *parents, Level *level) {
  sqlite3_stmt *s = NULL;
  if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) return -1;
  int64_t capacity = 1024, parent = 0;
  level->nodes = malloc(capacity * sizeof(Node));
  level->count = 0;
  while (sqlite3_step(s) == SQLITE_ROW) {
    if (level->count == capacity)
      level->nodes = realloc(level->nodes, (capacity *= 2) * sizeof(Node));
    Node *n = &level->nodes[level->count];
    n->key = sqlite3_column_int64(s, 0);
    n->version = sqlite3_column_int64(s, 1);
    n->name = copy_text(s, 2);
    n->number = sqlite3_column_int64(s, 3);
    n->parent = sqlite3_column_int64(s, 4);
    n->first = n->count = 0;
    if (parents) {
      while (parents->nodes[parent].key != n->parent) parent++;
      if (parents->nodes[parent].count++ == 0) parents->nodes[parent].first = level->count;
    }
    level->count++;
  }
  sqlite3_finalize(s);
  return 0;
}

static void free_level(Level *level) {
  for (int64_t i = 0; i < level->count; i++) free(level->nodes[i].name);
  free(level->nodes);
}

int64_t baseline_walk(const char *path, int64_t *leaves, int64_t *sum) {
  sqlite3 *db = open_database(path);
  if (!db) return fail(db, path);
  int64_t start = now();
  Level trunks, branches, twigs;
  if (read_level(db, "SELECT _id, _version, name, number, 0 FROM Trunk ORDER BY _id", NULL, &trunks) ||
      read_level(
          db, "SELECT _id, _version, name, number, trunk FROM Branch ORDER BY trunk, _id", &trunks,
          &branches) ||
      read_level(
          db, "SELECT _id, _version, name, number, branch FROM Twig ORDER BY branch, _id", &branches,
          &twigs))
    return fail(db, "walk");
  *sum = *leaves = 0;
  for (int64_t t = 0; t < trunks.count; t++)
    for (int64_t b = trunks.nodes[t].first, e = b + trunks.nodes[t].count; b < e; b++)
      for (int64_t l = branches.nodes[b].first, f = l + branches.nodes[b].count; l < f; l++) {
        *sum += twigs.nodes[l].number;
        (*leaves)++;
      }
  free_level(&trunks);
  free_level(&branches);
  free_level(&twigs);
  int64_t elapsed = now() - start;
  sqlite3_close(db);
  return elapsed;
}

int64_t baseline_columns(const char *path, const char *sql, int integers, int texts, int repeats,
                         int64_t *count, int64_t *sum) {
  sqlite3 *db = open_database(path);
  sqlite3_stmt *s = NULL;
  if (!db || sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) return fail(db, sql);
  int64_t elapsed = 0;
  size_t width = 2 + integers + texts;
  for (int repeat = 0; repeat < repeats; repeat++) {
    int64_t start = now();
    int64_t n = 0, capacity = 64, total = 0;
    int64_t *rows = malloc(capacity * width * sizeof(int64_t));
    while (sqlite3_step(s) == SQLITE_ROW) {
      if (n == capacity) rows = realloc(rows, (capacity *= 2) * width * sizeof(int64_t));
      int64_t *r = rows + n++ * width;
      for (int c = 0; c < 2 + integers; c++) r[c] = sqlite3_column_int64(s, c);
      for (size_t c = 2 + integers; c < width; c++) r[c] = (int64_t)copy_text(s, c);
    }
    for (int64_t i = 0; i < n; i++) {
      int64_t *r = rows + i * width;
      for (int c = 2; c < 2 + integers; c++) total += r[c];
      for (size_t c = 2 + integers; c < width; c++) total += strlen((char *)r[c]);
    }
    for (int64_t i = 0; i < n; i++)
      for (size_t c = 2 + integers; c < width; c++) free((char *)rows[i * width + c]);
    free(rows);
    sqlite3_reset(s);
    elapsed += now() - start;
    *count = n;
    *sum = total;
  }
  sqlite3_finalize(s);
  sqlite3_close(db);
  return elapsed;
}

int64_t baseline_live_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

int64_t baseline_fetch_bytes(const char *path, int64_t *count) {
  sqlite3 *db = open_database(path);
  sqlite3_stmt *s = NULL;
  const char *sql =
      "SELECT _id, _version, city, flag, large, latitude, longitude, name, note, small FROM Mixed";
  if (!db || sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) return fail(db, sql);
  if (sqlite3_step(s) != SQLITE_ROW) return fail(db, sql);
  int64_t before = baseline_live_bytes();
  int64_t n = 0, capacity = *count;
  Row *rows = malloc(capacity * sizeof(Row));
  do {
    if (n == capacity) rows = realloc(rows, (capacity *= 2) * sizeof(Row));
    Row *r = &rows[n++];
    r->city = copy_text(s, 2);
    r->name = copy_text(s, 7);
    r->note = copy_text(s, 8);
  } while (sqlite3_step(s) == SQLITE_ROW);
  int64_t bytes = baseline_live_bytes() - before;
  for (int64_t i = 0; i < n; i++) {
    free(rows[i].name);
    free(rows[i].city);
    free(rows[i].note);
  }
  free(rows);
  *count = n;
  sqlite3_finalize(s);
  sqlite3_close(db);
  return bytes;
}

void baseline_consume(const void *object) { (void)object; }
