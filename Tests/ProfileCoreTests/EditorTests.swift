// SPDX-License-Identifier: Apache-2.0
import LiveCore
import ProfileCore
import Testing

@Suite("Fields that save themselves")
struct EditorTests {
  /// An editor with a clock; each event comes at its millisecond.
  struct Bench {
    var editor: FieldEditor<String>

    init(_ field: ProfileField = .bio, _ text: String = "old", policy: ConflictPolicy = .merge) {
      var settings = EditorSettings()
      settings.policy = policy
      editor = FieldEditor(field, Stored(text, version: 1), settings: settings)
    }

    mutating func at(_ milliseconds: Int64, _ event: FieldEvent<String>) -> FieldEffects<String> {
      editor.handle(event, at: Instant.zero + .milliseconds(milliseconds), word: 1 << 63)
    }

    /// Types, waits for the pause, and returns the save.
    mutating func save(_ text: String, at milliseconds: Int64 = 0) throws -> Save<String> {
      _ = at(milliseconds, .typed(text))
      return try #require(at(milliseconds + 800, .timer).send)
    }
  }

  @Test("go from idle through pending and saving to saved, with one request for a burst of keys")
  func life() throws {
    var bench = Bench()
    #expect(bench.editor.status == .idle)
    _ = bench.at(0, .focused)
    #expect(bench.editor.status == .editing)
    #expect(bench.at(100, .typed("o")).store?.text == "o")
    #expect(bench.at(500, .typed("on")).send == nil && bench.editor.status == .pending)
    #expect(bench.editor.wake == .zero + .milliseconds(1_300))
    let save = try #require(bench.at(1_300, .timer).send)
    #expect(save == Save(number: 1, text: "on", version: 1) && bench.editor.status == .saving)
    #expect(bench.at(1_400, .answered(1, SaveAnswer(200, Stored("on", version: 2)))).forgets)
    _ = bench.at(1_500, .left)
    #expect(bench.editor.status == .saved && bench.editor.wake == .never)
  }

  @Test("save immediately when the field loses focus, and at least every ten seconds during typing")
  func leaving() {
    var bench = Bench()
    _ = bench.at(0, .typed("a"))
    #expect(bench.at(1, .left).send?.text == "a")
    bench = Bench()
    var sent: Int64?
    for key in 0..<40 where sent == nil {
      let now = Int64(key) * 300
      if bench.at(now, .typed(String(repeating: "a", count: key + 1))).send != nil { sent = now }
    }
    #expect(sent == 10_200)
  }

  @Test("keep an invalid text, state the reason, and do not send it")
  func invalid() {
    var bench = Bench(.email, "")
    let effects = bench.at(0, .typed("nobody@"))
    #expect(effects.store?.text == "nobody@" && bench.at(800, .timer).send == nil)
    #expect(bench.editor.status == .invalid(.isNoAddress))
    #expect(bench.at(900, .typed("nobody@example.org")).send == nil)
    #expect(bench.at(1_700, .timer).send?.text == "nobody@example.org")
  }

  @Test("treat a 412 with their own text as a success whose answer was lost, also after a restart")
  func ownConflict() throws {
    var bench = Bench(policy: .ask)
    let save = try bench.save("mine")
    var effects = bench.at(20_800, .timer)
    #expect(effects.send == nil && effects.store?.unsure == "mine")
    let record = try #require(effects.store)
    bench.editor = FieldEditor(.bio, restoring: record, settings: bench.editor.settings, at: .zero + .seconds(60))
    effects = bench.at(60_000, .timer)
    #expect(effects.send?.text == "mine" && effects.send?.number == save.number + 1)
    _ = bench.at(60_100, .answered(save.number + 1, SaveAnswer(412, Stored("mine", version: 2))))
    #expect(bench.editor.theirs == nil && bench.editor.base == Stored("mine", version: 2) && !bench.editor.isDirty)
  }

