// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import TestSupport
internal import Testing
internal import WebSocketProtocol

@Suite("Frames and masks")
struct FrameTests {
  @Test(
    "the examples of RFC 6455, section 5.7, are read",
    arguments: [
      ("81 05 48 65 6c 6c 6f", Role.client, Incoming.text(ByteBuffer(string: "Hello"))),
      ("81 85 37 fa 21 3d 7f 9f 4d 51 58", .server, .text(ByteBuffer(string: "Hello"))),
      ("01 03 48 65 6c 80 02 6c 6f", .client, .text(ByteBuffer(string: "Hello"))),
      ("89 05 48 65 6c 6c 6f", .client, .ping(ByteBuffer(string: "Hello"))),
      ("8a 85 37 fa 21 3d 7f 9f 4d 51 58", .server, .pong(ByteBuffer(string: "Hello"))),
    ])
  func examples(hex: String, role: Role, expected: Incoming) {
    let reading = Reading(ByteBuffer(hex: hex), by: role)
    #expect(reading.incoming == [expected])
    #expect(reading.violation == nil)
  }

  @Test("each frame of a client has its own mask")
  func keys() throws {
    var writer = MessageWriter(role: .client)
    var bytes = ByteBuffer()
    for _ in 0..<300 { writer.write(.ping(ByteBuffer()), into: &bytes) }
    var keys: Set<MaskKey?> = []
    while let header = try FrameHeader.read(from: &bytes) { keys.insert(header.mask) }
    #expect(keys.count > 290 && !keys.contains(nil))
  }
}

@Suite("UTF-8 in pieces")
struct UTF8Tests {
  /// Returns true if the standard library takes the bytes for UTF-8.
  private func isUTF8(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

  /// Returns true if they are taken for a text, in two frames.
  private func isTaken(_ bytes: [UInt8], cut: Int) -> Bool {
    let frames = ByteBuffer(
      from: .server, (.frame(.text, isFinal: false), Array(bytes[..<cut])),
      (.frame(.continuation), Array(bytes[cut...])))
    return Reading(frames, by: .client).violation == nil
  }

  @Test("the validator agrees with the standard library, however the text is cut")
  func agrees() {
    var generator = SplitMix64(seed: 6)
    let pieces: [[UInt8]] = [
      Array("plain".utf8), Array("κόσμε".utf8), Array("日本".utf8), Array("🏟️".utf8), [0xED, 0xA0, 0x80], [0xC0, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xE0, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xFF], [0x80], [0xF0, 0x80],
      [0xE2, 0x82],
    ]
    var counts = [true: 0, false: 0]
    for _ in 0..<3_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<8, using: &generator) {
        // Mostly good pieces, so that much of it is valid.
        let known = Bool.random(using: &generator) ? pieces.prefix(4) : pieces[...]
        bytes += known.randomElement(using: &generator) ?? []
      }
      let cut = Int.random(in: 0...bytes.count, using: &generator)
      #expect(isTaken(bytes, cut: cut) == isUTF8(bytes), "\(bytes) cut at \(cut)")
      counts[isUTF8(bytes), default: 0] += 1
    }
    #expect(counts.values.allSatisfy { $0 > 500 })
  }

  @Test("every text of two bytes and characters of every length are validated")
  func exhaustive() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        #expect(isTaken([first, second], cut: 1) == isUTF8([first, second]))
      }
    }
    for value in stride(from: UInt32(0), through: 0x10FFFF, by: 97) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect(isTaken(Array(String(scalar).utf8), cut: 0))
    }
  }

  @Test(
    "an invalid prefix is refused at its first invalid byte",
    arguments: [
      ([0x61, 0xC0], 1), ([0xED, 0xA0], 1), ([0xF4, 0x90], 1), ([0xE0, 0x9F], 1), ([0xF0, 0x8F], 1),
      ([0xE2, 0x82, 0x41], 2), ([0xF8], 0),
    ] as [([UInt8], Int)])
  func failsFast(bytes: [UInt8], good: Int) {
    // More of the frame is to come.
    var frame = ByteBuffer()
    FrameHeader(.text, payloadLength: 100).write(into: &frame)
    let header = frame.readableBytes
    frame.writeBytes(bytes)
    #expect(Reading(frame, by: .client) { 1 }.violatedAfter == header + good + 1)
  }
}
