// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore
public import Randomness
internal import Reporting

/// A named kind of outage: what goes wrong, when, and how soon a client is to be back afterwards.
///
/// A profile is a recipe for sessions. Each session draws how many outages it has, which variant each takes, and every
/// time and value within the profile's ranges, so that a session's random source alone determines what happens in it.
public struct OutageProfile: Hashable, Sendable {
  public var name: String
  var meaning: String
  /// How soon the client is to be in sync again, from when an attempt could have succeeded.
  public var limit: Interval
  /// The summands of the limit; empty where it was given.
  var parts: [LimitPart] = []
  /// How long a session is at the least; it lasts until the last outage's limit is over.
  var session = Interval.seconds(3_600)
  /// When the first outage begins.
  var first = Spread.minutes(1, 5)
  var outages = Spread(1)
  /// How long after the end of one outage and the limit the next begins.
  var pause = Spread.minutes(1, 5)
  /// The faults that hold from the beginning of the session to its end.
  var always: [FaultPattern]
  var variants: [OutageVariant]
  /// Where it comes from; nil for one composed of faults.
  var origin: ProfileOrigin?

  init(
    name: String = "", meaning: String = "", limit: Interval = .zero, always: [FaultPattern] = [],
    variants: [OutageVariant]
  ) {
    (self.name, self.meaning, self.limit, self.always, self.variants) = (name, meaning, limit, always, variants)
  }

  /// How long after the last outage and its limit a session goes on, so that coming back late is seen as late.
  static let tail = Interval.seconds(30)

  func schedule(using random: inout SessionRandom) -> FaultSchedule {
    var faults: [TimedFault] = []
    for pattern in always { faults.append(TimedFault(pattern.fault(using: &random), at: .zero, lasting: .forever)) }
    let weights = variants.reduce(0) { $0 + UInt64($1.weight) }
    var (start, over) = (Instant.zero + first.time(using: &random), Instant.zero)
    for _ in 0..<(weights > 0 ? outages.draw(using: &random) : 0) {
      var drawn = variants.count > 1 ? random.below(weights) : 0
      var place = 0
      while drawn >= UInt64(variants[place].weight), place + 1 < variants.count {
        drawn -= UInt64(variants[place].weight)
        place += 1
      }
      over = max(over, variants[place].lay(into: &faults, from: start, using: &random))
      start = over + limit + pause.time(using: &random)
    }
    let end = over - .zero + limit + Self.tail
    return FaultSchedule(unchecked: faults, duration: min(FaultSchedule.longest, max(session, end)), limit: limit)
  }

  /// The faults of the session of that seed.
  public func schedule(
    seed: UInt32, generator: String = SessionRandom.defaultName
  ) throws(RandomnessError) -> FaultSchedule {
    var random = try SessionRandom(seed: seed, generator: generator)
    return schedule(using: &random)
  }

  /// No session has more faults than this.
  var mostFaults: Int {
    let most = variants.map { Int(clamping: $0.times.most) * $0.patterns.count }.max() ?? 0
    return min(FaultSchedule.capacity, always.count + Int(clamping: outages.most) * most)
  }
}

/// One way that an outage can go: its faults, once or several times over.
struct OutageVariant: Hashable, Sendable {
  /// How often it is drawn, relative to the weights of the profile's other variants.
  var weight: UInt32 = 1
  var times = Spread(1)
  /// How long after the end of one time the next begins.
  var gap = Spread(0)
  let patterns: [FaultPattern]

  init(weight: UInt32 = 1, times: Spread = Spread(1), gap: Spread = Spread(0), _ patterns: [FaultPattern]) {
    (self.weight, self.times, self.gap, self.patterns) = (weight, times, gap, patterns)
  }

