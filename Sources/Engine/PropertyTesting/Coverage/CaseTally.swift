// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo

/// What the cases of some blocks add up to.
struct CaseTally: MergeableTally, Equatable {
  /// How often a `cover` claim was met, and the share that it claims.
  struct Claim: Sendable, Equatable {
    var hits = 0
    var atLeast = 0.0
  }

  var passed = 0
  var discards: [Discard: Int] = [:]
  /// In how many cases a label was given.
  var labels: [String: Int] = [:]
  /// How often each value occurred, by table.
  var tables: [String: [String: Int]] = [:]
  var claims: [String: Claim] = [:]
  /// The highest score by label.
  var scores: [String: Double] = [:]
  /// Entries of the longest tape.
  var longestTape = 0

  /// How many cases were given up.
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

  /// Counts what was said about a case that passed.
  mutating func add(_ remarks: CaseContext.Remarks) {
    for label in remarks.labels { labels[label, default: 0] += 1 }
    for entry in remarks.values { tables[entry.table, default: [:]][entry.value, default: 0] += 1 }
    for entry in remarks.covers {
      var claim = claims[entry.name, default: Claim()]
      claim.hits += entry.isMet ? 1 : 0
      claim.atLeast = max(claim.atLeast, entry.atLeast)
      claims[entry.name] = claim
    }
    for entry in remarks.scores { scores[entry.label] = max(scores[entry.label] ?? entry.score, entry.score) }
  }
}
