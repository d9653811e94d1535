// SPDX-License-Identifier: GPL-3.0-or-later
internal import CZlib

/// Files compressed by gzip, inflated whole.
///
/// Source: RFC 1952, "GZIP file format specification", section 2.2: a file is a series of members.
enum Gzip {
  enum Fault: Error {
    /// Damaged or cut off after this many inflated bytes.
    case damaged(behind: Int)
    case tooLarge
  }

  /// Returns true if the bytes begin like a gzip file.
  static func isCompressed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

  /// The content of all members of a file.
  ///
  /// - Throws: `tooLarge` for content of more bytes than `maxBytes`.
  static func inflated(_ bytes: [UInt8], maxBytes: Int) throws(Fault) -> [UInt8] {
    // zlib keeps the stream's address, so it must not move.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    defer {
      unsafe inflateEnd(stream)
      unsafe stream.deallocate()
    }
    // 16 stands for gzip's header and checksums, 15 for its largest window.
    guard unsafe inflateInit2_(stream, 16 + 15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .damaged(behind: 0)
    }
    var (text, part, consumed) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16), 0)
    while consumed < bytes.count {
      let rest = min(bytes.count - consumed, 1 << 30)
      let (code, left, room) = unsafe bytes.withUnsafeBufferPointer { input in
        unsafe part.withUnsafeMutableBufferPointer { output in
          // zlib reads its input alone, although C says it may write there.
          unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress).map { unsafe $0 + consumed }
          unsafe stream.pointee.avail_in = UInt32(rest)
          unsafe stream.pointee.next_out = output.baseAddress
          unsafe stream.pointee.avail_out = UInt32(output.count)
          let code = unsafe inflate(stream, Z_NO_FLUSH)
          return unsafe (code, Int(stream.pointee.avail_in), Int(stream.pointee.avail_out))
        }
      }
      let produced = part.count - room
      consumed += rest - left
      guard text.count + produced <= maxBytes else { throw .tooLarge }
      text += part[..<produced]
      switch code {
      case Z_STREAM_END:
        // Zeros may fill a tape's block behind the last member.
        if bytes[consumed...].allSatisfy({ $0 == 0 }) { return text }
        guard bytes[consumed] == 0x1F else { throw .damaged(behind: text.count) }
        unsafe inflateReset(stream)
      case Z_OK where produced > 0 || left < rest: break
      default: throw .damaged(behind: text.count)
      }
    }
    throw .damaged(behind: text.count)
  }
}
