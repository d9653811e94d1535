// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import ProfileCore
internal import PropertyTesting

/// A bug in the editor, for mutation testing.
struct EditorFault: Sendable {
  /// True if the editor forgets after a restart which save numbers it has used.
  let forgetsNumbers: Bool
  /// Handles an event in place of the editor.
  let handle: @Sendable (FieldEvent<EditSet>, inout EditorUnderTest) -> FieldEffects<EditSet>
}

/// An editor under test: the shipped one, optionally with a fault.
struct EditorUnderTest {
  var editor: FieldEditor<EditSet>
  private let fault: EditorFault?
  /// The time of the event being handled, and its random bits.
  private var call: (now: Instant, word: UInt64) = (.zero, 0)
  /// State that a fault keeps.
  var held: EditSet?
  var earlier: EditSet?
  var conflict: Stored<EditSet>?
  var isAsleep = false
  var isOffline = false
  private var extras = 0

  init(_ editor: FieldEditor<EditSet>, _ fault: EditorFault?) { (self.editor, self.fault) = (editor, fault) }

  var text: EditSet { editor.text }
  var theirs: Stored<EditSet>? { conflict ?? editor.theirs }
  var wake: Instant { isAsleep ? .never : editor.wake }

  mutating func handle(_ event: FieldEvent<EditSet>, at now: Instant, word: UInt64) -> FieldEffects<EditSet> {
    guard let fault else { return editor.handle(event, at: now, word: word) }
    call = (now, word)
    return fault.handle(event, &self)
  }

  /// Handles an event as the shipped editor does.
  mutating func ship(_ event: FieldEvent<EditSet>) -> FieldEffects<EditSet> {
    editor.handle(event, at: call.now, word: call.word)
  }

  /// Restarts from a stored version as if nothing had been typed.
  mutating func reset(to stored: Stored<EditSet>) -> FieldEffects<EditSet> {
    editor = FieldEditor(editor.field, stored, settings: editor.settings, nextSave: editor.record.nextSave)
    var effects = FieldEffects<EditSet>()
    effects.forgets = true
    return effects
  }

  /// A save that the editor did not ask for.
  mutating func extra(_ text: EditSet) -> Save<EditSet> {
    extras += 1
    return Save(number: 1_000 + extras, text: text, version: nil)
  }
}

/// Bugs that were reported in other projects.
extension Mutation where Operations == ProfileOperations {
  private static func bug(
    _ name: String, _ meaning: String, caughtBy property: String = "profile.5", forgetsNumbers: Bool = false,
    _ handle: @escaping @Sendable (FieldEvent<EditSet>, inout EditorUnderTest) -> FieldEffects<EditSet>
  ) -> Mutation {
    let fault = EditorFault(forgetsNumbers: forgetsNumbers, handle: handle)
    return Mutation(name, meaning, caughtBy: property, within: 3_000) {
      $0.play = { try EditSession.play($0, policy: $1, fault: fault) }
    }
  }

