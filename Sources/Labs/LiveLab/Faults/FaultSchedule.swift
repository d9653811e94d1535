// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore
internal import Reporting

public struct TimedFault: Hashable, Sendable {
  public var at: Instant
  /// The duration; zero for a momentary fault.
  public var lasting: Interval
  public var fault: Fault
  /// The single way that it affects; nil for both, as in every simulation.
  public var way: Fault.Direction?
  /// The number of attempts after which it ends early; nil for no limit, as in every simulation.
  public var count: UInt32?
  /// The share of the connections that it affects, in millionths; nil for all, as in every simulation.
  public var share: Int64?
  /// The name of the single proxy that plays it; nil for all, as in every simulation.
  public var proxy: String?

  public init(_ fault: Fault, at: Instant, lasting: Interval = .zero) {
    (self.fault, self.at, self.lasting) = (fault, at, lasting)
  }

  public var end: Instant { at + lasting }

  /// Returns true if a fault that begins later replaces this one.
  fileprivate func isReplaced(by later: TimedFault) -> Bool {
    fault.kind == later.fault.kind && (way == nil || later.way == nil || way == later.way)
      && (proxy == nil || later.proxy == nil || proxy == later.proxy)
  }

  func check(within duration: Interval, named name: String) throws(LiveLabError) {
    try LiveLabError.require(
      at >= .zero && at - .zero < duration, "\(name), at", found: FaultText.text(at - .zero),
      expected: "a moment of the session, from 0s to before \(FaultText.text(duration))")
    try fault.kind.check(lasting: Spread(lasting.nanoseconds), named: "\(name), for")
    try fault.check(named: name)
  }
}

/// The faults of one session, in the order in which they begin, and the session's length.
public struct FaultSchedule: Hashable, Sendable {
  public static let capacity = 256
  public static let longest = Interval.seconds(31 * 86_400)

  /// The faults in the order in which they begin; at most one of a kind, a way and a proxy holds at a time.
  public private(set) var faults: [TimedFault] = []
  public private(set) var duration = Interval.zero
  /// The time within which the client has to be in sync again after that becomes possible; nil for no limit.
  public private(set) var limit: Interval?

  public init() {}

  /// Creates a schedule from faults in any order; errors name a fault by its index.
  public init(_ faults: [TimedFault], duration: Interval, limit: Interval? = nil) throws(LiveLabError) {
    try Self.check(duration: duration, limit: limit, count: faults.count)
    for (place, timed) in faults.enumerated() {
      try timed.check(within: duration, named: "fault \(place + 1), \(timed.fault.kind.name)")
    }
    self.init(unchecked: faults, duration: duration, limit: limit)
  }

  /// Creates a schedule without checks from faults in any order: the first `capacity` that begin within the session. A
  /// fault ends with the session, or at the beginning of another of its kind.
  public init(unchecked all: [TimedFault], duration: Interval, limit: Interval?) {
    let inside = all.filter { $0.at >= .zero && $0.at - .zero < duration }.prefix(Self.capacity)
    var faults = inside.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    let end = Instant.zero + duration
    for (place, timed) in faults.enumerated() where timed.lasting > .zero {
      let over = min(timed.end, end)
      let replacing = faults[(place + 1)...].prefix { $0.at < over }.first { timed.isReplaced(by: $0) }
      faults[place].lasting = (replacing?.at ?? over) - timed.at
    }
    // A fault that was replaced at its own beginning never held.
    faults.removeAll { $0.lasting <= .zero && !$0.fault.kind.isMoment }
    (self.faults, self.duration, self.limit) = (faults, duration, limit)
  }

  public static func check(duration: Interval, limit: Interval?, count: Int) throws(LiveLabError) {
    for (field, time) in [("duration", duration), ("limit", limit ?? longest)] {
      try LiveLabError.require(
        time > .zero && time <= longest, field, found: FaultText.text(time),
        expected: "a time above 0 and up to \(FaultText.text(longest))")
    }
    try LiveLabError.require(count <= capacity, "faults", found: "\(count)", expected: "at most \(capacity)")
  }
}

// MARK: The text form

extension FaultSchedule: CustomStringConvertible {
  static let version = "live/1"

  /// The schedule on one line, exact to the nanosecond, from which it can be read. A parameter added later than the
  /// version of the text is written only if it differs from its default, so that older texts keep their meaning and
  /// form: `live/1 for=30m limit=45s; 5m offline for=20s; 5m20s network-change`.
  public var description: String {
    let head = "\(Self.version) for=\(FaultText.text(duration))"
    let limit = limit.map { " limit=\(FaultText.text($0))" } ?? ""
    return faults.reduce(into: head + limit) { text, timed in text += "; \(timed)" }
  }
}

