// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

/// Draws and judges the cases of one block.
struct CaseLoop {
  private let trial: Trial
  private let context: CaseContext
  private let environment: CheckEnvironment
  private let block: Int
  private let quota: Int
  private let mostDiscards: Int
  private var climber: Climber?
  private var attempts = 0
  private var result = BlockResult()

  init(
    _ trial: Trial, heardBy context: CaseContext, _ settings: CheckSettings, _ environment: CheckEnvironment,
    block: Int, quota: Int
  ) {
    self.trial = trial
    self.context = context
    self.environment = environment
    self.block = block
    self.quota = quota
    // A small block may be unlucky: a hundred cases are the least on which giving up is decided.
    mostDiscards = settings.discardRatio.multipliedReportingOverflow(by: max(100, quota)).partialValue
    climber = settings.search == .target ? Climber() : nil
  }

  /// Draws cases until enough have passed, one has failed or too many were discarded.
  mutating func run(_ draws: inout Draws) -> BlockResult {
    var discarded = 0
    while result.tally.passed < quota {
      let isChanged = begin(&draws)
      switch judge(&draws) {
      case .passed:
        result.tally.passed += 1
        result.tally.longestTape = max(result.tally.longestTape, draws.recorded.count)
        context.count(in: &result.tally)
        if climber != nil && !context.isSilent {
          let scores = context.withRemarks { $0.scores }
          climber?.learn(draws.tape, scores)
        }
      case .discarded(let reason):
        // A changed copy that no longer fits says nothing about the generators.
        if isChanged { continue }
        result.tally.discards[reason, default: 0] += 1
        discarded += 1
        if discarded > mostDiscards {
          result.ending = .exhausted
          return result
        }
      case .failed(let failure):
        result.ending = .failed(failure, draws.tape)
        return result
      case .declined: break
      }
    }
    return result
  }

  /// Begins an independent case, or one that is a changed copy of an earlier one.
  private mutating func begin(_ draws: inout Draws) -> Bool {
    if let changed = climber?.propose(&draws.words) {
      draws.begin(reading: changed, gap: .random)
      return true
    }
    draws.begin()
    return false
  }

  private mutating func judge(_ draws: inout Draws) -> Verdict {
    let isTimed = block == 0 && attempts & 7 == 0 && environment.clock != nil
    if environment.journal == nil && !isTimed {
      attempts += 1
      return trial.attempt(&draws) { _ in true }
    }
    let place = CasePlace(block: block, attempt: attempts)
    attempts += 1
    let clock = isTimed ? environment.clock : nil
    let journal = environment.journal
    let begun = clock?()
    var drawn: Duration?
    journal?.willDraw(at: place)
    let verdict = trial.attempt(&draws) { draws in
      drawn = clock?()
      journal?.willJudge(draws.tape, at: place)
      return true
    }
    journal?.didEnd(at: place)
    if let clock, let begun {
      let ended = clock()
      result.timing.add(drawing: (drawn ?? ended) - begun, judging: ended - (drawn ?? ended))
    }
    return verdict
  }
}
