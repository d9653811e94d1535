// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc
internal import Synchronization

/// Counts and times the runs of a property from the first one that fails, from inside its body: what the engine says of
/// itself is not believed.
final class Meter: Sendable {
  private let hasFailed = Atomic(false)
  private let runs = Atomic(0)
  private let started = Atomic(UInt64(0))

  /// Notes one run of the body, and whether it failed.
  func note(failed: Bool) {
    if failed, !hasFailed.load(ordering: .relaxed) {
      started.store(ProcessorTime.nanoseconds, ordering: .relaxed)
      hasFailed.store(true, ordering: .relaxed)
    }
    if hasFailed.load(ordering: .relaxed) { runs.wrappingAdd(1, ordering: .relaxed) }
  }

  /// How often the body ran from the first failure on, that one included.
  var evaluations: Int { runs.load(ordering: .relaxed) }

  /// Processor time since the first failure, in nanoseconds; zero when nothing failed.
  var nanoseconds: UInt64 {
    hasFailed.load(ordering: .relaxed) ? ProcessorTime.nanoseconds - started.load(ordering: .relaxed) : 0
  }
}

/// The processor time that this process has used.
package enum ProcessorTime {
  /// Nanoseconds, those of all threads together.
  package static var nanoseconds: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
