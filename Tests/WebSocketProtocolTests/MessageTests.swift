// SPDX-License-Identifier: Apache-2.0
internal import LiveCore
internal import NIOCore
internal import TestSupport
internal import Testing
internal import WebSocketProtocol

@Suite("Messages")
struct MessageTests {
  /// Messages and control frames of every kind and of the lengths at which headers change.
  private static func conversation(
    from role: Role, lengths: [Int], compression: Compression?
  ) -> (ByteBuffer, [Incoming]) {
    var writer = MessageWriter(role: role, compression: compression, maskKeys: MaskKeys(from: SplitMix64(seed: 4)))
    var (bytes, sent) = (ByteBuffer(), [Incoming]())
    for length in lengths {
      let text = ByteBuffer(
        string: String(String(repeating: "Tor in der 89. Minute! ⚽ ", count: length / 26 + 1).prefix(length)))
      let binary = ByteBuffer(bytes: (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      let short = ByteBuffer(bytes: binary.bytes.prefix(125))
      sent += [.text(text), .ping(short), .binary(binary), .pong(short)]
    }
    sent.append(.close(CloseCode(4_321), reason: "Schlußpfiff"))
    for message in sent { writer.write(message, into: &bytes) }
    return (bytes, sent)
  }

  @Test(
    "messages are read as written, in pieces of any length", arguments: [Role.client, .server],
    [
      nil, Compression(), Compression(serverNoContextTakeover: true, clientNoContextTakeover: true),
      Compression(serverMaxWindowBits: 9, clientMaxWindowBits: 9),
      Compression(serverMaxWindowBits: 8, clientMaxWindowBits: 8),
      Compression(serverMaxWindowBits: 10, clientMaxWindowBits: 12, clientNoContextTakeover: true),
    ])
  func roundTrips(role: Role, compression: Compression?) {
    var generator = SplitMix64(seed: 5)
    for (lengths, pieces) in [
      ([0, 1, 125, 126, 300], [1, 2, 3, 7, 64, 2_000]), ([65_535, 65_536], [1_000, 70_000, 300_000]),
    ] {
      let (bytes, sent) = Self.conversation(from: role, lengths: lengths, compression: compression)
      for longest in pieces {
        let reading = Reading(bytes, by: role.peer, compression: compression) {
          Int.random(in: 1...longest, using: &generator)
        }
        #expect(reading.incoming == sent, "pieces of up to \(longest) bytes")
        #expect(reading.violation == nil)
      }
    }
  }

  @Test("random messages in random fragments with control frames between them are read as written", arguments: 0..<60)
  func fragments(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    var (bytes, sent) = (ByteBuffer(), [Incoming]())
    for _ in 0..<10 {
      let isText = Bool.random(using: &generator)
      let text = String(
        (0..<Int.random(in: 0..<300, using: &generator)).map { _ in "aé€😀z".randomElement(using: &generator) ?? "-" })
      let payload = Array(text.utf8)
      let frames = Int.random(in: 1...6, using: &generator)
      let cuts = ([0, payload.count] + (1..<frames).map { _ in Int.random(in: 0...payload.count, using: &generator) })
        .sorted()
      for (index, start) in cuts.dropLast().enumerated() {
        let opcode: Opcode = index > 0 ? .continuation : isText ? .text : .binary
        bytes.write(
          .frame(opcode, isFinal: index == frames - 1), Array(payload[start..<cuts[index + 1]]), from: .client)
        if index < frames - 1, Bool.random(using: &generator) {
          bytes.write(.frame(.ping), [UInt8(index)], from: .client)
          sent.append(.ping(ByteBuffer(bytes: [UInt8(index)])))
        }
      }
      sent.append(isText ? .text(ByteBuffer(bytes: payload)) : .binary(ByteBuffer(bytes: payload)))
    }
    for longest in [1, 5, 50, 100_000] {
      let reading = Reading(bytes, by: .server) { Int.random(in: 1...longest, using: &generator) }
      #expect(reading.incoming == sent)
      #expect(reading.violation == nil)
    }
  }

  @Test("messages of one buffer do not share their unmasked bytes")
  func separateMessages() {
    let payloads = (0..<20).map { index in (0..<2_000).map { UInt8(truncatingIfNeeded: $0 &* 3 &+ index) } }
    var bytes = ByteBuffer()
    for payload in payloads { bytes.write(.frame(.binary), payload, from: .client) }
    // All of them are held until the last is read.
    #expect(Reading(bytes, by: .server).incoming == payloads.map { .binary(ByteBuffer(bytes: $0)) })
  }

  struct Bad: CustomTestStringConvertible {
    var testDescription: String
    var bytes: ByteBuffer
    var code: UInt16
    var role = Role.server
    var compression: Compression?
    /// How many bytes are enough to see it; all of them where nil.
    var seenAfter: Int?

    init(_ name: String, code: UInt16 = 1002, hex: String) {
      (testDescription, bytes, self.code) = (name, ByteBuffer(hex: hex), code)
    }

    /// Frames of a client, read by a server.
    init(
      _ name: String, code: UInt16 = 1002, compresses: Bool = false, seenAfter: Int? = nil,
      _ frames: (FrameHeader, [UInt8])...
    ) {
      (testDescription, bytes, self.code, self.seenAfter) = (name, ByteBuffer(), code, seenAfter)
      compression = compresses ? Compression() : nil
      for (header, payload) in frames { bytes.write(header, payload, from: .client) }
    }

    /// A frame that the reader's own end could have sent.
    static func mirrored(_ name: String, by role: Role, seenAfter: Int) -> Bad {
      var bad = Bad(name, seenAfter: seenAfter)
      (bad.bytes, bad.role) = (ByteBuffer(from: role, (.frame(.text), [65])), role)
      return bad
    }
  }

  static let bad: [Bad] =
    (Array(3...7) + Array(0xB...0xF)).map { Bad("opcode \($0)", hex: "8\(String($0, radix: 16)) 80") }
    + (1...7).map { Bad("reserved bits \($0)", (.frame(.text, reserved: $0), [])) }
    + [2, 3, 5, 7].map {
      Bad("reserved bits \($0) with compression", compresses: true, (.frame(.text, reserved: $0), [0]))
    }
    + [Opcode.ping, .pong, .close].flatMap { opcode in
      [
        Bad("\(opcode) in fragments", (.frame(opcode, isFinal: false), [])),
        Bad("\(opcode) of 126 bytes", seenAfter: 2, (.frame(opcode), Array(repeating: 1, count: 126))),
        Bad("compressed \(opcode)", compresses: true, (.frame(opcode, reserved: 4), [])),
      ]
    }
    + [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535].map { code in
      Bad("close code \(code)", (.frame(.close), [UInt8(code >> 8), UInt8(code & 255)]))
    }
    + [
      Bad("half a close code", (.frame(.close), [3])), Bad("bad reason", code: 1007, (.frame(.close), [3, 232, 0xC3])),
      .mirrored("unmasked client", by: .server, seenAfter: 2), .mirrored("masked server", by: .client, seenAfter: 6),
      Bad("5 in 16 bits", hex: "82 fe 00 05"),
      Bad("65535 in 64 bits", hex: "82 ff 00 00 00 00 00 00 ff ff"),
      Bad("length of 64 bits", hex: "82 ff 80 00 00 00 00 01 00 00"),
      Bad("longest length", code: 1009, hex: "82 ff 7f ff ff ff ff ff ff ff 00 00 00 00"),
      Bad("continuation of nothing", seenAfter: 6, (.frame(.continuation), [65])),
      Bad(
        "continuation behind a whole message", seenAfter: 13, (.frame(.text), [65]), (.frame(.continuation), [66])),
      Bad("message within a message", seenAfter: 13, (.frame(.text, isFinal: false), [65]), (.frame(.binary), [66])),
      Bad(
        "compressed continuation", compresses: true, seenAfter: 13, (.frame(.text, isFinal: false, reserved: 4), [0]),
        (.frame(.continuation, reserved: 4), [0])),
      Bad(
        "invalid byte in the middle of a frame", code: 1007, seenAfter: 6 + 10 + 2,
        (.frame(.text), Array("κόσμε".utf8) + [0xED, 0xA0, 0x80] + Array("edited".utf8))),
      Bad(
        "invalid byte in a second fragment", code: 1007, seenAfter: 14, (.frame(.text, isFinal: false), [0xF4]),
        (.frame(.continuation), [0x90, 0x80, 0x80])),
      Bad("cut character", code: 1007, (.frame(.text), [0xE2, 0x82])),
      Bad("no deflate", code: 1007, compresses: true, (.frame(.binary, reserved: 4), [0xFF, 0xFF, 0xFF])),
      Bad("cut deflate", code: 1007, compresses: true, (.frame(.binary, reserved: 4), [0xF2, 0x48])),
      Bad("compressed nothing", code: 1007, compresses: true, (.frame(.binary, reserved: 4), [])),
      Bad(
        "compressed invalid text", code: 1007, compresses: true,
        (.frame(.text, reserved: 4), [0x00, 0x01, 0x00, 0xFE, 0xFF, 0xFF, 0x00])),
    ]

  @Test("every violation has its close code, and is found at its first byte however it is cut", arguments: bad)
  func violations(_ bad: Bad) {
    let whole = Reading(bad.bytes, by: bad.role, compression: bad.compression)
    #expect(whole.violation?.code == CloseCode(bad.code))
    let single = Reading(bad.bytes, by: bad.role, compression: bad.compression) { 1 }
    #expect(single == whole)
    #expect(single.violatedAfter == bad.seenAfter ?? single.violatedAfter)
    #expect(whole.violation.map { $0.reason.utf8.count <= 123 } == true)
  }

  @Test("bytes after a close frame or a violation are dropped")
  func ends() throws {
    var bytes = ByteBuffer(from: .client, (.frame(.close), []), (.frame(.text), [65]))
    var reader = MessageReader(role: .server)
    #expect(try reader.read(from: &bytes) == .close(nil, reason: ""))
    #expect(bytes.readableBytes == 0)
    bytes.write(.frame(.text), [65], from: .client)
    #expect(try reader.read(from: &bytes) == nil)
    #expect(bytes.readableBytes == 0)

    reader = MessageReader(role: .server)
    bytes = ByteBuffer(from: .client, (.frame(.text, reserved: 1), []), (.frame(.text), [65]))
    #expect(throws: ProtocolViolation.self) { try reader.read(from: &bytes) }
    #expect(try reader.read(from: &bytes) == nil)
    #expect(bytes.readableBytes == 0)
  }

  @Test("a close frame has a valid code or none, and its reason is cut between characters")
  func closes() {
    func written(_ code: CloseCode?, _ reason: String) -> [Incoming] {
      var writer = MessageWriter(role: .server)
      var bytes = ByteBuffer()
      writer.write(.close(code, reason: reason), into: &bytes)
      return Reading(bytes, by: .client).incoming
    }
    #expect(written(nil, "ignored") == [.close(nil, reason: "")])
    for code in [1005, 1006, 1015, 0, 5000] as [UInt16] {
      #expect(written(CloseCode(code), "x") == [.close(nil, reason: "")])
    }
    for code in [1000, 1003, 1007, 1011, 1014, 3000, 4999] as [UInt16] {
      #expect(written(CloseCode(code), "") == [.close(CloseCode(code), reason: "")])
    }
    #expect(
      written(CloseCode(1000), String(repeating: "é", count: 70)) == [
        .close(CloseCode(1000), reason: String(repeating: "é", count: 61))
      ])
  }
}

@Suite("Limits of memory that a peer can claim")
struct LimitTests {
  @Test("a message of the limit's length is read, and one byte more is refused by its header")
  func length() {
    func text(_ lengths: Int...) -> ByteBuffer {
      var bytes = ByteBuffer()
      for (index, length) in lengths.enumerated() {
        bytes.write(
          .frame(index == 0 ? .text : .continuation, isFinal: index == lengths.count - 1),
          Array(repeating: 65, count: length),
          from: .client)
      }
      return bytes
    }
    for good in [text(1_000), text(500, 500), text(0, 1_000, 0), text(1_000, 0)] {
      #expect(Reading(good, by: .server, limit: 1_000).incoming.count == 1)
    }
    for (bad, header) in [(text(1_001), 8), (text(500, 501), 8 + 500 + 8), (text(1_000, 1), 8 + 1_000 + 6)] {
      let reading = Reading(bad, by: .server, limit: 1_000) { 1 }
      #expect(reading.violation?.code == CloseCode(1009))
      #expect(reading.violatedAfter == header)
      #expect(reading.maxKept <= 1_000 + 140)
    }
  }

