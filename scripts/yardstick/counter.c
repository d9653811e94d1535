// SPDX-License-Identifier: GPL-3.0-or-later
// The counter of Examples/coffee by hand: days of customers, each day's mean wait, longest wait and whether that is
// above ten minutes, drawn by GSL without any frame.
// usage: counter DAYS SEED
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CUSTOMERS = 200 };

int main(int count, char **arguments) {
  if (count != 3) return fprintf(stderr, "usage: counter DAYS SEED\n"), 64;
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(random, strtoul(arguments[2], NULL, 10));
  long days = strtol(arguments[1], NULL, 10), rushes = 0;
  double sum = 0, squares = 0, most = 0;
  for (long day = 0; day < days; day++) {
    double waits[CUSTOMERS], wait = 0, mean = 0, longest = 0;
    for (int customer = 0; customer < CUSTOMERS; customer++) {
      waits[customer] = wait;
      wait += gsl_ran_exponential(random, 1) - gsl_ran_exponential(random, 1 / 0.8);
      if (wait < 0) wait = 0;
    }
    for (int customer = 0; customer < CUSTOMERS; customer++) {
      mean += waits[customer] / CUSTOMERS;
      if (waits[customer] > longest) longest = waits[customer];
    }
    sum += mean, squares += mean * mean, rushes += longest > 10;
    if (longest > most) most = longest;
  }
  printf(
      "customers=%ld mean=%.4f squares=%.4f rushes=%ld most=%.3f cpu=%.3f\n", days * CUSTOMERS, sum / days,
      squares / days, rushes, most, (double)clock() / CLOCKS_PER_SEC);
  return 0;
}
