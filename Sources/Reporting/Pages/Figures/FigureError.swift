// SPDX-License-Identifier: GPL-3.0-or-later

/// Why there is no picture, with what a person needs to get one.
package enum FigureError: Error, Hashable {
  /// An id that would not do as a file's name.
  case badIdentifier(String)
  /// No series has a point with finite values.
  case nothingToDraw(figure: String)
  /// A logarithmic axis cannot show zero and below.
  case notPositive(figure: String, series: String, axis: String, value: Double)
  /// A point stands where the axis has no name.
  case noSuchName(figure: String, series: String, place: Double, names: Int)
  /// The values lie further apart than numbers reach.
  case tooWide(figure: String, axis: String, lowest: Double, highest: Double)
  /// More points than a picture can show, in a style or an order that cannot be thinned out honestly.
  case tooManyPoints(figure: String, series: String, found: Int, most: Int)
  /// A program that draws is not on the path.
  case missing(program: String, package: String)
  /// A program that draws failed.
  case failed(program: String, figure: String, problem: String)
  /// A program that draws took too long and was ended.
  case timedOut(program: String, figure: String, seconds: Double)
  /// There is no place for the files that a drawing passes through.
  case noWorkingFolder(path: String, cause: String)
}

extension FigureError: CustomStringConvertible {
  /// One sentence: which figure, what is wrong, the value found, and how to mend it.
  package var description: String {
    switch self {
    case .badIdentifier(let id):
      "figure '\(id)': found this id, expected lower-case letters, digits and hyphens, for example ev-by-round."
    case .nothingToDraw(let figure):
      "figure '\(figure)': found no point with finite values, expected at least one; show a sentence instead."
    case .notPositive(let figure, let series, let axis, let value):
      "figure '\(figure)': series '\(series)': found \(value) on the logarithmic axis '\(axis)', expected more than 0; "
        + "leave the point out or use a linear axis."
    case .noSuchName(let figure, let series, let place, let names):
      "figure '\(figure)': series '\(series)': found a point at \(place) on an axis of \(names) names, "
        + "expected a whole number from 0 to \(names - 1)."
    case .tooWide(let figure, let axis, let lowest, let highest):
      "figure '\(figure)': axis '\(axis)': found values from \(lowest) to \(highest), expected less than 1e300 between "
        + "them; leave out what is out of all proportion."
    case .tooManyPoints(let figure, let series, let found, let most):
      "figure '\(figure)': series '\(series)': found \(found) points, expected at most \(most) in this style "
        + "and order; group them first, or give a line's points in ascending order of x."
    case .missing(let program, let package):
      "cannot draw: found no \(program) on the path; install it, on Debian with: apt-get install \(package)"
    case .failed(let program, let figure, let problem):
      "figure '\(figure)': \(program) failed: \(problem); check that '\(program) --version' works."
    case .timedOut(let program, let figure, let seconds):
      "figure '\(figure)': \(program) was ended after \(seconds) seconds; try again on a machine that is less busy."
    case .noWorkingFolder(let path, let cause):
      "cannot draw: found '\(path)' not writable (\(cause)); set TMPDIR to a folder that is."
    }
  }
}
