// SPDX-License-Identifier: GPL-3.0-or-later
// The yardstick of scripts/benchmark: six-deck blackjack as a C programmer writes it. S17, double any two, DAS, up to
// four hands, split aces get one card, peek, 3:2, a fresh shoe each round. One round after another, no tricks.
// usage: yardstick CHART.csv GENERATOR ROUNDS SEED
#define HAVE_INLINE
#include <gsl/gsl_rng.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CARDS = 6 * 52, MOST_HANDS = 4 };

static uint8_t shoe[CARDS];            // ace 1, tens 10; any permutation will do at the start of a round
static char chart[3][22][11];          // hard, soft, pair; by total (pairs: by card); by upcard
typedef struct { gsl_rng *generator; uint32_t word, halves; int dealt; } Source;

static inline uint32_t half(Source *s) {
  if (s->halves == 0) { s->word = (uint32_t)gsl_rng_get(s->generator); s->halves = 2; }
  uint32_t bits = s->word & 0xffff;
  s->word >>= 16; s->halves--;
  return bits;
}

// One step of Fisher-Yates: a card uniform among those not yet dealt (multiply-shift with rejection).
static inline int draw(Source *s) {
  uint32_t left = CARDS - s->dealt, product = half(s) * left;
  if ((product & 0xffff) < left)
    for (uint32_t least = 65536 % left; (product & 0xffff) < least;) product = half(s) * left;
  int other = s->dealt + (product >> 16), card = shoe[other];
  shoe[other] = shoe[s->dealt]; shoe[s->dealt++] = card;
  return card;
}

typedef struct { int hard, aces, cards, stake; } Hand;   // hard: every ace as 1

static inline void take(Hand *hand, int card) { hand->hard += card; hand->aces |= card == 1; hand->cards++; }
static inline int is_soft(const Hand *hand) { return hand->aces && hand->hard <= 11; }
static inline int total(const Hand *hand) { return hand->hard + (is_soft(hand) ? 10 : 0); }

static char choice(const Hand *hand, int pair, int up, int may_split) {
  char action = pair && may_split ? chart[2][pair][up] : chart[is_soft(hand)][total(hand)][up];
  if (action == 'D' && hand->cards != 2) return is_soft(hand) && total(hand) >= 18 ? 'S' : 'H';
  return action;
}

// The round's payoff in half bets.
static inline int play_round(Source *s) {
  s->dealt = 0;
  int first = draw(s), up = draw(s), second = draw(s);
  Hand dealer = {0}, hands[MOST_HANDS] = {{0}};
  take(&dealer, up); take(&dealer, draw(s));
  take(&hands[0], first); take(&hands[0], second); hands[0].stake = 2;
  int natural = total(&hands[0]) == 21;
  if (total(&dealer) == 21) return natural ? 0 : -2;
  if (natural) return 3;

  int count = 1, payoff = 0, standing = 0, pair = first == second ? first : 0;
  for (int i = 0; i < count; i++) {
    Hand hand = hands[i];
    if (hand.cards == 1) { int was = hand.hard, card = draw(s); take(&hand, card); pair = was == card ? card : 0; }
    while (total(&hand) < 21 && !(count > 1 && hand.cards == 2 && first == 1)) {
      char action = choice(&hand, hand.cards == 2 ? pair : 0, up, count < MOST_HANDS);
      if (action == 'S') break;
      if (action == 'Y') {
        hand = (Hand){pair, pair == 1, 1, 2}; hands[count++] = hand;
        int card = draw(s);
        take(&hand, card); pair = pair == card ? card : 0;
        continue;
      }
      take(&hand, draw(s));
      if (action == 'D') { hand.stake = 4; break; }
    }
    hands[i] = hand;
    if (total(&hand) > 21) payoff -= hand.stake; else standing = 1;
  }
  if (!standing) return payoff;
  while (total(&dealer) < 17) take(&dealer, draw(s));
  for (int i = 0; i < count; i++) {
    int mine = total(&hands[i]), theirs = total(&dealer);
    if (mine > 21) continue;
    payoff += hands[i].stake * (theirs > 21 ? 1 : (mine > theirs) - (mine < theirs));
  }
  return payoff;
}

static int value(const char *name) { return *name == 'A' ? 1 : atoi(name); }

static void read_chart(const char *path) {
  char line[80], card[4], up[4], action;
  FILE *file = fopen(path, "r");
  if (!file) { perror(path); exit(2); }
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "hard,%3[^,],%3[^,],%c", card, up, &action) == 3) chart[0][value(card)][value(up)] = action;
    if (sscanf(line, "soft,\"A,%3[^\"]\",%3[^,],%c", card, up, &action) == 3)
      chart[1][11 + value(card)][value(up)] = action;
    if (sscanf(line, "pair,\"%3[^,],%*[^\"]\",%3[^,],%c", card, up, &action) == 3)
      chart[2][value(card)][value(up)] = action;
  }
  for (int up = 1; up <= 10; up++) chart[0][4][up] = chart[1][12][up] = 'H';   // 2,2 and A,A that cannot be split
  fclose(file);
}

int main(int count, char **arguments) {
  if (count != 5) { fprintf(stderr, "usage: yardstick CHART.csv GENERATOR ROUNDS SEED\n"); return 64; }
  const gsl_rng_type **type = gsl_rng_types_setup();
  while (*type && strcmp((*type)->name, arguments[2])) type++;
  if (!*type) { fprintf(stderr, "unknown generator %s\n", arguments[2]); return 2; }
  read_chart(arguments[1]);
  gsl_rng *generator = gsl_rng_alloc(*type);
  gsl_rng_set(generator, strtoul(arguments[4], NULL, 10));
  for (int i = 0; i < CARDS; i++) shoe[i] = i % 13 < 9 ? i % 13 + 1 : 10;
  Source source = {generator, 0, 0, 0};
  long rounds = (long)strtod(arguments[3], NULL), sum = 0;
  struct timespec began, ended;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
  for (long i = 0; i < rounds; i++) sum += play_round(&source);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
  double seconds = (ended.tv_sec - began.tv_sec) + 1e-9 * (ended.tv_nsec - began.tv_nsec);
  printf("rounds %ld ev %.6f%% seconds %.3f rounds_per_second %.0f\n", rounds, 50.0 * sum / rounds, seconds,
         rounds / seconds);
}
