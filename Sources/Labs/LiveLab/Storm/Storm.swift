// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import MonteCarlo
internal import Randomness

/// A server's return to all the clients that lost it.
///
/// While the server is down the clients know nothing of each other. Where the returned server's capacity is limited it
/// couples them, and they are played in the order of time.
struct Storm: Sendable {
  let settings: StormSettings
  private let streams: StreamFamily

  init(_ settings: StormSettings) throws {
    _ = try GSLGenerator(named: settings.generator, seed: 1)
    self.settings = settings
    streams = try StreamFamily(rootSeed: settings.seed, experiments: ["clients", "server"])
  }

  /// Plays the storm with clients of one policy. All policies meet the same losses of the connection. `progress` gets
  /// numbers of clients.
  ///
  /// - Throws: `Abandoned` where it is interrupted: a part of a storm has no peaks.
  func run(
    _ policy: Backoff, interrupt: Interrupt? = nil, progress: (Int) -> Void = { _ in }
  ) throws -> StormTally {
    let model = StormClientModel(policy, settings)
    var (tally, pending) = (StormTally(settings), [StormClient]())
    var words = try WordStream(named: settings.generator, seed: 1)
    for (block, first) in stride(from: 0, to: settings.clients, by: Self.clientsPerBlock).enumerated() {
      try interrupt?.check()
      try words.reseed(try streams.seed(experiment: "clients", block: block))
      let clients = first..<min(first + Self.clientsPerBlock, settings.clients)
      model.play(clients, words: &words, tally: &tally, pending: &pending)
      progress(clients.count)
    }
    if model.isLimited {
      try words.reseed(try streams.seed(experiment: "server", block: 0))
      var server = StormServer(model, settings, pending)
      try server.run(words: &words, tally: &tally, interrupt: interrupt)
    }
    return tally
  }

  private static let clientsPerBlock = 16_384
}

struct StormTally: Codable, Sendable, Equatable {
  var clients = 0
  var attempts = 0
  var shed = 0
  /// Clients whose attempts were exhausted at any time; the slow cadence may have brought them back.
  var gaveUp = 0
  var back = 0
  /// Attempts in each tenth of a second, laid so that one begins at the moment of the server's return.
  private(set) var attemptBins: [Int] = []
  /// Clients that came back in each millisecond after the return.
  private(set) var backMilliseconds: [UInt32] = []

  /// How many tenths lie before the return; the outage begins within the first.
  fileprivate let tenthsDuring: Int
  /// Nanoseconds from the outage's beginning to the return, and from the first tenth's to the outage's.
  private let outage: Int64
  private let shift: Int64

  private static let tenth: Int64 = 100_000_000

  init(_ settings: StormSettings) {
    outage = settings.outage.nanoseconds
    tenthsDuring = Int((outage + Self.tenth - 1) / Self.tenth)
    shift = Int64(tenthsDuring) * Self.tenth - outage
  }

  /// An attempt at that moment, in nanoseconds since the outage began.
  @inline(__always)
  mutating func attempt(at moment: Int64) {
    attempts += 1
    Self.count(Int((moment + shift) / Self.tenth), in: &attemptBins)
  }

  @inline(__always)
  mutating func accept(at moment: Int64) {
    back += 1
    Self.count(Int((moment - outage) / 1_000_000), in: &backMilliseconds)
  }

  private static func count<Count: FixedWidthInteger>(_ index: Int, in counts: inout [Count]) {
    if index >= counts.count { counts.append(contentsOf: repeatElement(0, count: index + 1 - counts.count)) }
    counts[index] += 1
  }
}

/// The exact counts of a storm of one policy.
@dynamicMemberLookup
struct StormResult: Sendable, Equatable {
  let policy: String
  let settings: StormSettings
  let tally: StormTally

  init(_ policy: String, _ settings: StormSettings, _ tally: StormTally) {
    (self.policy, self.settings, self.tally) = (policy, settings, tally)
  }

  subscript<Value>(dynamicMember path: KeyPath<StormTally, Value>) -> Value { tally[keyPath: path] }

  var back: Int { tally.back }
  var missing: Int { tally.clients - tally.back }

  /// Attempts in each tenth of a second before the server's return; the last ends with it.
  var attemptsDuring: [Int] {
    let counts = Array(tally.attemptBins.prefix(tally.tenthsDuring))
    return counts + Array(repeating: 0, count: tally.tenthsDuring - counts.count)
  }

  /// Attempts in each tenth of a second from the server's return on, up to the last attempt.
  var attemptsAfter: [Int] { Array(tally.attemptBins.dropFirst(tally.tenthsDuring)) }