  @Test(
    "settle a conflict by policy, and keep aside the text that gives way",
    arguments: [
      (ConflictPolicy.mine, "I ride in Bern", "You ride in Basel"), (.theirs, "You ride in Basel", "I ride in Bern"),
      (.merge, "You ride in Bern", nil),
    ] as [(ConflictPolicy, String, String?)])
  func conflicts(policy: ConflictPolicy, text: String, kept: String?) throws {
    var bench = Bench(.bio, "I ride in Basel", policy: policy)
    let save = try bench.save("I ride in Bern")
    let effects = bench.at(900, .answered(save.number, SaveAnswer(412, Stored("You ride in Basel", version: 5))))
    #expect(bench.editor.text == text && effects.keep == kept)
    #expect(effects.send?.version == (policy == .theirs ? nil : 5))
  }

  @Test("ask if both sides rewrote one word, keep further typing, and continue with the choice")
  func asking() throws {
    var bench = Bench(.displayName, "Anna")
    let save = try bench.save("Anne")
    _ = bench.at(900, .answered(save.number, SaveAnswer(412, Stored("Anja", version: 2))))
    #expect(bench.editor.status == .conflicted && bench.editor.text == "Anne" && bench.editor.wake == .never)
    let effects = bench.at(5_000, .chose("Anja"))
    #expect(effects.keep == "Anne" && effects.forgets && bench.editor.text == "Anja")
  }

  @Test("wait as long as the server asks, also after a restart")
  func retryAfter() throws {
    var bench = Bench()
    let save = try bench.save("new")
    let effects = bench.at(900, .answered(save.number, SaveAnswer(429, retryAfter: .seconds(30))))
    #expect(bench.editor.wake >= .zero + .milliseconds(30_900))
    let record = try #require(effects.store)
    let restored = FieldEditor(.bio, restoring: record, settings: EditorSettings(), at: .zero + .seconds(2))
    #expect(restored.wake == .zero + .milliseconds(30_900))
  }

  @Test("show a refusal, keep the text, and try again after a change")
  func refused() throws {
    var bench = Bench()
    let save = try bench.save("rude")
    #expect(bench.at(900, .answered(save.number, SaveAnswer(422))).store?.text == "rude")
    #expect(bench.editor.status == .failed(status: 422) && bench.editor.wake == .never)
    _ = bench.at(2_000, .typed("kind"))
    #expect(bench.at(2_800, .timer).send?.text == "kind")
  }

  @Test("try again after an invalid answer, and request the text that a 412 left out")
  func nonsense() throws {
    var bench = Bench()
    var save = try bench.save("new")
    _ = bench.at(900, .answered(save.number, SaveAnswer(200, Stored("new", version: -3))))
    #expect(bench.editor.isDirty && bench.editor.inFlight == nil && bench.editor.wake < .never)
    save = try #require(bench.at(60_000, .timer).send)
    #expect(bench.at(60_100, .answered(save.number, SaveAnswer(412))).fetches)
    #expect(bench.at(60_200, .refreshed(Stored("new", version: 2))).forgets && !bench.editor.isDirty)
  }

  @Test("undo a burst of typing, and the undo")
  func undo() {
    var bench = Bench()
    _ = bench.at(0, .typed("older"))
    _ = bench.at(100, .typed("oldest"))
    #expect(bench.at(200, .undo).forgets && bench.editor.text == "old")
    #expect(bench.at(300, .undo).store?.text == "oldest")
  }

  @Test("undo after another device's change as an edit on top of it")
  func undoOnTop() throws {
    var bench = Bench(.bio, "I ride.")
    let save = try bench.save("I ride a bike.")
    _ = bench.at(900, .answered(save.number, SaveAnswer(200, Stored("I ride a bike.", version: 2))))
    _ = bench.at(5_000, .refreshed(Stored("I ride a bike. I live in Basel.", version: 3)))
    #expect(bench.at(6_000, .undo).keep == nil)
    let send = try #require(bench.at(6_800, .timer).send)
    #expect(send.text == "I ride. I live in Basel." && send.version == 3)
  }

