// SPDX-License-Identifier: Apache-2.0
public import LiveCore

/// What an editor does about a text that somebody else changed meanwhile.
public enum ConflictPolicy: String, CaseIterable, Codable, Sendable {
  /// What was typed here replaces theirs, which is kept aside.
  case mine
  /// Theirs replaces what was typed here, which is kept aside.
  case theirs
  /// Both changes, where they do not conflict; else it asks.
  case merge
  /// The person chooses.
  case ask
}

/// When an editor saves, and how it tries again.
public struct EditorSettings: Hashable, Sendable {
  /// How long typing has to rest before a save.
  public var pause = Interval.milliseconds(800)
  /// The longest that a change waits while typing goes on.
  public var longestDelay = Interval.seconds(10)
  /// How long an answer is waited for before the save is tried again.
  public var patience = Interval.seconds(20)
  /// What is done about texts that somebody else changed.
  public var policy = ConflictPolicy.merge
  /// The waits between attempts; there is no last attempt.
  public var backoff: Backoff = {
    var backoff = Backoff()
    backoff.maximumAttempts = .max
    return backoff
  }()
  /// What the statuses of answers mean.
  public var rules = RefusalRules()

  /// Saves 0.8 s after the last key, merges, and tries again with full jitter from 1 s to 30 s.
  public init() {}
}

/// What is written down of a field before anything is sent, so that an app that is killed goes on where it was.
public struct FieldRecord<Text: EditableText>: Hashable, Sendable {
  /// The text as it was typed.
  public var text: Text
  /// The text of the server on which it is based, and its version.
  public var base: Text
  /// The server's version of that text.
  public var version: Int
  /// A text that was sent and of which it is not known whether it arrived.
  public var unsure: Text?
  /// The number of the next save: numbers are never used twice, also after a restart.
  public var nextSave: Int
  /// When the server wants to hear of it again, at the earliest, by a clock that goes on while the app does not run.
  public var notBefore: Instant

  /// A record with all its parts, as a queue reads it back.
  @inlinable
  public init(text: Text, base: Text, version: Int, unsure: Text?, nextSave: Int, notBefore: Instant = .zero) {
    (self.text, self.base, self.version, self.unsure, self.nextSave) = (text, base, version, unsure, nextSave)
    self.notBefore = notBefore
  }
}

extension FieldRecord: Codable where Text: Codable {}

/// A request to put a text where the server has a version: `If-Match` with the strong comparison (RFC 9110, 13.1.1).
public struct Save<Text: EditableText>: Hashable, Sendable {
  /// The number of the save: of a field each is used once.
  public var number: Int
  /// The text to store.
  public var text: Text
  /// The version that the server must have; nil to overwrite whatever it has, which a `FieldEditor` never asks.
  public var version: Int?

  /// A request.
  @inlinable
  public init(number: Int, text: Text, version: Int?) {
    (self.number, self.text, self.version) = (number, text, version)
  }
}

/// What the server has of a field.
public struct Stored<Text: EditableText>: Hashable, Sendable {
  /// The text.
  public var text: Text
  /// Its version: each change makes it greater.
  public var version: Int

  /// A text with its version.
  @inlinable
  public init(_ text: Text, version: Int) { (self.text, self.version) = (text, version) }
}

/// What came of a save.
public struct SaveAnswer<Text: EditableText>: Hashable, Sendable {
  /// The status of the answer.
  public var status: UInt16
  /// What the server has now: after a success the text saved, after a 412 that of somebody else.
  public var stored: Stored<Text>?
  /// How long the server wants to be left alone, where it says so.
  public var retryAfter: Interval?

  /// An answer.
  @inlinable
  public init(_ status: UInt16, _ stored: Stored<Text>? = nil, retryAfter: Interval? = nil) {
    (self.status, self.stored, self.retryAfter) = (status, stored, retryAfter)
  }
}

/// What happens to a field.
public enum FieldEvent<Text: EditableText>: Sendable {
  case focused
  case typed(Text)
  /// Back to before the last burst of typing; again, to after it.
  case undo
  /// The person leaves the field or the screen, or the app goes to the background.
  case left
  case offline
  case online
  /// The time that `wake` asked for has come.
  case timer
  case answered(Int, SaveAnswer<Text>)
  /// A refresh, or news of another device.
  case refreshed(Stored<Text>)
  /// The person settles a conflict by this text.
  case chose(Text)
}

