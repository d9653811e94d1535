// SPDX-License-Identifier: Apache-2.0

/// A number of JSON where it stands, to be read exactly: no digit passes through a binary fraction.
struct DecimalRange {
  var start = 0
  var end = 0
  var isNegative = false
  /// Where the digits before the point end.
  var wholeEnd = 0
  /// Where the digits, and the point among them, end.
  var digitsEnd = 0
  /// The power of ten behind `e`, within 10^7 either way: beyond, an activity's bytes cannot balance it.
  var exponent = 0

  /// Whether it is written as a whole number, without a point and without a power of ten.
  var isPlainInteger: Bool { wholeEnd == end }

  /// The number times a power of ten, cut to a whole number.
  struct Scaled {
    /// Its whole part, without the sign.
    var whole = 0
    /// The digit behind the whole part.
    var next: UInt8 = 0
    /// Whether nothing but zeros was cut off.
    var isExact = true
  }

  /// The number times a power of ten, without its sign; nil beyond a limit.
  func scaled(in bytes: Span<UInt8>, byTenTo power: Int, upTo limit: Int) -> Scaled? {
    var result = Scaled()
    var left = wholeEnd - (isNegative ? start + 1 : start) + exponent + power
    for index in (isNegative ? start + 1 : start)..<digitsEnd where bytes[index] != UInt8(ascii: ".") {
      let digit = bytes[index] - UInt8(ascii: "0")
      if left > 0 {
        result.whole = result.whole * 10 + Int(digit)
        guard result.whole <= limit else { return nil }
      } else {
        if left == 0 { result.next = digit }
        result.isExact = result.isExact && digit == 0
      }
      left -= 1
    }
    while left > 0, result.whole > 0 {
      result.whole *= 10
      guard result.whole <= limit else { return nil }
      left -= 1
    }
    return result
  }
}
