// SPDX-License-Identifier: GPL-3.0-or-later
import CZlib
import Foundation
import TestSupport

extension TemporaryFolder {
  /// Writes a file and gives its path.
  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: url.appendingPathComponent(name))
    return path(name)
  }

  func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }
}

/// A member of a gzip file that holds a text.
func gzip(_ text: String) -> [UInt8] {
  var stream = unsafe z_stream()
  let version = ZLIB_VERSION
  let size = unsafe Int32(MemoryLayout<z_stream>.size)
  _ = unsafe deflateInit2_(&stream, 6, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY, version, size)
  var input = Array(text.utf8)
  var output = unsafe [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))) + 64)
  unsafe input.withUnsafeMutableBufferPointer { source in
    unsafe output.withUnsafeMutableBufferPointer { target in
      unsafe stream.next_in = source.baseAddress
      unsafe stream.avail_in = UInt32(source.count)
      unsafe stream.next_out = target.baseAddress
      unsafe stream.avail_out = UInt32(target.count)
      _ = unsafe deflate(&stream, Z_FINISH)
    }
  }
  output.removeLast(Int(unsafe stream.avail_out))
  _ = unsafe deflateEnd(&stream)
  return output
}