  /// Adds its faults to others, and returns when the last fault that ends is over.
  func lay(into faults: inout [TimedFault], from start: Instant, using random: inout SessionRandom) -> Instant {
    var (begin, latest) = (start, start)
    for _ in 0..<times.draw(using: &random) {
      var previous = begin
      for pattern in patterns {
        guard random.happens(pattern.chance) else { continue }
        let at = (pattern.anchor == .begin ? begin : previous) + pattern.delay.time(using: &random)
        let lasting = pattern.lasting.time(using: &random)
        let timed = TimedFault(pattern.fault(using: &random), at: at, lasting: lasting)
        faults.append(timed)
        // What holds for ever is over when the session is, however long that is.
        previous = pattern.isEndless ? at : timed.end
        latest = max(latest, previous)
      }
      begin = latest + gap.time(using: &random)
    }
    return latest
  }
}

/// A fault of an outage whose moment, duration and values are drawn for each session.
struct FaultPattern: Hashable, Sendable {
  /// The origin of the moment: the beginning of the outage, or the end of the fault before it in the outage.
  enum Anchor: UInt8, Hashable, Sendable { case begin, previous }

  let kind: Fault.Kind
  let anchor: Anchor
  let delay: Spread
  /// No time for a moment.
  let lasting: Spread
  /// The values of the kind's parameters, in their order.
  let values: [Spread]
  /// How likely it is in an outage, from 0 to 1 in whole millionths.
  let chance: Double
  /// The multiples in which each value is drawn.
  private let steps: FaultValues

  /// A pattern, unchecked: `check` does. Values that are left out have their usual values.
  init(
    _ kind: Fault.Kind, anchor: Anchor = .begin, delay: Spread = Spread(0), lasting: Spread = Spread(0),
    values: [Spread] = [], chance: Double = 1
  ) {
    (self.kind, self.anchor, self.delay, self.lasting, self.chance) = (kind, anchor, delay, lasting, chance)
    let parameters = kind.parameters
    self.values = parameters.enumerated().map { place, parameter in
      place < values.count ? values[place] : Spread(parameter.standard ?? parameter.range.lowerBound)
    }
    var steps = FaultValues(repeating: 1)
    for (place, parameter) in parameters.enumerated() where parameter.unit == .time { steps[place] = 1_000_000 }
    self.steps = steps
  }

  /// Whether it holds to the end of the session, however long that is.
  var isEndless: Bool { lasting.most >= FaultSchedule.longest.nanoseconds }

  /// The faults of the least and of the greatest values.
  var extremes: (least: Fault, most: Fault) {
    var (least, most) = (FaultValues.zero, FaultValues.zero)
    for (place, spread) in values.enumerated() { (least[place], most[place]) = (spread.least, spread.most) }
    return (Fault(kind, values: least), Fault(kind, values: most))
  }

  func fault(using random: inout SessionRandom) -> Fault {
    var drawn = FaultValues.zero
    for place in values.indices { drawn[place] = values[place].draw(using: &random, step: steps[place]) }
    return Fault(kind, values: drawn)
  }

  func check(named name: String) throws(LiveLabError) {
    try kind.check(lasting: lasting, named: "\(name), for")
    try extremes.least.check(named: name)
    try extremes.most.check(named: name)
  }
}

/// A whole number, or a range of them from which each session draws one, all equally likely. A time is in nanoseconds.
struct Spread: Hashable, Sendable {
  let least: Int64
  let most: Int64

  /// A greatest value below the least counts as the least.
  init(_ least: Int64, _ most: Int64) { (self.least, self.most) = (least, max(least, most)) }

  init(_ value: Int64) { self.init(value, value) }

  static func minutes(_ least: Int64, _ most: Int64) -> Spread { seconds(least * 60, most * 60) }

  static func seconds(_ least: Int64, _ most: Int64) -> Spread { Spread(least * 1_000_000_000, most * 1_000_000_000) }

  /// To the end of the session, however long that is.
  static let forever = Spread(FaultSchedule.longest.nanoseconds)

