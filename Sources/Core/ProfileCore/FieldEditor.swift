// SPDX-License-Identifier: Apache-2.0
public import LiveCore

/// The treatment of a text that was changed on the server and in the editor.
public enum ConflictPolicy: String, CaseIterable, Codable, Sendable {
  /// The local text replaces the other one, which is kept separately.
  case mine
  /// The other text replaces the local one, which is kept separately.
  case theirs
  /// Both changes, if they do not conflict; otherwise the person chooses.
  case merge
  /// The person chooses.
  case ask
}

/// The times of an editor's saves and retries, and its conflict policy.
public struct EditorSettings: Hashable, Sendable {
  /// The pause in typing before a save.
  public var pause = Interval.milliseconds(800)
  /// The longest delay of a change while typing continues.
  public var longestDelay = Interval.seconds(10)
  /// The time to wait for an answer before the save is repeated.
  public var patience = Interval.seconds(20)
  /// The treatment of texts that were changed on both sides.
  public var policy = ConflictPolicy.merge
  /// The waits between attempts; their number is unlimited.
  public var backoff: Backoff = {
    var backoff = Backoff()
    backoff.maximumAttempts = nil
    return backoff
  }()
  /// The reactions to the statuses of answers.
  public var rules = RefusalRules()

  /// Saves 0.8 s after the last key, merges conflicts, and retries with full jitter from 1 s to 30 s.
  public init() {}
}

/// The state of a field that is stored before anything is sent, so that an app that was killed can continue.
public struct FieldRecord<Text: EditableText>: Hashable, Sendable {
  /// The text as typed.
  public var text: Text
  /// The server's text that it is based on.
  public var base: Text
  /// The server's version of `base`.
  public var version: Int
  /// A text that was sent without an answer: the server may have it.
  public var unsure: Text?
  /// The number of the next save; numbers are never reused, even after a restart.
  public var nextSave: Int
  /// The earliest time of the next save by the server's wish, by a clock that continues while the app does not run.
  public var notBefore: Instant

  /// A record of all its parts, as read from storage.
  @inlinable
  public init(text: Text, base: Text, version: Int, unsure: Text?, nextSave: Int, notBefore: Instant = .zero) {
    (self.text, self.base, self.version, self.unsure, self.nextSave) = (text, base, version, unsure, nextSave)
    self.notBefore = notBefore
  }
}

extension FieldRecord: Codable where Text: Codable {}

/// A request to replace a version of the server's text: `If-Match` with the strong comparison (RFC 9110, 13.1.1).
public struct Save<Text: EditableText>: Hashable, Sendable {
  /// The number of the save, unique within a field.
  public var number: Int
  /// The text to store.
  public var text: Text
  /// The version that the server must have; `nil` to overwrite any version, which a `FieldEditor` never does.
  public var version: Int?

  /// A request.
  @inlinable
  public init(number: Int, text: Text, version: Int?) {
    (self.number, self.text, self.version) = (number, text, version)
  }
}

/// The server's text of a field.
public struct Stored<Text: EditableText>: Hashable, Sendable {
  /// The text.
  public var text: Text
  /// Its version, which increases with each change.
  public var version: Int

  /// A text with its version.
  @inlinable
  public init(_ text: Text, version: Int) { (self.text, self.version) = (text, version) }
}

/// The server's answer to a save.
public struct SaveAnswer<Text: EditableText>: Hashable, Sendable {
  /// The HTTP status of the answer.
  public var status: UInt16
  /// The server's current text: the saved text after a success, somebody else's after a 412.
  public var stored: Stored<Text>?
  /// The wait that the server asks for, if any.
  public var retryAfter: Interval?

  /// An answer.
  @inlinable
  public init(_ status: UInt16, _ stored: Stored<Text>? = nil, retryAfter: Interval? = nil) {
    (self.status, self.stored, self.retryAfter) = (status, stored, retryAfter)
  }
}

/// An event of a field.
public enum FieldEvent<Text: EditableText>: Sendable {
  case focused
  case typed(Text)
  /// Takes back the last burst of typing, as an edit of the text on the screen; a second undo takes back the first. If
  /// another device changed the same words since, that is a conflict, settled by the policy.
  case undo
  /// The person leaves the field or the screen, or the app goes to the background.
  case left
  case offline
  case online
  /// The time of `wake` has come.
  case timer
  case answered(Int, SaveAnswer<Text>)
  /// A newer text from a refresh, or from another device.
  case refreshed(Stored<Text>)
  /// The person resolves a conflict with this text.
  case chose(Text)
}

