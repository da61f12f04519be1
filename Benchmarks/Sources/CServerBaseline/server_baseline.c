#define _GNU_SOURCE
#include "server_baseline.h"

#include <arpa/inet.h>
#include <endian.h>
#include <libpq-fe.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COLUMNS "_id, _version, city, flag, large, latitude, longitude, name, note, small"
#define TABLE "oxbow.\"Mixed\""
enum { WIDTH = 10, INT8 = 20, TEXT = 25 };

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int64_t fail(PGconn *c, const char *what) {
  fprintf(stderr, "%s: %s\n", what, PQerrorMessage(c));
  return -1;
}

static void ignore_notice(void *argument, const char *message) {}

static PGconn *connect_to(const char *connection) {
  PGconn *c = PQconnectdb(connection);
  if (PQstatus(c) == CONNECTION_OK) return c;
  fail(c, connection);
  PQfinish(c);
  return NULL;
}

// The connection that functions for one thread share, with what it has prepared.
static PGconn *shared;
static char sharedName[512];

static PGconn *share(const char *connection) {
  if (shared && PQstatus(shared) == CONNECTION_OK && !strcmp(sharedName, connection)) return shared;
  if (shared) PQfinish(shared);
  shared = connect_to(connection);
  if (shared) PQsetNoticeProcessor(shared, ignore_notice, NULL);
  snprintf(sharedName, sizeof sharedName, "%s", connection);
  return shared;
}

