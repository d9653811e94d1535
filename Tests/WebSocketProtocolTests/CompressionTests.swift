// SPDX-License-Identifier: Apache-2.0
internal import CZlib
internal import LiveCore
internal import NIOCore
internal import TestSupport
internal import Testing
internal import WebSocketProtocol

@Suite("permessage-deflate")
struct CompressionTests {
  /// The text that compressed payloads are, each a message, to a client.
  private func texts(_ payloads: String..., compression: Compression = Compression()) -> [String]? {
    var bytes = ByteBuffer()
    for payload in payloads { bytes.write(.frame(.text, reserved: 4), ByteBuffer(hex: payload).bytes, from: .server) }
    let reading = Reading(bytes, by: .client, compression: compression)
    return reading.violation == nil
      ? reading.incoming.map { if case .text(let text) = $0 { String(buffer: text) } else { "-" } } : nil
  }

  @Test("reads the examples of RFC 7692, section 7.2.3")
  func examples() {
    #expect(texts("f2 48 cd c9 c9 07 00") == ["Hello"])
    // A second message refers to the first.
    #expect(texts("f2 48 cd c9 c9 07 00", "f2 00 11 00 00") == ["Hello", "Hello"])
    #expect(
      texts("f2 48 cd c9 c9 07 00", "f2 00 11 00 00", compression: Compression(serverNoContextTakeover: true)) == nil)
    #expect(texts("00 05 00 fa ff 48 65 6c 6c 6f 00") == ["Hello"])
    #expect(texts("f3 48 cd c9 c9 07 00 00") == ["Hello"])
    #expect(texts("f2 48 05 00 00 00 ff ff ca c9 c9 07 00") == ["Hello"])
    let fragments = ByteBuffer(hex: "41 03 f2 48 cd 80 04 c9 c9 07 00")
    #expect(
      Reading(fragments, by: .client, compression: Compression()).incoming == [.text(ByteBuffer(string: "Hello"))])
  }

  @Test("a final block neither ends a message nor loses the context")
  func finalBlocks() {
    #expect(texts("f3 48 cd c9 c9 07 00 00", "f2 00 11 00 00") == ["Hello", "Hello"])
    // Two final blocks in a message, and a message that ends with one.
    #expect(
      texts("f3 48 cd c9 c9 07 00 f3 48 cd c9 c9 07 00 00", "f3 48 cd c9 c9 07 00", "f2 00 11 00 00") == [
        "HelloHello", "Hello", "Hello",
      ])
  }

  @Test("empty messages are one byte each")
  func emptyMessages() {
    #expect(texts("00", "00", "f2 48 cd c9 c9 07 00", "00") == ["", "", "Hello", ""])
  }

  @Test("a repeated message is short if the context is kept")
  func contexts() {
    func lengths(_ compression: Compression) -> [Int] {
      var writer = MessageWriter(role: .server, compression: compression)
      return (0..<2).map { _ in
        var bytes = ByteBuffer()
        let text = #"{"match":17,"home":"Bern","away":"Basel","score":[1,2],"minute":57}"#
        writer.write(.text(ByteBuffer(string: text)), into: &bytes)
        return bytes.readableBytes
      }
    }
    let kept = lengths(Compression())
    #expect(kept[1] < 15)
    let afresh = lengths(Compression(serverNoContextTakeover: true))
    #expect(afresh[1] == afresh[0])
    #expect(afresh[0] == kept[0])
  }

  @Test("no reference exceeds the window", arguments: 8...15)
  func windows(bits: Int) {
    var generator = SplitMix64(seed: UInt64(bits))
    // What repeats just within and just beyond the window, in messages of all lengths.
    let block = (0..<(1 << bits)).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var (payloads, bytes) = ([[UInt8]](), ByteBuffer())
    let compression = Compression(serverMaxWindowBits: bits)
    var writer = MessageWriter(role: .server, compression: compression)
    for length in [100, block.count - 3, block.count, 40, block.count / 2, block.count] {
      payloads.append(Array(block.prefix(length)))
      writer.write(.binary(ByteBuffer(bytes: payloads.last ?? [])), into: &bytes)
    }
    // A decoder with exactly this window, which zlib has from 8 bits on.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    defer { unsafe stream.deallocate() }
    let code = unsafe inflateInit2_(stream, -Int32(bits), ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    #expect(code == Z_OK)
    defer { unsafe inflateEnd(stream) }
    for payload in payloads {
      guard let header = try? FrameHeader.read(from: &bytes), let frame = bytes.readBytes(length: header.payloadLength)
      else { break }
      guard header.isCompressed else {
        #expect(frame == payload)
        continue
      }
      var (input, output) = (frame + [0, 0, 0xFF, 0xFF], [UInt8](repeating: 0, count: payload.count + 1))
      let count = unsafe input.withUnsafeMutableBufferPointer { input in
        unsafe output.withUnsafeMutableBufferPointer { output in
          unsafe stream.pointee.next_in = input.baseAddress
          unsafe stream.pointee.avail_in = UInt32(input.count)
          unsafe stream.pointee.next_out = output.baseAddress
          unsafe stream.pointee.avail_out = UInt32(output.count)
          let code = unsafe inflate(stream, Z_SYNC_FLUSH)
          #expect(code == Z_OK)
          return unsafe output.count - Int(stream.pointee.avail_out)
        }
      }
      #expect(Array(output.prefix(count)) == payload)
    }
    #expect(bytes.readableBytes == 0)
  }

  @Test("messages longer than the window are read back", arguments: [9, 15])
  func longMessages(bits: Int) {
    var generator = SplitMix64(seed: 3)
    let compression = Compression(serverMaxWindowBits: bits, clientMaxWindowBits: bits)
    for distinct in [1, 3, 256] {
      let payload = ByteBuffer(
        bytes: (0..<200_000).map { _ in UInt8(Int.random(in: 0..<distinct, using: &generator)) })
      var writer = MessageWriter(role: .client, compression: compression)
      var bytes = ByteBuffer()
      for _ in 0..<3 { writer.write(.binary(payload), into: &bytes) }
      let reading = Reading(bytes, by: .server, compression: compression) { 3_000 }
      #expect(reading.incoming == [.binary(payload), .binary(payload), .binary(payload)])
    }
  }

  @Test(
    "a server accepts the first offer that it supports",
    arguments: [
      ("permessage-deflate", "permessage-deflate"),
      ("permessage-deflate; client_max_window_bits", "permessage-deflate"),
      (
        "permessage-deflate; client_max_window_bits=10; server_max_window_bits=\"9\"",
        "permessage-deflate; server_max_window_bits=9; client_max_window_bits=10"
      ),
      (
        "permessage-deflate;server_no_context_takeover ;\tclient_no_context_takeover",
        "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
      ),
      (
        "x-other, permessage-deflate; unknown, permessage-deflate; server_max_window_bits=8",
        "permessage-deflate; server_max_window_bits=8"
      ),
      ("permessage-deflate; server_max_window_bits", nil),
      ("permessage-deflate; server_max_window_bits=7", nil),
      ("permessage-deflate; server_max_window_bits=16", nil),
      ("permessage-deflate; server_max_window_bits=010", nil),
      ("permessage-deflate; server_max_window_bits=+9", nil),
      ("permessage-deflate; client_max_window_bits=99999999999999999999", nil),
      ("permessage-deflate; server_no_context_takeover=1", nil),
      ("permessage-deflate; server_no_context_takeover; server_no_context_takeover", nil),
      ("x-webkit-deflate-frame", nil),
    ] as [(String, String?)])
  func server(offer: String, answer: String?) throws {
    let offers = try #require(ExtensionField.parse([offer]))
    #expect(Compression(accepting: offers)?.field.description == answer)
  }

  @Test(
    "a client accepts only an answer that it supports",
    arguments: [
      ("permessage-deflate", Compression()),
      (
        "permessage-deflate; server_max_window_bits=8; client_max_window_bits=8",
        Compression(serverMaxWindowBits: 8, clientMaxWindowBits: 8)
      ),
      (
        "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
        Compression(serverNoContextTakeover: true, clientNoContextTakeover: true)
      ),
      ("permessage-deflate; client_max_window_bits", nil),
      ("permessage-deflate; mystery", nil),
      ("permessage-deflate; server_max_window_bits=9; server_max_window_bits=9", nil),
    ] as [(String, Compression?)])
  func client(answer: String, expected: Compression?) throws {
    let field = try #require(ExtensionField.parse([answer])?.first)
    #expect((try? Compression(answer: field)) == expected)
  }

  @Test("client and server agree on the same parameters")
  func bothAgree() throws {
    var generator = SplitMix64(seed: 2)
    for _ in 0..<2_000 {
      let offer = Compression(
        serverMaxWindowBits: Int.random(in: 8...15, using: &generator),
        clientMaxWindowBits: Int.random(in: 8...15, using: &generator),
        serverNoContextTakeover: Bool.random(using: &generator),
        clientNoContextTakeover: Bool.random(using: &generator))
      let offered = try #require(ExtensionField.parse([offer.field.description]))
      let agreed = try #require(Compression(accepting: offered))
      #expect(agreed == offer)
      let answer = try #require(ExtensionField.parse([agreed.field.description])?.first)
      #expect(try Compression(answer: answer) == agreed, "\(offer.field)")
    }
  }
}