/// The effects of an event, to be carried out in this order: everything is stored before it is sent.
public struct FieldEffects<Text: EditableText>: Sendable {
  /// A text that the field no longer shows, to be kept where the person finds it.
  public var keep: Text?
  /// The record to store, in one transaction.
  public var store: FieldRecord<Text>?
  /// True if to remove the record except the number of the next save.
  public var forgets = false
  /// The save to send.
  public var send: Save<Text>?
  /// True if to fetch the server's text.
  public var fetches = false

  /// No effects.
  @inlinable
  public init() {}
}

/// The state of a field, for display.
public enum FieldStatus: Hashable, Sendable {
  case idle, editing, pending, saving, saved, conflicted
  /// The server refused the text, or the field does not allow it; the text is kept.
  case failed(status: UInt16)
  case invalid(FieldProblem)
}

/// A field that is edited in place and saves itself: a state machine that turns events into effects; the caller passes
/// in the time and random bits.
///
/// Every change is stored at once, and sent when typing pauses, one save at a time. A save carries the version that it
/// replaces, so a late or repeated one changes nothing. The policy resolves concurrent changes. No typed text is ever
/// lost: it is on the screen, saved, or kept separately.
public struct FieldEditor<Text: EditableText>: Sendable {
  /// The field that is edited.
  public let field: ProfileField
  /// The times of saves and the conflict policy.
  public let settings: EditorSettings
  /// The text on the screen.
  @inlinable public var text: Text { shown }
  /// The server's text and version, as last received.
  @inlinable public var base: Stored<Text> { known }
  /// The save in flight.
  @inlinable public var inFlight: Save<Text>? { sent }
  /// Somebody else's text that conflicts, until the person chooses.
  @inlinable public var theirs: Stored<Text>? { other }

  @usableFromInline var shown: Text
  @usableFromInline var known: Stored<Text>
  @usableFromInline var sent: Save<Text>?
  @usableFromInline var other: Stored<Text>?
  /// The text that an undo restores.
  @usableFromInline var undoText: Text?
  /// The server's text that `undoText` was replaced by, if another device has changed it since.
  @usableFromInline var undoBase: Stored<Text>?
  @usableFromInline var unsure: Text?
  @usableFromInline var nextSave = 1
  @usableFromInline var schedule = AttemptSchedule()
  /// The time of the next save: `due` after a pause in typing, `latest` at the latest.
  @usableFromInline var due = Instant.never
  @usableFromInline var latest = Instant.never
  @usableFromInline var retry = Instant.never
  @usableFromInline var expiry = Instant.never
  @usableFromInline var isOnline = true
  @usableFromInline var isFocused = false
  @usableFromInline var hasSaved = false
  @usableFromInline var lacksTheirs = false
  @usableFromInline var notBefore = Instant.zero
  @usableFromInline var refusal: UInt16?

  /// A field with the server's text; `nextSave` is the number in the field's last record, so that no number is reused.
  @inlinable
  public init(
    _ field: ProfileField, _ stored: Stored<Text>, settings: EditorSettings = EditorSettings(), nextSave: Int = 1
  ) {
    (self.field, self.settings, shown, known, self.nextSave) = (field, settings, stored.text, stored, nextSave)
  }

  /// A field restored from its record; a save follows at once.
  @inlinable
  public init(_ field: ProfileField, restoring record: FieldRecord<Text>, settings: EditorSettings, at now: Instant) {
    self.init(field, Stored(record.base, version: record.version), settings: settings)
    (shown, unsure, nextSave, notBefore) = (record.text, record.unsure, record.nextSave, record.notBefore)
    if isDirty { (due, latest) = (now, now) }
  }

  /// True if the server may not have the text on the screen.
  @inlinable public var isDirty: Bool { shown != known.text || unsure != nil }

  /// The time at which `timer` is expected; `never` if nothing waits.
  @inlinable
  public var wake: Instant {
    if sent != nil { return expiry }
    guard isDirty, isOnline, other == nil, refusal == nil, !lacksTheirs || retry != .never else { return .never }
    return max(retry == .never ? min(due, latest) : retry, notBefore)
  }

  /// The state, for display.
  public var status: FieldStatus {
    if other != nil { return .conflicted }
    if sent != nil { return .saving }
    if isDirty {
      if let problem = shown.problem(in: field) { return .invalid(problem) }
      return refusal.map { .failed(status: $0) } ?? .pending
    }
    return isFocused ? .editing : hasSaved ? .saved : .idle
  }

  /// The record to store now.
  @inlinable
  public var record: FieldRecord<Text> {
    FieldRecord(
      text: shown, base: known.text, version: known.version, unsure: sent?.text ?? unsure, nextSave: nextSave,
      notBefore: notBefore)
  }