static int run(PGconn *c, const char *sql) {
  PGresult *r = PQexec(c, sql);
  ExecStatusType status = PQresultStatus(r);
  PQclear(r);
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

static int prepare(PGconn *c, const char *name, const char *sql) {
  PGresult *r = PQprepare(c, name, sql, 0, NULL);
  ExecStatusType status = PQresultStatus(r);
  PQclear(r);
  return status == PGRES_COMMAND_OK;
}

int server_script(const char *command) { return system(command); }

int64_t server_run(const char *connection, const char *sql) {
  PGconn *c = share(connection);
  if (!c) return -1;
  int64_t start = now();
  if (!run(c, sql)) return fail(c, sql);
  int64_t elapsed = now() - start;
  return elapsed;
}

// MARK: - Bytes

static uint64_t get64(const char *p) {
  uint64_t v;
  memcpy(&v, p, 8);
  return be64toh(v);
}

static uint32_t get32(const char *p) {
  uint32_t v;
  memcpy(&v, p, 4);
  return be32toh(v);
}

typedef struct {
  char *bytes;
  size_t count, capacity;
} Buffer;

static void put(Buffer *b, const void *bytes, size_t count) {
  if (b->count + count > b->capacity) {
    b->capacity = 2 * (b->count + count);
    b->bytes = realloc(b->bytes, b->capacity);
  }
  memcpy(b->bytes + b->count, bytes, count);
  b->count += count;
}

static void put16(Buffer *b, uint16_t v) {
  v = htobe16(v);
  put(b, &v, 2);
}

static void put32(Buffer *b, uint32_t v) {
  v = htobe32(v);
  put(b, &v, 4);
}

static void put64(Buffer *b, uint64_t v) {
  put32(b, 8);
  v = htobe64(v);
  put(b, &v, 8);
}

static void put_double(Buffer *b, double d) {
  uint64_t v;
  memcpy(&v, &d, 8);
  put64(b, v);
}

static void put_text(Buffer *b, const char *text, int length) {
  put32(b, length);
  put(b, text, length);
}

// An array of whole numbers.
static void put_array(Buffer *b, const int64_t *values, int64_t count) {
  b->count = 0;
  put32(b, 1);
  put32(b, 0);
  put32(b, INT8);
  put32(b, count);
  put32(b, 1);
  for (int64_t i = 0; i < count; i++) put64(b, values[i]);
}

// MARK: - Fetching

typedef struct {
  int64_t *words;
  size_t rows, capacity;
  Buffer bytes;
} Slab;

static int64_t *next_row(Slab *s) {
  if (s->rows == s->capacity) {
    s->capacity = s->capacity ? 2 * s->capacity : 2048;
    s->words = realloc(s->words, s->capacity * WIDTH * sizeof(int64_t));
  }
  return s->words + WIDTH * s->rows++;
}

// The word of a cell: a number, or the place and the length of a text.
static int64_t word(Slab *s, int column, const char *bytes, int count) {
  if (column == 3) return *bytes;
  if (column != 2 && column != 7 && column != 8) return get64(bytes);
  int64_t place = s->bytes.count;
  put(&s->bytes, bytes, count);
  return place << 32 | count;
}

static void free_slab(Slab *s) {
  free(s->words);
  free(s->bytes.bytes);
}

static void read_result(Slab *s, PGresult *r) {
  for (int row = 0; row < PQntuples(r); row++) {
    int64_t *words = next_row(s);
    for (int k = 0; k < WIDTH; k++) {
      words[k] = PQgetisnull(r, row, k) ? 0 : word(s, k, PQgetvalue(r, row, k), PQgetlength(r, row, k));
    }
  }
}

static int read_row_by_row(PGconn *c, Slab *s) {
  const char *sql = "SELECT " COLUMNS " FROM " TABLE " ORDER BY _id";
  if (!PQsendQueryParams(c, sql, 0, NULL, NULL, NULL, NULL, 1) || !PQsetSingleRowMode(c)) return 0;
  int isRead = 1;
  for (PGresult *r; (r = PQgetResult(c)); PQclear(r)) {
    if (PQresultStatus(r) == PGRES_FATAL_ERROR) isRead = 0;
    read_result(s, r);
  }
  return isRead;
}

static void read_copied(Slab *s, const char *p) {
  int columns = (uint8_t)p[0] << 8 | (uint8_t)p[1];
  if (columns == 0xffff) return;
  p += 2;
  int64_t *words = next_row(s);
  for (int k = 0; k < columns; k++) {
    int32_t length = get32(p);
    p += 4;
    words[k] = length < 0 ? 0 : word(s, k, p, length);
    if (length > 0) p += length;
  }
}

static int read_by_copy(PGconn *c, Slab *s) {
  PGresult *r =
      PQexec(c, "COPY (SELECT " COLUMNS " FROM " TABLE " ORDER BY _id) TO STDOUT (FORMAT binary)");
  int isCopied = PQresultStatus(r) == PGRES_COPY_OUT;
  PQclear(r);
  if (!isCopied) return 0;
  char *message;
  int count, isFirst = 1;
  while ((count = PQgetCopyData(c, &message, 0)) > 0) {
    int header = isFirst ? 19 : 0;
    isFirst = 0;
    if (count > header) read_copied(s, message + header);
    PQfreemem(message);
  }
  while ((r = PQgetResult(c))) PQclear(r);
  return count == -1;
}

int64_t server_fetch(const char *connection, int copies, int64_t *rows) {
  PGconn *c = share(connection);
  if (!c) return -1;
  Slab slab = {0};
  int64_t start = now();
  if (!(copies ? read_by_copy(c, &slab) : read_row_by_row(c, &slab))) return fail(c, "fetch");
  *rows = slab.rows;
  free_slab(&slab);
  int64_t elapsed = now() - start;
  return elapsed;
}

int64_t server_by_key(const char *connection, const int64_t *keys, int count, int rounds) {
  PGconn *c = share(connection);
  if (!c) return -1;
  static PGconn *prepared;
  const char *sql = "SELECT " COLUMNS " FROM " TABLE " WHERE _id = ANY($1::int8[])";
  if (prepared != c && !prepare(c, "k", sql)) return fail(c, sql);
  prepared = c;
  Buffer array = {0};
  int64_t start = now();
  for (int round = 0; round < rounds; round++) {
    put_array(&array, keys + round * count, count);
    const char *values[] = {array.bytes};
    int lengths[] = {array.count}, formats[] = {1};
    PGresult *r = PQexecPrepared(c, "k", 1, values, lengths, formats, 1);
    Slab slab = {0};
    if (PQntuples(r) != count) return fail(c, "by key");
    read_result(&slab, r);
    PQclear(r);
    free_slab(&slab);
  }
  int64_t elapsed = now() - start;
  free(array.bytes);
  return elapsed;
}

// MARK: - Inserting

typedef struct {
  char name[32], city[32], note[32];
  int nameLength, cityLength, noteLength;
} Texts;

static Texts texts(int64_t i) {
  Texts t;
  t.nameLength = snprintf(t.name, sizeof t.name, "name number %lld", (long long)i);
  t.cityLength = snprintf(t.city, sizeof t.city, "city %lld", (long long)(i % 100));
  t.noteLength = snprintf(t.note, sizeof t.note, "note %lld of many", (long long)(i % 1000));
  return t;
}

static void put_row(Buffer *b, int64_t key, int64_t i, const Texts *t) {
  char flag = i % 2 == 0;
  put16(b, WIDTH);
  put64(b, key);
  put64(b, 1);
  put_text(b, t->city, t->cityLength);
  put_text(b, &flag, 1);
  put64(b, i * 1000003);
  put_double(b, i * 0.5);
  put_double(b, i * 0.25);
  put_text(b, t->name, t->nameLength);
  put_text(b, t->note, t->noteLength);
  put64(b, i % 30000);
}

static int copy_rows(PGconn *c, const Texts *all, int64_t count) {
  PGresult *r = PQexec(c, "COPY " TABLE " (" COLUMNS ") FROM STDIN (FORMAT binary)");
  int isCopying = PQresultStatus(r) == PGRES_COPY_IN;
  PQclear(r);
  if (!isCopying) return 0;
  Buffer b = {0};
  put(&b, "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
  for (int64_t i = 0; i < count; i++) {
    put_row(&b, i + 1, i, &all[i]);
    if (b.count < 60000) continue;
    if (PQputCopyData(c, b.bytes, b.count) != 1) return 0;
    b.count = 0;
  }
  put16(&b, 0xffff);
  int isCopied = PQputCopyData(c, b.bytes, b.count) == 1 && PQputCopyEnd(c, NULL) == 1;
  free(b.bytes);
  while ((r = PQgetResult(c))) {
    isCopied = isCopied && PQresultStatus(r) == PGRES_COMMAND_OK;
    PQclear(r);
  }
  return isCopied;
}

int64_t server_insert(const char *connection, int64_t count) {
  PGconn *c = share(connection);
  if (!c) return -1;
  Texts *all = malloc(count * sizeof(Texts));
  for (int64_t i = 0; i < count; i++) all[i] = texts(i);
  int64_t start = now();
  if (!run(c, "BEGIN") || !copy_rows(c, all, count) || !run(c, "COMMIT")) return fail(c, "insert");
  int64_t elapsed = now() - start;
  free(all);
  return elapsed;
}

// MARK: - Saving

static const char *const guarded_update =
    "WITH n AS (SELECT * FROM unnest($1::int8[], $2::int8[], $3::int8[]) AS n(n, k, v)), "
    "u AS (UPDATE " TABLE " AS t SET large = n.n, _version = t._version + 1 FROM n "
    "WHERE t._id = n.k AND t._version = n.v RETURNING t._id) "
    "SELECT CASE WHEN count(u._id) = count(*) THEN 0 ELSE ('conflict:' || count(*))::int4 END "
    "FROM n LEFT JOIN u ON u._id = n.k";

static const char *const model_guard =
    "SELECT CASE WHEN value <> '' THEN 0 ELSE ('migrated:' || value)::int4 END "
    "FROM oxbow._oxbow_metadata WHERE name = 'model_hash'";

static int prepare_saves(PGconn *c) {
  return prepare(c, "b", "BEGIN") && prepare(c, "c", "COMMIT") && prepare(c, "m", model_guard) &&
         prepare(c, "u", guarded_update) &&
         prepare(c, "i",
                 "INSERT INTO " TABLE " (" COLUMNS ") VALUES ($1::int8, 1, $2::text, true, $3::int8, 0.5, 0.25, "
                 "$4::text, $5::text, 7)");
}

static void send_plain(PGconn *c, const char *name) {
  PQsendQueryPrepared(c, name, 0, NULL, NULL, NULL, 1);
}

static void send_update(PGconn *c, Buffer arrays[3]) {
  const char *values[] = {arrays[0].bytes, arrays[1].bytes, arrays[2].bytes};
  int lengths[] = {arrays[0].count, arrays[1].count, arrays[2].count}, formats[] = {1, 1, 1};
  PQsendQueryPrepared(c, "u", 3, values, lengths, formats, 1);
}

static void send_insert(PGconn *c, int64_t key) {
  Texts t = texts(key);
  uint64_t k = htobe64(key);
  const char *values[] = {(char *)&k, t.city, (char *)&k, t.name, t.note};
  int lengths[] = {8, t.cityLength, 8, t.nameLength, t.noteLength}, formats[] = {1, 1, 1, 1, 1};
  PQsendQueryPrepared(c, "i", 5, values, lengths, formats, 1);
}

// Reads the results up to the synchronization.
static int finish(PGconn *c) {
  PQpipelineSync(c);
  for (int isDone = 1;;) {
    PGresult *r = PQgetResult(c);
    if (!r) {
      if (PQstatus(c) != CONNECTION_OK) return 0;
      continue;
    }
    ExecStatusType status = PQresultStatus(r);
    if (status == PGRES_FATAL_ERROR) isDone = 0;
    PQclear(r);
    if (status == PGRES_PIPELINE_SYNC) return isDone;
  }
}

int64_t server_update(const char *connection, const int64_t *keys, int64_t count, int64_t version) {
  PGconn *c = share(connection);
  if (!c) return -1;
  static PGconn *prepared;
  if (prepared != c && !prepare_saves(c)) return fail(c, "prepare");
  prepared = c;
  if (!PQenterPipelineMode(c)) return fail(c, "update");
  Buffer arrays[3] = {0};
  int64_t *values = malloc(count * sizeof(int64_t));
  int64_t start = now();
  for (int64_t i = 0; i < count; i++) values[i] = version;
  put_array(&arrays[2], values, count);
  put_array(&arrays[1], keys, count);
  for (int64_t i = 0; i < count; i++) values[i] = version + i;
  put_array(&arrays[0], values, count);
  send_plain(c, "b");
  send_plain(c, "m");
  send_update(c, arrays);
  send_plain(c, "c");
  if (!finish(c)) return fail(c, "update");
  int64_t elapsed = now() - start;
  PQexitPipelineMode(c);
  free(values);
  for (int i = 0; i < 3; i++) free(arrays[i].bytes);
  return elapsed;
}

typedef struct {
  PGconn *connection;
  int64_t key, first;
  int saves, isDone;
} Saver;

static void *save(void *argument) {
  Saver *s = argument;
  PGconn *c = s->connection;
  Buffer arrays[3] = {0};
  s->isDone = 1;
  for (int i = 0; i < s->saves && s->isDone; i++) {
    int64_t version = i + 1, value = i;
    put_array(&arrays[0], &value, 1);
    put_array(&arrays[1], &s->key, 1);
    put_array(&arrays[2], &version, 1);
    send_plain(c, "b");
    send_plain(c, "m");
    send_update(c, arrays);
    send_insert(c, s->first + i);
    send_plain(c, "c");
    s->isDone = finish(c);
  }
  for (int i = 0; i < 3; i++) free(arrays[i].bytes);
  return NULL;
}

int64_t server_saves(const char *connection, int threads, int saves, const int64_t *keys, int64_t first) {
  Saver all[64];
  pthread_t handles[64];
  if (threads > 64) return -1;
  for (int t = 0; t < threads; t++) {
    all[t] = (Saver){connect_to(connection), keys[t], first + (int64_t)t * saves, saves, 0};
    if (!all[t].connection) return -1;
    if (!prepare_saves(all[t].connection) || !PQenterPipelineMode(all[t].connection)) {
      return fail(all[t].connection, "prepare");
    }
  }
  int64_t start = now();
  for (int t = 0; t < threads; t++) pthread_create(&handles[t], NULL, save, &all[t]);
  for (int t = 0; t < threads; t++) pthread_join(handles[t], NULL);
  int64_t elapsed = now() - start;
  for (int t = 0; t < threads; t++) {
    if (!all[t].isDone) return fail(all[t].connection, "save");
    PQfinish(all[t].connection);
  }
  return elapsed;
}
