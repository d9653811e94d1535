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

extension Challenges {
  static let chunkedDecoder = Challenge(
    "x_chunked_decoder", "a message decoded chunk by chunk is the message sent",
    normalForm: Transmission(message: .text("\u{80}"), cuts: [true]), Transmission.transmissions
  ) { transmission in
    transmission.received == transmission.message
  }
}

/// Bytes as they are, or text as UTF-8.
private enum Message: Sendable, Hashable, CustomDebugStringConvertible {
  case binary([UInt8])
  case text(String)

  static let messages: Gen<Message> = {
    let scalars = Gen<UInt32>.integers(in: 0...0x10FFFF).filter { Unicode.Scalar($0) != nil }
    let texts = Gen.arrays(of: scalars, count: 0...16).map { codes in
      var text = String.UnicodeScalarView()
      text.append(contentsOf: codes.compactMap { Unicode.Scalar($0) })
      return String(text)
    }
    return .oneOf(
      Gen.arrays(of: Gen<UInt8>.integers(), count: 0...64).map(Message.binary), texts.map(Message.text))
  }()

  var bytes: [UInt8] {
    switch self {
    case .binary(let bytes): bytes
    case .text(let text): Array(text.utf8)
    }
  }

  var debugDescription: String {
    switch self {
    case .binary(let bytes): "binary \(bytes)"
    case .text(let text):
      "text " + text.unicodeScalars.map { "U+" + String($0.value, radix: 16) }.joined(separator: " ")
    }
  }
}

/// A message with a flag for every gap between two of its bytes: whether it is cut there.
private struct Transmission: Sendable, CustomDebugStringConvertible {
  let message: Message
  let cuts: [Bool]

  static let transmissions = Message.messages.flatMap { message in
    Gen.arrays(of: Gen<Bool>.booleans(), count: message.bytes.count - 1).map { cuts in
      Transmission(message: message, cuts: cuts)
    }
  }

  private var chunks: [[UInt8]] {
    var chunks: [[UInt8]] = [[]]
    for (index, byte) in message.bytes.enumerated() {
      if index > 0, cuts[index - 1] { chunks.append([]) }
      chunks[chunks.count - 1].append(byte)
    }
    return chunks
  }

  /// What the receiver makes of the chunks, each decoded by itself: wrong where a cut divides a character.
  var received: Message {
    switch message {
    case .binary: .binary(chunks.flatMap { $0 })
    case .text: .text(chunks.map { String(decoding: $0, as: UTF8.self) }.joined())
    }
  }

  var debugDescription: String { "(\(message.debugDescription), \(chunks.map(\.count)))" }
}
