// SPDX-License-Identifier: GPL-3.0-or-later

/// Whole numbers as people type them: `250000`, `1_000_000`, `1e9`, `2.5e6`, `10k`, `2.5M`, `1G`.
package enum WholeNumber {
  /// The number, read exactly; `nil` where the text is no whole number or does not fit.
  ///
  /// - Parameter text: an optional sign, digits with `_` between them if wanted, a fraction, and an exponent or `k`,
  ///   `M` or `G` for thousands, millions and thousands of millions, which together leave nothing behind the point.
  /// - Returns: the number, or `nil`.
  package static func parse(_ text: some StringProtocol) -> Int? {
    var rest = text.lowercased()[...]
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest = rest.dropFirst() }
    if let unit = rest.last, let zeros = ["k": "e3", "m": "e6", "g": "e9"][unit], !rest.contains("e") {
      rest = rest.dropLast() + zeros
    }
    let parts = rest.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
    guard let mantissa = parts.first, let exponent = parts.count == 2 ? exponent(parts[1]) : 0 else { return nil }
    let halves = mantissa.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = halves.first.flatMap(digits), !whole.isEmpty else { return nil }
    guard var fraction = halves.count == 2 ? digits(halves[1]) : "" else { return nil }
    if halves.count == 2 && fraction.isEmpty { return nil }
    while fraction.last == "0" { fraction.removeLast() }
    guard fraction.count <= exponent else { return nil }
    let zeros = String(repeating: "0", count: exponent - fraction.count)
    return Int((isNegative ? "-" : "") + whole + fraction + zeros)
  }

  /// An exponent small enough that its zeros fit.
  private static func exponent(_ text: Substring) -> Int? {
    let unsigned = text.first == "+" ? text.dropFirst() : text
    guard (1...2).contains(unsigned.count), let plain = digits(unsigned), let value = Int(plain) else { return nil }
    return value
  }

  /// The digits without the underscores between them; `nil` where anything else stands there.
  private static func digits(_ text: Substring) -> String? {
    guard text.first != "_", text.last != "_", !text.contains("__") else { return nil }
    let plain = text.filter { $0 != "_" }
    return plain.allSatisfy { ("0"..."9").contains($0) } ? String(plain) : nil
  }
}
