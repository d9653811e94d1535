// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef ASSAY_COVERAGE_H
#define ASSAY_COVERAGE_H
#include <stdint.h>

/// What instrumented code did on one thread between a start and a stop.
typedef struct assay_recording assay_recording;

/// How many edges the instrumented code of this process has; 0 when none is instrumented.
uint32_t assay_coverage_edges(void);

/// Why nothing can be recorded.
typedef enum {
  assay_no_fault,
  assay_not_instrumented,
  /// Edges are counted where nobody sees it: without trace-pc-guard.
  assay_edges_unseen,
  /// Another runtime, such as a fuzzer's, is called in place of this one.
  assay_hooks_replaced,
} assay_coverage_fault;

/// Finds it out; to be called outside of recordings.
assay_coverage_fault assay_coverage_find_fault(void);

/// A recording with room for all edges there are now; null when there is no memory.
assay_recording *assay_recording_make(void);
void assay_recording_free(assay_recording *recording);

/// Forgets what is recorded, and records what this thread does until the stop.
void assay_recording_start(assay_recording *recording);
void assay_recording_stop(void);

/// The comparisons of two different numbers, each once where it repeats at once; the first ones of many.
uint32_t assay_recording_comparisons(const assay_recording *recording);
/// The operands of a comparison, and how many bytes each has.
uint64_t assay_recording_left(const assay_recording *recording, uint32_t index);
uint64_t assay_recording_right(const assay_recording *recording, uint32_t index);
uint32_t assay_recording_size(const assay_recording *recording, uint32_t index);

/// The edges taken, each once, in the order of the first time.
uint32_t assay_recording_edges(const assay_recording *recording);
/// The number of an edge, from 1, and how often it was taken, up to 255.
uint32_t assay_recording_edge(const assay_recording *recording, uint32_t index);
uint32_t assay_recording_count(const assay_recording *recording, uint32_t index);
#endif
