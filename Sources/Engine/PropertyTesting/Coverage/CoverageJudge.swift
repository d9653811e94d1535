// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// Tests every `cover` claim of a property after every block of cases, as often as there are blocks.
///
/// The evidence for and against each claim may be looked at any number of times. Only one side of a claim can be
/// wrongly decided, and the error is divided by the number of claims: no verdict at all is wrong with the stated
/// confidence, if every case makes the same claims.
struct CoverageJudge: Sendable {
  fileprivate struct Claim {
    var atLeast = 0.0
    var hits = 0
    var verdict = CoverageFinding.Verdict.undecided
    var decidedAfter: Int?
  }

  let confidence: Double
  private var cases = 0
  private var claims: [String: Claim] = [:]

  init(confidence: Double) {
    self.confidence = confidence
  }

  /// Takes in the next block of cases. The blocks must come in order: what is known after each decides what is seen.
  mutating func absorb(_ block: CaseTally) {
    cases += block.passed
    for (name, counts) in block.claims {
      var claim = claims[name] ?? Claim()
      claim.hits += counts.hits
      claim.atLeast = max(claim.atLeast, counts.atLeast)
      claims[name] = claim
    }
    guard cases > 0 else { return }
    let threshold = log(Double(claims.count) / (1 - confidence))
    claims = claims.mapValues { claim in
      var claim = claim
      claim.judge(of: cases, threshold)
      return claim
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
  fileprivate mutating func judge(of cases: Int, _ threshold: Double) {
    guard verdict == .undecided else { return }
    // At the ends of the range a share needs no statistics: none can be below 0, and one miss is enough against all.
    if atLeast == 0 {
      verdict = .holds
    } else if atLeast == 1 {
      if hits < cases { verdict = .below }
    } else if ShareEvidence.log(above: atLeast, hits: hits, of: cases) >= threshold {
      verdict = .holds
    } else if ShareEvidence.log(below: atLeast, hits: hits, of: cases) >= threshold {
      verdict = .below
    }
    if verdict != .undecided { decidedAfter = cases }
  }
}
