// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import ProfileCore

/// A bug that was seen in the field: what it does with an event in place of the editor that ships.
protocol EditorFault: Sendable {
  static func handle(
    _ event: FieldEvent<EditSet>, by one: inout FaultyEditor<Self>, at now: Instant, word: UInt64
  ) -> FieldEffects<EditSet>
  /// Whether the editor forgets which numbers it has given out.
  static var forgetsNumbers: Bool { get }
}

extension EditorFault {
  static var forgetsNumbers: Bool { false }
}

/// The shipping editor with a fault around it.
struct FaultyEditor<Fault: EditorFault>: FieldMachine {
  var editor: FieldEditor<EditSet>
  /// Texts that the fault remembers.
  var held: EditSet?
  var earlier: EditSet?
  var conflict: Stored<EditSet>?
  var isAsleep = false
  var isOffline = false
  var count = 0

  init(_ field: ProfileField, _ stored: Stored<EditSet>, settings: EditorSettings, nextSave: Int) {
    editor = FieldEditor(field, stored, settings: settings, nextSave: Fault.forgetsNumbers ? 1 : nextSave)
  }

  init(_ field: ProfileField, restoring record: FieldRecord<EditSet>, settings: EditorSettings, at now: Instant) {
    editor = FieldEditor(field, restoring: record, settings: settings, at: now)
  }

  var text: EditSet { editor.text }
  var base: Stored<EditSet> { editor.base }
  var theirs: Stored<EditSet>? { conflict ?? editor.theirs }
  var wake: Instant { isAsleep ? .never : editor.wake }

  mutating func handle(_ event: FieldEvent<EditSet>, at now: Instant, word: UInt64) -> FieldEffects<EditSet> {
    Fault.handle(event, by: &self, at: now, word: word)
  }

  /// Goes on as if the server had this and nothing was typed.
  mutating func reset(to stored: Stored<EditSet>) -> FieldEffects<EditSet> {
    editor = FieldEditor(editor.field, stored, settings: editor.settings, nextSave: editor.record.nextSave)
    var effects = FieldEffects<EditSet>()
    effects.forgets = true
    return effects
  }

  /// A save outside of the editor's own.
  mutating func extra(_ text: EditSet) -> Save<EditSet> {
    count += 1
    return Save(number: 1_000 + count, text: text, version: nil)
  }
}

enum CancelOnLeave: EditorFault {
  static func handle(
    _ event: FieldEvent<EditSet>, by one: inout FaultyEditor<Self>, at now: Instant, word: UInt64
  ) -> FieldEffects<EditSet> {
    if case .left = event, one.editor.isDirty, one.editor.inFlight == nil { return one.reset(to: one.base) }
    return one.editor.handle(event, at: now, word: word)
  }
}

enum MarkedSavedWhenSeen: EditorFault {
  static func handle(
    _ event: FieldEvent<EditSet>, by one: inout FaultyEditor<Self>, at now: Instant, word: UInt64
  ) -> FieldEffects<EditSet> {
    var effects = one.editor.handle(event, at: now, word: word)
    if effects.send != nil { (effects.store, effects.forgets) = (nil, true) }
    return effects
  }
}

enum FlagClearedOnBlur: EditorFault {
  static func handle(
    _ event: FieldEvent<EditSet>, by one: inout FaultyEditor<Self>, at now: Instant, word: UInt64
  ) -> FieldEffects<EditSet> {
    if case .left = event {
      one.isAsleep = true
      return FieldEffects()
    }
    if case .typed = event { one.isAsleep = false }
    return one.editor.handle(event, at: now, word: word)
  }
}

enum FlushAfterSubmit: EditorFault {
  static func handle(
    _ event: FieldEvent<EditSet>, by one: inout FaultyEditor<Self>, at now: Instant, word: UInt64
  ) -> FieldEffects<EditSet> {
    var effects = one.editor.handle(event, at: now, word: word)
    if case .left = event, !one.editor.isDirty, effects.send == nil, let before = one.earlier {
      effects.send = one.extra(before)
      one.earlier = nil
    }
    if let save = effects.send, save.version != nil { (one.earlier, one.held) = (one.held, save.text) }
    return effects
  }
}

enum CompletionOrder: EditorFault {
  static func handle(
    _ event: FieldEvent<EditSet>, by one: inout FaultyEditor<Self>, at now: Instant, word: UInt64
  ) -> FieldEffects<EditSet> {
    guard case .typed(let text) = event else { return one.editor.handle(event, at: now, word: word) }
    var effects = one.reset(to: Stored(text, version: one.base.version))
    effects.send = one.extra(text)
    return effects
  }
}

