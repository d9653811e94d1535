// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

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
  /// - Parameters:
  ///   - value: The share to compare with, above 0 and below 1.
  ///   - hits: How many answers were yes.
  ///   - count: How many answers there were.
  /// - Returns: The natural logarithm of the capital; if the share is at most `value`, it ever reaches log(1/alpha)
  ///   with probability at most alpha.
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

  /// The evidence that a share is below a value; see `log(above:hits:of:)`.
  static func log(below value: Double, hits: Int, of count: Int) -> Double {
    log(above: 1 - value, hits: count - hits, of: count)
  }
}