  @Test("a message of too many frames is refused")
  func fragments() {
    for (count, isGood) in [(5, true), (6, false)] {
      var bytes = ByteBuffer()
      for index in 0..<count {
        bytes.write(.frame(index == 0 ? .text : .continuation, isFinal: index == count - 1), [65], from: .client)
      }
      let reading = Reading(bytes, by: .server, maxFragments: 5)
      #expect(reading.incoming.count == (isGood ? 1 : 0))
      #expect(reading.violation?.code == (isGood ? nil : CloseCode(1008)))
    }
  }

  @Test("a compressed bomb is refused when it has grown to the limit", arguments: [1_000, 1 << 20])
  func bomb(limit: Int) {
    var writer = MessageWriter(role: .client, compression: Compression())
    var bytes = ByteBuffer()
    writer.write(.binary(ByteBuffer(repeating: 0, count: 32 << 20)), into: &bytes)
    #expect(bytes.readableBytes < 64 << 10)
    let length = bytes.readableBytes
    let reading = Reading(bytes, by: .server, limit: limit, compression: Compression()) {
      length <= limit ? length : 50
    }
    #expect(reading.violation?.code == CloseCode(1009))
    #expect(reading.maxKept <= limit + 140)
    // As long as the limit is not too long.
    var (exact, sent) = (ByteBuffer(), ByteBuffer(repeating: 7, count: limit))
    sent.setInteger(UInt8(1), at: limit / 2)
    writer = MessageWriter(role: .client, compression: Compression())
    writer.write(.binary(sent), into: &exact)
    #expect(Reading(exact, by: .server, limit: limit, compression: Compression()).incoming == [.binary(sent)])
  }