  /// Draws the least and a multiple of the step, so that times stay in milliseconds; no word is used where there is
  /// only one value.
  func draw(using random: inout SessionRandom, step: Int64 = 1) -> Int64 {
    guard most > least else { return least }
    let steps = UInt64(bitPattern: most &- least) / UInt64(step)
    return least &+ Int64(bitPattern: random.below(steps &+ 1)) &* step
  }

  /// Draws a time in whole milliseconds.
  func time(using random: inout SessionRandom) -> Interval {
    Interval(nanoseconds: draw(using: &random, step: 1_000_000))
  }
}

// MARK: Limits

/// A part of a profile's limit: a time that may pass before a client with the recommended settings is back.
///
/// A limit is the sum of what comes one after the other in the longest variant that an outage of the profile can be
/// planned for. It follows from the recommended settings and the profile's own ranges, and not from how any client has
/// fared; every client, whatever its settings and policy, is held to the same.
struct LimitPart: Hashable, Sendable {
  let time: Interval
  /// Its purpose, in words that follow the time.
  let words: String

  init(_ time: Interval, _ words: String) { (self.time, self.words) = (time, words) }

  private static let settings = ConnectionSettings()

  /// A part by its name, with what it depends on behind it; or a time, and what it is for.
  init(_ field: ScenarioField) throws(ReportingError) {
    let words = try field.string(expected: "a part of a limit").split(separator: " ").map(String.init)
    let times = words.dropFirst().compactMap { ProfileReader.spread($0, as: .time) }
    let settings = Self.settings
    switch words[0] {
    case "silent-death":
      self.init(
        (settings.heartbeat.interval ?? .zero) + settings.heartbeat.pongTimeout,
        "until a connection that died without a word is found")
    case "pong": self.init(settings.heartbeat.pongTimeout, "until the ping sent on waking is given up")
    case "hanging-attempt": self.init(settings.connectTimeout, "for an attempt that hangs")
    case "staying-away":
      self.init(
        settings.closeRules.later + settings.closeRules.laterSpread, "of staying away at the most, as 1012 asks")
    case "wait": self = .wait(before: Int(words.last ?? "") ?? 1)
    case "wait-after-hanging":
      // The longest that each may be, but for the last where it is the least that counts.
      let least = words.contains("least") ? times.last : nil
      let longest = (least == nil ? times : times.dropLast()).reduce(0) { $0 + $1.most }
      self = .waitAfterHanging(in: longest + (least?.least ?? 0))
    case "opening":
      // Slower by a latency and half of a jitter.
      let slower = zip(times, [1, 2] as [Int64]).reduce(0) { $0 + $1.0.most / $1.1 }
      self = .opening(slower: Interval(nanoseconds: slower))
    default:
      guard let time = ProfileReader.spread(words[0], as: .time) else { throw field.bad(expected: "a part of a limit") }
      self.init(Interval(nanoseconds: time.most), words.dropFirst().joined(separator: " "))
    }
  }

  /// The longest wait before an attempt, the first of which is 1.
  static func wait(before attempt: Int) -> LimitPart {
    var longest = settings.backoff.base.seconds
    for _ in 1..<max(1, min(attempt, settings.backoff.maximumAttempts)) { longest *= settings.backoff.factor }
    return LimitPart(
      min(Interval(seconds: longest), settings.backoff.cap), "of waiting before attempt \(attempt) at the most")
  }

  /// The round trips before the handshake, that of the handshake and that of the stream, on average, each way taking so
  /// much longer than usual, and one first packet that is sent again, to the next whole second.
  static func opening(slower: Interval = .zero) -> LimitPart {
    let network = NetworkModel()
    let ways = Double(2 * network.roundTripsToOpen + 4)
    let seconds = ways * (network.latency + network.jitter + slower).seconds + network.firstRetransmission.seconds
    return LimitPart(.seconds(Int64(seconds.rounded(.up))), "to open the connection and resume the stream")
  }

