// SPDX-License-Identifier: Apache-2.0
import LiveCore
import LiveSockets
import NIOCore
import Testing

@Suite("The stream protocol's messages")
struct StreamMessageTests {
  @Test(
    "each message is one text, and reads back",
    arguments: [
      (.resume(after: StreamPosition(epoch: 1, offset: 42)), "resume 1/42"),
      (.resume(after: nil), "resume now"),
      (.resumed(after: StreamPosition(epoch: .max, offset: .max)), "resumed 4294967295/18446744073709551615"),
      (.message(StreamPosition(epoch: 1, offset: 43), ByteBuffer(string: "a b")), "message 1/43 a b"),
      (.message(StreamPosition(epoch: 1, offset: 43), ByteBuffer()), "message 1/43 "),
      (.send(MessageNumber(7), ByteBuffer(string: " x")), "send 7  x"),
      (.acknowledged(through: MessageNumber(7)), "acknowledged 7"),
    ] as [(StreamMessage, String)])
  func readsBack(message: StreamMessage, text: String) {
    var buffer = ByteBuffer()
    message.write(into: &buffer)
    #expect(String(buffer: buffer) == text)
    #expect(StreamMessage(buffer) == message)
  }

  @Test(
    "any other text is refused",
    arguments: [
      "", "resume", "resume ", "resume now ", "resume 1", "resume 1/", "resume /1", "resume 1/2 ", "resume -1/2",
      "resumed now", "resume 4294967296/0", "resume 1/18446744073709551616", "message 1/2", "send 7", "send x y",
      "acknowledged 7 ", "acknowledged", "Resume now", "message  1/2 x", "unknown 1",
    ])
  func refuses(text: String) {
    #expect(StreamMessage(ByteBuffer(string: text)) == nil)
  }
}
