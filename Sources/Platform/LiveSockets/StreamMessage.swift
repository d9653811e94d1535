// SPDX-License-Identifier: Apache-2.0
public import LiveCore
public import NIOCore

/// The stream protocol: text messages of client and server with positions and numbers.
///
/// | Who | Text | Meaning |
/// |---|---|---|
/// | client | `resume 1/42` | Continue after offset 42 of epoch 1. |
/// | client | `resume now` | Begin with the next message. |
/// | server | `resumed 1/42` | The stream continues after that place. |
/// | server | `message 1/43 PAYLOAD` | A message of the stream, and its place. |
/// | client | `send 7 PAYLOAD` | A message of the client, and its number. |
/// | server | `acknowledged 7` | The client's messages up to that number are stored. |
///
/// A payload is any text, also an empty one. Pings carry their number as decimal text. The client's request has the
/// field `Live-Client` with a text that identifies it as long as it counts messages, so that a server recognises
/// duplicates.
public enum StreamMessage: Hashable, Sendable {
  /// Continue after this place; nil begins with the next message.
  case resume(after: StreamPosition?)
  /// The stream continues after this place.
  case resumed(after: StreamPosition)
  /// A message of the stream.
  case message(StreamPosition, ByteBuffer)
  /// A message of the client.
  case send(MessageNumber, ByteBuffer)
  /// The client's messages up to this number are stored.
  case acknowledged(through: MessageNumber)

  /// The header field that names the client.
  static let clientField = "Live-Client"

  /// Reads a text message; nil for a text that is not of the protocol.
  public init?(_ text: ByteBuffer) {
    var text = text
    guard let verb = text.readWord() else { return nil }
    switch verb {
    case "resume":
      if text.readableBytesView.elementsEqual("now".utf8) {
        self = .resume(after: nil)
      } else if let position = text.readPlace(), text.readableBytes == 0 {
        self = .resume(after: position)
      } else {
        return nil
      }
    case "resumed":
      guard let position = text.readPlace(), text.readableBytes == 0 else { return nil }
      self = .resumed(after: position)
    case "message":
      guard let position = text.readPlace(), text.readSpace() else { return nil }
      self = .message(position, text)
    case "send":
      guard let number = text.readNumber(), text.readSpace() else { return nil }
      self = .send(MessageNumber(number), text)
    case "acknowledged":
      guard let number = text.readNumber(), text.readableBytes == 0 else { return nil }
      self = .acknowledged(through: MessageNumber(number))
    default: return nil
    }
  }

  /// Appends the message to a buffer, as text.
  public func write(into buffer: inout ByteBuffer) {
    switch self {
    case .resume(nil): buffer.writeStaticString("resume now")
    case .resume(let position?):
      buffer.writeStaticString("resume ")
      buffer.writePlace(position)
    case .resumed(let position):
      buffer.writeStaticString("resumed ")
      buffer.writePlace(position)
    case .message(let position, let payload):
      buffer.writeStaticString("message ")
      buffer.writePlace(position)
      buffer.writeStaticString(" ")
      buffer.writeImmutableBuffer(payload)
    case .send(let number, let payload):
      buffer.writeStaticString("send ")
      buffer.writeDecimal(number.value)
      buffer.writeStaticString(" ")
      buffer.writeImmutableBuffer(payload)
    case .acknowledged(let number):
      buffer.writeStaticString("acknowledged ")
      buffer.writeDecimal(number.value)
    }
  }
}

extension ByteBuffer {
  /// Reads the word up to the next blank, and the blank.
  fileprivate mutating func readWord() -> String? {
    guard let end = readableBytesView.prefix(16).firstIndex(of: UInt8(ascii: " ")),
      let word = readString(length: end - readerIndex)
    else { return nil }
    return readSpace() ? word : nil
  }

  fileprivate mutating func readSpace() -> Bool { skip(UInt8(ascii: " ")) }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard getInteger(at: readerIndex, as: UInt8.self) == byte else { return false }
    moveReaderIndex(forwardBy: 1)
    return true
  }

  /// Reads a decimal number without a sign; nil if there is none, with the buffer unchanged or within the number.
  mutating func readNumber() -> UInt64? {
    var number: UInt64?
    while let byte = getInteger(at: readerIndex, as: UInt8.self), byte >= 0x30, byte <= 0x39 {
      let (tens, isTooGreat) = (number ?? 0).multipliedReportingOverflow(by: 10)
      let (sum, isSumTooGreat) = tens.addingReportingOverflow(UInt64(byte - 0x30))
      guard !isTooGreat, !isSumTooGreat else { return nil }
      number = sum
      moveReaderIndex(forwardBy: 1)
    }
    return number
  }

  fileprivate mutating func readPlace() -> StreamPosition? {
    guard let epoch = readNumber().flatMap({ UInt32(exactly: $0) }), skip(UInt8(ascii: "/")), let offset = readNumber()
    else { return nil }
    return StreamPosition(epoch: epoch, offset: offset)
  }

  fileprivate mutating func writePlace(_ position: StreamPosition) {
    writeDecimal(UInt64(position.epoch))
    writeStaticString("/")
    writeDecimal(position.offset)
  }

  /// Appends a number in decimal digits. A small string is kept in place, so nothing is allocated up to 15 digits.
  mutating func writeDecimal(_ number: UInt64) { writeString(String(number)) }
}