/// What is to be done, in this order: nothing is sent that is not written down.
public struct FieldEffects<Text: EditableText>: Sendable {
  /// A text that its field does not have any more: it is to be kept where the person finds it.
  public var keep: Text?
  /// The record to write, in one transaction.
  public var store: FieldRecord<Text>?
  /// Whether the record is to be removed, all but the number of the next save.
  public var forgets = false
  /// The save to send.
  public var send: Save<Text>?
  /// Whether the server's text is to be fetched.
  public var fetches = false

  /// Nothing.
  @inlinable
  public init() {}
}

/// The state of a field for people.
public enum FieldStatus: Hashable, Sendable {
  case idle, editing, pending, saving, saved, conflicted
  /// The server refused it, or the text cannot stand there; it is kept.
  case failed(status: UInt16)
  case invalid(FieldProblem)
}

/// A field that is edited in place and saves itself: events in, effects out, time and random bits passed in.
///
/// Every key is written down at once, and sent when typing rests. One save is under way at a time. A save names the
/// version that it replaces, so one that arrives late or twice changes nothing. What others changed meanwhile is
/// settled by the policy; no text that was typed is ever dropped: it is on the screen, saved, or kept aside.
public struct FieldEditor<Text: EditableText>: Sendable {
  /// The field that is edited.
  public let field: ProfileField
  /// When it saves and what it does about conflicts.
  public let settings: EditorSettings
  /// The text on the screen.
  @inlinable public var text: Text { shown }
  /// What the server had when last heard of.
  @inlinable public var base: Stored<Text> { known }
  /// The save that is under way.
  @inlinable public var inFlight: Save<Text>? { sent }
  /// Somebody else's text that waits for a choice.
  @inlinable public var theirs: Stored<Text>? { other }

  @usableFromInline var shown: Text
  @usableFromInline var known: Stored<Text>
  @usableFromInline var sent: Save<Text>?
  @usableFromInline var other: Stored<Text>?
  @usableFromInline var undoText: Text?
  @usableFromInline var unsure: Text?
  @usableFromInline var nextSave = 1
  @usableFromInline var schedule = AttemptSchedule()
  /// When the change that waits is saved, at the latest, and after the next pause.
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

  /// A field as the server has it; `nextSave` is what the last record of the field had, so that no number comes twice.
  @inlinable
  public init(
    _ field: ProfileField, _ stored: Stored<Text>, settings: EditorSettings = EditorSettings(), nextSave: Int = 1
  ) {
    (self.field, self.settings, shown, known, self.nextSave) = (field, settings, stored.text, stored, nextSave)
  }

  /// A field as it was written down; a save follows at once.
  @inlinable
  public init(_ field: ProfileField, restoring record: FieldRecord<Text>, settings: EditorSettings, at now: Instant) {
    self.init(field, Stored(record.base, version: record.version), settings: settings)
    (shown, unsure, nextSave, notBefore) = (record.text, record.unsure, record.nextSave, record.notBefore)
    if isDirty { (due, latest) = (now, now) }
  }

  /// Whether what is on the screen is not known to be the server's.
  @inlinable public var isDirty: Bool { shown != known.text || unsure != nil }

  /// When `timer` is to come; never where nothing waits.
  @inlinable
  public var wake: Instant {
    if sent != nil { return expiry }
    guard isDirty, isOnline, other == nil, refusal == nil, !lacksTheirs || retry != .never else { return .never }
    return max(retry == .never ? min(due, latest) : retry, notBefore)
  }

  /// The state for people.
  public var status: FieldStatus {
    if other != nil { return .conflicted }
    if sent != nil { return .saving }
    if isDirty {
      if let problem = shown.problem(in: field) { return .invalid(problem) }
      return refusal.map { .failed(status: $0) } ?? .pending
    }
    return isFocused ? .editing : hasSaved ? .saved : .idle
  }

  /// What is written down now.
  @inlinable
  public var record: FieldRecord<Text> {
    FieldRecord(
      text: shown, base: known.text, version: known.version, unsure: sent?.text ?? unsure, nextSave: nextSave,
      notBefore: notBefore)
  }

