// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import LiveCore
import ProfileCore
import ProfileStore
import TestSupport
import Testing

@Suite("The queue of edits")
struct EditQueueTests {
  private static func typed(_ text: String, number: Int = 3) -> FieldEffects<String> {
    var effects = FieldEffects<String>()
    effects.store = FieldRecord(
      text: text, base: "old", version: 2, unsure: "sent", nextSave: number, notBefore: Instant(nanoseconds: 7))
    return effects
  }

  @Test("survives a restart, whole, with what was kept aside")
  func restart() throws {
    let folder = try TemporaryFolder()
    do {
      let queue = try EditQueue(folder.path("edits"))
      try queue.apply(Self.typed("new\u{0}text 👩‍🚀"), of: .bio)
      var kept = FieldEffects<String>()
      kept.keep = "theirs"
      try queue.apply(kept, of: .bio)
    }
    let queue = try EditQueue(folder.path("edits"))
    #expect(try queue.record(of: .bio) == Self.typed("new\u{0}text 👩‍🚀").store)
    #expect(try queue.kept(of: .bio) == ["theirs"] && queue.losses.isEmpty)
    #expect(try queue.record(of: .email) == nil)
  }

  @Test("forgets a saved text but not the number of the next save")
  func forgets() throws {
    let folder = try TemporaryFolder()
    let queue = try EditQueue(folder.path("edits"))
    #expect(try queue.nextSave(of: .bio) == 1)
    try queue.apply(Self.typed("a", number: 9), of: .bio)
    var saved = FieldEffects<String>()
    saved.forgets = true
    try queue.apply(saved, of: .bio)
    #expect(try queue.record(of: .bio) == nil)
    #expect(try queue.nextSave(of: .bio) == 9)
  }

  @Test("holds a text of a megabyte, and one with bytes that are no UTF-8 stays readable")
  func large() throws {
    let folder = try TemporaryFolder()
    let queue = try EditQueue(folder.path("edits"))
    let text = String(repeating: "0123456789abcdef", count: 65_536)
    try queue.apply(Self.typed(text), of: .bio)
    #expect(try queue.record(of: .bio)?.text == text)
    // A lone surrogate, as an old app may have written it.
    let broken = String(decoding: [0x61, 0xED, 0xA0, 0x80, 0x62] as [UInt8], as: UTF8.self)
    try queue.apply(Self.typed(broken), of: .displayName)
    #expect(try queue.record(of: .displayName)?.text.hasPrefix("a\u{FFFD}") == true)
  }

  @Test("a file that is none is kept aside under a name that is free, and a fresh queue begins")
  func damaged() throws {
    let folder = try TemporaryFolder([
      "edits": "this is no database, however long it goes on", "edits.damaged": "older",
    ])
    let queue = try EditQueue(folder.path("edits"))
    #expect(queue.losses.contains { $0.contains("edits.damaged-2") })
    try queue.apply(Self.typed("a"), of: .bio)
    #expect(try queue.record(of: .bio)?.text == "a")
    #expect(try String(contentsOfFile: folder.path("edits.damaged"), encoding: .utf8) == "older")
  }

  @Test("of a file with a damaged page what can be read is saved, and the rest is named")
  func page() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("edits")
    do {
      let queue = try EditQueue(path)
      try queue.apply(Self.typed("short"), of: .displayName)
      try queue.apply(Self.typed(String(repeating: "x", count: 60_000)), of: .bio)
    }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // The last pages hold what of the long text does not fit into its row.
    let last = bytes.count - 4_096 * 2
    bytes.replaceSubrange(last..<bytes.count, with: Data(repeating: 0xFF, count: bytes.count - last))
    try bytes.write(to: URL(fileURLWithPath: path))
    let queue = try EditQueue(path)
    #expect(try queue.record(of: .displayName)?.text == "short", "\(queue.losses)")
    let isKept = FileManager.default.fileExists(atPath: path + ".damaged")
    let bio = try queue.record(of: .bio)
    #expect(isKept && (bio != nil || queue.losses.contains { $0.hasPrefix("bio: ") }))
  }
}
