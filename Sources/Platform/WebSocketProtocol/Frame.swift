// SPDX-License-Identifier: Apache-2.0
package import LiveCore
package import NIOCore

/// The role of an end of a connection. A client masks its frames, a server does not.
package enum Role: Hashable, Sendable {
  case client, server

  /// The other end.
  package var peer: Role { self == .client ? .server : .client }
}

/// A violation of the protocol by the peer, with the close code that answers it.
package struct ProtocolViolation: Error, Hashable, Sendable {
  /// The code of the close frame to send: 1002, 1007, 1008 or 1009.
  package let code: CloseCode
  /// One short sentence for a close frame.
  package let reason: String

  package init(_ code: CloseCode, _ reason: String) { (self.code, self.reason) = (code, reason) }

  static func error(_ reason: String) -> Self { Self(.protocolError, reason) }
}

extension CloseCode {
  package static let normalClosure = CloseCode(1000)
  package static let goingAway = CloseCode(1001)
  static let protocolError = CloseCode(1002)
  static let invalidPayload = CloseCode(1007)
  static let policyViolation = CloseCode(1008)
  package static let messageTooBig = CloseCode(1009)
  package static let internalError = CloseCode(1011)
}

/// The kind of a frame (RFC 6455, section 5.2). All other values are reserved.
package enum Opcode: UInt8, Hashable, Sendable {
  case continuation = 0x0
  case text = 0x1
  case binary = 0x2
  case close = 0x8
  case ping = 0x9
  case pong = 0xA

  /// True if it is a control frame, which is short and may come between the fragments of a message.
  package var isControl: Bool { rawValue & 0x8 != 0 }
}

/// The header that precedes the payload of a frame (RFC 6455, section 5.2): 2 to 14 bytes.
package struct FrameHeader: Hashable, Sendable {
  /// The longest payload of a control frame.
  static let longestControlPayload = 125

  /// True if the message ends with this frame.
  package var isFinal: Bool
  /// RSV1 in bit 2, RSV2 in bit 1, RSV3 in bit 0.
  package var reserved: UInt8
  package var opcode: Opcode
  /// The key of a masked payload; nil if it is not masked.
  package var mask: MaskKey?
  /// The length of the payload in bytes.
  package var payloadLength: Int

  package init(
    _ opcode: Opcode, payloadLength: Int, isFinal: Bool = true, reserved: UInt8 = 0, mask: MaskKey? = nil
  ) {
    (self.opcode, self.payloadLength, self.isFinal) = (opcode, payloadLength, isFinal)
    (self.reserved, self.mask) = (reserved, mask)
  }

  /// RSV1: the message is compressed (RFC 7692, section 6).
  package var isCompressed: Bool { reserved == 0b100 }

  /// Reads a header; leaves the buffer unchanged if the header is not complete.
  ///
  /// - Returns: Nil if more bytes are needed.
  /// - Throws: `ProtocolViolation` 1002 for headers that are wrong for any role and extension: a reserved opcode, a
  ///   fragmented or long control frame, a length that is not encoded in the fewest bytes or has 64 bits.
  package static func read(from buffer: inout ByteBuffer) throws(ProtocolViolation) -> FrameHeader? {
    let start = buffer.readerIndex
    guard let word = buffer.getInteger(at: start, as: UInt16.self) else { return nil }
    let first = UInt8(truncatingIfNeeded: word >> 8)
    let second = UInt8(truncatingIfNeeded: word)
    guard let opcode = Opcode(rawValue: first & 0xF) else { throw .error("reserved opcode \(first & 0xF)") }
    let isFinal = first & 0x80 != 0
    var length = Int(second & 0x7F)
    if opcode.isControl {
      guard isFinal else { throw .error("fragmented control frame") }
      guard length <= longestControlPayload else { throw .error("control frame of more than 125 bytes") }
    }
    var size = 2
    if length == 126 {
      guard let long = buffer.getInteger(at: start + 2, as: UInt16.self) else { return nil }
      guard long > 125 else { throw .error("length of a frame in more bytes than it needs") }
      length = Int(long)
      size = 4
    } else if length == 127 {
      guard let long = buffer.getInteger(at: start + 2, as: UInt64.self) else { return nil }
      guard let signed = Int(exactly: long) else { throw .error("length of a frame with 64 bits") }
      guard signed > 0xFFFF else { throw .error("length of a frame in more bytes than it needs") }
      length = signed
      size = 10
    }
    var mask: MaskKey?
    if second & 0x80 != 0 {
      guard let key = buffer.getInteger(at: start + size, as: UInt32.self) else { return nil }
      mask = MaskKey(key)
      size += 4
    }
    buffer.moveReaderIndex(forwardBy: size)
    return FrameHeader(opcode, payloadLength: length, isFinal: isFinal, reserved: (first >> 4) & 0b111, mask: mask)
  }

  package func write(into buffer: inout ByteBuffer) {
    let first = (isFinal ? 0x80 : 0) | (reserved & 0b111) << 4 | opcode.rawValue
    let maskBit: UInt8 = mask == nil ? 0 : 0x80
    switch payloadLength {
    case ...125: buffer.writeInteger(UInt16(first) << 8 | UInt16(maskBit | UInt8(truncatingIfNeeded: payloadLength)))
    case ...0xFFFF: buffer.writeMultipleIntegers(first, maskBit | 126, UInt16(truncatingIfNeeded: payloadLength))
    default: buffer.writeMultipleIntegers(first, maskBit | 127, UInt64(truncatingIfNeeded: payloadLength))
    }
    if let mask { buffer.writeInteger(mask.value) }
  }
}

/// The four bytes that a client's payload is combined with by exclusive or (RFC 6455, section 5.3).
package struct MaskKey: Hashable, Sendable {
  /// The bytes in the order of the wire, the first one highest.
  package let value: UInt32

  package init(_ value: UInt32) { self.value = value }

  /// The key for the payload after `count` bytes.
  package func advanced(by count: Int) -> MaskKey {
    let bits = UInt32(truncatingIfNeeded: count & 3) * 8
    return MaskKey(value << bits | value >> ((32 - bits) & 31))
  }

  /// Masks or unmasks bytes in place, 8 at a time.
  package func apply(to bytes: UnsafeMutableRawBufferPointer) {
    guard let base = bytes.baseAddress, value != 0 else { return }
    let word = (UInt64(value) << 32 | UInt64(value)).bigEndian
    let (count, whole) = (bytes.count, bytes.count & ~7)
    var at = 0
    while at < whole {
      let masked = unsafe base.loadUnaligned(fromByteOffset: at, as: UInt64.self) ^ word
      unsafe base.storeBytes(of: masked, toByteOffset: at, as: UInt64.self)
      at += 8
    }
    var rest = word.littleEndian
    while at < count {
      let masked = unsafe base.loadUnaligned(fromByteOffset: at, as: UInt8.self) ^ UInt8(truncatingIfNeeded: rest)
      unsafe base.storeBytes(of: masked, toByteOffset: at, as: UInt8.self)
      rest >>= 8
      at += 1
    }
  }
}

extension ByteBuffer {
  /// Masks or unmasks the readable bytes from an offset on, where the key begins.
  mutating func apply(_ mask: MaskKey, from offset: Int = 0, count: Int) {
    unsafe withUnsafeMutableReadableBytes { bytes in
      unsafe mask.apply(to: UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + count]))
    }
  }
}
