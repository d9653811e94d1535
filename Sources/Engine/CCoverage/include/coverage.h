// SPDX-License-Identifier: Apache-2.0
#ifndef ASSAY_COVERAGE_H
#define ASSAY_COVERAGE_H
#include <stdint.h>

/// A record of instrumented code on one thread between a start and a stop.
typedef struct assay_recording assay_recording;

/// The number of edges of the instrumented code of this process; 0 if none is instrumented.
uint32_t assay_coverage_edges(void);

/// The reasons why nothing can be recorded.
typedef enum {
  assay_no_fault,
  assay_not_instrumented,
  /// The edges are counted without trace-pc-guard, which this library cannot see.
  assay_edges_unseen,
  /// Another runtime, such as a fuzzer's, is called instead of this one.
  assay_hooks_replaced,
} assay_coverage_fault;

/// Finds the reason; must be called outside of recordings.
assay_coverage_fault assay_coverage_find_fault(void);

/// A recording with space for all current edges; null if there is no memory.
assay_recording *assay_recording_make(void);
void assay_recording_free(assay_recording *recording);

/// Clears the recording, and records this thread until the stop.
void assay_recording_start(assay_recording *recording);
void assay_recording_stop(void);

/// The number of comparisons of two different numbers, without immediate repetitions, up to a limit.
uint32_t assay_recording_comparisons(const assay_recording *recording);
/// The operands of a comparison, and the size of each in bytes.
uint64_t assay_recording_left(const assay_recording *recording, uint32_t index);
uint64_t assay_recording_right(const assay_recording *recording, uint32_t index);
uint32_t assay_recording_size(const assay_recording *recording, uint32_t index);

/// The number of distinct edges taken, in the order of their first occurrence.
uint32_t assay_recording_edges(const assay_recording *recording);
/// The number of an edge, from 1, and its count, up to 255.
uint32_t assay_recording_edge(const assay_recording *recording, uint32_t index);
uint32_t assay_recording_count(const assay_recording *recording, uint32_t index);
#endif
