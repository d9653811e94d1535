// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import ProfileCore
internal import Randomness

/// A text as the set of its edits, one bit each: lost edits can be identified, and it takes no allocation.
struct EditSet: EditableText, CustomStringConvertible {
  var bits: UInt64

  /// Merges the additions of both sides and drops their removals; nil if the sides removed different edits.
  @inlinable
  static func merged(in field: ProfileField, base: EditSet, mine: EditSet, theirs: EditSet) -> EditSet? {
    let (gone, others) = (base.bits & ~mine.bits, base.bits & ~theirs.bits)
    guard gone == 0 || others == 0 || gone == others else { return nil }
    return EditSet(bits: base.bits & mine.bits & theirs.bits | mine.bits & ~base.bits | theirs.bits & ~base.bits)
  }

  @inlinable
  func problem(in field: ProfileField) -> FieldProblem? { nil }

  var description: String { (0..<64).filter { bits >> $0 & 1 == 1 }.map(String.init).joined(separator: "+") }
}

/// One event of a session, with its delay after the event before.
struct SessionStep: Hashable, Sendable, CustomStringConvertible {
  enum Act: UInt8, CaseIterable, Sendable {
    // Actions of the person.
    case type, retype, erase, undo, leave, look, choose, offline, online
    /// The app is killed: at once, before the next write of its queue, or after that write and before anything is sent.
    case kill, cutBefore, cutAfter
    // Faults of the next request that is sent.
    case slow, fail, lose, limit, double, nonsense, refuse
  }

  var act: Act
  var device = 0
  var field = 0
  var milliseconds: Int32 = 0

  var isFault: Bool { act.rawValue >= Act.slow.rawValue }

  var description: String {
    let target = isFault ? "" : " \(device == 0 ? "phone" : "tablet").\(field == 0 ? "bio" : "name")"
    return "\(act)\(target)\(milliseconds == 0 ? "" : " after \(milliseconds) ms")"
  }
}

/// The counts of a session: edits, kills, and violations of what the editor promises.
struct SessionFinding: Hashable, Sendable {
  var edits = 0
  /// Edits that are not on the server, not kept aside, and not removed by the person; and those of the other device
  /// that an undo removed.
  var lost = 0
  /// Edits that the screen did not show.
  var unseen = 0
  /// Saves applied twice, or after a later one.
  var disordered = 0
  /// Saves sent while another save of the same field was under way.
  var overlapping = 0
  /// Saves sent sooner than the server allowed.
  var early = 0
  /// Conflicts shown with a text that the same device saved.
  var selfConflicts = 0
  /// Fields that differ from the server after the network has healed and nothing waits.
  var apart = 0
  /// Keys whose write was cut by a kill.
  var cut = 0
  var saves = 0
  var conflicts = 0
  /// The seconds from a key to the server having it, of edits that arrived: the longest, and the sum.
  var longest = 0.0
  var waited = 0.0
  var arrived = 0
  var kills = 0
}

/// Two devices that edit the two fields of one profile, a server and the network between them, in virtual time.
struct EditSession {
  private static let fields: [ProfileField] = [.bio, .displayName]
  private static let way = Interval.milliseconds(80)

  private struct Message {
    var arrival: Instant
    var index: Int
    var save: Save<EditSet>
    /// The answer of the server; nil in a request.
    var answer: SaveAnswer<EditSet>?
    var fault: SessionStep.Act?
  }

