// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Synchronization

/// What became of a block of cases.
struct BlockResult: Sendable {
  /// How a block came to its end.
  enum Ending: Sendable {
    /// As many cases passed as were wanted.
    case finished
    /// Too many cases were discarded.
    case exhausted
    /// A case failed; nothing was drawn after it.
    case failed(Failure, Tape)
  }

  var tally = CaseTally()
  var timing = CaseTiming()
  var ending = Ending.finished
}

/// Adds blocks up in their order, whoever finishes first, up to the first one that ends the check.
///
/// So a failure, and all that is counted before it, are the same at any number of jobs.
final class CheckLedger: Sendable {
  /// The first blocks without a gap, added up.
  struct Account: Sendable {
    var tally = CaseTally()
    var timing = CaseTiming()
    var coverage: CoverageJudge
    /// How many blocks are in the account.
    var blocks = 0
    /// How the last of them ended.
    var ending = BlockResult.Ending.finished

    /// Whether no further block counts.
    var isClosed: Bool { if case .finished = ending { false } else { true } }

    mutating func add(_ result: BlockResult) {
      tally.merge(result.tally)
      if blocks == 0 { timing = result.timing }
      coverage.absorb(result.tally)
      ending = result.ending
      blocks += 1
    }
  }

  private struct Entries {
    var account: Account
    /// Blocks that were finished before an earlier one.
    var waiting: [Int: BlockResult] = [:]
  }

  private let entries: Mutex<Entries>

  init(coverageConfidence: Double) {
    entries = Mutex(Entries(account: Account(coverage: CoverageJudge(confidence: coverageConfidence))))
  }

  /// Puts down what became of a block.
  func record(_ result: BlockResult, of block: Int) {
    entries.withLock { entries in
      entries.waiting[block] = result
      while !entries.account.isClosed, let next = entries.waiting.removeValue(forKey: entries.account.blocks) {
        entries.account.add(next)
      }
    }
  }

  /// The first blocks without a gap, added up.
  var account: Account { entries.withLock { $0.account } }
}
