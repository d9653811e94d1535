// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore
public import Randomness
internal import Reporting

/// A named kind of outage: its faults, their times, and the limit for a client's return.
///
/// A profile is a recipe for sessions. Each session draws its number of outages, the variant of each, and all times and
/// values within the profile's ranges, so its random source alone determines its faults.
public struct OutageProfile: Hashable, Sendable {
  public var name: String
  var meaning: String
  /// The time within which the client has to be in sync again after an attempt could have succeeded.
  public var limit: Interval
  /// The summands of the limit; empty if it was given.
  var parts: [LimitPart] = []
  /// The minimum length of a session, which lasts until the last outage's limit is over.
  var session = Interval.seconds(3_600)
  /// The beginning of the first outage.
  var first = Spread.minutes(1, 5)
  var outages = Spread(1)
  /// The pause from the end of an outage and its limit to the next.
  var pause = Spread.minutes(1, 5)
  /// The faults that hold for the whole session.
  var always: [FaultPattern]
  var variants: [OutageVariant]
  /// The built-in profile that it is derived from; nil for one composed of faults.
  var origin: ProfileOrigin?

  init(
    name: String = "", meaning: String = "", limit: Interval = .zero, always: [FaultPattern] = [],
    variants: [OutageVariant]
  ) {
    (self.name, self.meaning, self.limit, self.always, self.variants) = (name, meaning, limit, always, variants)
  }

  /// The time that a session continues after the last outage and its limit, so that late returns are seen.
  static let tail = Interval.seconds(30)

  func schedule(using random: inout SessionRandom) -> FaultSchedule {
    var faults: [TimedFault] = []
    for pattern in always { faults.append(TimedFault(pattern.fault(using: &random), at: .zero, lasting: .forever)) }
    let weights = variants.reduce(0) { $0 + UInt64($1.weight) }
    var (start, over) = (Instant.zero + first.time(using: &random), Instant.zero)
    for _ in 0..<(weights > 0 ? outages.draw(using: &random) : 0) {
      var drawn = variants.count > 1 ? random.below(weights) : 0
      var index = 0
      while drawn >= UInt64(variants[index].weight), index + 1 < variants.count {
        drawn -= UInt64(variants[index].weight)
        index += 1
      }
      over = max(over, variants[index].lay(into: &faults, from: start, using: &random))
      start = over + limit + pause.time(using: &random)
    }
    let end = over - .zero + limit + Self.tail
    return FaultSchedule(unchecked: faults, duration: min(FaultSchedule.longest, max(session, end)), limit: limit)
  }

  /// The faults of a session by its seed.
  public func schedule(
    seed: UInt32, generator: String = SessionRandom.defaultName
  ) throws(RandomnessError) -> FaultSchedule {
    var random = try SessionRandom(seed: seed, generator: generator)
    return schedule(using: &random)
  }

  /// The largest number of faults in a session.
  var maxFaults: Int {
    let maximum = variants.map { Int(clamping: $0.times.maximum) * $0.patterns.count }.max() ?? 0
    return min(FaultSchedule.capacity, always.count + Int(clamping: outages.maximum) * maximum)
  }
}

/// A way that an outage can go: its faults, once or repeated.
struct OutageVariant: Hashable, Sendable {
  /// The weight of the variant among the profile's variants.
  var weight: UInt32 = 1
  var times = Spread(1)
  /// The gap from the end of one repetition to the next.
  var gap = Spread(0)
  let patterns: [FaultPattern]

  init(weight: UInt32 = 1, times: Spread = Spread(1), gap: Spread = Spread(0), _ patterns: [FaultPattern]) {
    (self.weight, self.times, self.gap, self.patterns) = (weight, times, gap, patterns)
  }

  /// Appends its faults, and returns when the last of them that ends is over.
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
        // An endless fault ends with the session, whatever its length.
        previous = pattern.isEndless ? at : timed.end
        latest = max(latest, previous)
      }
      begin = latest + gap.time(using: &random)
    }
    return latest
  }
}

/// A fault of an outage whose time, duration and values are drawn for each session.
struct FaultPattern: Hashable, Sendable {
  /// The origin of its time: the beginning of the outage, or the end of the fault before it.
  enum Anchor: UInt8, Hashable, Sendable { case begin, previous }

  let kind: Fault.Kind
  let anchor: Anchor
  let delay: Spread
  /// The duration; zero for a momentary fault.
  let lasting: Spread
  /// The values of the kind's parameters, in their order.
  let values: [Spread]
  /// The chance that an outage has the fault, from 0 to 1 in whole millionths.
  let chance: Double
  /// The granularity of each drawn value.
  private let steps: FaultValues