  private let settings: EditorSettings
  private let fault: EditorFault?
  private var words: RandomWords
  private var now = Instant.zero
  // By device, then field.
  private var machines: [EditorUnderTest] = []
  private var wakes: [Instant] = []
  private var records: [FieldRecord<EditSet>?] = [nil, nil, nil, nil]
  private var counters = [1, 1, 1, 1]
  private var isOnline = [true, true]
  private var cutBefore = [false, false]
  private var cutAfter = [false, false]
  private var messages: [Message] = []
  private var faults: [SessionStep.Act] = []
  private var nextFault = 0
  // The state of the server.
  private var server = [Stored(EditSet(bits: 0), version: 1), Stored(EditSet(bits: 0), version: 1)]
  private var writers = [-1, -1]
  private var applied = [0, 0, 0, 0]
  private var refused: [EditSet] = []
  private var isHealing = false
  private var notBefore = [Instant.zero, .zero, .zero, .zero]
  private var busyUntil = [Instant.zero, .zero, .zero, .zero]
  // Ground truth of the edits, by field; `removed` by device, then field.
  private var typed = SIMD2<UInt64>()
  private var removed = SIMD4<UInt64>()
  // The edits that a device typed, and those that it removed by typing: its undo may take them back, and no others.
  private var authored = SIMD4<UInt64>()
  private var erased = SIMD4<UInt64>()
  private var kept = SIMD2<UInt64>()
  private var reached = SIMD2<UInt64>()
  private var moments: [Instant] = []
  private var finding = SessionFinding()

  private init(_ policy: ConflictPolicy, _ fault: EditorFault?, _ words: RandomWords) {
    var settings = EditorSettings()
    settings.policy = policy
    (self.settings, self.fault, self.words) = (settings, fault, words)
    for index in 0..<4 {
      machines.append(
        EditorUnderTest(FieldEditor(Self.fields[index & 1], server[index & 1], settings: settings), fault))
      wakes.append(.never)
    }
    messages.reserveCapacity(8)
    moments.reserveCapacity(60)
  }

  /// Plays the steps, heals the network, and returns the counts.
  static func play(
    _ steps: [SessionStep], policy: ConflictPolicy = .merge, fault: EditorFault? = nil, seed: UInt32 = 1
  ) throws(RandomnessError) -> SessionFinding {
    var session = EditSession(policy, fault, try RandomWords(seed: seed))
    for step in steps {
      session.run(until: session.now + .milliseconds(Int64(step.milliseconds)))
      session.take(step)
    }
    session.heal()
    return session.finding
  }

  // MARK: Time

  /// Processes all events due until a time; counts the session as apart if 4,000 events do not get there.
  private mutating func run(until end: Instant) {
    for _ in 0..<4_000 {
      var (next, message, editor) = (end, -1, -1)
      for index in messages.indices where messages[index].arrival <= next {
        if messages[index].arrival < next || message < 0 { (next, message) = (messages[index].arrival, index) }
      }
      for index in 0..<4 where wakes[index] < next || wakes[index] == next && message < 0 && editor < 0 {
        (next, message, editor) = (wakes[index], -1, index)
      }
      guard message >= 0 || editor >= 0, next < .never else {
        now = max(now, end)
        return
      }
      now = max(now, next)
      if message >= 0 { deliver(messages.remove(at: message)) } else { tell(editor, .timer) }
    }
    finding.apart += 1
  }

  @discardableResult
  private mutating func tell(_ index: Int, _ event: FieldEvent<EditSet>) -> Bool {
    let effects = machines[index].handle(event, at: now, word: words.next())
    return perform(effects, index)
  }

  /// Performs an editor's effects unless a kill interrupts them; returns whether its writes were made.
  private mutating func perform(_ effects: FieldEffects<EditSet>, _ index: Int) -> Bool {
    let device = index >> 1
    let writes = effects.keep != nil || effects.store != nil || effects.forgets
    if writes, cutBefore[device] {
      restart(device)
      return false
    }
    if let text = effects.keep { kept[index & 1] |= text.bits }
    if let record = effects.store { (records[index], counters[index]) = (record, record.nextSave) }
    if effects.forgets { records[index] = nil }
    if writes, cutAfter[device] {
      restart(device)
      return true
    }
    if let save = effects.send { send(save, index) }
    if effects.fetches { fetch(index) }
    wakes[index] = machines[index].wake
    if let theirs = machines[index].theirs, writers[index & 1] == device, theirs.version == server[index & 1].version {
      finding.selfConflicts += 1
    }
    return true
  }

