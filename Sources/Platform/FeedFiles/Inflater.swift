// SPDX-License-Identifier: GPL-3.0-or-later
internal import CZlib

/// A gzip file's text, inflated on demand, one member after the other, as `cat a.gz b.gz` makes them.
///
/// Source: RFC 1952, "GZIP file format specification", section 2.2: a file is a series of members.
@safe
final class Inflater {
  private enum State {
    /// Within a member.
    case inflating
    /// After a member: before another one, the end of the file, or zeros that fill a tape's block.
    case between
    /// After a member and some zeros.
    case padding
    case ended
  }

  // zlib keeps the stream's address, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private var state = State.inflating
  /// Compressed bytes of which `input[consumed..<filled]` are still to inflate.
  private var input: [UInt8]
  private var consumed = 0
  private var filled: Int
  /// The number of bytes of text so far.
  private(set) var produced = 0

  init(beginning: [UInt8], inputSize: Int, path: String) throws(FeedFileError) {
    unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    filled = beginning.count
    input = beginning + Array(repeating: 0, count: max(0, inputSize - beginning.count))
    // 16 stands for gzip's header and checksums, 15 for its largest window.
    let code = unsafe inflateInit2_(stream, 16 + 15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { throw .damaged(path: path, line: nil, behind: 0, found: "no memory to inflate it") }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Inflates the next bytes; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, from file: borrowing Descriptor) throws(FeedFileError) -> Int {
    while state != .ended {
      if consumed == filled, try !refill(from: file) { break }
      switch state {
      case .between where input[consumed] == 0, .padding where input[consumed] == 0:
        state = .padding
        consumed += 1
      case .padding: throw damaged(file.path, "bytes that belong to no member")
      case .between:
        // Each member begins like the first one.
        guard input[consumed] == 0x1F else { throw damaged(file.path, "bytes that belong to no member") }
        unsafe inflateReset(stream)
        state = .inflating
      case .inflating:
        let count = try unsafe inflateSome(into: buffer, file.path)
        if count > 0 { return count }
      case .ended: break
      }
    }
    state = .ended
    return 0
  }

  /// Reads compressed bytes; false at the file's end, which must be after a member.
  private func refill(from file: borrowing Descriptor) throws(FeedFileError) -> Bool {
    consumed = 0
    filled = 0
    filled = try unsafe input.write(from: 0) { bytes throws(FeedFileError) in try unsafe file.read(into: bytes) }
    if filled == 0, state == .inflating { throw damaged(file.path, "the end of the file") }
    return filled > 0
  }

  private func inflateSome(into buffer: UnsafeMutableRawBufferPointer, _ path: String) throws(FeedFileError) -> Int {
    let (start, end) = (consumed, filled)
    let room = min(buffer.count, Int(UInt32.max))
    let code = unsafe input.withUnsafeMutableBufferPointer { bytes in
      unsafe stream.pointee.next_in = bytes.baseAddress.map { unsafe $0 + start }
      unsafe stream.pointee.avail_in = UInt32(end - start)
      unsafe stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      unsafe stream.pointee.avail_out = UInt32(room)
      return unsafe inflate(stream, Z_NO_FLUSH)
    }
    consumed = unsafe filled - Int(stream.pointee.avail_in)
    let count = unsafe room - Int(stream.pointee.avail_out)
    produced += count
    switch code {
    case Z_STREAM_END: state = .between
    // Lack of input is no error: more is read, or the end of the file is reported.
    case Z_OK, Z_BUF_ERROR: break
    default:
      let reason = unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "code \(code)"
      throw damaged(path, "damaged data (\(reason))")
    }
    return count
  }

  private func damaged(_ path: String, _ found: String) -> FeedFileError {
    .damaged(path: path, line: nil, behind: produced, found: found)
  }
}