  /// Clients that came back in each tenth of a second from the server's return on.
  var acceptedAfter: [Int] { Self.sums(of: tally.backMilliseconds.map(Int.init), by: 100) }

  /// The most attempts in a second before the server's return: whole seconds, counted back from the return.
  var peakDuring: Int { Self.sums(of: attemptsDuring.reversed(), by: 10).max() ?? 0 }

  /// The most attempts in a second from the server's return on: whole seconds, counted from the return.
  var peakAfter: Int { Self.sums(of: attemptsAfter, by: 10).max() ?? 0 }

  /// The most attempts in a tenth of a second from the server's return on.
  var peakTenth: Int { attemptsAfter.max() ?? 0 }

  /// The most clients that came back in a second: whole seconds, counted from the return.
  var peakAccepted: Int { Self.sums(of: acceptedAfter, by: 10).max() ?? 0 }

  /// When a share of all clients was back, in whole milliseconds after the server's return; nil where so many never
  /// were.
  func back(share: Double) -> Int? {
    // A product may be a hair more than the whole number that it stands for.
    let wanted = Int((share * Double(tally.clients) * (1 - 1e-12)).rounded(.up))
    guard wanted <= tally.back else { return nil }
    var sum = 0
    for (millisecond, count) in tally.backMilliseconds.enumerated() {
      sum += Int(count)
      if sum >= wanted { return millisecond }
    }
    return nil
  }

  /// The same in seconds; infinite where so many never were.
  func backSeconds(share: Double) -> Double { back(share: share).map { Double($0) / 1_000 } ?? .infinity }

  /// When clients were back on average, in seconds after the server's return, from whole milliseconds; those that were
  /// missing at the horizon count as back at that moment.
  var meanBack: Double {
    guard tally.clients > 0 else { return 0 }
    var sum = missing * Int(settings.horizon.nanoseconds / 1_000_000)
    for (millisecond, count) in tally.backMilliseconds.enumerated() { sum += millisecond * Int(count) }
    return Double(sum) / 1_000 / Double(tally.clients)
  }

  static func sums(of counts: [Int], by width: Int) -> [Int] {
    stride(from: 0, to: counts.count, by: width).map { first in
      counts[first..<min(first + width, counts.count)].reduce(0, +)
    }
  }
}

/// One server, its clients, and an outage: all that a storm depends on next to the policy.
///
/// All clients are connected; the server goes down, and each notices within a moment. Each waits as its policy says and
/// tries; while the server is down an attempt fails after another moment. When the server is back it accepts as fast as
/// its capacity allows, a token bucket, and sheds the rest.
struct StormSettings: Hashable, Sendable {
  /// The answer that a client sees that is shed.
  enum Shed: String, CaseIterable {
    /// The connection is refused: the client knows no more than while the server was down.
    case refused
    /// 503 Service Unavailable; `RefusalRules` say what follows.
    case unavailable
  }

  var clients = 100_000
  var outage = Interval.seconds(30)
  /// How many handshakes the server accepts in a second; nil for as many as come.
  var capacity: Int?
  /// How much of its capacity the server can save up: the depth of the token bucket, full when the server is back.
  var burst = Interval.milliseconds(100)
  var shed = Shed.refused
  var retryAfter: Interval?
  /// Within which time all clients notice that the connection is gone, spread evenly.
  var detectionWindow = Interval.milliseconds(200)
  /// After which time an attempt has failed, while the server is down or sheds; 1 ms or more, so that none follows
  /// itself within one moment.
  var attemptTimeout = Interval.milliseconds(50)
  /// How often a client whose attempts are exhausted tries all the same; nil for never.
  var cadence: Interval? = .seconds(300)
  /// By what part of itself the cadence is spread to either side.
  var cadenceSpread = 0.5
  /// How long after the server's return the storm is followed.
  var horizon = Interval.seconds(3_600)
  var seed: UInt64 = 1
  var generator = GSLGenerator.defaultName

  /// A handshake's worth of capacity: a rate of one a second gains so much in a second, one a nanosecond.
  static let token: Int64 = 1_000_000_000

  var depth: Int64 { Int64(capacity ?? 0) * burst.nanoseconds }

  var suspendedCadence: SlowCadence? { cadence.map { SlowCadence(every: $0, spread: cadenceSpread) } }

  /// The delay that the server's answer adds to a shed client's wait, by the rules that ship.
  var wait: Interval {
    guard shed == .unavailable else { return .zero }
    let refusal = Refusal(status: 503, retryAfter: retryAfter)
    guard case .retryAfter(let wait) = RefusalRules().verdict(on: refusal, isSecure: true, redirects: 0) else {
      return .zero
    }
    return wait
  }
}