extension TimedFault: CustomStringConvertible {
  /// Time, name, duration and values: `5m restart for=20s how=graceful history=kept`.
  public var description: String {
    "\(FaultText.text(at - .zero)) \(withoutMoment)"
  }

  /// The text without the time: `restart for=20s how=graceful history=kept`.
  public var withoutMoment: String {
    let lasting = fault.kind.isMoment ? "" : " for=\(FaultText.text(lasting))"
    let reach =
      (way.map { " way=\($0)" } ?? "") + (count.map { " count=\($0)" } ?? "")
      + (share.map { " share=\(FaultText.portion($0))" } ?? "") + (proxy.map { " proxy=\($0)" } ?? "")
    return "\(fault.kind.name)\(lasting)\(fault.parametersText)\(reach)"
  }

  /// Reads a fault of real sockets as `withoutMoment` writes it; without `for` it lasts for the longest possible time.
  public init(reading text: String) throws(LiveLabError) {
    let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let kind = Fault.Kind(name: String(text.prefix { $0 != " " }))
    let isTimed = kind?.isMoment != false || text.contains(" for=")
    let (head, longest) = ("\(FaultSchedule.version) for=31d; 0s ", " for=31d")
    do throws(LiveLabError) {
      let schedule = try FaultSchedule(reading: head + text + (isTimed ? "" : longest), onSockets: true)
      guard let fault = schedule.faults.first, schedule.faults.count == 1 else {
        throw .badValue(field: "fault", found: text.isEmpty ? "nothing" : "several", expected: "one fault")
      }
      self = fault
    } catch {
      throw .badValue(field: "fault", found: error.found, expected: error.expected)
    }
  }
}

extension FaultSchedule {
  /// Reads a schedule as `description` writes it; a share may be written as 0.05 or 5%, parameters may come in any
  /// order, and those with a default may be omitted.
  ///
  /// Real sockets support more faults than a simulation, and may limit one to one way (`way=up`), to a number of
  /// attempts (`count=2`), to a share of the connections (`share=20%`) or to one of several proxies (`proxy=db`);
  /// unless `onSockets` is set, a schedule with any of these is refused.
  public init(reading text: String, onSockets: Bool = false) throws(LiveLabError) {
    var reader = ScheduleReader(text, onSockets: onSockets)
    self = try reader.schedule()
  }
}

private struct ScheduleReader {
  private struct Word {
    let text: String
    /// The position of the first character, from 1.
    let position: Int
  }

  private let words: [Word]
  private let length: Int
  private let isOnSockets: Bool
  private var next = 0

  init(_ text: String, onSockets: Bool) {
    isOnSockets = onSockets
    words = text.matches(of: /;|[^;\s]+/).map { match in
      Word(text: String(match.output), position: text.distance(from: text.startIndex, to: match.range.lowerBound) + 1)
    }
    length = text.count
  }

  mutating func schedule() throws(LiveLabError) -> FaultSchedule {
    try version()
    var (duration, limit): (Interval?, Interval?)
    while let word = plainWord() {
      let (key, value) = try pair(word, among: ["for", "limit"])
      let time = try time(value, at: word, key)
      guard (key == "for" ? duration : limit) == nil else { throw bad(word, expected: "\(key) only once") }
      if key == "for" { duration = time } else { limit = time }
    }
    guard let duration else { throw badHere(expected: "for=, the length of the session, such as for=30m") }
    try FaultSchedule.check(duration: duration, limit: limit, count: words.count { $0.text == ";" })
    var faults: [TimedFault] = []
    while next < words.count {
      next += 1
      // A semicolon after the last fault is allowed.
      if next < words.count { faults.append(try fault(within: duration)) }
    }
    return try FaultSchedule(faults, duration: duration, limit: limit)
  }

  private mutating func version() throws(LiveLabError) {
    let expected = "a schedule, which begins with \(FaultSchedule.version)"
    guard let word = plainWord() else { throw badHere(expected: expected) }
    guard word.text.hasPrefix("live/") else { throw bad(word, expected: expected) }
    guard word.text == FaultSchedule.version else {
      throw bad(word, expected: "\(FaultSchedule.version); a schedule of another version cannot be replayed")
    }
  }

