// A proxy that delays: what has come waits in a queue until its time.

#define _GNU_SOURCE
#include "server_baseline.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

typedef struct Chunk {
  struct timespec due;
  ssize_t count;
  struct Chunk *next;
  char bytes[65536];
} Chunk;

typedef struct {
  int from, to, delay;
  Chunk *head, *tail;
  pthread_mutex_t lock;
  pthread_cond_t hasMore;
} Way;

static void *read_chunks(void *argument) {
  Way *w = argument;
  for (ssize_t count = 1; count > 0;) {
    Chunk *chunk = malloc(sizeof *chunk);
    count = chunk->count = recv(w->from, chunk->bytes, sizeof chunk->bytes, 0);
    chunk->next = NULL;
    clock_gettime(CLOCK_MONOTONIC, &chunk->due);
    long due = chunk->due.tv_nsec + w->delay * 1000L;
    chunk->due.tv_sec += due / 1000000000;
    chunk->due.tv_nsec = due % 1000000000;
    pthread_mutex_lock(&w->lock);
    if (w->tail) w->tail->next = chunk; else w->head = chunk;
    w->tail = chunk;
    pthread_cond_signal(&w->hasMore);
    pthread_mutex_unlock(&w->lock);
  }
  return NULL;
}

static void *write_chunks(void *argument) {
  Way *w = argument;
  for (ssize_t count = 1; count > 0;) {
    pthread_mutex_lock(&w->lock);
    while (!w->head) pthread_cond_wait(&w->hasMore, &w->lock);
    Chunk *chunk = w->head;
    w->head = chunk->next;
    if (!w->head) w->tail = NULL;
    pthread_mutex_unlock(&w->lock);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &chunk->due, NULL);
    count = chunk->count;
    for (ssize_t sent = 0; sent < count;) {
      ssize_t more = send(w->to, chunk->bytes + sent, count - sent, MSG_NOSIGNAL);
      if (more <= 0) break;
      sent += more;
    }
    if (count <= 0) shutdown(w->to, SHUT_WR);
    free(chunk);
  }
  return NULL;
}

static void start_way(int from, int to, int delay) {
  Way *w = calloc(1, sizeof *w);
  *w = (Way){.from = from, .to = to, .delay = delay};
  pthread_mutex_init(&w->lock, NULL);
  pthread_cond_init(&w->hasMore, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, read_chunks, w);
  pthread_detach(thread);
  pthread_create(&thread, NULL, write_chunks, w);
  pthread_detach(thread);
}

typedef struct {
  int listener, delay;
  struct sockaddr_un server;
} Proxy;

static void *accept_clients(void *argument) {
  Proxy *p = argument;
  for (int client; (client = accept(p->listener, NULL, NULL)) >= 0;) {
    int server = socket(AF_UNIX, SOCK_STREAM, 0), one = 1;
    if (connect(server, (struct sockaddr *)&p->server, sizeof p->server)) {
      close(client);
      close(server);
      continue;
    }
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    start_way(client, server, p->delay);
    start_way(server, client, p->delay);
  }
  return NULL;
}

int server_delay(const char *path, int microseconds) {
  Proxy *p = calloc(1, sizeof *p);
  p->delay = microseconds;
  p->server.sun_family = AF_UNIX;
  strncpy(p->server.sun_path, path, sizeof p->server.sun_path - 1);
  p->listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  pthread_t thread;
  if (bind(p->listener, (struct sockaddr *)&address, sizeof address) || listen(p->listener, 64) ||
      getsockname(p->listener, (struct sockaddr *)&address, &length) ||
      pthread_create(&thread, NULL, accept_clients, p)) {
    return -1;
  }
  pthread_detach(thread);
  return ntohs(address.sin_port);
}
