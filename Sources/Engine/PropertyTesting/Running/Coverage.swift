// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The result of a `cover` claim.
public struct CoverageFinding: Sendable, Hashable, Codable {
  /// The decision of the sequential test.
  public enum Verdict: String, Sendable, Hashable, Codable {
    /// The share is at least the one claimed.
    case holds
    /// The share is below the one claimed.
    case fails
    /// The cases are too few to decide.
    case undecided
  }

  /// The name of the condition.
  public let name: String
  /// The share claimed, from 0 to 1.
  public let atLeast: Double
  /// The number of cases that met the condition.
  public let hits: Int
  /// The number of cases that passed.
  public let cases: Int
  /// The final decision of the sequential test.
  public let verdict: Verdict
  /// The number of cases that had passed at the verdict; `nil` while undecided.
  public let decidedAfter: Int?
  /// The probability that no verdict of this property is wrong.
  public let confidence: Double

  /// The share of cases that met the condition; 0 when there are none.
  public var share: Double { cases == 0 ? 0 : Double(hits) / Double(cases) }
}

/// Tests every `cover` claim of a property after each block of cases.
///
/// The evidence for and against each claim remains valid at any number of looks. Only one side of a claim can be
/// decided wrongly, and the error is divided by the number of claims: with the stated confidence no verdict is wrong,
/// if every case makes the same claims.
package struct CoverageCheck: Sendable {
  private struct Claim {
    var atLeast = 0.0
    var hits = 0
    var verdict = CoverageFinding.Verdict.undecided
    var decidedAfter: Int?

    mutating func evaluate(of cases: Int, _ threshold: Double) {
      guard verdict == .undecided else { return }
      // The ends of the range need no statistics: no share is below 0, and a single miss refutes a share of 1.
      if atLeast == 0 {
        verdict = .holds
      } else if atLeast == 1 {
        if hits < cases { verdict = .fails }
      } else if ShareEvidence.log(above: atLeast, hits: hits, of: cases) >= threshold {
        verdict = .holds
      } else if ShareEvidence.log(below: atLeast, hits: hits, of: cases) >= threshold {
        verdict = .fails
      }
      if verdict != .undecided { decidedAfter = cases }
    }
  }

  let confidence: Double
  private var cases = 0
  private var claims: [String: Claim] = [:]

  package init(confidence: Double) {
    self.confidence = confidence
  }

  /// Adds the next block of cases. Blocks must come in order: the verdicts depend on the counts after each.
  mutating func absorb(_ block: CaseTally) {
    absorb(cases: block.passed, claims: block.claims.map { ($0, hits: $1.hits, atLeast: $1.atLeast) })
  }

  /// Adds the number of passing cases, with the number of hits of each claim.
  package mutating func absorb(cases passed: Int, claims counted: [(name: String, hits: Int, atLeast: Double)]) {
    cases += passed
    for (name, hits, atLeast) in counted {
      var claim = claims[name] ?? Claim()
      claim.hits += hits
      claim.atLeast = max(claim.atLeast, atLeast)
      claims[name] = claim
    }
    guard cases > 0 else { return }
    let threshold = log(Double(claims.count) / (1 - confidence))
    claims = claims.mapValues { claim in
      var claim = claim
      claim.evaluate(of: cases, threshold)
      return claim
    }
  }

  package var findings: [CoverageFinding] {
    claims.sorted { $0.key < $1.key }.map { name, claim in
      CoverageFinding(
        name: name, atLeast: claim.atLeast, hits: claim.hits, cases: cases, verdict: claim.verdict,
        decidedAfter: claim.decidedAfter, confidence: confidence)
    }
  }
}

/// The evidence from yes-no answers that the share of yes is above a value, valid after every answer.
///
/// Start with a capital of 1 and bet a fraction d of it on every answer, at odds that are fair for a share of c: a yes
/// multiplies the capital by 1 + d (1 - c) / c, a no by 1 - d. If the share is c or less, the capital is a nonnegative
/// supermartingale, so by Ville's inequality it ever reaches 1/alpha with probability at most alpha. The same holds for
/// a capital divided among several fractions, which the two counts determine. It corresponds to `ConfidenceSequence`
/// for any bounded quantity, without the loss of its bound on the logarithm: a hundred answers refute a share of a
/// tenth that never occurs.
///
/// Sources: Ville, "Étude critique de la notion de collectif" (1939); Waudby-Smith and Ramdas, "Estimating means of
/// bounded random variables by betting", JRSS B 86 (2024).
enum ShareEvidence {
  /// The fractions, from 1 down to 1/2900 in steps of the square root of 2, with the share of the capital of each,
  /// which falls as 1/(j+2), because differences that few answers show are decided most often.
  private static let bets: [(fraction: Double, share: Double)] = {
    let total = (0..<24).reduce(0.0) { $0 + 1 / Double($1 + 2) }
    return (0..<24).map { (pow(2, -Double($0) / 2), 1 / (Double($0 + 2) * total)) }
  }()

  /// The logarithm of the evidence that a share is above a value.
  ///
  /// - Complexity: O(1).
  static func log(above value: Double, hits: Int, of count: Int) -> Double {
    let exponents = bets.map { bet in
      let won = hits == 0 ? 0 : Double(hits) * log1p(bet.fraction * (1 - value) / value)
      let lost = hits == count ? 0 : Double(count - hits) * log1p(-bet.fraction)
      return Foundation.log(bet.share) + won + lost
    }
    let largest = exponents.max() ?? 0
    guard largest.isFinite else { return largest }
    return largest + Foundation.log(exponents.reduce(0) { $0 + exp($1 - largest) })
  }

  static func log(below value: Double, hits: Int, of count: Int) -> Double {
    log(above: 1 - value, hits: count - hits, of: count)
  }
}

struct CaseTally: Sendable {
  struct Claim: Sendable {
    var hits = 0
    var atLeast = 0.0
  }

  var passed = 0
  var discards: [Discard: Int] = [:]
  var labels: [String: Int] = [:]
  var tables: [String: [String: Int]] = [:]
  var claims: [String: Claim] = [:]
  var scores: [String: Double] = [:]
  var maxChoices = 0

  var discarded: Int { discards.values.reduce(0, +) }

  mutating func merge(_ other: CaseTally) {
    passed += other.passed
    discards.merge(other.discards) { $0 + $1 }
    labels.merge(other.labels) { $0 + $1 }
    tables.merge(other.tables) { $0.merging($1) { $0 + $1 } }
    claims.merge(other.claims) { Claim(hits: $0.hits + $1.hits, atLeast: max($0.atLeast, $1.atLeast)) }
    scores.merge(other.scores) { max($0, $1) }
    maxChoices = max(maxChoices, other.maxChoices)
  }

  mutating func add(_ annotations: CaseContext.Annotations) {
    for label in annotations.labels { labels[label, default: 0] += 1 }
    for entry in annotations.values { tables[entry.table, default: [:]][entry.value, default: 0] += 1 }
    for entry in annotations.covers {
      var claim = claims[entry.name, default: Claim()]
      claim.hits += entry.isMet ? 1 : 0
      claim.atLeast = max(claim.atLeast, entry.atLeast)
      claims[entry.name] = claim
    }
    for entry in annotations.scores { scores[entry.label] = max(scores[entry.label] ?? entry.score, entry.score) }
  }
}