  /// Handles an event at a time; `word` holds 64 random bits for the next wait.
  @inlinable
  public mutating func handle(_ event: FieldEvent<Text>, at now: Instant, word: UInt64) -> FieldEffects<Text> {
    var effects = FieldEffects<Text>()
    switch event {
    case .focused: isFocused = true
    case .typed(let typed):
      isFocused = true
      change(to: typed.entered(in: field), at: now, &effects)
    case .undo: undo(at: now, &effects)
    case .left:
      isFocused = false
      if isDirty { due = now }
    case .offline: isOnline = false
    case .online:
      isOnline = true
      // The retry delays were for an unreachable server; a wait that the server asked for still applies.
      if isDirty, schedule.attempts > 0 { retry = now }
    case .timer:
      if sent != nil, expiry <= now { lose(at: now, word: word, &effects) }
      if lacksTheirs, sent == nil, retry <= now {
        (effects.fetches, retry) = (true, now + settings.patience)
        return effects
      }
    case .answered(let number, let answer): take(answer, to: number, at: now, word: word, &effects)
    case .refreshed(let stored): refresh(stored, at: now, &effects)
    case .chose(let chosen):
      guard let waiting = other else { break }
      settle(on: chosen, over: waiting, at: now, &effects)
    }
    sendIfDue(at: now, &effects)
    return effects
  }

  @inlinable
  mutating func change(to new: Text, at now: Instant, isUndo: Bool = false, _ effects: inout FieldEffects<Text>) {
    guard new != shown else { return }
    if isUndo || latest == .never { (undoText, undoBase) = (shown, nil) }
    shown = new
    refusal = nil
    due = now + settings.pause
    if latest == .never { latest = now + settings.longestDelay }
    note(&effects)
  }

  @inlinable
  mutating func undo(at now: Instant, _ effects: inout FieldEffects<Text>) {
    guard let before = undoText else { return }
    guard let base = undoBase else { return change(to: before, at: now, isUndo: true, &effects) }
    if let merged = Text.merged(in: field, base: base.text, mine: before, theirs: shown) {
      return change(to: merged, at: now, isUndo: true, &effects)
    }
    let theirs = known
    (shown, known, undoText, undoBase, refusal) = (before, base, nil, nil, nil)
    switch settings.policy {
    case .mine: settle(on: before, over: theirs, at: now, &effects)
    case .theirs: settle(on: theirs.text, over: theirs, at: now, &effects)
    case .merge, .ask:
      other = theirs
      note(&effects)
    }
  }

  /// Shows another device's text in place of an unchanged one; an undo is from now on a change of that text.
  @inlinable
  mutating func follow(_ stored: Stored<Text>) {
    if undoText != nil, undoBase == nil, stored.text != shown { undoBase = Stored(shown, version: known.version) }
    (shown, known) = (stored.text, stored)
  }

  /// Stores the record, or removes it if nothing is left to save.
  @inlinable
  mutating func note(_ effects: inout FieldEffects<Text>) {
    if isDirty || sent != nil {
      effects.store = record
    } else {
      (effects.store, effects.forgets) = (nil, true)
      (due, latest, retry) = (.never, .never, .never)
    }
  }

  @inlinable
  mutating func sendIfDue(at now: Instant, _ effects: inout FieldEffects<Text>) {
    guard sent == nil, wake <= now, !lacksTheirs else { return }
    // A text that the server may have is sent again until its answer is known, and only then the next one, so that the
    // editor never mistakes its own text for somebody else's.
    let next = unsure ?? shown
    guard unsure != nil || next.problem(in: field) == nil else { return (due, latest) = (.never, .never) }
    let save = Save(number: nextSave, text: next, version: known.version)
    (sent, nextSave) = (save, nextSave + 1)
    (due, latest, retry, expiry) = (.never, .never, .never, now + settings.patience)
    (effects.store, effects.forgets, effects.send) = (record, false, save)
  }

  /// Handles a save without an answer: the server may have its text.
  @inlinable
  mutating func lose(at now: Instant, word: UInt64, _ effects: inout FieldEffects<Text>) {
    unsure = sent?.text
    (sent, expiry) = (nil, .never)
    wait(at: now, word: word, wish: nil, &effects)
  }

  @inlinable
  mutating func wait(at now: Instant, word: UInt64, wish: Interval?, _ effects: inout FieldEffects<Text>) {
    let wait = schedule.next(settings.backoff, word: word) ?? settings.backoff.cap
    if let wish { notBefore = now + wish }
    retry = now + (wish ?? .zero) + wait
    note(&effects)
  }

