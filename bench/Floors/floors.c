// What the hardware and the kernel allow, without any library. Arguments: a floor, seconds, and what the floor asks for.
// Prints "count nanoseconds", the nanoseconds for each. cc -O3 -march=native -o floors floors.c
//
//   ring SECONDS BYTES   one producer process, one consumer process, a ring of 4 MiB with cached indices; each message published at once
//   line SECONDS         a word there and a word back between two processes that spin
//   call SECONDS BYTES   bytes there and a reply back between two processes that spin, each copied into the shared memory by its sender
//                        and out of it by its receiver; a reply is as long as its request, or 8 bytes where that is longer than 1024:
//                        the median
//   futex SECONDS        a word there and back, both asleep in the kernel in between
//   futex-idle SECONDS   the same after 2 ms of idleness each time: the median
//   futex-pinned SECONDS as futex, on two processors
//   futex-yield SECONDS  as futex; a side yields its processor a few times before it sleeps
//   fdatasync SECONDS DIRECTORY
//                        80 bytes appended to a file that has its size, and synced, one after the other
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

// Two lines apart: processors fetch lines in pairs.
enum { line = 128, capacity = 4 << 20, clock_every = 1024 };

typedef struct {
  _Alignas(line) _Atomic uint64_t tail;
  _Alignas(line) _Atomic uint64_t head;
  _Alignas(line) _Atomic int there;
  _Alignas(line) _Atomic int back;
  _Alignas(line) char slots[];
} shared;

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static shared *map(void) {
  void *at = mmap(0, sizeof(shared) + capacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (at == MAP_FAILED) { perror("mmap"); exit(1); }
  return at;
}

// The child must not outlive a parent that is killed.
static pid_t fork_bound(void) {
  pid_t child = fork();
  if (child < 0) { perror("fork"); exit(1); }
  if (!child) prctl(PR_SET_PDEATHSIG, SIGKILL);
  return child;
}

static void print(uint64_t count, int64_t nanoseconds) { printf("%llu %.3f\n", (unsigned long long)count, (double)nanoseconds / count); }

static char message[1 << 20];

static void receive(const char *slot, uint64_t size) {
  memcpy(message, slot, size);
  __asm__ volatile("" : : "r"(message) : "memory");  // all of it is read
}

// Until a length of zero.
static void consume(shared *s, uint64_t record, uint64_t used) {
  uint64_t head = 0, tail = 0;
  for (uint64_t i = 0;; i++) {
    while (head == tail) tail = atomic_load_explicit(&s->tail, memory_order_acquire);
    char *slot = s->slots + head % used;
    uint64_t length = *(uint64_t *)slot;
    if (!length) return;
    receive(slot + 8, record - 8);
    head += record;
    if ((i & 15) == 0 || head == tail) atomic_store_explicit(&s->head, head, memory_order_release);
  }
}

static void ring(int64_t duration, uint64_t size) {
  shared *s = map();
  uint64_t record = (size + 8 + 7) & ~7ull, used = capacity / record * record, tail = 0, head = 0, count = 0;
  memset(message, 1, sizeof message);
  if (!fork_bound()) { consume(s, record, used); _exit(0); }
  int64_t started = now(), ended;
  for (int more = 1; more; count += more) {
    if (count % clock_every == 0) more = now() - started < duration;
    while (tail - head + record > used) head = atomic_load_explicit(&s->head, memory_order_acquire);
    char *slot = s->slots + tail % used;
    *(uint64_t *)slot = more ? size : 0;
    memcpy(slot + 8, message, record - 8);
    tail += record;
    atomic_store_explicit(&s->tail, tail, memory_order_release);
  }
  wait(0);
  ended = now();
  print(count, ended - started);
}

// Until the other process stores this, or ends the measurement with a negative word.
static void spin_for(_Atomic int *word, int value) {
  int got;
  while ((got = atomic_load_explicit(word, memory_order_acquire)) != value) if (got < 0) _exit(0);
}

static void cache_line(int64_t duration) {
  shared *s = map();
  if (!fork_bound()) {
    for (int i = 1;; i++) {
      spin_for(&s->there, i);
      atomic_store_explicit(&s->back, i, memory_order_release);
    }
  }
  int64_t started = now(), ended = started;
  int i = 0;
  while (ended - started < duration) {
    for (int n = 0; n < clock_every; n++) {
      atomic_store_explicit(&s->there, ++i, memory_order_release);
      while (atomic_load_explicit(&s->back, memory_order_acquire) != i) {}
    }
    ended = now();
  }
  atomic_store(&s->there, -1);
  wait(0);
  print(i, ended - started);
}

static int compare(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

// As long as CallServer answers in C#.
static uint64_t reply_to(uint64_t size) { return size <= 1024 ? size : 8; }

// Request and reply have a place each, the same for each call: what a place was last used for is still in a cache.
static void call(int64_t duration, uint64_t size) {
  enum { batch = 64, most = 1 << 16 };
  shared *s = map();
  char *request = s->slots, *reply = s->slots + capacity / 2;
  if (!fork_bound()) {
    for (int i = 1;; i++) {
      spin_for(&s->there, i);
      receive(request, size);
      memcpy(reply, message, reply_to(size));
      atomic_store_explicit(&s->back, i, memory_order_release);
    }
  }
  int64_t *each = malloc(most * sizeof *each), started = now(), ended = started;
  int batches = 0, i = 0;
  for (; batches < most && ended - started < duration; batches++) {
    int64_t before = ended;
    for (int n = 0; n < batch; n++) {
      memcpy(request, message, size);
      atomic_store_explicit(&s->there, ++i, memory_order_release);
      while (atomic_load_explicit(&s->back, memory_order_acquire) != i) {}
      receive(reply, reply_to(size));
    }
    ended = now();
    each[batches] = ended - before;
  }
  atomic_store(&s->there, -1);
  wait(0);
  qsort(each, batches, sizeof *each, compare);
  print(i, each[batches / 2] / batch * i);
}

static int yields;  // before each sleep

static void await(_Atomic int *word, int value) {
  int got, left = yields;
  while ((got = atomic_load(word)) != value) {
    if (got < 0) _exit(0);
    if (left-- > 0) sched_yield();
    else syscall(SYS_futex, word, FUTEX_WAIT, got, 0, 0, 0);
  }
}

static void tell(_Atomic int *word, int value) {
  atomic_store(word, value);
  syscall(SYS_futex, word, FUTEX_WAKE, 1, 0, 0, 0);
}

static void pin(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  if (sched_setaffinity(0, sizeof set, &set)) { perror("sched_setaffinity"); exit(1); }
}

static void futex(int64_t duration, int idle, int pinned) {
  enum { most = 1 << 20 };
  shared *s = map();
  if (!fork_bound()) {
    if (pinned) pin(1);
    for (int i = 1;; i++) { await(&s->there, i); tell(&s->back, i); }
  }
  if (pinned) pin(0);
  int64_t *each = malloc(most * sizeof *each), started = now(), total = 0;
  int i = 0;
  while (i < most && now() - started < duration) {
    if (idle) usleep(2000);
    int64_t before = now();
    tell(&s->there, ++i);
    await(&s->back, i);
    total += each[i - 1] = now() - before;
  }
  tell(&s->there, -1);
  wait(0);
  qsort(each, i, sizeof *each, compare);
  print(i, idle ? each[i / 2] * i : total);
}

static void sync_file(int64_t duration, const char *directory) {
  enum { written = 80, size = 64 << 20 };
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/synced", directory);
  int file = open(path, O_CREAT | O_RDWR | O_EXCL, 0600);
  if (file < 0 || (errno = posix_fallocate(file, 0, size)) || fsync(file)) { perror(path); exit(1); }
  int64_t started = now(), ended = started;
  uint64_t count = 0;
  for (; ended - started < duration; ended = now()) {
    memset(message, (int)++count, written);
    if (pwrite(file, message, written, count * written % (size - written)) != written || fdatasync(file)) { perror(path); exit(1); }
  }
  unlink(path);
  print(count, ended - started);
}

int main(int count, char **arguments) {
  const char *floor = count > 2 ? arguments[1] : "", *more = count > 3 ? arguments[3] : "";
  int64_t duration = count > 2 ? (int64_t)(atof(arguments[2]) * 1e9) : 0;
  uint64_t size = strtoull(more, 0, 10);
  if (!strcmp(floor, "ring") && size > 0 && size <= sizeof message - 8) ring(duration, size);
  else if (!strcmp(floor, "line")) cache_line(duration);
  else if (!strcmp(floor, "call") && size > 0 && size <= sizeof message) call(duration, size);
  else if (!strcmp(floor, "futex")) futex(duration, 0, 0);
  else if (!strcmp(floor, "futex-idle")) futex(duration, 1, 0);
  else if (!strcmp(floor, "futex-pinned")) futex(duration, 0, 1);
  else if (!strcmp(floor, "futex-yield")) { yields = 16; futex(duration, 0, 0); }
  else if (!strcmp(floor, "fdatasync") && *more) sync_file(duration, more);
  else { fprintf(stderr, "No such floor.\n"); return 2; }
  return 0;
}
