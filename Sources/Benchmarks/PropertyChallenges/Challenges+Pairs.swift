// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// Challenges over two numbers that must change together.
extension Challenges {
  static let pairs = [
    difference("difference_not_zero", "the difference is not zero", normalForm: (10, 10)) { $0 != 0 },
    difference("difference_not_small", "the difference is not 1 to 4", normalForm: (10, 6)) { !(1...4).contains($0) },
    difference("difference_not_one", "the difference is not one", normalForm: (10, 9)) { $0 != 1 },
  ]

  private static func difference(
    _ name: String, _ claim: String, normalForm: (Int, Int), holds: @escaping @Sendable (Int) -> Bool
  ) -> Challenge {
    let numbers = Gen<Int>.integers(in: 1...1000)
    return Challenge(name, "\(claim) when the first number is ten or more", normalForm: normalForm, numbers, numbers) {
      first, second in first < 10 || holds(abs(first - second))
    }
  }
}
