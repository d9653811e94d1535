// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

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
