// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parts of the GNU Scientific Library that Swift cannot use directly: GSL's generator types are mutable C globals,
// which Swift 6 rejects, and one foreign call per word would cost more than the word.
#pragma once
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_version.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// The construction of words from one generator's outputs; computed once per generator by `assay_word_plan_of`.
typedef struct {
  /// Outputs needed for one word: 1 for a range of 2^32 values, 2 for 31 bits, 3 for 15 bits.
  unsigned calls;
  /// Bits taken from the top of each output.
  unsigned bits;
  /// Outputs per chunk value: an output x gives the chunk (x - min) / bucket, or is rejected when that has more bits.
  uint64_t bucket;
} assay_word_plan;

/// The version of the linked library, for example `2.7.1`; a mutable global of C that is only read.
static inline const char *assay_gsl_version(void) { return gsl_version; }

/// All generator types of GSL, terminated by NULL. Turns off GSL's error handler, which would abort, so that a failed
/// allocation returns NULL. Writes GSL's global tables: call it once, before any other function here.
static inline const gsl_rng_type *const *assay_rng_types(void) {
  gsl_set_error_handler_off();
  return (const gsl_rng_type *const *)gsl_rng_types_setup();
}

/// The type at `index` of the list, or NULL at its end.
static inline const gsl_rng_type *assay_rng_type_at(const gsl_rng_type *const *types, size_t index) {
  return types[index];
}

/// The type with this name in the list, or NULL.
static inline const gsl_rng_type *assay_rng_type_named(const gsl_rng_type *const *types, const char *name) {
  for (; *types != NULL; types++) {
    if (strcmp((*types)->name, name) == 0) return *types;
  }
  return NULL;
}

/// A copy of a generator in its state; to be freed by `gsl_rng_free`. Without memory it ends the process, as every
/// allocation of Swift does.
static inline gsl_rng *assay_rng_copy(const gsl_rng *rng) {
  gsl_rng *copy = gsl_rng_clone(rng);
  if (copy == NULL) abort();
  return copy;
}

/// The plan for a type: the fewest outputs that can fill 32 bits, with the bits shared evenly between them, because
/// fewer bits of an output mean fewer rejections (2^31 - 1 values: 16 bits, 1 in 65 536 rejected).
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

/// One exactly uniform 32-bit word under a plan. The quotient uses the high bits of each output, because the low bits
/// of a congruential generator have short periods. An output below `min` wraps around and is rejected.
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

/// Fills `out` with `n` words, exactly uniform over 32 bits if the generator is uniform over its own range. A generator
/// of 2^32 values is read directly through its function pointer.
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

/// The number of distinct values among the next 64 outputs, counted until there are enough; the outputs are consumed. A
/// valid generator repeats almost none; a congruential one whose seed is a fixed point of its recurrence repeats a
/// single value forever.
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
