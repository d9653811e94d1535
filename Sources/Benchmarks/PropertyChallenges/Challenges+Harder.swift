// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// Challenges whose simplest case no change of a single choice leads to.
extension Challenges {
  static let weightedLinear = {
    let numbers = Gen<Int>.integers(in: 0...20)
    return Challenge("x_weighted_linear", "2x + y + z is not 20", normalForm: (0, 0, 20), numbers, numbers, numbers) {
      2 * $0 + $1 + $2 != 20
    }
  }()

  static let invoice = Challenge(
    "x_invoice", "a discount rounded for each piece is the discount rounded once",
    normalForm: Invoice(price: 10, quantity: 100, discount: 1), Invoice.invoices
  ) { invoice in
    invoice.totalRoundedByPiece == invoice.totalRoundedOnce
  }

  static let nested2 = nested("x_nested_ps2", factors: 2, normalForm: [6, 4])
  static let nested3 = nested("x_nested_ps3", factors: 3, normalForm: [4, 3, 2])

  private static func nested(_ name: String, factors: Int, normalForm: [Int]) -> Challenge {
    Challenge(
      name, "a payload as long as the product of its falling factors has under 24 bits or no one",
      normalForm: Payload(factors: normalForm, bits: [Int](repeating: 0, count: 23) + [1]),
      Payload.payloads(factors: factors)
    ) { payload in
      payload.bits.count < 24 || !payload.bits.contains(1)
    }
  }
}

/// A price for each piece in cents, and a discount in per cent that only large orders get.
private struct Invoice: Sendable, CustomDebugStringConvertible {
  let price: Int
  let quantity: Int
  let discount: Int

  static let invoices = Gen { draws in
    let price = try draws.draw(Gen<Int>.integers(in: 1...1000))
    let quantity = try draws.draw(Gen<Int>.integers(in: 1...100))
    let discount = price * quantity >= 1000 ? try draws.draw(Gen<Int>.integers(in: 0...50)) : 0
    return Invoice(price: price, quantity: quantity, discount: discount)
  }

  var totalRoundedByPiece: Int { Self.rounded(price * (100 - discount)) * quantity }
  var totalRoundedOnce: Int { Self.rounded(price * quantity * (100 - discount)) }

  private static func rounded(_ hundredths: Int) -> Int { (hundredths + 50) / 100 }

  var debugDescription: String { "Invoice(\(price), \(quantity), \(discount))" }
}

/// Bits, as many as the product of factors none of which exceeds the one before.
private struct Payload: Sendable, CustomDebugStringConvertible {
  let factors: [Int]
  let bits: [Int]

  static func payloads(factors count: Int) -> Gen<Payload> {
    Gen { draws in
      var factors: [Int] = []
      for _ in 0..<count {
        factors.append(try draws.draw(Gen<Int>.integers(in: 1...(factors.last ?? 10))))
      }
      let bits = Gen.arrays(of: Gen<Int>.integers(in: 0...1), count: factors.reduce(1, *))
      return Payload(factors: factors, bits: try draws.draw(bits))
    }
  }

  var debugDescription: String { "\(factors): \(bits.map(String.init).joined())" }
}
