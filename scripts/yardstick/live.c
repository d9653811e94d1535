// SPDX-License-Identifier: GPL-3.0-or-later
// What the plainest model of a reconnecting client costs: a yardstick for the live lab, and no more than that.
// usage: live sessions HOURS SEED     clients that ping every 30 s and lose the link once an hour for a minute;
//                                     no state machine, no invariants, no messages
//        live storm CLIENTS SEED      a server gone for 30 s, full jitter from 1 to 30 s, a binary heap
// Prints what was simulated and the processor seconds it took.
#include <gsl/gsl_rng.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const int64_t second = 1000000000;

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// Full jitter: evenly from nothing to the base doubled with each attempt, 30 s at the most.
static int64_t wait_before(int attempt, gsl_rng *random) {
  int64_t longest = attempt > 4 ? 30 * second : second << attempt;
  return (int64_t)(gsl_rng_uniform(random) * (double)longest);
}

enum { TIMER, AT_SERVER, AT_CLIENT, LINK, KINDS };

// One hour of one client: what may happen next is one moment for each kind of event.
static uint64_t hour(gsl_rng *random, uint64_t *reconnections) {
  const int64_t never = INT64_MAX, end = 3600 * second;
  int64_t next[KINDS] = {0, never, never, (int64_t)(gsl_rng_uniform(random) * 3000 * (double)second)};
  int is_up = 1, is_connected = 1, waits_for_pong = 0, attempt = 0;
  uint64_t events = 0;
  for (;; events++) {
    int kind = 0;
    for (int other = 1; other < KINDS; other++)
      if (next[other] < next[kind]) kind = other;
    int64_t now = next[kind];
    if (now >= end) return events;
    next[kind] = never;
    switch (kind) {
      case TIMER:
        if (is_connected && waits_for_pong) is_connected = waits_for_pong = 0;
        if (!is_connected) {
          if (is_up && attempt > 0) {
            is_connected = 1, attempt = 0, ++*reconnections;
            next[TIMER] = now + 30 * second;
          } else {
            next[TIMER] = now + wait_before(attempt++, random);
          }
          break;
        }
        waits_for_pong = 1;
        next[TIMER] = now + 10 * second;
        next[AT_SERVER] = now + second / 50 + (int64_t)(gsl_rng_uniform(random) * (double)(second / 20));
        break;
      case AT_SERVER:
        if (is_up) next[AT_CLIENT] = now + second / 50 + (int64_t)(gsl_rng_uniform(random) * (double)(second / 20));
        break;
      case AT_CLIENT:
        if (!is_up || !is_connected) break;
        waits_for_pong = 0;
        next[TIMER] = now + 30 * second;
        break;
      default:
        is_up = !is_up;
        next[LINK] = is_up ? never : now + 60 * second;
    }
  }
}

static void sessions(long hours, gsl_rng *random) {
  uint64_t events = 0, reconnections = 0;
  double began = processor_seconds();
  for (long index = 0; index < hours; index++) events += hour(random, &reconnections);
  printf("hours=%ld events=%" PRIu64 " reconnections=%" PRIu64 " cpu=%.3f\n", hours, events, reconnections,
         processor_seconds() - began);
}

struct attempt {
  int64_t at;
  uint32_t client;
};

static void sift_down(struct attempt *heap, long count, struct attempt entry) {
  long index = 0;
  for (long child; (child = 2 * index + 1) < count; index = child) {
    if (child + 1 < count && heap[child + 1].at < heap[child].at) child++;
    if (heap[child].at >= entry.at) break;
    heap[index] = heap[child];
  }
  heap[index] = entry;
}

static void storm(long clients, gsl_rng *random) {
  const int64_t down = 30 * second;
  struct attempt *heap = malloc((size_t)clients * sizeof *heap);
  uint8_t *made = calloc((size_t)clients, 1);
  if (!heap || !made) exit(1);
  uint64_t attempts = 0, gave_up = 0, back = 0;
  double began = processor_seconds();
  for (long client = 0; client < clients; client++) {
    int64_t lost = (int64_t)(gsl_rng_uniform(random) * (double)(second / 5));
    struct attempt entry = {lost + wait_before(0, random), (uint32_t)client};
    long index = client;
    for (; index > 0 && heap[(index - 1) / 2].at > entry.at; index = (index - 1) / 2)
      heap[index] = heap[(index - 1) / 2];
    heap[index] = entry;
  }
  for (long count = clients; count > 0;) {
    struct attempt entry = heap[0];
    attempts++;
    int tried = ++made[entry.client];
    if (entry.at < down && tried < 10) {
      entry.at += second / 20 + wait_before(tried, random);
      sift_down(heap, count, entry);
      continue;
    }
    if (entry.at < down) gave_up++;
    else back++;
    count--;
    sift_down(heap, count, heap[count]);
  }
  printf("clients=%ld attempts=%" PRIu64 " back=%" PRIu64 " gave-up=%" PRIu64 " cpu=%.3f\n", clients, attempts, back,
         gave_up, processor_seconds() - began);
  free(heap);
  free(made);
}

int main(int count, char **words) {
  long size = count == 4 ? strtol(words[2], NULL, 10) : 0;
  if (size < 1 || size > UINT32_MAX) {
    fprintf(stderr, "usage: live sessions HOURS SEED | live storm CLIENTS SEED\n");
    return 64;
  }
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(random, strtoul(words[3], NULL, 10));
  if (strcmp(words[1], "storm") == 0) storm(size, random);
  else sessions(size, random);
  gsl_rng_free(random);
}
