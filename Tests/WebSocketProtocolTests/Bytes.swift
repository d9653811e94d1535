// SPDX-License-Identifier: Apache-2.0
internal import LiveCore
internal import NIOCore
internal import TestSupport
internal import WebSocketProtocol

extension ByteBuffer {
  /// The bytes of a text of hexadecimal digits and blanks.
  init(hex: String) {
    let digits = hex.filter { $0 != " " }.compactMap(\.hexDigitValue)
    self.init(bytes: stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }

  /// The bytes of frames one behind the other, as a peer of the role sends them.
  init(from role: Role, _ frames: (header: FrameHeader, payload: [UInt8])...) {
    self.init()
    for (header, payload) in frames { write(header, payload, from: role) }
  }

  mutating func write(_ header: FrameHeader, _ payload: [UInt8], from role: Role) {
    var header = header
    header.payloadLength = payload.count
    header.mask = role == .client ? MaskKey(0x1234_ABCD &* UInt32(truncatingIfNeeded: payload.count + 1)) : nil
    header.write(into: &self)
    let key = header.mask.map(\.value) ?? 0
    writeBytes(payload.enumerated().map { $1 ^ UInt8(truncatingIfNeeded: key >> UInt32(24 - 8 * ($0 % 4))) })
  }

  var bytes: [UInt8] { Array(readableBytesView) }
}

extension FrameHeader {
  static func frame(_ opcode: Opcode, isFinal: Bool = true, reserved: UInt8 = 0) -> FrameHeader {
    FrameHeader(opcode, payloadLength: 0, isFinal: isFinal, reserved: reserved)
  }
}

/// What came out of a stream of bytes.
struct Reading: Equatable {
  var incoming: [Incoming] = []
  var violation: ProtocolViolation?
  /// How many bytes had been fed when the violation was found.
  var violatedAfter: Int?
  /// The most bytes that the reader and the buffer kept between two feeds.
  var maxKept = 0

  /// Feeds bytes in pieces of the lengths that `nextLength` gives, at least 1.
  init(
    _ bytes: ByteBuffer, by role: Role, limit: Int = 1 << 20, maxFragments: Int = 1 << 17,
    compression: Compression? = nil, nextLength: () -> Int
  ) {
    var reader = MessageReader(
      role: role, maxMessageBytes: limit, maxFragments: maxFragments, compression: compression)
    var (rest, buffer) = (bytes, ByteBuffer())
    while violation == nil, var piece = rest.readSlice(length: min(max(1, nextLength()), rest.readableBytes)),
      piece.readableBytes > 0
    {
      buffer.writeBuffer(&piece)
      do throws(ProtocolViolation) {
        while let next = try reader.read(from: &buffer) { incoming.append(next) }
      } catch {
        violation = error
        violatedAfter = bytes.readableBytes - rest.readableBytes
      }
      maxKept = max(maxKept, reader.bufferedBytes + buffer.readableBytes)
      buffer.discardReadBytes()
    }
  }

  /// Feeds all bytes at once.
  init(
    _ bytes: ByteBuffer, by role: Role, limit: Int = 1 << 20, maxFragments: Int = 1 << 17,
    compression: Compression? = nil
  ) {
    self.init(bytes, by: role, limit: limit, maxFragments: maxFragments, compression: compression) {
      bytes.readableBytes
    }
  }

  /// What does not depend on how the bytes were cut.
  static func == (left: Reading, right: Reading) -> Bool {
    left.incoming == right.incoming && left.violation == right.violation
  }
}
