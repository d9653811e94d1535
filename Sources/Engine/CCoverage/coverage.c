// SPDX-License-Identifier: Apache-2.0
// The functions that code compiled with -sanitize=fuzzer calls. They are weak: a real fuzzer's runtime takes
// precedence. Everything is recorded by thread, so that concurrent cases are separated.
#include "coverage.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { most_comparisons = 256 };

struct assay_recording {
  uint64_t left[most_comparisons], right[most_comparisons];
  uint8_t size[most_comparisons];
  uint32_t comparisons, touched, capacity;
  uint32_t *edges;
  uint8_t *counts;
};

static uint32_t edges = 0;
// Whether instrumented code counts its edges inline.
static atomic_uint counters = 0;
static _Thread_local assay_recording *current = NULL;
// Whether this thread made a comparison without an active recording.
static _Thread_local bool unheard = false;

uint32_t assay_coverage_edges(void) { return edges; }

assay_recording *assay_recording_make(void) {
  assay_recording *recording = calloc(1, sizeof *recording);
  if (!recording) return NULL;
  recording->capacity = edges;
  recording->edges = calloc(edges + 1, sizeof *recording->edges);
  recording->counts = calloc(edges + 1, 1);
  if (recording->edges && recording->counts) return recording;
  assay_recording_free(recording);
  return NULL;
}

void assay_recording_free(assay_recording *recording) {
  if (!recording) return;
  if (current == recording) current = NULL;
  free(recording->edges);
  free(recording->counts);
  free(recording);
}

void assay_recording_start(assay_recording *recording) {
  for (uint32_t i = 0; i < recording->touched; i++) recording->counts[recording->edges[i]] = 0;
  recording->touched = recording->comparisons = 0;
  current = recording;
}

void assay_recording_stop(void) { current = NULL; }

uint32_t assay_recording_comparisons(const assay_recording *recording) { return recording->comparisons; }
uint64_t assay_recording_left(const assay_recording *recording, uint32_t index) { return recording->left[index]; }
uint64_t assay_recording_right(const assay_recording *recording, uint32_t index) { return recording->right[index]; }
uint32_t assay_recording_size(const assay_recording *recording, uint32_t index) { return recording->size[index]; }
uint32_t assay_recording_edges(const assay_recording *recording) { return recording->touched; }
uint32_t assay_recording_edge(const assay_recording *recording, uint32_t index) { return recording->edges[index]; }
uint32_t assay_recording_count(const assay_recording *recording, uint32_t index) {
  return recording->counts[recording->edges[index]];
}

static void compare(uint64_t left, uint64_t right, uint8_t size) {
  assay_recording *recording = current;
  if (!recording) {
    unheard = true;
    return;
  }
  if (left == right || recording->comparisons == most_comparisons) return;
  uint32_t last = recording->comparisons;
  if (last > 0 && recording->left[last - 1] == left && recording->right[last - 1] == right) return;
  recording->left[last] = left;
  recording->right[last] = right;
  recording->size[last] = size;
  recording->comparisons = last + 1;
}

#define HOOK __attribute__((weak, visibility("default")))

HOOK _Thread_local uintptr_t __sancov_lowest_stack;

HOOK void __sanitizer_cov_trace_cmp1(uint8_t l, uint8_t r) { compare(l, r, 1); }
HOOK void __sanitizer_cov_trace_cmp2(uint16_t l, uint16_t r) { compare(l, r, 2); }
HOOK void __sanitizer_cov_trace_cmp4(uint32_t l, uint32_t r) { compare(l, r, 4); }
HOOK void __sanitizer_cov_trace_cmp8(uint64_t l, uint64_t r) { compare(l, r, 8); }
HOOK void __sanitizer_cov_trace_const_cmp1(uint8_t l, uint8_t r) { compare(l, r, 1); }
HOOK void __sanitizer_cov_trace_const_cmp2(uint16_t l, uint16_t r) { compare(l, r, 2); }
HOOK void __sanitizer_cov_trace_const_cmp4(uint32_t l, uint32_t r) { compare(l, r, 4); }
HOOK void __sanitizer_cov_trace_const_cmp8(uint64_t l, uint64_t r) { compare(l, r, 8); }

// The list contains the number of constants, their size in bits, and the constants.
HOOK void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *constants) {
  for (uint64_t i = 0; i < constants[0] && i < 16; i++) compare(value, constants[2 + i], (uint8_t)(constants[1] / 8));
}

HOOK void __sanitizer_cov_trace_div4(uint32_t value) { (void)value; }
HOOK void __sanitizer_cov_trace_div8(uint64_t value) { (void)value; }
HOOK void __sanitizer_cov_trace_gep(uintptr_t index) { (void)index; }
HOOK void __sanitizer_cov_trace_pc_indir(uintptr_t callee) { (void)callee; }
HOOK void __sanitizer_cov_8bit_counters_init(char *start, char *stop) { (void)start, (void)stop, counters = 1; }
HOOK void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop) { (void)start, (void)stop; }

HOOK void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
  for (uint32_t *guard = start; guard < stop; guard++)
    if (*guard == 0) *guard = ++edges;
}

HOOK void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
  assay_recording *recording = current;
  uint32_t edge = *guard;
  if (!recording || edge == 0 || edge > recording->capacity) return;
  uint8_t count = recording->counts[edge];
  if (count == 0) recording->edges[recording->touched++] = edge;
  if (count < 255) recording->counts[edge] = count + 1;
}

assay_coverage_fault assay_coverage_find_fault(void) {
  if (edges > 0) return assay_no_fault;
  // A weak function may have been replaced: this comparison then does not arrive here.
  assay_recording_stop();
  unheard = false;
  __sanitizer_cov_trace_cmp8(1, 2);
  if (!unheard) return assay_hooks_replaced;
  return counters ? assay_edges_unseen : assay_not_instrumented;
}
