// SPDX-License-Identifier: GPL-3.0-or-later
internal import Synchronization

/// How often a parallel program is run before it is believed to be right.
final class RepetitionEffort: Sendable {
  private let count: Atomic<Int>
  private let most: Int

  init(_ repetitions: Int) {
    count = Atomic(repetitions)
    most = repetitions.multipliedReportingOverflow(by: 10).partialValue
  }

  var repetitions: Int { count.load(ordering: .relaxed) }

  /// Makes it ten times as often: a program has failed, and smaller ones are to be tried.
  func raise() { count.store(max(repetitions, most), ordering: .relaxed) }
}