  /// Kills the app and starts it from its written records.
  private mutating func restart(_ device: Int) {
    (cutBefore[device], cutAfter[device]) = (false, false)
    finding.kills += 1
    for index in [2 * device, 2 * device + 1] {
      let (field, base) = (Self.fields[index & 1], machines[index].editor.base)
      machines[index] = EditorUnderTest(
        records[index].map { FieldEditor(field, restoring: $0, settings: settings, at: now) }
          ?? FieldEditor(
            field, base, settings: settings, nextSave: fault?.forgetsNumbers == true ? 1 : counters[index]), fault)
      busyUntil[index] = .zero
      // A Retry-After is stored with its edit's record and lost with it.
      if records[index] == nil { notBefore[index] = .zero }
      wakes[index] = machines[index].wake
      if !isOnline[device] { tell(index, .offline) }
    }
  }

  // MARK: The network and the server

  private mutating func send(_ save: Save<EditSet>, _ index: Int) {
    finding.saves += 1
    if now < busyUntil[index] { finding.overlapping += 1 }
    if now < notBefore[index] { finding.early += 1 }
    busyUntil[index] = now + settings.patience
    guard isOnline[index >> 1] else { return }
    var fault: SessionStep.Act?
    if nextFault < faults.count {
      fault = faults[nextFault]
      nextFault += 1
    }
    let delay = fault == .slow ? Interval.seconds(25) : Self.way
    let message = Message(arrival: now + delay, index: index, save: save, answer: nil, fault: fault)
    messages.append(message)
    if fault == .double {
      messages.append(message)
      messages[messages.count - 1].arrival = now + .seconds(3)
    }
  }

  private mutating func deliver(_ message: Message) {
    let index = message.index
    if let answer = message.answer {
      // The system delivers answers even after a restart of the app; without a network they are lost.
      guard isOnline[index >> 1] else { return }
      busyUntil[index] = .zero
      let isKnown = tell(index, .answered(message.save.number, answer)) && records[index] != nil
      if answer.status == 429, isKnown { notBefore[index] = now + .seconds(5) }
      return
    }
    let answer = serve(message)
    guard message.fault != .lose else { return }
    var reply = message
    (reply.arrival, reply.answer) = (now + Self.way, answer)
    messages.append(reply)
  }

  private mutating func serve(_ message: Message) -> SaveAnswer<EditSet> {
    let (index, save) = (message.index, message.save)
    let field = index & 1
    switch message.fault {
    case .fail: return SaveAnswer(503)
    case .limit: return SaveAnswer(429, retryAfter: .seconds(5))
    case .nonsense:
      return words.next() & 1 == 0 ? SaveAnswer(412) : SaveAnswer(200, Stored(EditSet(bits: 0), version: -7))
    default: break
    }
    guard save.version == nil || save.version == server[field].version else { return SaveAnswer(412, server[field]) }
    // A text that was refused once is always refused.
    if message.fault == .refuse, !isHealing { refused.append(save.text) }
    if !refused.isEmpty, refused.contains(save.text) { return SaveAnswer(422) }
    if save.number <= applied[index] { finding.disordered += 1 }
    applied[index] = max(applied[index], save.number)
    server[field] = Stored(save.text, version: server[field].version + 1)
    writers[field] = index >> 1
    arrive(save.text.bits & typed[field] & ~reached[field], field)
    return SaveAnswer(200, server[field])
  }

  private mutating func arrive(_ bits: UInt64, _ field: Int) {
    reached[field] |= bits
    var rest = bits
    while rest != 0 {
      let seconds = (now - moments[rest.trailingZeroBitCount]).seconds
      finding.arrived += 1
      finding.waited += seconds
      finding.longest = max(finding.longest, seconds)
      rest &= rest - 1
    }
  }

  private mutating func fetch(_ index: Int) {
    guard isOnline[index >> 1] else { return }
    tell(index, .refreshed(server[index & 1]))
  }

  // MARK: The person

