// SPDX-License-Identifier: Apache-2.0
internal import CZlib
internal import LiveCore
internal import NIOCore

/// Inflates the messages of one peer (RFC 7692, section 7.2.2), each up to a limit.
@safe
struct Inflater: ~Copyable {
  // zlib keeps the stream's address, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  /// True if the last block ended with BFINAL, after which another may begin.
  private var isBehindFinalBlock = false

  /// An inflater for a peer with this window. Some versions of zlib compress with 9 bits instead of 8.
  init(windowBits: Int) throws(ProtocolViolation) {
    unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // Negative bits mean raw deflate, without zlib's header and checksum.
    let bits = -Int32(max(9, windowBits))
    guard unsafe inflateInit2_(stream, bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw ProtocolViolation(.internalError, "no memory to inflate messages")
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Ends a message by the four bytes that its compressor left out.
  mutating func finish(into message: inout ByteBuffer, limit: Int, resets: Bool) throws(ProtocolViolation) {
    if !isBehindFinalBlock {
      try unsafe withUnsafeBytes(of: UInt32(0x0000_FFFF).bigEndian) { bytes throws(ProtocolViolation) in
        try unsafe inflate(bytes, into: &message, limit: limit)
      }
      // 128: after a block; the low bits: the number of unused bits of the last byte.
      guard unsafe stream.pointee.data_type & (128 | 7) == 128 else { throw Self.damaged }
    }
    if resets {
      unsafe inflateReset(stream)
      isBehindFinalBlock = false
    }
  }

  /// Appends an inflated part of a message, of less than 2^32 bytes as in any `ByteBuffer`, to `message`, up to a
  /// limit.
  mutating func inflate(
    _ input: UnsafeRawBufferPointer, into message: inout ByteBuffer, limit: Int
  ) throws(ProtocolViolation) {
    unsafe stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    unsafe stream.pointee.avail_in = UInt32(input.count)
    var isOutputFull = true
    while unsafe stream.pointee.avail_in > 0 || isOutputFull {
      if isBehindFinalBlock {
        guard unsafe stream.pointee.avail_in > 0 else { return }
        // The next block may refer to earlier bytes, so the window is kept.
        unsafe inflateResetKeep(stream)
        isBehindFinalBlock = false
      }
      let room = limit - message.readableBytes
      let code: Int32
      if room > 0 {
        code = inflateSome(into: &message, room: room, wanted: input.count)
      } else {
        // The remaining input must not produce any byte.
        var extra: UInt8 = 0
        code = unsafe withUnsafeMutablePointer(to: &extra) { pointer in
          unsafe stream.pointee.next_out = pointer
          unsafe stream.pointee.avail_out = 1
          return unsafe CZlib.inflate(stream, Z_SYNC_FLUSH)
        }
        guard unsafe stream.pointee.avail_out == 1 else {
          throw ProtocolViolation(.messageTooBig, "message of more than \(limit) bytes when inflated")
        }
      }
      isOutputFull = unsafe stream.pointee.avail_out == 0
      switch code {
      case Z_OK: break
      case Z_STREAM_END: isBehindFinalBlock = true
      // More input is needed.
      case Z_BUF_ERROR: return
      default: throw Self.damaged
      }
    }
  }

  /// Inflates into the message's free space, or enlarges it, up to `room` bytes.
  private func inflateSome(into message: inout ByteBuffer, room: Int, wanted: Int) -> Int32 {
    if message.writableBytes == 0 { message.reserveCapacity(minimumWritableBytes: min(room, max(256, 4 * wanted))) }
    var code: Int32 = Z_OK
    unsafe message.writeWithUnsafeMutableBytes(minimumWritableBytes: 1) { bytes in
      let count = min(room, bytes.count)
      unsafe stream.pointee.next_out = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      unsafe stream.pointee.avail_out = UInt32(count)
      code = unsafe CZlib.inflate(stream, Z_SYNC_FLUSH)
      return unsafe count - Int(stream.pointee.avail_out)
    }
    return code
  }

  private static let damaged = ProtocolViolation(.invalidPayload, "message that cannot be inflated")
}

/// Compresses messages for one peer (RFC 7692, section 7.2.1).
@safe
struct Deflater: ~Copyable {
  // zlib keeps the stream's address, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Nil if there is not enough memory.
  ///
  /// - Parameter windowBits: 9 to 15: zlib has no window of 256 bytes.
  init?(windowBits: Int) {
    unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // For smaller windows less memory suffices.
    let code = unsafe deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -Int32(windowBits), Int32(min(8, windowBits - 6)), Z_DEFAULT_STRATEGY,
      ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { return nil }
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Appends a message's compressed bytes, without the last four of its flush.
  mutating func deflate(_ message: ByteBuffer, into buffer: inout ByteBuffer, resets: Bool) {
    guard message.readableBytes > 0 else {
      // After a flush zlib writes no bytes for an empty message (RFC 7692, section 7.2.3.6).
      buffer.writeInteger(0, as: UInt8.self)
      return
    }
    unsafe message.withUnsafeReadableBytes { bytes in
      unsafe stream.pointee.next_in = UnsafeMutablePointer(
        mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
      // Like a ByteBuffer, zlib counts in 32 bits.
      unsafe stream.pointee.avail_in = UInt32(bytes.count)
      flush(into: &buffer)
    }
    buffer.moveWriterIndex(to: buffer.writerIndex - 4)
    if resets { unsafe deflateReset(stream) }
  }

  private func flush(into buffer: inout ByteBuffer) {
    repeat {
      // A flush without enough room needs another one, so short messages get room for any result.
      let wanted = unsafe min(64 << 10, Int(stream.pointee.avail_in) / 8 * 9 + 64)
      unsafe buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: wanted) { bytes in
        unsafe stream.pointee.next_out = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = UInt32(bytes.count)
        unsafe CZlib.deflate(stream, Z_SYNC_FLUSH)
        return unsafe bytes.count - Int(stream.pointee.avail_out)
      }
    } while unsafe stream.pointee.avail_out == 0
  }
}
