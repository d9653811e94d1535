// SPDX-License-Identifier: Apache-2.0
internal import LiveCore
package import NIOCore

#if canImport(Glibc)
  internal import Glibc
#endif

/// Writes the messages of one end as frames.
package struct MessageWriter: ~Copyable {
  /// The length in bytes below which messages are not compressed, since few would become shorter.
  private static let compressionThreshold = 32

  private let role: Role
  private let compression: Compression?
  private var maskKeys: MaskKeys
  private var deflater: Deflater?
  private var scratch = ByteBuffer()

  /// - Parameters:
  ///   - role: The role of this end.
  ///   - compression: The agreed parameters of compression.
  ///   - maskKeys: The source of a client's keys.
  package init(role: Role, compression: Compression? = nil, maskKeys: MaskKeys = MaskKeys()) {
    self.role = role
    // zlib has no window of 256 bytes. Compression is optional for each message, so none is compressed.
    self.compression = compression.flatMap { $0.windowBits(of: role) < 9 ? nil : $0 }
    self.maskKeys = maskKeys
  }

  /// Writes a message or a control frame.
  ///
  /// A text must be UTF-8, which is not checked. At most the first 125 bytes of a ping or pong are written. A close
  /// frame is empty without a code or with one that no frame may carry; its reason is cut to whole characters of up to
  /// 123 bytes.
  package mutating func write(_ message: Incoming, into buffer: inout ByteBuffer) {
    switch message {
    case .text(let payload): writeMessage(.text, payload, into: &buffer)
    case .binary(let payload): writeMessage(.binary, payload, into: &buffer)
    case .ping(let payload): writeControl(.ping, payload, into: &buffer)
    case .pong(let payload): writeControl(.pong, payload, into: &buffer)
    case .close(let code, let reason): writeControl(.close, Self.closing(code, reason), into: &buffer)
    }
  }

  private static func closing(_ code: CloseCode?, _ reason: String) -> ByteBuffer {
    var payload = ByteBuffer()
    guard let code, code.isValidInFrame else { return payload }
    payload.writeInteger(code.value)
    var room = FrameHeader.longestControlPayload - 2
    for character in reason {
      room -= character.utf8.count
      if room < 0 { break }
      payload.writeString(String(character))
    }
    return payload
  }

  private mutating func writeControl(_ opcode: Opcode, _ payload: ByteBuffer, into buffer: inout ByteBuffer) {
    let short = payload.getSlice(
      at: payload.readerIndex, length: min(payload.readableBytes, FrameHeader.longestControlPayload))
    writeFrame(opcode, short ?? ByteBuffer(), reserved: 0, into: &buffer)
  }

  private mutating func writeMessage(_ opcode: Opcode, _ payload: ByteBuffer, into buffer: inout ByteBuffer) {
    guard let compression, payload.readableBytes >= Self.compressionThreshold else {
      return writeFrame(opcode, payload, reserved: 0, into: &buffer)
    }
    if deflater == nil { deflater = Deflater(windowBits: compression.windowBits(of: role)) }
    scratch.clear()
    guard deflater?.deflate(payload, into: &scratch, resets: compression.beginsAfresh(role)) != nil else {
      return writeFrame(opcode, payload, reserved: 0, into: &buffer)
    }
    writeFrame(opcode, scratch, reserved: 0b100, into: &buffer)
    // The memory of a long message is released.
    if scratch.capacity > 64 << 10 { scratch = ByteBuffer() }
  }

  private mutating func writeFrame(
    _ opcode: Opcode, _ payload: ByteBuffer, reserved: UInt8, into buffer: inout ByteBuffer
  ) {
    let mask = role == .client ? maskKeys.next() : nil
    let count = payload.readableBytes
    buffer.reserveCapacity(minimumWritableBytes: count + 14)
    FrameHeader(opcode, payloadLength: count, reserved: reserved, mask: mask).write(into: &buffer)
    let start = buffer.readableBytes
    buffer.writeBytes(payload.readableBytesSpan)
    if let mask { buffer.apply(mask, from: start, count: count) }
  }
}

/// Unpredictable keys (RFC 6455, section 10.3), drawn many at a time: a system call costs more than a short frame.
package struct MaskKeys: Sendable {
  private static let batch = 64

  /// The generator of the keys; nil for the system's.
  private var generator: (any RandomNumberGenerator & Sendable)?
  /// The keys drawn and not yet used.
  private var keys: [UInt32] = []

  /// Keys of the system's generator.
  package init() {}

  /// Keys of a given generator, for repeatable runs.
  package init(from generator: any RandomNumberGenerator & Sendable) { self.generator = generator }

  package mutating func next() -> MaskKey {
    if keys.isEmpty { draw() }
    return MaskKey(keys.popLast() ?? 0)
  }

  private mutating func draw() {
    if var own = generator {
      for _ in 0..<Self.batch { keys.append(own.next()) }
      generator = own
      return
    }
    keys = Array(repeating: 0, count: Self.batch)
    #if canImport(Glibc)
      // getentropy returns at most 256 bytes at once.
      if unsafe keys.withUnsafeMutableBytes({ unsafe getentropy($0.baseAddress, $0.count) }) == 0 { return }
    #endif
    var system = SystemRandomNumberGenerator()
    for index in keys.indices { keys[index] = system.next() }
  }
}
