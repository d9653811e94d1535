// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import MonteCarlo
internal import Statistics

/// Tests every `cover` claim of a property after every block of cases, as often as there are blocks.
///
/// Each claim has a confidence sequence for the share of cases that meet it: bounds that hold at all times at once, so
/// looking after every block costs no error. Only one side of a claim can be wrongly decided, and the error is divided
/// by the number of claims: no verdict at all is wrong with the stated confidence, if every case makes the same claims.
struct CoverageJudge: Sendable {
  fileprivate struct Claim {
    var atLeast: Double
    var hits = 0
    var sequence: ConfidenceSequence
    var verdict = CoverageFinding.Verdict.undecided
    var decidedAfter: Int?
  }

  let confidence: Double
  private var cases = 0
  fileprivate var claims: [String: Claim] = [:]

  init(confidence: Double) {
    self.confidence = confidence
  }

  /// Takes in the next block of cases. The blocks must come in order: what is known after each decides what is seen.
  mutating func absorb(_ block: CaseTally) {
    guard !(block.claims.isEmpty && claims.isEmpty) else {
      cases += block.passed
      return
    }
    for (name, counts) in block.claims where claims[name] == nil {
      let range = 0.0...1.0
      guard var sequence = try? ConfidenceSequence(range: range, unit: 1, firstCentre: counts.atLeast) else { continue }
      sequence.absorb(wave: MomentTally(count: cases, sum: 0, sumOfSquares: 0))
      claims[name] = Claim(atLeast: counts.atLeast, sequence: sequence)
    }
    cases += block.passed
    let threshold = log(Double(claims.count) / (1 - confidence))
    for name in claims.keys {
      let counts = block.claims[name] ?? CaseTally.Claim()
      claims[name]?.absorb(counts, of: block.passed, cases: cases, threshold: threshold)
    }
  }

  /// What is known of every claim, by name.
  var findings: [CoverageFinding] {
    claims.sorted { $0.key < $1.key }.map { name, claim in
      CoverageFinding(
        name: name, atLeast: claim.atLeast, hits: claim.hits, cases: cases, verdict: claim.verdict,
        decidedAfter: claim.decidedAfter, confidence: confidence)
    }
  }
}

extension CoverageJudge.Claim {
  fileprivate mutating func absorb(_ counts: CaseTally.Claim, of passed: Int, cases: Int, threshold: Double) {
    atLeast = max(atLeast, counts.atLeast)
    hits += counts.hits
    sequence.absorb(wave: MomentTally(count: passed, sum: counts.hits, sumOfSquares: Int128(counts.hits)))
    guard verdict == .undecided, cases > 0 else { return }
    // At the ends of the range a share needs no statistics: none can be below 0, and one miss is enough against all.
    if atLeast == 0 || (atLeast < 1 && sequence.logEvidence(meanAbove: atLeast) >= threshold) {
      verdict = .holds
    } else if atLeast == 1 ? hits < cases : sequence.logEvidence(meanBelow: atLeast) >= threshold {
      verdict = .below
    }
    if verdict != .undecided { decidedAfter = cases }
  }
}