  /// Creates a pattern without the checks of `check`. Omitted values are the defaults.
  init(
    _ kind: Fault.Kind, anchor: Anchor = .begin, delay: Spread = Spread(0), lasting: Spread = Spread(0),
    values: [Spread] = [], chance: Double = 1
  ) {
    (self.kind, self.anchor, self.delay, self.lasting, self.chance) = (kind, anchor, delay, lasting, chance)
    let parameters = kind.parameters
    self.values = parameters.enumerated().map { index, parameter in
      index < values.count ? values[index] : Spread(parameter.standard ?? parameter.range.lowerBound)
    }
    var steps = FaultValues(repeating: 1)
    for (index, parameter) in parameters.enumerated() where parameter.unit == .time { steps[index] = 1_000_000 }
    self.steps = steps
  }

  /// True if the fault holds to the end of the session, whatever its length.
  var isEndless: Bool { lasting.maximum >= FaultSchedule.longest.nanoseconds }

  /// The fault with the smallest and with the largest values.
  var extremes: (minimum: Fault, maximum: Fault) {
    var (minimum, maximum) = (FaultValues.zero, FaultValues.zero)
    for (index, spread) in values.enumerated() { (minimum[index], maximum[index]) = (spread.minimum, spread.maximum) }
    return (Fault(kind, values: minimum), Fault(kind, values: maximum))
  }

  func fault(using random: inout SessionRandom) -> Fault {
    var drawn = FaultValues.zero
    for index in values.indices { drawn[index] = values[index].draw(using: &random, step: steps[index]) }
    return Fault(kind, values: drawn)
  }

  func check(named name: String) throws(LiveLabError) {
    try kind.check(lasting: lasting, named: "\(name), for")
    try extremes.minimum.check(named: name)
    try extremes.maximum.check(named: name)
  }
}

/// An integer, or a range of integers from which each session draws uniformly. Times are in nanoseconds.
struct Spread: Hashable, Sendable {
  let minimum: Int64
  let maximum: Int64

  /// A `maximum` below `minimum` counts as `minimum`.
  init(_ minimum: Int64, _ maximum: Int64) { (self.minimum, self.maximum) = (minimum, max(minimum, maximum)) }

  init(_ value: Int64) { self.init(value, value) }

  static func minutes(_ minimum: Int64, _ maximum: Int64) -> Spread { seconds(minimum * 60, maximum * 60) }

  static func seconds(_ minimum: Int64, _ maximum: Int64) -> Spread {
    Spread(minimum * 1_000_000_000, maximum * 1_000_000_000)
  }

  /// A duration to the end of the session, whatever its length.
  static let forever = Spread(FaultSchedule.longest.nanoseconds)

  /// Draws the least value plus a multiple of the step, so that times stay in milliseconds; a single value uses no
  /// random word.
  func draw(using random: inout SessionRandom, step: Int64 = 1) -> Int64 {
    guard maximum > minimum else { return minimum }
    let steps = UInt64(bitPattern: maximum &- minimum) / UInt64(step)
    return minimum &+ Int64(bitPattern: random.below(steps &+ 1)) &* step
  }

  /// Draws a time in whole milliseconds.
  func time(using random: inout SessionRandom) -> Interval {
    Interval(nanoseconds: draw(using: &random, step: 1_000_000))
  }
}

// MARK: Limits

/// A part of a profile's limit: a time that may pass before a client with the recommended settings is back.
///
/// A limit is the sum of consecutive times in the longest variant of an outage that the profile plans for. It follows
/// from the recommended settings and the profile's own ranges, not from results of any client; it is the same for all
/// clients, settings and policies.
struct LimitPart: Hashable, Sendable {
  let time: Interval
  /// Its purpose, as words that follow the time.
  let words: String

  init(_ time: Interval, _ words: String) { (self.time, self.words) = (time, words) }

  private static let settings = ConnectionSettings()