enum StaleAnswerLast: EditorFault {
  static func handle(
    _ event: FieldEvent<EditSet>, by one: inout FaultyEditor<Self>, at now: Instant, word: UInt64
  ) -> FieldEffects<EditSet> {
    if case .answered(_, let answer) = event, let stored = answer.stored, stored.version > one.base.version {
      return one.reset(to: stored)
    }
    return one.editor.handle(event, at: now, word: word)
  }
}

enum SameValueDropped: EditorFault {
  static func handle(
    _ event: FieldEvent<EditSet>, by one: inout FaultyEditor<Self>, at now: Instant, word: UInt64
  ) -> FieldEffects<EditSet> {
    if case .typed(let text) = event {
      if text == one.earlier || text == one.base.text { return FieldEffects() }
      one.earlier = one.text
    }
    return one.editor.handle(event, at: now, word: word)
  }
}

enum PollOverEdit: EditorFault {
  static func handle(
    _ event: FieldEvent<EditSet>, by one: inout FaultyEditor<Self>, at now: Instant, word: UInt64
  ) -> FieldEffects<EditSet> {
    if case .refreshed(let stored) = event, one.editor.isDirty { return one.reset(to: stored) }
    return one.editor.handle(event, at: now, word: word)
  }
}

enum RollbackAll: EditorFault {
  static func handle(
    _ event: FieldEvent<EditSet>, by one: inout FaultyEditor<Self>, at now: Instant, word: UInt64
  ) -> FieldEffects<EditSet> {
    if case .answered(_, let answer) = event, answer.status > 412 { return one.reset(to: one.base) }
    return one.editor.handle(event, at: now, word: word)
  }
}

enum LivePastHeld: EditorFault {
  static func handle(
    _ event: FieldEvent<EditSet>, by one: inout FaultyEditor<Self>, at now: Instant, word: UInt64
  ) -> FieldEffects<EditSet> {
    if case .offline = event { one.isOffline = true }
    if case .online = event { one.isOffline = false }
    if case .typed(let text) = event, one.isOffline, one.held == nil { one.held = text }
    var effects = one.editor.handle(event, at: now, word: word)
    if case .answered(_, let answer) = event, answer.status == 200, effects.send == nil, let text = one.held {
      effects.send = one.extra(text)
      one.held = nil
    }
    return effects
  }
}

enum NumbersInMemory: EditorFault {
  static let forgetsNumbers = true

  static func handle(
    _ event: FieldEvent<EditSet>, by one: inout FaultyEditor<Self>, at now: Instant, word: UInt64
  ) -> FieldEffects<EditSet> {
    one.editor.handle(event, at: now, word: word)
  }
}

enum ConflictWithOneself: EditorFault {
  static func handle(
    _ event: FieldEvent<EditSet>, by one: inout FaultyEditor<Self>, at now: Instant, word: UInt64
  ) -> FieldEffects<EditSet> {
    if case .answered(let number, let answer) = event, answer.status == 412, number == one.editor.inFlight?.number {
      one.conflict = answer.stored
    }
    if case .chose = event { one.conflict = nil }
    return one.editor.handle(event, at: now, word: word)
  }
}

enum NoPrecondition: EditorFault {
  static func handle(
    _ event: FieldEvent<EditSet>, by one: inout FaultyEditor<Self>, at now: Instant, word: UInt64
  ) -> FieldEffects<EditSet> {
    var effects = one.editor.handle(event, at: now, word: word)
    effects.send?.version = nil
    return effects
  }
}

enum RetryAfterIgnored: EditorFault {
  static func handle(
    _ event: FieldEvent<EditSet>, by one: inout FaultyEditor<Self>, at now: Instant, word: UInt64
  ) -> FieldEffects<EditSet> {
    if case .answered(let number, let answer) = event, answer.status == 429 {
      return one.editor.handle(.answered(number, SaveAnswer(503)), at: now, word: word)
    }
    return one.editor.handle(event, at: now, word: word)
  }
}

enum WrittenWhenSent: EditorFault {
  static func handle(
    _ event: FieldEvent<EditSet>, by one: inout FaultyEditor<Self>, at now: Instant, word: UInt64
  ) -> FieldEffects<EditSet> {
    var effects = one.editor.handle(event, at: now, word: word)
    if effects.send == nil { effects.store = nil }
    return effects
  }
}
