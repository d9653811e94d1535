// SPDX-License-Identifier: GPL-3.0-or-later
//
// What Swift needs of the GNU Scientific Library and cannot say itself: GSL's generator types are mutable C globals,
// which Swift 6 refuses to touch, and one foreign call per word would cost more than the word.
#pragma once
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_version.h>
#include <stdint.h>
#include <string.h>

/// How words are cut from one generator's outputs; computed once per generator by `assay_word_plan_of`.
typedef struct {
  /// Outputs needed for one word: 1 for a range of 2^32 values, 2 for 31 bits, 3 for 15 bits.
  unsigned calls;
  /// Bits taken from the top of each output.
  unsigned bits;
  /// Outputs per chunk value: an output x gives the chunk (x - min) / bucket, or is rejected when that has more bits.
  uint64_t bucket;
} assay_word_plan;

/// The version of the library that is linked, for example `2.7.1`; a mutable global of C, read only.
static inline const char *assay_gsl_version(void) { return gsl_version; }

/// All generator types GSL knows, ended by NULL, with GSL's abort-on-error handler switched off so that a failed
/// allocation comes back as NULL. Writes GSL's global tables: call it once, before any other function here.
static inline const gsl_rng_type *const *assay_rng_types(void) {
  gsl_set_error_handler_off();
  return (const gsl_rng_type *const *)gsl_rng_types_setup();
}

/// The type at `index` of the list, or NULL at its end.
static inline const gsl_rng_type *assay_rng_type_at(const gsl_rng_type *const *types, size_t index) {
  return types[index];
}

/// The type of that name in the list, or NULL.
static inline const gsl_rng_type *assay_rng_type_named(const gsl_rng_type *const *types, const char *name) {
  for (; *types != NULL; types++) {
    if (strcmp((*types)->name, name) == 0) return *types;
  }
  return NULL;
}

/// The plan for a type: the fewest outputs that can fill 32 bits, sharing the bits evenly between them, because the
/// fewer bits are asked of an output the fewer outputs are rejected (2^31 - 1 values: 16 bits, 1 in 65 536 rejected).
static inline assay_word_plan assay_word_plan_of(const gsl_rng_type *type) {
  const uint64_t range = (uint64_t)type->max - (uint64_t)type->min;
  unsigned available = range >= UINT32_MAX ? 32 : 63 - (unsigned)__builtin_clzll(range + 1);
  if (available == 0) available = 1;
  assay_word_plan plan;
  plan.calls = (32 + available - 1) / available;
  plan.bits = (32 + plan.calls - 1) / plan.calls;
  plan.bucket = range == UINT64_MAX ? 1ULL << (64 - plan.bits) : (range + 1) >> plan.bits;
  if (plan.bucket == 0) plan.bucket = 1;
  return plan;
}

/// One exactly uniform 32-bit word under a plan. The quotient takes the high part of each output: the low bits of a
/// congruential generator have short periods. An output below `min` wraps around and is rejected with the rest.
static inline uint32_t assay_planned_word(
    unsigned long (*get)(void *), void *state, uint64_t min, assay_word_plan plan) {
  uint64_t word = 0;
  for (unsigned call = 0; call < plan.calls; call++) {
    uint64_t chunk;
    do {
      chunk = ((uint64_t)get(state) - min) / plan.bucket;
    } while (chunk >> plan.bits != 0);
    word = word << plan.bits | chunk;
  }
  return (uint32_t)word;
}

/// Fills `out` with `n` words, exactly uniform over 32 bits whenever the generator is uniform over its own range.
/// A generator of 2^32 values is read straight through its function pointer.
static inline void assay_fill_words(gsl_rng *rng, uint32_t *out, size_t n) {
  unsigned long (*const get)(void *) = rng->type->get;
  void *const state = rng->state;
  const uint64_t min = rng->type->min;
  if ((uint64_t)rng->type->max - min == UINT32_MAX) {
    for (size_t i = 0; i < n; i++) out[i] = (uint32_t)((uint64_t)get(state) - min);
    return;
  }
  const assay_word_plan plan = assay_word_plan_of(rng->type);
  for (size_t i = 0; i < n; i++) out[i] = assay_planned_word(get, state, min, plan);
}

/// The number of different values among the next 64 outputs, counted until there are enough; what was looked at is
/// used up. A healthy generator repeats almost none; a congruential one whose seed is a fixed point of its recurrence
/// repeats one for ever.
static inline size_t assay_distinct_outputs(gsl_rng *rng, size_t enough) {
  unsigned long seen[64];
  size_t distinct = 0;
  for (size_t i = 0; i < 64 && distinct < enough; i++) {
    const unsigned long value = gsl_rng_get(rng);
    size_t j = 0;
    while (j < distinct && seen[j] != value) j++;
    if (j == distinct) seen[distinct++] = value;
  }
  return distinct;
}