  @inlinable
  mutating func take(
    _ answer: SaveAnswer<Text>, to number: Int, at now: Instant, word: UInt64, _ effects: inout FieldEffects<Text>
  ) {
    // A late answer belongs to a save that was given up; the next save finds out its result.
    guard let save = sent, save.number == number else {
      guard let wish = answer.retryAfter, isDirty || sent != nil else { return }
      notBefore = max(notBefore, now + max(.zero, min(settings.rules.longestWait, wish)))
      return note(&effects)
    }
    switch answer.status {
    case 200...299:
      let version = answer.stored?.version ?? known.version
      guard version > known.version else { return lose(at: now, word: word, &effects) }
      adopt(Stored(save.text, version: version))
      hasSaved = true
      if isDirty, due == .never { (due, latest) = (now, now) }
      note(&effects)
    case 412:
      guard let stored = answer.stored else {
        unsure = save.text
        (sent, expiry, lacksTheirs, retry) = (nil, .never, true, now + settings.patience)
        effects.fetches = true
        return note(&effects)
      }
      meet(stored, saved: save.text, at: now, word: word, &effects)
    default:
      let refused = Refusal(status: answer.status, retryAfter: answer.retryAfter)
      switch settings.rules.verdict(on: refused, isSecure: true, redirects: 0) {
      case .retryAfter(let interval):
        (sent, expiry) = (nil, .never)
        wait(at: now, word: word, wish: interval, &effects)
      case .retry, .refreshCredentials: lose(at: now, word: word, &effects)
      case .never, .redirect:
        (sent, expiry, unsure, retry) = (nil, .never, nil, .never)
        let isShown = save.text == shown
        (due, latest) = isShown ? (.never, .never) : (now, now)
        if isShown { refusal = answer.status }
        note(&effects)
      }
    }
  }

  /// Records that the server has stored this field's own text.
  @inlinable
  mutating func adopt(_ stored: Stored<Text>) {
    known = stored
    (sent, expiry, unsure) = (nil, .never, nil)
    lacksTheirs = false
    schedule.reset()
    retry = .never
  }

  /// Handles a version on the server that differs from the one to be replaced.
  @inlinable
  mutating func meet(
    _ stored: Stored<Text>, saved: Text?, at now: Instant, word: UInt64, _ effects: inout FieldEffects<Text>
  ) {
    guard stored.version > known.version else { return lose(at: now, word: word, &effects) }
    // The server's text is our own if this save, or an earlier one, arrived and its answer was lost.
    if stored.text == saved || stored.text == unsure {
      adopt(stored)
      (due, latest) = (now, now)
      return note(&effects)
    }
    // If an undone text may have been saved, the undo is a change of that text, and not of the one before.
    let (mine, arrived, open) = (shown, unsure ?? known.text, unsure)
    let before = mine == known.text ? arrived : known.text
    adopt(known)
    guard mine != stored.text, mine != before else {
      follow(stored)
      return note(&effects)
    }
    switch settings.policy {
    case .mine: settle(on: mine, over: stored, at: now, &effects)
    case .theirs: settle(on: stored.text, over: stored, at: now, &effects)
    case .merge:
      // It is unknown whether their change includes the unanswered save: if that matters, the person decides.
      if let merged = Text.merged(in: field, base: before, mine: mine, theirs: stored.text),
        arrived == before || merged == Text.merged(in: field, base: arrived, mine: mine, theirs: stored.text)
      {
        undoText = undoText.flatMap { Text.merged(in: field, base: mine, mine: $0, theirs: merged) }
        (shown, known, due, latest) = (merged, stored, now, now)
        note(&effects)
      } else {
        (other, unsure) = (stored, open)
        note(&effects)
      }
    case .ask:
      (other, unsure) = (stored, open)
      note(&effects)
    }
  }

  /// Continues with a chosen text over somebody else's; the text that is dropped is kept separately.
  @inlinable
  mutating func settle(on chosen: Text, over stored: Stored<Text>, at now: Instant, _ effects: inout FieldEffects<Text>)
  {
    if chosen == stored.text { effects.keep = shown } else if chosen == shown { effects.keep = stored.text }
    (shown, known, other, due, latest) = (chosen, stored, nil, now, now)
    (undoText, undoBase, unsure) = (nil, nil, nil)
    note(&effects)
  }

  @inlinable
  mutating func refresh(_ stored: Stored<Text>, at now: Instant, _ effects: inout FieldEffects<Text>) {
    guard sent == nil else { return }
    if let waiting = other {
      // The server's text changed again before the person chose.
      if stored.version > waiting.version { other = stored }
      return
    }
    if lacksTheirs {
      (lacksTheirs, retry) = (false, .never)
      return stored.version > known.version
        ? meet(stored, saved: nil, at: now, word: 0, &effects) : wait(at: now, word: 0, wish: nil, &effects)
    }
    guard stored.version > known.version else { return }
    if stored.text == shown || stored.text == unsure {
      adopt(stored)
      if isDirty { (due, latest) = (now, now) }
      note(&effects)
    } else if !isDirty {
      follow(stored)
    }
  }
}