  @Test("a compressed message of endless empty blocks is refused")
  func emptyBlocks() {
    var bytes = ByteBuffer()
    let blocks = Array(repeatElement([0x00, 0x00, 0x00, 0xFF, 0xFF] as [UInt8], count: 1_000).joined())
    bytes.write(.frame(.binary, isFinal: false, reserved: 4), blocks, from: .client)
    #expect(
      Reading(bytes, by: .server, limit: 1_000, compression: Compression()).violation?.code == CloseCode(1009))
  }

  @Test("random and mutated bytes never trap, never exceed the limit, and read the same however cut")
  func fuzz() {
    var generator = SplitMix64(seed: 8)
    var (violated, read) = (0, 0)
    for round in 0..<4_000 {
      let role: Role = Bool.random(using: &generator) ? .client : .server
      let compression = Bool.random(using: &generator) ? Compression() : nil
      var bytes = ByteBuffer()
      if round % 4 == 0 {
        bytes.writeBytes(
          (0..<Int.random(in: 0..<60, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) })
      } else {
        var writer = MessageWriter(
          role: role.peer, compression: compression, maskKeys: MaskKeys(from: SplitMix64(seed: 1)))
        for _ in 0..<4 {
          let text = String(repeating: "κόσμε, ", count: Int.random(in: 0..<30, using: &generator))
          writer.write(.text(ByteBuffer(string: text)), into: &bytes)
          writer.write(.ping(ByteBuffer(string: "1")), into: &bytes)
        }
        for _ in 0..<Int.random(in: 0..<4, using: &generator) {
          let at = Int.random(in: 0..<bytes.readableBytes, using: &generator)
          bytes.setInteger(UInt8.random(in: 0...255, using: &generator), at: at)
        }
      }
      let whole = Reading(bytes, by: role, limit: 1_000, compression: compression)
      let cut = Reading(bytes, by: role, limit: 1_000, compression: compression) {
        Int.random(in: 1...9, using: &generator)
      }
      // Of two violations in one message, the one that is found first may depend on the cuts.
      #expect(whole.incoming == cut.incoming)
      #expect((whole.violation == nil) == (cut.violation == nil))
      #expect(cut.maxKept <= 1_000 + 140)
      violated += whole.violation == nil ? 0 : 1
      read += whole.incoming.count
    }
    #expect(violated > 500)
    #expect(read > 2_000)
  }
}
