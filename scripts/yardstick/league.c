// SPDX-License-Identifier: GPL-3.0-or-later
// What the plainest model of league seasons costs: a yardstick for the league lab, and no more than that. Twelve teams
// of gaussian strength play fourteen weeks; after each week both rankings are computed in floating point by comparing
// every team with every other; then the season is played twice more. No exact arithmetic, no errors, no tallies.
// usage: league SEASONS SEED
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TEAMS = 12, WEEKS = 14 };

static double strength[TEAMS], score[WEEKS][TEAMS], wins[TEAMS], scored[TEAMS], conceded[TEAMS];
static int seat[TEAMS];
static long checksum;

static void draw_scores(gsl_rng *random) {
  for (int week = 0; week < WEEKS; week++)
    for (int team = 0; team < TEAMS; team++) score[week][team] = strength[team] + gsl_ran_gaussian(random, 25);
}

static void draw_seats(gsl_rng *random) {
  for (int team = 0; team < TEAMS; team++) seat[team] = team;
  for (int left = TEAMS; left > 1; left--) {
    int other = (int)gsl_rng_uniform_int(random, (unsigned long)left), kept = seat[left - 1];
    seat[left - 1] = seat[other], seat[other] = kept;
  }
}

static void meet(int first, int second, int week) {
  double own = score[week][first], other = score[week][second];
  scored[first] += own, conceded[first] += other, scored[second] += other, conceded[second] += own;
  wins[first] += own > other, wins[second] += other > own;
}

static void play(int week) {
  int turn = week % (TEAMS - 1);
  meet(seat[TEAMS - 1], seat[turn], week);
  for (int step = 1; step < TEAMS / 2; step++)
    meet(seat[(turn + step) % (TEAMS - 1)], seat[(turn + TEAMS - 1 - step) % (TEAMS - 1)], week);
}

static void rank(int games) {
  double most = 1, worst = 1, power[TEAMS];
  for (int team = 0; team < TEAMS; team++) {
    if (scored[team] > most) most = scored[team];
    if (conceded[team] > worst) worst = conceded[team];
  }
  for (int team = 0; team < TEAMS; team++)
    power[team] = 0.6 * wins[team] / games + 0.3 * scored[team] / most + 0.1 * (1 - conceded[team] / worst);
  for (int team = 0; team < TEAMS; team++)
    for (int other = 0; other < TEAMS; other++)
      checksum += (power[other] > power[team]) + (wins[other] > wins[team]) * (team + 1);
}

static void clear(void) {
  for (int team = 0; team < TEAMS; team++) wins[team] = scored[team] = conceded[team] = 0;
}

int main(int count, char **arguments) {
  if (count != 3) return fprintf(stderr, "usage: league SEASONS SEED\n"), 64;
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(random, strtoul(arguments[2], NULL, 10));
  long seasons = strtol(arguments[1], NULL, 10);
  for (long season = 0; season < seasons; season++) {
    for (int team = 0; team < TEAMS; team++) strength[team] = 110 + gsl_ran_gaussian(random, 10);
    draw_scores(random);
    for (int again = 0; again < 3; again++) {
      if (again == 2) draw_scores(random);
      draw_seats(random);
      clear();
      for (int week = 0; week < WEEKS; week++) {
        play(week);
        if (again == 0) rank(week + 1);
      }
      if (again > 0) rank(WEEKS);
    }
  }
  printf("seasons=%ld checksum=%ld cpu=%.3f\n", seasons, checksum, (double)clock() / CLOCKS_PER_SEC);
  return 0;
}