  private mutating func fault(within duration: Interval) throws(LiveLabError) -> TimedFault {
    guard let first = plainWord() else { throw badHere(expected: "the time of a fault, such as 5m20s") }
    let at = try time(first.text, at: first, nil)
    let kinds = isOnSockets ? Fault.Kind.allCases : Fault.Kind.simulated
    let names = kinds.map(\.name)
    let all = "the name of a fault, one of \(names.joined(separator: ", "))"
    guard let word = plainWord() else { throw badHere(expected: all) }
    guard let kind = Fault.Kind(name: word.text) else {
      let hint = Spelling.hint(for: word.text, among: names)
      throw bad(word, expected: hint.isEmpty ? all : "the name of a fault" + hint)
    }
    guard kinds.contains(kind) else {
      throw bad(word, expected: "a fault that a simulation plays: \(kind.name) is of real sockets, in `live proxy`")
    }
    let parameters = kind.parameters
    var values = FaultValues.zero
    var seen: Set<String> = []
    for (place, parameter) in parameters.enumerated() { values[place] = parameter.standard ?? 0 }
    var timed = TimedFault(Fault(kind), at: .zero + at)
    let keys =
      (kind.isMoment ? [] : ["for"]) + parameters.map(\.name)
      + (isOnSockets && kind.declaration.hasWay ? ["way"] : [])
      + (isOnSockets && kind.declaration.hasCount ? ["count"] : [])
      + (isOnSockets && kind.declaration.hasShare ? ["share"] : []) + (isOnSockets ? ["proxy"] : [])
    while let word = plainWord() {
      let (key, value) = try pair(word, among: keys)
      guard seen.insert(key).inserted else { throw bad(word, expected: "\(key) only once") }
      guard let place = parameters.firstIndex(where: { $0.name == key }) else {
        switch key {
        case "way": timed.way = try way(value, at: word)
        case "count": timed.count = try count(value, at: word)
        case "share": timed.share = try share(value, at: word)
        case "proxy": timed.proxy = value
        default: timed.lasting = try time(value, at: word, key)
        }
        continue
      }
      guard let number = parameters[place].value(value) else {
        throw bad(word, expected: "\(key)= and \(parameters[place].expectation)")
      }
      values[place] = number
    }
    if let missing = parameters.first(where: { $0.standard == nil && !seen.contains($0.name) }) {
      throw badHere(expected: "\(missing.name)= of \(kind.name), \(missing.expectation)")
    }
    if !kind.isMoment, !seen.contains("for") { throw badHere(expected: "for= of \(kind.name), such as for=20s") }
    timed.fault = Fault(kind, values: values)
    try timed.check(within: duration, named: "schedule, character \(first.position), \(kind.name)")
    return timed
  }

  private func way(_ text: String, at word: Word) throws(LiveLabError) -> Fault.Direction {
    guard let way = Fault.Direction.allCases.first(where: { "\($0)" == text }) else {
      throw bad(word, expected: "way=up or way=down, the one way in which it acts; without it both")
    }
    return way
  }

  private func count(_ text: String, at word: Word) throws(LiveLabError) -> UInt32 {
    guard let count = UInt32(text), count > 0 else {
      throw bad(word, expected: "count= and a whole number above 0, the attempts after which it is over")
    }
    return count
  }

  private func share(_ text: String, at word: Word) throws(LiveLabError) -> Int64 {
    let parameter = FaultParameter.portion("share")
    guard let share = parameter.value(text) else {
      throw bad(word, expected: "share= and \(parameter.expectation): of the connections, those that it affects")
    }
    return share
  }

  private mutating func plainWord() -> Word? {
    guard next < words.count, words[next].text != ";" else { return nil }
    next += 1
    return words[next - 1]
  }

  private func pair(_ word: Word, among keys: [String]) throws(LiveLabError) -> (key: String, value: String) {
    guard let sign = word.text.firstIndex(of: "=") else {
      throw bad(
        word, expected: keys.isEmpty ? "; or the end" : "\(keys.map { $0 + "=" }.joined(separator: " or ")), or ;")
    }
    let key = String(word.text[..<sign])
    guard keys.contains(key) else {
      throw bad(
        word,
        expected: (keys.isEmpty ? "; or the end" : keys.map { $0 + "=" }.joined(separator: " or "))
          + Spelling.hint(for: key, among: keys))
    }
    return (key, String(word.text[word.text.index(after: sign)...]))
  }

  private func time(_ text: String, at word: Word, _ key: String?) throws(LiveLabError) -> Interval {
    guard let nanoseconds = FaultText.readTime(text) else {
      let expected = "\(key.map { $0 + "= and " } ?? "")a time such as 5m20s, 1.5s or 250ms"
      throw bad(word, expected: TimeSpan.expected(expected, in: text))
    }
    return Interval(nanoseconds: nanoseconds)
  }

  private func bad(_ word: Word, expected: String) -> LiveLabError {
    .badValue(field: "schedule, character \(word.position)", found: "'\(word.text)'", expected: expected)
  }

  /// The error at the next word, or at the end of the text.
  private func badHere(expected: String) -> LiveLabError {
    guard next < words.count else {
      return .badValue(field: "schedule, character \(length + 1)", found: "the end", expected: expected)
    }
    return bad(words[next], expected: expected)
  }
}
