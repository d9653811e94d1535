// SPDX-License-Identifier: GPL-3.0-or-later

/// All floating-point numbers in order from simple to complicated, as numbers that shrinking can lower.
///
/// First come the integers up to 2^51 in order, each with its negative after it: 0, -0, 1, -1, 2 and so on. Then come
/// all others by the distance of their exponent from that of 1, and within one exponent first by their integral part
/// and then by how few binary digits their fraction needs: the digits stand in reversed order, so that lowering the
/// number drops the last ones first. Infinities and NaN come last.
/// Source of the idea: the lexicographic encoding of floats in Hypothesis (MacIver, Donaldson, "Test-case reduction via
/// test-case generation", ECOOP 2020); the exponents are ordered differently here.
enum RealOrder {
  /// How many integers come first.
  private static let integers: UInt64 = 1 << 51
  private static let fraction: UInt64 = 1 << 52 - 1
  /// The place of infinity among the magnitudes; that of NaN is the next.
  private static let infinity: UInt64 = 1 << 51 + 2047 << 52

  /// The last place: that of NaN.
  static let last = (infinity + 1) << 1
  /// The last place of a finite number.
  static let lastFinite = infinity << 1 - 1

  /// The place of a number.
  static func place(of number: Double) -> UInt64 {
    if number.isNaN { return last }
    return magnitudePlace(number.magnitude) << 1 | (number.sign == .minus ? 1 : 0)
  }

  /// The number at a place; places of integers that come earlier are theirs too.
  static func number(at place: UInt64) -> Double {
    let magnitude = magnitude(at: place >> 1)
    return place & 1 == 0 ? magnitude : -magnitude
  }

  private static func magnitudePlace(_ magnitude: Double) -> UInt64 {
    if magnitude < 0x1p51 && magnitude == magnitude.rounded(.towardZero) { return UInt64(magnitude) }
    if magnitude.isInfinite { return infinity }
    let exponent = Int(magnitude.exponentBitPattern) - 1023
    let zigzag = UInt64(exponent >= 0 ? 2 * exponent : -2 * exponent - 1)
    return integers + zigzag << 52 + reversed(magnitude.significandBitPattern, exponent)
  }

  private static func magnitude(at place: UInt64) -> Double {
    if place < integers { return Double(place) }
    if place >= infinity { return place == infinity ? .infinity : .nan }
    let zigzag = Int((place - integers) >> 52)
    let exponent = zigzag & 1 == 0 ? zigzag / 2 : -(zigzag + 1) / 2
    let significand = reversed((place - integers) & fraction, exponent)
    return Double(sign: .plus, exponentBitPattern: UInt(exponent + 1023), significandBitPattern: significand)
  }

  /// The significand with the digits after the point in reversed order; doing it twice undoes it.
  private static func reversed(_ significand: UInt64, _ exponent: Int) -> UInt64 {
    let digits = exponent < 0 ? 52 : max(0, 52 - exponent)
    let mask: UInt64 = 1 << UInt64(digits) - 1
    return significand & ~mask | bitsReversed(significand & mask) >> UInt64(64 - digits)
  }

  private static func bitsReversed(_ word: UInt64) -> UInt64 {
    var bits = word.byteSwapped
    bits = bits >> 4 & 0x0f0f_0f0f_0f0f_0f0f | (bits & 0x0f0f_0f0f_0f0f_0f0f) << 4
    bits = bits >> 2 & 0x3333_3333_3333_3333 | (bits & 0x3333_3333_3333_3333) << 2
    return bits >> 1 & 0x5555_5555_5555_5555 | (bits & 0x5555_5555_5555_5555) << 1
  }
}

extension RealOrder {
  /// Numbers simpler than one that resemble it, the simplest first: what a shrinker had better try than a plain search.
  ///
  /// They are its magnitude, the integers around it, its half, and itself with ever more digits after the point.
  static func simplifications(of place: UInt64) -> [UInt64] {
    let number = number(at: place)
    guard number.isFinite else {
      let simpler: [Double] = [0, 1, -1, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity]
      return simpler.map(RealOrder.place).filter { $0 < place }
    }
    let (magnitude, sign) = (number.magnitude, Double(signOf: number, magnitudeOf: 1))
    let whole = magnitude.rounded(.down)
    let half = (magnitude / 2).rounded(.down) * sign
    var similar = [magnitude, whole * sign, whole, (whole + 1) * sign, whole + 1, half]
    if magnitude < 0x1p51 && magnitude != whole {
      for digits in [1.0, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40] {
        let scale = Double(sign: .plus, exponent: Int(digits), significand: 1)
        similar += [(magnitude * scale).rounded(.down) / scale * sign, (magnitude * scale).rounded(.up) / scale * sign]
      }
    }
    return Set(similar.map(RealOrder.place)).filter { $0 < place }.sorted()
  }
}
