// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness
internal import Reporting
internal import Scenarios

/// Antithetic pairs: a sample is the mean of two draws, the second of which has the complement of each random word of
/// the first. Complements of uniform words are uniform, so that both have the same distribution, whatever is drawn of
/// them, and the pairs are independent: the mean of pairs is an unbiased observation. It gains where the draws of the
/// two are opposite, and the figure rises or falls with all of them.
///
/// Source: Hammersley and Morton, "A new Monte Carlo technique: antithetic variates", Mathematical Proceedings of the
/// Cambridge Philosophical Society 52 (1956).
extension Sampled {
  /// Draws a sample, or a pair, and appends the numbers of its measures: of a pair the means, then half of each
  /// difference.
  ///
  /// - Returns: the sample, or the first of the pair.
  /// - Throws: `UnusableSample`.
  @discardableResult static func draw(
    _ core: Core, _ measures: [SampleMeasure<Core.Sample>], inPairs: Bool, _ number: Int,
    _ random: inout RandomStream, _ scratch: inout Core.Scratch, seed: UInt64, again: @autoclosure () -> String?,
    into row: inout [Double]
  ) throws -> Core.Sample {
    guard inPairs else {
      let sample = try sample(core, number, &random, &scratch, seed: seed, again: again())
      for measure in measures { try read(sample, measure, number, into: &row, again: again()) }
      return sample
    }
    var opposite = random.complemented()
    let one = try sample(core, number, &random, &scratch, seed: seed, again: again())
    let other = try sample(core, number, &opposite, &scratch, seed: seed, again: again())
    for measure in measures {
      let first = row.count
      try read(one, measure, number, into: &row, again: again())
      guard measure.isPaired else { continue }
      var others: [Double] = []
      try read(other, measure, number, into: &others, again: again())
      for (index, value) in others.enumerated() {
        let mine = row[first + index]
        row[first + index] = mine + (value - mine) / 2
        row.append((mine - value) / 2)
      }
    }
    return one
  }
}

/// The gain of antithetic pairs for one measure.
struct PairGain {
  let name: String
  /// The number of times that many independent draws would be needed. With the mean m and half the difference h of a
  /// pair a single draw has the variance Var m + Var h, and the mean of two independent ones half of it.
  let gain: Double

  /// Halves follow the means of all labels.
  init(_ name: String, means: SampleTally, halves: SampleTally) {
    let (mean, half) = (means.total.squares, halves.total.squares)
    (self.name, gain) = (name, mean > 0 ? (1 + half / mean) / 2 : half > 0 ? .infinity : 1)
  }

  var json: JSONMember { JSONMember(name, .figure(gain)) }
}

extension SampleReport {
  /// The measures with a control.
  func controls(of core: Any) -> [ControlledMean] {
    zip(measures, tallies).filter { $0.0.kind == .controlled }.map { $0.controlled(in: $1, of: core) }
  }

  /// The gain of pairs, for means and shares.
  var gains: [PairGain] {
    zip(measures, tallies).flatMap { measure, tallies -> [PairGain] in
      guard measure.isPaired, measurements.contains(where: { $0.measure.name == measure.name }) else { return [] }
      switch measure.kind {
      case .mean, .share:
        return measure.columnNames.enumerated().map { index, name in
          PairGain(
            name, means: tallies.columns[index], halves: tallies.columns[index + measure.columnNames.count])
        }
      case .percentiles, .ratio, .weighted, .controlled, .exact: return []
      }
    }
  }

  /// A sentence about the gain of pairs, and about what they do not serve.
  var gainTexts: [String] {
    guard measures.contains(where: \.isOfPairs), !measurements.isEmpty else { return [] }
    let gains = gains.prefix(6)
    let least = gains.min { $0.gain < $1.gain }
    let first = measures.filter { if case .percentiles = $0.kind { true } else { false } }.map(\.name)
    return [
      (gains.isEmpty
        ? ""
        : "A pair is as good as this many times two independent draws: "
          + gains.map { "\($0.name) \(NumberFormat.fixed($0.gain, decimals: $0.gain < 10 ? 1 : 0))" }
          .joined(separator: ", ") + ".")
        + (least.map { $0.gain < 0.95 ? " Below 1, 'antithetic' loses." : "" } ?? "")
        + (first.isEmpty ? "" : " \(first.joined(separator: ", ")): only the first draw of each pair counts.")
    ]
  }
}