  @Test("keep both texts if an undo and another device's change are to the same words")
  func undoConflict() throws {
    var bench = Bench(.email, "a@example.org")
    let save = try bench.save("b@example.org")
    _ = bench.at(900, .answered(save.number, SaveAnswer(200, Stored("b@example.org", version: 2))))
    _ = bench.at(5_000, .refreshed(Stored("c@example.org", version: 3)))
    let record = try #require(bench.at(6_000, .undo).store)
    #expect(bench.editor.status == .conflicted && bench.editor.theirs?.text == "c@example.org")
    #expect(bench.at(6_800, .timer).send == nil)
    // After a restart the save names the version before the other device's, so the server refuses to overwrite it.
    #expect(record.text == "a@example.org" && record.version == 2)
    let effects = bench.at(7_000, .chose("a@example.org"))
    #expect(effects.keep == "c@example.org" && effects.send?.version == 3)
  }

  @Test("never merge two values into one that nobody typed: they ask")
  func values() throws {
    for (field, base, mine, theirs) in [
      (ProfileField.email, "ann@example.org", "ann@example.com", "ann.b@example.org"),
      (.phone, "+41441234567", "+41441234568", "+41791234567"),
      (.displayName, "Ann Meier", "Anne Meier", "Ann Huber"),
      (.bio, "Call +41 44 123 45 67 or write", "Call +41 44 123 45 68 or write", "Call +41 79 123 45 67 or write"),
      (.bio, "Born 12 March 1990.", "Born 13 March 1990.", "Born 12 April 1990."),
      (.bio, "See www.example.org/a now", "See www.example.com/a now", "See www.example.org/b now"),
    ] {
      var bench = Bench(field, base)
      let save = try bench.save(mine)
      _ = bench.at(900, .answered(save.number, SaveAnswer(412, Stored(theirs, version: 2))))
      #expect(bench.editor.status == .conflicted && bench.editor.text == mine, "\(mine)")
      #expect(bench.editor.theirs?.text == theirs)
    }
  }

  @Test("accept a bio pasted unchanged: any line ends, and tabs as blanks")
  func pasted() {
    var bench = Bench()
    _ = bench.at(0, .typed("a\r\nb\rc\td"))
    #expect(bench.editor.text == "a\nb\nc d" && bench.editor.status == .pending)
  }

  @Test("keep typed text when a refresh arrives, and take its text if there is none")
  func refreshing() {
    var bench = Bench()
    _ = bench.at(0, .refreshed(Stored("theirs", version: 2)))
    #expect(bench.editor.text == "theirs")
    _ = bench.at(10, .typed("mine"))
    _ = bench.at(20, .refreshed(Stored("theirs again", version: 3)))
    #expect(bench.editor.text == "mine" && bench.editor.base.version == 2)
  }

  @Test(
    "are checked by what may stand in them",
    arguments: [
      (ProfileField.displayName, "  ", FieldProblem.isEmpty), (.displayName, "a\nb", .hasControlCharacter),
      (.displayName, String(repeating: "👨‍👩‍👧", count: 51), .isTooLong(count: 51, maximum: 50)),
      (.username, "x", .isReadOnly), (.phone, "+0441234567", .isNoPhoneNumber),
      (.phone, "+41 44 123 45 67", .isNoPhoneNumber),
      (.email, "a@b", .isNoAddress), (.email, "a@-b.org", .isNoAddress), (.bio, "a\u{0}", .hasControlCharacter),
    ])
  func problems(field: ProfileField, text: String, problem: FieldProblem) {
    #expect(text.problem(in: field) == problem)
  }

  @Test(
    "take what is right",
    arguments: [(ProfileField.phone, "+41441234567"), (.email, "a.b+c@d-e.example.org"), (.bio, "a\nb"), (.email, "")])
  func fine(field: ProfileField, text: String) { #expect(text.problem(in: field) == nil) }
}
