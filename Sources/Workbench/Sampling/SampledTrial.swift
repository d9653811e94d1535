// SPDX-License-Identifier: GPL-3.0-or-later
package import Scenarios

/// A run of one mean with one threshold, as `SampledExperiment` plays it: the same blocks, tallies, looks and
/// intervals, for the calibration of its verdicts.
package enum SampledTrial {
  /// The verdict at the look at which the run ends.
  ///
  /// - Parameters:
  ///   - samples: the number of samples, if the run does not end earlier.
  ///   - range: the range of every sample; `nil` if there is none.
  ///   - draw: draws a sample.
  ///   - verdict: the verdict by the measurement at a look.
  /// - Returns: the first verdict that is not undecided.
  /// - Throws: an error of drawing.
  package static func verdict(
    samples: Int, range: ClosedRange<Double>? = nil, draw: () throws -> Double, by verdict: (Measurement) -> Verdict
  ) rethrows -> Verdict {
    let measure = SampleMeasure<Double>.mean("figure", "", range: range) { $0 }
    let perBlock = InterimAnalysis.samplesPerBlock(of: samples)
    let looks = InterimAnalysis.all(blocks: (samples - 1) / perBlock + 1)
    var (tally, done) = (SampleTally(), 0)
    for look in looks {
      for block in done..<look.blocks {
        let first = block * perBlock
        let rows = try (first..<min(samples, first + perBlock)).map { _ in try draw() + 0 }
        tally.merge(SampleTally(rows, column: 0, of: 1, block: block, from: first))
      }
      done = look.blocks
      let found = measure.measurements(
        in: [tally], confidence: 0.99, bonferroniDivisor: look.bonferroniDivisor, lookedBefore: true)
      guard let one = found.first, look == looks.last || InterimAnalysis.mayEnd(with: one) else { continue }
      let now = verdict(one)
      if now != .undecided { return now }
    }
    return .undecided
  }
}