  static func sum(of parts: [LimitPart]) -> Interval { parts.reduce(.zero) { $0 + $1.time } }

  /// The wait that follows the last attempt that can hang in so many nanoseconds without a signal of which the phone
  /// knows nothing.
  ///
  /// The loss is found when a ping goes unanswered, at the soonest after the pong timeout; from then on an attempt
  /// takes the connect timeout, and next to no wait where waits were drawn short. One more begins just before the end.
  static func waitAfterHanging(in length: Int64) -> LimitPart {
    let rest = max(0, length - settings.heartbeat.pongTimeout.nanoseconds)
    let attempt = 2 + rest / settings.connectTimeout.nanoseconds
    return .wait(before: Int(min(Int64(settings.backoff.maximumAttempts), attempt)))
  }
}

// MARK: In words

extension OutageProfile {
  public var reason: String {
    guard !parts.isEmpty, limit == LimitPart.sum(of: parts) else { return "\(limit.inSeconds), as it was asked for." }
    let summands = parts.map { "\($0.time.inSeconds) \($0.words)" }
    guard summands.count > 1, let last = summands.last else { return "\(summands.joined())." }
    return "\(summands.dropLast().joined(separator: ", ")), and \(last)."
  }

  /// The exact recipe of a session in the words of a schedule: faults by their names, times and values as they are or
  /// as ranges from which each session draws evenly.
  ///
  ///     2..4 outages, the first after 1m..3m, each other 1m..3m after the limit of the one before;
  ///     always bandwidth rate=8000..40000; 40% black-hole for=5s..25s; 30% reset; 30% half-open
  var definition: String {
    let isOne = outages == Spread(1)
    let count = FaultParameter.number.text(outages)
    var head =
      "\(count) outage\(isOne ? "" : "s"), \(isOne ? "" : "the first ")after \(FaultParameter.time.text(first))"
    if !isOne { head += ", each other \(FaultParameter.time.text(pause)) after the limit of the one before" }
    return ([head] + always.map { "always \($0.kind.name)\($0.valuesText)" } + ways).joined(separator: "; ")
  }

  /// The ways that an outage can go, each with its share where there are several.
  private var ways: [String] {
    let some = variants.filter { $0.weight > 0 }
    let whole = some.reduce(Int64(0)) { $0 + Int64($1.weight) }
    return some.map { variant in
      let share = some.count > 1 ? "\(FaultText.portion(Int64(variant.weight) * 1_000_000 / whole)) " : ""
      return share + variant.text
    }
  }

  /// The built-in profiles, a paragraph each: what they stand for, what they draw, their limit and why it is that.
  public static let definitions = all.map { profile in
    "\(profile.name): \(profile.meaning) \(profile.definition). Back in time within \(profile.limit.inSeconds): "
      + profile.reason
  }
}

extension OutageVariant {
  fileprivate var text: String {
    let faults = patterns.map(\.text).joined(separator: " + ")
    guard times != Spread(1) else { return faults }
    return "\(FaultParameter.number.text(times)) times \(FaultParameter.time.text(gap)) apart: \(faults)"
  }
}

extension FaultPattern {
  /// The fault as a schedule writes it, with ranges, and with its delay and chance where it has any.
  fileprivate var text: String {
    var text = kind.name
    if !kind.isMoment { text += " for=\(FaultParameter.time.text(lasting))" }
    text += valuesText
    let isDelayed = delay != Spread(0)
    if isDelayed { text += "\(anchor == .begin ? " at" : "") \(FaultParameter.time.text(delay))" }
    if anchor == .previous { text += " afterwards" }
    return chance < 1 ? "\(text) in \(FaultText.portion(FaultText.millionths(chance)))" : text
  }

  /// Its values as a schedule writes them, each with a blank before it.
  fileprivate var valuesText: String { kind.text { parameter, place in parameter.written(values[place]) } }
}