  static let editorBugs: [Mutation] = [
    bug("cancel-on-leave", "leaving the field cancels its waiting save (mako #857, devlane #377)") {
      event, one in
      if case .left = event, one.editor.isDirty, one.editor.inFlight == nil { return one.reset(to: one.editor.base) }
      return one.ship(event)
    },
    bug("marked-saved-when-seen", "an edit counts as saved once it is sent (ChatbotX #1157)") { event, one in
      var effects = one.ship(event)
      if effects.send != nil { (effects.store, effects.forgets) = (nil, true) }
      return effects
    },
    bug(
      "flag-cleared-on-blur", "leaving a field stops the timer of its save (island.is #23129)", caughtBy: "profile.8"
    ) { event, one in
      if case .left = event {
        one.isAsleep = true
        return FieldEffects()
      }
      if case .typed = event { one.isAsleep = false }
      return one.ship(event)
    },
    bug("flush-after-submit", "leaving sends an earlier text over the last save (react-autosave #5)") {
      event, one in
      var effects = one.ship(event)
      if case .left = event, !one.editor.isDirty, effects.send == nil, let before = one.earlier {
        effects.send = one.extra(before)
        one.earlier = nil
      }
      if let save = effects.send, save.version != nil { (one.earlier, one.held) = (one.held, save.text) }
      return effects
    },
    bug("completion-order", "each key is sent at once, and the last to arrive wins (assistant-ui #4958)") {
      event, one in
      guard case .typed(let text) = event else { return one.ship(event) }
      var effects = one.reset(to: Stored(text, version: one.editor.base.version))
      effects.send = one.extra(text)
      return effects
    },
    bug("stale-answer-last", "a late answer replaces the text (inertia #3245, swr #425)") { event, one in
      if case .answered(_, let answer) = event, let stored = answer.stored, stored.version > one.editor.base.version {
        return one.reset(to: stored)
      }
      return one.ship(event)
    },
    bug("same-value-dropped", "a text equal to an earlier one is not saved (urql #1639)", caughtBy: "profile.9") {
      event, one in
      if case .typed(let text) = event {
        if text == one.earlier || text == one.editor.base.text { return FieldEffects() }
        one.earlier = one.text
      }
      return one.ship(event)
    },
    bug("poll-over-edit", "a refresh replaces unsaved edits (react #3099, liveblocks #1456)") { event, one in
      if case .refreshed(let stored) = event, one.editor.isDirty { return one.reset(to: stored) }
      return one.ship(event)
    },
    bug("undo-over-others", "an undo restores a text over what another device wrote since (simplenote-electron #36)") {
      event, one in
      if case .typed = event, !one.editor.isDirty { one.earlier = one.text }
      guard case .undo = event, let before = one.earlier else { return one.ship(event) }
      one.earlier = one.text
      return one.ship(.typed(before))
    },
    bug("rollback-all", "a failed save takes back later edits (apollo-client #3691)") { event, one in
      if case .answered(_, let answer) = event, answer.status > 412 { return one.reset(to: one.editor.base) }
      return one.ship(event)
    },
    bug("live-past-held", "offline edits are sent after later ones (lunora #722)") { event, one in
      if case .offline = event { one.isOffline = true }
      if case .online = event { one.isOffline = false }
      if case .typed(let text) = event, one.isOffline, one.held == nil { one.held = text }
      var effects = one.ship(event)
      if case .answered(_, let answer) = event, answer.status == 200, effects.send == nil, let text = one.held {
        effects.send = one.extra(text)
        one.held = nil
      }
      return effects
    },
    bug(
      "numbers-in-memory", "the numbers of saves begin again after a restart (offix #374)", caughtBy: "profile.7",
      forgetsNumbers: true
    ) { $1.ship($0) },
    bug(
      "conflict-with-oneself", "a 412 after a lost answer is shown as a conflict (RFC 9110, 13.1.1)",
      caughtBy: "profile.12"
    ) { event, one in
      if case .answered(let number, let answer) = event, answer.status == 412, number == one.editor.inFlight?.number {
        one.conflict = answer.stored
      }
      if case .chose = event { one.conflict = nil }
      return one.ship(event)
    },
    bug("no-precondition", "saves name no version, and replace what others typed") { event, one in
      var effects = one.ship(event)
      effects.send?.version = nil
      return effects
    },
    bug("retry-after-ignored", "a limited save is tried again as if it had failed", caughtBy: "profile.11") {
      event, one in
      if case .answered(let number, let answer) = event, answer.status == 429 {
        return one.ship(.answered(number, SaveAnswer(503)))
      }
      return one.ship(event)
    },
    bug("written-when-sent", "keys are written down when they are sent, not when they are typed") { event, one in
      var effects = one.ship(event)
      if effects.send == nil { effects.store = nil }
      return effects
    },
  ]
}