  /// Reads a part: its name followed by its parameters, or a time followed by its purpose.
  init(_ field: ScenarioField) throws(ReportingError) {
    let words = try field.string(expected: "a part of a limit").split(separator: " ").map(String.init)
    let times = words.dropFirst().compactMap { ProfileReader.spread($0, as: .time) }
    let settings = Self.settings
    switch words[0] {
    case "silent-death":
      self.init(
        (settings.heartbeat.interval ?? .zero) + settings.heartbeat.pongTimeout,
        "until a connection that died silently is detected")
    case "pong": self.init(settings.heartbeat.pongTimeout, "until the ping sent on waking is given up")
    case "hanging-attempt": self.init(settings.connectTimeout, "for an attempt that hangs")
    case "staying-away":
      self.init(
        settings.closeRules.later + settings.closeRules.laterSpread, "of staying away at most, as 1012 asks")
    case "wait": self = .wait(before: Int(words.last ?? "") ?? 1)
    case "wait-after-hanging":
      // The largest of each, except the last one if it is marked as least.
      let minimum = words.contains("least") ? times.last : nil
      let longest = (minimum == nil ? times : times.dropLast()).reduce(0) { $0 + $1.maximum }
      self = .waitAfterHanging(in: longest + (minimum?.minimum ?? 0))
    case "opening":
      // The additional latency and half of the jitter.
      let slower = zip(times, [1, 2] as [Int64]).reduce(0) { $0 + $1.0.maximum / $1.1 }
      self = .opening(slower: Interval(nanoseconds: slower))
    default:
      guard let time = ProfileReader.spread(words[0], as: .time) else { throw field.bad(expected: "a part of a limit") }
      self.init(Interval(nanoseconds: time.maximum), words.dropFirst().joined(separator: " "))
    }
  }

  /// The longest wait before an attempt, counted from 1.
  static func wait(before attempt: Int) -> LimitPart {
    var longest = settings.backoff.base.seconds
    let attempts = min(attempt, settings.backoff.maximumAttempts ?? attempt)
    for _ in 1..<max(1, attempts) { longest *= settings.backoff.factor }
    return LimitPart(
      min(Interval(seconds: longest), settings.backoff.cap), "of waiting at most before attempt \(attempt)")
  }

  /// The mean time of the round trips before the handshake, of the handshake and of the stream, each way slower by
  /// `slower`, with one retransmission of a first packet, rounded up to a second.
  static func opening(slower: Interval = .zero) -> LimitPart {
    let network = NetworkModel()
    let ways = Double(2 * network.roundTripsToOpen + 4)
    let seconds = ways * (network.latency + network.jitter + slower).seconds + network.firstRetransmission.seconds
    return LimitPart(.seconds(Int64(seconds.rounded(.up))), "to open the connection and resume the stream")
  }

  static func sum(of parts: [LimitPart]) -> Interval { parts.reduce(.zero) { $0 + $1.time } }

  /// The wait after the last attempt that can hang within a number of nanoseconds, if the phone gets no hint.
  ///
  /// An unanswered ping detects the loss, at the earliest after the pong timeout; from then on each attempt takes the
  /// connect timeout, with almost no wait if the drawn waits are short. One more attempt begins just before the end.
  static func waitAfterHanging(in length: Int64) -> LimitPart {
    let rest = max(0, length - settings.heartbeat.pongTimeout.nanoseconds)
    let attempt = 2 + rest / settings.connectTimeout.nanoseconds
    return .wait(before: min(settings.backoff.maximumAttempts ?? .max, Int(attempt)))
  }
}

// MARK: In words

extension OutageProfile {
  public var reason: String {
    guard !parts.isEmpty, limit == LimitPart.sum(of: parts) else { return "\(limit.inSeconds), as requested." }
    let summands = parts.map { "\($0.time.inSeconds) \($0.words)" }
    guard summands.count > 1, let last = summands.last else { return "\(summands.joined())." }
    return "\(summands.dropLast().joined(separator: ", ")), and \(last)."
  }

  /// The exact recipe of a session in the form of a schedule: faults by name, with times and values that are fixed or
  /// ranges from which each session draws uniformly.
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

  /// The variants of an outage, each with its share if there are several.
  private var ways: [String] {
    let some = variants.filter { $0.weight > 0 }
    let whole = some.reduce(Int64(0)) { $0 + Int64($1.weight) }
    return some.map { variant in
      let share = some.count > 1 ? "\(FaultText.portion(Int64(variant.weight) * 1_000_000 / whole)) " : ""
      return share + variant.text
    }
  }

  /// The built-in profiles, a paragraph each: their meaning, draws and limit, and the reasons for the limit.
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
  /// The fault as a schedule writes it, with ranges, and with its delay and chance if it has any.
  fileprivate var text: String {
    var text = kind.name
    if !kind.isMoment { text += " for=\(FaultParameter.time.text(lasting))" }
    text += valuesText
    let isDelayed = delay != Spread(0)
    if isDelayed { text += "\(anchor == .begin ? " at" : "") \(FaultParameter.time.text(delay))" }
    if anchor == .previous { text += " afterwards" }
    return chance < 1 ? "\(text) in \(FaultText.portion(FaultText.millionths(chance)))" : text
  }

  /// The values as a schedule writes them, each preceded by a space.
  fileprivate var valuesText: String { kind.text { parameter, index in parameter.written(values[index]) } }
}