  /// Takes an event at a moment; `word` is 64 random bits for the next wait.
  @inlinable
  public mutating func handle(_ event: FieldEvent<Text>, at now: Instant, word: UInt64) -> FieldEffects<Text> {
    var effects = FieldEffects<Text>()
    switch event {
    case .focused: isFocused = true
    case .typed(let typed):
      isFocused = true
      change(to: typed, at: now, &effects)
    case .undo:
      if let before = undoText { change(to: before, at: now, isUndo: true, &effects) }
    case .left:
      isFocused = false
      if isDirty { due = now }
    case .offline: isOnline = false
    case .online:
      isOnline = true
      // The waits were for a server that did not answer; what it asked for itself holds on.
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
    if isUndo || latest == .never { undoText = shown }
    shown = new
    refusal = nil
    due = now + settings.pause
    if latest == .never { latest = now + settings.longestDelay }
    note(&effects)
  }

  /// Writes down what there is, or that there is nothing left to save.
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
    // A text that may have arrived is sent again until it is known whether it did, and only then the next: what the
    // server has then is never mistaken for somebody else's.
    let next = unsure ?? shown
    guard unsure != nil || next.problem(in: field) == nil else { return (due, latest) = (.never, .never) }
    let save = Save(number: nextSave, text: next, version: known.version)
    (sent, nextSave) = (save, nextSave + 1)
    (due, latest, retry, expiry) = (.never, .never, .never, now + settings.patience)
    (effects.store, effects.forgets, effects.send) = (record, false, save)
  }

  /// The save has no answer: it may have arrived.
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
    // An answer that comes late is of a save that was given up: what it says is found out by the next one.
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

  /// The server has this now, and it is of us.
  @inlinable
  mutating func adopt(_ stored: Stored<Text>) {
    known = stored
    (sent, expiry, unsure) = (nil, .never, nil)
    lacksTheirs = false
    schedule.reset()
    retry = .never
  }

  /// The server has another version than the one that was to be replaced.
  @inlinable
  mutating func meet(
    _ stored: Stored<Text>, saved: Text?, at now: Instant, word: UInt64, _ effects: inout FieldEffects<Text>
  ) {
    guard stored.version > known.version else { return lose(at: now, word: word, &effects) }
    // The conflict is with ourselves where the save, or an earlier one, arrived and its answer was lost.
    if stored.text == saved || stored.text == unsure {
      adopt(stored)
      (due, latest) = (now, now)
      return note(&effects)
    }
    // What was taken back while it may have arrived is a change of that, not of what was before.
    let (mine, arrived, open) = (shown, unsure ?? known.text, unsure)
    let before = mine == known.text ? arrived : known.text
    adopt(known)
    guard mine != stored.text, mine != before else {
      (known, shown) = (stored, stored.text)
      return note(&effects)
    }
    switch settings.policy {
    case .mine: settle(on: mine, over: stored, at: now, &effects)
    case .theirs: settle(on: stored.text, over: stored, at: now, &effects)
    case .merge:
      // Whether the save without an answer is in what they changed is not known: where it matters, the person decides.
      if let merged = Text.merged(base: before, mine: mine, theirs: stored.text),
        arrived == before || merged == Text.merged(base: arrived, mine: mine, theirs: stored.text)
      {
        undoText = undoText.flatMap { Text.merged(base: mine, mine: $0, theirs: merged) }
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

  /// Goes on with a text over that of somebody else; the side that it drops is kept.
  @inlinable
  mutating func settle(on chosen: Text, over stored: Stored<Text>, at now: Instant, _ effects: inout FieldEffects<Text>)
  {
    if chosen == stored.text { effects.keep = shown } else if chosen == shown { effects.keep = stored.text }
    (shown, known, other, due, latest) = (chosen, stored, nil, now, now)
    (undoText, unsure) = (nil, nil)
    note(&effects)
  }

  @inlinable
  mutating func refresh(_ stored: Stored<Text>, at now: Instant, _ effects: inout FieldEffects<Text>) {
    guard sent == nil else { return }
    if let waiting = other {
      // Somebody changed it again while the person has the choice.
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
      (shown, known) = (stored.text, stored)
    }
  }
}