  private mutating func take(_ step: SessionStep) {
    let index = step.device << 1 | step.field
    switch step.act {
    case .type, .retype:
      guard moments.count < 60 else { return }
      let bit = UInt64(1) << moments.count
      moments.append(now)
      edit(index, to: EditSet(bits: step.act == .type ? machines[index].text.bits | bit : bit), adding: bit)
    case .erase:
      let bits = machines[index].text.bits
      guard bits != 0 else { return }
      edit(index, to: EditSet(bits: bits & ~(UInt64(1) << (63 - bits.leadingZeroBitCount))), adding: 0)
    case .undo: edit(index, to: nil, adding: 0)
    case .leave: tell(index, .left)
    case .look:
      let version = server[index & 1]
      if isOnline[step.device] { tell(index, .refreshed(version)) }
    case .choose: choose(index)
    case .offline, .online:
      isOnline[step.device] = step.act == .online
      for other in [2 * step.device, 2 * step.device + 1] { tell(other, step.act == .online ? .online : .offline) }
    case .kill: restart(step.device)
    case .cutBefore: cutBefore[step.device] = true
    case .cutAfter: cutAfter[step.device] = true
    case .slow, .fail, .lose, .limit, .double, .nonsense, .refuse: faults.append(step.act)
    }
  }

  /// Types a text or, with nil, undoes; an edit counts as typed only if its write is made.
  private mutating func edit(_ index: Int, to text: EditSet?, adding bit: UInt64) {
    let before = machines[index].text.bits
    let effects = machines[index].handle(text.map { .typed($0) } ?? .undo, at: now, word: words.next())
    let (after, isConflict) = (machines[index].text.bits, machines[index].theirs != nil)
    if let text, text.bits != after { finding.unseen += 1 }
    finding.edits += 1
    guard perform(effects, index) else {
      finding.cut += 1
      return
    }
    typed[index & 1] |= bit
    authored[index] |= bit
    if text != nil {
      erased[index] |= before & ~after
    } else if !isConflict {
      // Asked before a kill, since a restarted editor meets the conflict again with its next save.
      let foreign = before & ~after & ~(authored[index] | erased[index] | kept[index & 1])
      finding.lost += foreign.nonzeroBitCount
    }
    removed[index] = (removed[index] | before & ~after) & ~(after & ~before)
  }

  private mutating func choose(_ index: Int) {
    guard let theirs = machines[index].theirs else { return }
    finding.conflicts += 1
    tell(index, .chose(EditSet(bits: theirs.text.bits | machines[index].text.bits)))
  }

  /// Heals the network, then looks at all devices and settles conflicts until nothing waits.
  private mutating func heal() {
    (nextFault, isHealing) = (faults.count, true)
    (cutBefore, cutAfter) = ([false, false], [false, false])
    for device in 0..<2 where !isOnline[device] { take(SessionStep(act: .online, device: device)) }
    var isQuiet = false
    for round in 0..<20 where !isQuiet {
      for index in 0..<4 { tell(index, .left) }
      run(until: now + .seconds(60))
      for index in 0..<4 {
        tell(index, .refreshed(server[index & 1]))
        choose(index)
      }
      // A refused text is changed by another edit, so that the server accepts it.
      isQuiet =
        messages.isEmpty && (0..<4).allSatisfy { wakes[$0] == .never && machines[$0].text == server[$0 & 1].text }
      if !isQuiet {
        for index in 0..<4 where wakes[index] == .never && machines[index].text != server[index & 1].text {
          tell(index, .typed(EditSet(bits: machines[index].text.bits | 1 << (63 - UInt64(round % 4)))))
        }
      }
    }
    for index in 0..<4 where machines[index].text != server[index & 1].text || records[index] != nil {
      finding.apart += 1
    }
    for field in 0..<2 {
      let missing =
        typed[field] & ~(removed[field] | removed[field + 2]) & ~kept[field] & ~server[field].text.bits
      finding.lost += missing.nonzeroBitCount
    }
  }
}
