// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// The result of a `cover` claim.
public struct CoverageFinding: Sendable, Hashable, Codable {
  /// The decision of the sequential test.
  public enum Verdict: String, Sendable, Hashable, Codable {
    /// The share is at least the one claimed.
    case holds
    /// The share is below the one claimed.
    case fails
    /// The cases do not suffice to decide.
    case undecided
  }

  /// The name of the cases that meet the condition.
  public let name: String
  /// The share claimed, from 0 to 1.
  public let atLeast: Double
  /// How many cases met the condition.
  public let hits: Int
  /// How many cases passed.
  public let cases: Int
  /// The decision of the sequential test, once for all.
  public let verdict: Verdict
  /// How many cases had passed when the verdict came; nil while undecided.
  public let decidedAfter: Int?
  /// The probability with which no verdict of this property is wrong.
  public let confidence: Double

  /// The share of cases that met the condition; 0 when there are none.
  public var share: Double { cases == 0 ? 0 : Double(hits) / Double(cases) }
}

/// Tests every `cover` claim of a property after every block of cases, as often as there are blocks.
///
/// The evidence for and against each claim may be looked at any number of times. Only one side of a claim can be
/// wrongly decided, and the error is divided by the number of claims: no verdict at all is wrong with the stated
/// confidence, if every case makes the same claims.
package struct CoverageCheck: Sendable {
  private struct Claim {
    var atLeast = 0.0
    var hits = 0
    var verdict = CoverageFinding.Verdict.undecided
    var decidedAfter: Int?

    mutating func evaluate(of cases: Int, _ threshold: Double) {
      guard verdict == .undecided else { return }
      // At the ends of the range a share needs no statistics: none can be below 0, and one miss is enough against all.
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

  /// Takes in the next block of cases. The blocks must come in order: the verdicts depend on the counts after each.
  mutating func absorb(_ block: CaseTally) {
    absorb(cases: block.passed, claims: block.claims.map { ($0, hits: $1.hits, atLeast: $1.atLeast) })
  }

  /// Takes in how many cases passed, and of each claim how many met it.
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

/// The evidence in yes-or-no answers that the share of yes is above a value: it may be looked at after every answer.
///
/// Start with a capital of 1 and bet a fraction d of it on every answer, at odds that are fair when the share is c: a
/// yes multiplies the capital by 1 + d (1 - c) / c, a no by 1 - d. If the share is c or less, the capital is a
/// nonnegative supermartingale, so by Ville's inequality it ever reaches 1/alpha with probability at most alpha. The
/// same holds for a capital divided among several fractions, and only the two counts are needed to know what it is.
/// It is what `ConfidenceSequence` does for any bounded quantity, without the loss of its bound on the logarithm: a
/// hundred answers suffice to refute a share of a tenth that never occurs.
///
/// Sources: Ville, "Étude critique de la notion de collectif" (1939); Waudby-Smith and Ramdas, "Estimating means of
/// bounded random variables by betting", JRSS B 86 (2024).
enum ShareEvidence {
  /// The fractions, from all down to 1/2900 in steps of the square root of 2, and the share of the capital behind each,
  /// which falls as 1/(j+2): distances seen in few answers are what people wait for.
  private static let bets: [(fraction: Double, share: Double)] = {
    let total = (0..<24).reduce(0.0) { $0 + 1 / Double($1 + 2) }
    return (0..<24).map { (pow(2, -Double($0) / 2), 1 / (Double($0 + 2) * total)) }
  }()

  /// The evidence that a share is above a value.
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
  var longestTape = 0

  var discarded: Int { discards.values.reduce(0, +) }

  mutating func merge(_ other: CaseTally) {
    passed += other.passed
    discards.merge(other.discards) { $0 + $1 }
    labels.merge(other.labels) { $0 + $1 }
    tables.merge(other.tables) { $0.merging($1) { $0 + $1 } }
    claims.merge(other.claims) { Claim(hits: $0.hits + $1.hits, atLeast: max($0.atLeast, $1.atLeast)) }
    scores.merge(other.scores) { max($0, $1) }
    longestTape = max(longestTape, other.longestTape)
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
