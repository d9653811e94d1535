// SPDX-License-Identifier: Apache-2.0
package import LiveCore
package import NIOCore

/// A unit that one end sends: a whole message or a control frame.
package enum Incoming: Hashable, Sendable {
  /// A text, valid UTF-8.
  case text(ByteBuffer)
  case binary(ByteBuffer)
  case ping(ByteBuffer)
  case pong(ByteBuffer)
  /// The close frame, which is the last; no code if the frame is empty.
  case close(CloseCode?, reason: String)
}

/// Reads messages from the bytes of a peer (RFC 6455, sections 5 to 7; RFC 7692, section 6).
///
/// Between calls it keeps the arrived part of a message, at most `maxMessageBytes`; bytes that are too few to be read
/// stay in the caller's buffer, less than 140: the beginning of a header, or a control frame. A violation is found at
/// its first byte: a message that is too long by its header, text by its first invalid byte.
///
/// Call it until it returns nil. Bytes after a close frame or a violation are dropped. It writes into the caller's
/// buffer: payloads are unmasked in place.
package struct MessageReader: ~Copyable {
  private let role: Role
  private let maxMessageBytes: Int
  private let maxFragments: Int
  private let compression: Compression?
  private var inflater: Inflater?
  private var isOver = false

  // The message that is being received.
  private var opcode: Opcode?
  private var isCompressed = false
  private var fragments = 0
  /// The total length of its frames' payloads, as far as their headers are known.
  private var announcedBytes = 0
  private var message = ByteBuffer()
  private var validator = UTF8Validator()

  // The frame whose payload is being received.
  private var isInFrame = false
  private var isFinal = false
  private var missingBytes = 0
  private var mask: MaskKey?

  /// A reader at the end with this role.
  ///
  /// - Parameters:
  ///   - role: The role of this end.
  ///   - maxMessageBytes: The longest message, inflated.
  ///   - maxFragments: The most frames of one message; the default allows messages of 64-byte frames.
  ///   - compression: The agreed parameters of compression.
  package init(
    role: Role, maxMessageBytes: Int = 1 << 20, maxFragments: Int = 1 << 17, compression: Compression? = nil
  ) {
    (self.role, self.compression) = (role, compression)
    (self.maxMessageBytes, self.maxFragments) = (maxMessageBytes, maxFragments)
  }

  /// The number of bytes kept of an incomplete message.
  package var bufferedBytes: Int { message.readableBytes }

  /// Reads the next message or control frame, and takes its bytes from the buffer.
  ///
  /// - Returns: Nil if more bytes are needed.
  /// - Throws: `ProtocolViolation`, once.
  package mutating func read(from buffer: inout ByteBuffer) throws(ProtocolViolation) -> Incoming? {
    guard !isOver else {
      buffer.clear()
      return nil
    }
    do {
      return try readNext(from: &buffer)
    } catch {
      end()
      buffer.clear()
      throw error
    }
  }

  private mutating func readNext(from buffer: inout ByteBuffer) throws(ProtocolViolation) -> Incoming? {
    while true {
      if isInFrame {
        try readPayload(from: &buffer)
        guard missingBytes == 0 else { return nil }
        isInFrame = false
        if isFinal { return try finishMessage() }
      }
      let start = buffer.readerIndex
      guard let header = try FrameHeader.read(from: &buffer) else { return nil }
      try check(header)
      if header.opcode.isControl {
        guard header.payloadLength <= buffer.readableBytes else {
          buffer.moveReaderIndex(to: start)
          return nil
        }
        return try readControl(header, from: &buffer)
      }
      begin(header)
      if header.isFinal, fragments == 1, !isCompressed, header.payloadLength <= buffer.readableBytes {
        return try readWhole(header, from: &buffer)
      }
    }
  }

  /// Checks a header against the role, the extension and the frames before.
  private func check(_ header: FrameHeader) throws(ProtocolViolation) {
    guard (header.mask != nil) == (role == .server) else {
      throw .error(role == .server ? "frame of a client without a mask" : "frame of a server with a mask")
    }
    let isStart = header.opcode == .text || header.opcode == .binary
    guard header.reserved == 0 || (header.isCompressed && isStart && compression != nil) else {
      throw .error("reserved bits are set")
    }
    if header.opcode.isControl { return }
    guard isStart == (opcode == nil) else {
      throw .error(isStart ? "message within a message" : "continuation without a message")
    }
    guard fragments < maxFragments else {
      throw ProtocolViolation(.policyViolation, "message of more than \(maxFragments) frames")
    }
    let inflates = isStart ? header.isCompressed : isCompressed
    // Compressed bytes are not kept: this bound only ends a message that continues without content.
    let limit = inflates ? maxMessageBytes + maxMessageBytes / 16 + 1_024 : maxMessageBytes
    guard header.payloadLength <= limit - announcedBytes else {
      throw ProtocolViolation(.messageTooBig, "message of more than \(maxMessageBytes) bytes")
    }
  }

  private mutating func begin(_ header: FrameHeader) {
    if header.opcode != .continuation { (opcode, isCompressed) = (header.opcode, header.isCompressed) }
    fragments += 1
    announcedBytes += header.payloadLength
    (isInFrame, isFinal, missingBytes, mask) = (true, header.isFinal, header.payloadLength, header.mask)
  }

  /// The whole of a message in one frame: a slice of the buffer if it is so large that this neither retains much more
  /// memory than the message nor, if another message still uses the buffer, copies much more.
  private mutating func readWhole(
    _ header: FrameHeader, from buffer: inout ByteBuffer
  ) throws(ProtocolViolation) -> Incoming {
    let count = header.payloadLength
    if count >= buffer.storageCapacity / 4, count > 0 {
      if let mask { buffer.apply(mask, count: count) }
      message = buffer.readSlice(length: count) ?? ByteBuffer()
    } else {
      message.move(count, from: &buffer, mask: mask)
    }
    if opcode == .text { try validate(from: 0) }
    return try finishMessage()
  }

  private mutating func readPayload(from buffer: inout ByteBuffer) throws(ProtocolViolation) {
    let count = min(missingBytes, buffer.readableBytes)
    guard count > 0 else { return }
    let start = message.readableBytes
    if isCompressed {
      if let mask { buffer.apply(mask, count: count) }
      try inflate(count, of: buffer)
      buffer.moveReaderIndex(forwardBy: count)
    } else {
      // More than this is reserved when it arrives, not when it is announced.
      let room = min(missingBytes, max(count, 128 << 10))
      if message.writableBytes < room { message.reserveCapacity(minimumWritableBytes: room) }
      message.move(count, from: &buffer, mask: mask)
    }
    missingBytes -= count
    mask = mask?.advanced(by: count)
    if opcode == .text { try validate(from: start) }
  }

  private mutating func inflate(_ count: Int, of buffer: ByteBuffer) throws(ProtocolViolation) {
    try makeInflater()
    try unsafe buffer.withUnsafeReadableBytes { bytes throws(ProtocolViolation) in
      let payload = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
      try unsafe inflater?.inflate(payload, into: &message, limit: maxMessageBytes)
    }
  }

  private mutating func makeInflater() throws(ProtocolViolation) {
    guard let compression, inflater == nil else { return }
    inflater = try Inflater(windowBits: compression.windowBits(of: role.peer))
  }

  private mutating func validate(from start: Int) throws(ProtocolViolation) {
    guard validator.accept(message, from: start) else { throw Self.invalidText }
  }

  private mutating func finishMessage() throws(ProtocolViolation) -> Incoming {
    if isCompressed, let compression {
      let start = message.readableBytes
      try makeInflater()
      try inflater?.finish(
        into: &message, limit: maxMessageBytes, resets: compression.beginsAfresh(role.peer))
      if opcode == .text { try validate(from: start) }
    }
    guard validator.isComplete else { throw Self.invalidText }
    let isText = opcode == .text
    let whole = message
    forgetMessage()
    return isText ? .text(whole) : .binary(whole)
  }

  private mutating func forgetMessage() {
    opcode = nil
    isInFrame = false
    (fragments, announcedBytes) = (0, 0)
    message = ByteBuffer()
    validator = UTF8Validator()
  }

  private mutating func end() {
    isOver = true
    forgetMessage()
    inflater = nil
  }

  private mutating func readControl(
    _ header: FrameHeader, from buffer: inout ByteBuffer
  ) throws(ProtocolViolation) -> Incoming {
    var payload = ByteBuffer()
    payload.move(header.payloadLength, from: &buffer, mask: header.mask)
    switch header.opcode {
    case .ping: return .ping(payload)
    case .pong: return .pong(payload)
    default:
      let close = try Self.readClose(&payload)
      end()
      buffer.clear()
      return close
    }
  }

  private static func readClose(_ payload: inout ByteBuffer) throws(ProtocolViolation) -> Incoming {
    guard payload.readableBytes > 0 else { return .close(nil, reason: "") }
    guard let code = payload.readInteger(as: UInt16.self).map({ CloseCode($0) }) else {
      throw .error("close frame with half a code")
    }
    guard code.isValidInFrame else { throw .error("close code \(code.value), which no frame may carry") }
    var validator = UTF8Validator()
    guard validator.accept(payload), validator.isComplete else { throw invalidText }
    return .close(code, reason: String(buffer: payload))
  }

  private static let invalidText = ProtocolViolation(.invalidPayload, "text that is no UTF-8")
}

extension ByteBuffer {
  /// Appends bytes of another buffer and unmasks them.
  fileprivate mutating func move(_ count: Int, from other: inout ByteBuffer, mask: MaskKey?) {
    guard count > 0 else { return }
    // Creating a buffer is faster than growing an empty one.
    if capacity == 0 { self = ByteBufferAllocator().buffer(capacity: count) }
    let start = readableBytes
    writeBytes(other.readableBytesSpan.extracting(first: count))
    other.moveReaderIndex(forwardBy: count)
    if let mask { apply(mask, from: start, count: count) }
  }
}
