// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
package import Scenarios

/// A run of one measure with one threshold, as `SampledExperiment` plays it: the same blocks, tallies, looks and
/// intervals, for the calibration of its verdicts.
package enum SampledTrial {
  /// The verdict on a measure at the look at which the run ends.
  ///
  /// - Parameters:
  ///   - samples: the number of samples, if the run does not end earlier.
  ///   - measure: a measure with one figure.
  ///   - draw: draws a sample.
  ///   - verdict: the verdict by the measurement at a look.
  /// - Returns: the first verdict that is not undecided.
  /// - Throws: an error of drawing.
  package static func verdict<Sample>(
    samples: Int, of measure: SampleMeasure<Sample>, draw: () throws -> Sample, by verdict: (Measurement) -> Verdict
  ) rethrows -> Verdict {
    var last = Verdict.undecided
    _ = try measurement(samples: samples, of: measure, draw: draw) {
      last = verdict($0)
      return last != .undecided
    }
    return last
  }

  /// The measurement at the look at which the run ends; `nil` if the measure has no figure.
  ///
  /// - Parameters:
  ///   - samples: the number of samples, if the run does not end earlier.
  ///   - measure: a measure with one figure.
  ///   - core: an experiment that computes the expectation of a control.
  ///   - confidence: that of percentiles.
  ///   - sharesError: false for a run whose looks each have the whole error, which is wrong too often.
  ///   - draw: draws a sample.
  ///   - isEnough: true if the run ends with the measurement at a look.
  /// - Returns: the measurement of the look at which the run ends.
  /// - Throws: an error of drawing.
  package static func measurement<Sample>(
    samples: Int, of measure: SampleMeasure<Sample>, core: Any? = nil, confidence: Double = 0.99,
    sharesError: Bool = true,
    draw: () throws -> Sample, until isEnough: (Measurement) -> Bool
  ) rethrows -> Measurement? {
    let perBlock = SampleBlocks.samplesPerBlock(of: samples)
    let looks = BlockPlan.looks(of: (samples - 1) / perBlock + 1)
    let columns = measure.columns
    var (tallies, done, last) = (SampleTallies(columns), 0, Measurement?.none)
    for look in looks {
      for block in done..<look.blocks {
        let (first, count) = (block * perBlock, min(perBlock, samples - block * perBlock))
        var rows: [Double] = []
        for _ in 0..<count { measure.read(try draw(), &rows) }
        tallies.merge(SampleTallies(rows, columns, samples: count, block: block, from: first))
      }
      done = look.blocks
      last =
        measure.measurements(
          in: tallies, of: core, confidence: confidence, bonferroniDivisor: sharesError ? look.bonferroniDivisor : 1,
          lookedBefore: true
        ).first
      guard let last, done == looks.last?.blocks || last.mayEndRun else { continue }
      if isEnough(last) { break }
    }
    return last
  }
}
