// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a club's activities as lines of JSON, and beside them the integers that their weeks come to: the truth that
// every reader is checked against. It knows nothing of the code on trial.
// usage: club_feed ACTIVITIES MEMBERS SEED FEED.ndjson TRUTH.csv
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int64_t rides, distance, moving, elevation, longest;
} Truth;

static uint64_t state;

// splitmix64 (Steele, Lea and Flood 2014): every seed gives a good stream.
static uint64_t next(void) {
  uint64_t word = (state += UINT64_C(0x9e3779b97f4a7c15));
  word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
  return word ^ (word >> 31);
}

static double uniform(void) { return (double)(next() >> 11) * 0x1p-53; }

static double normal(void) { return sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform()); }

static const char *bases[] = {"Alex", "Robin", "Chris", "Sam", "Kim", "Jo", "Max", "Ezra",
                              "sarah", "Quinn", "Noa", "Toni", "Jules", "Mika", "Andrea", "Sascha"};
static const char *titles[] = {"Lunch Ride", "Ride", "Commute", "Title 97", "Loop", "Morning Ride",
                               "Sunday, with cake", "Tour d'apr\xc3\xa8s-midi", "The \\\"short\\\" way home"};
static const struct {
  const char *type, *sport;
  int cycling;
} sports[] = {{"Ride", "Ride", 1},           {"Ride", "Ride", 1},          {"Ride", "Ride", 1},
              {"Ride", "GravelRide", 1},     {"Ride", "MountainBikeRide", 1}, {"VirtualRide", "VirtualRide", 1},
              {"EBikeRide", "EBikeRide", 1}, {"Run", "Run", 0},            {"Run", "TrailRun", 0},
              {"Walk", "Walk", 0}};

static void name(int member, char *first) {
  int rest = member / 16;
  snprintf(first, 16, "%s%c%c%c", bases[member % 16], 'a' + rest / 676 % 26, 'a' + rest / 26 % 26, 'a' + rest % 26);
}

int main(int count, char **arguments) {
  if (count != 6) return fprintf(stderr, "usage: club_feed ACTIVITIES MEMBERS SEED FEED.ndjson TRUTH.csv\n"), 64;
  int64_t activities = atoll(arguments[1]);
  int members = atoi(arguments[2]);
  state = strtoull(arguments[3], NULL, 10);
  if (activities < 1 || members < 1 || members > 281216) return fprintf(stderr, "club_feed: no such club\n"), 2;
  FILE *feed = fopen(arguments[4], "w"), *truth = fopen(arguments[5], "w");
  Truth *truths = calloc((size_t)members, sizeof(Truth));
  if (!feed || !truth || !truths) return perror("club_feed"), 1;
  setvbuf(feed, NULL, _IOFBF, 1 << 20);
  for (int64_t activity = 0; activity < activities; activity++) {
    // Squared: a few members ride much, many a little.
    double place = uniform();
    int member = (int)(place * place * members);
    int sport = (int)(next() % 10), title = (int)(next() % 64);
    int64_t distance = (int64_t)(exp(normal() * 0.6) * 280000);
    if (distance > 5000000) distance = 5000000;
    int64_t moving = distance / (40 + (int64_t)(next() % 40)) + 60;
    int64_t elapsed = moving + (next() % 3 ? (int64_t)(next() % 1200) : 0);
    int64_t elevation = next() % 8 ? (int64_t)(uniform() * (double)distance / 60) : 0;
    char first[16];
    name(member, first);
    fprintf(feed,
            "{\"resource_state\":2,\"athlete\":{\"resource_state\":2,\"firstname\":\"%s\",\"lastname\":\"%c.\"},"
            "\"name\":\"%s\",\"distance\":%" PRId64 ".%" PRId64 ",\"moving_time\":%" PRId64 ",\"elapsed_time\":%" PRId64
            ",\"total_elevation_gain\":",
            first, 'A' + member % 26, titles[title < 9 ? title : title % 5], distance / 10, distance % 10, moving,
            elapsed);
    if (elevation)
      fprintf(feed, "%" PRId64 ".%" PRId64, elevation / 10, elevation % 10);
    else
      fputs(next() % 2 ? "0" : "0.0", feed);
    fprintf(feed, ",\"type\":\"%s\",\"sport_type\":\"%s\",\"workout_type\":%s}\n", sports[sport].type,
            sports[sport].sport, next() % 4 ? "null" : "10");
    if (!sports[sport].cycling) continue;
    Truth *mine = &truths[member];
    mine->rides++;
    mine->distance += distance;
    mine->moving += moving;
    mine->elevation += elevation;
    if (distance > mine->longest) mine->longest = distance;
  }
  for (int member = 0; member < members; member++) {
    char first[16];
    Truth *mine = &truths[member];
    name(member, first);
    if (mine->rides)
      fprintf(truth, "%s,%c.,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n", first, 'A' + member % 26,
              mine->rides, mine->distance, mine->moving, mine->elevation, mine->longest);
  }
  free(truths);
  return fclose(feed) || fclose(truth);
}
