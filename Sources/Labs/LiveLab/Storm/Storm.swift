// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import MonteCarlo
internal import Randomness
internal import Scenarios

/// A storm: a server's return to all the clients that lost it.
///
/// While the server is down the clients are independent. A limited capacity of the returned server couples them, and
/// they are played in the order of time.
struct Storm: Sendable {
  let settings: StormSettings

  init(_ settings: StormSettings) { self.settings = settings }

  /// Plays the storm with clients of one policy. All policies meet the same losses of connections.
  ///
  /// - Throws: `Abandoned` if it is interrupted, since a part of a storm has no peaks.
  func run(_ policy: Backoff, interrupt: Interrupt? = nil) throws -> StormTally {
    let model = StormClientModel(policy, settings)
    var (tally, pending) = (StormTally(settings), [StormClient]())
    var words = try WordStream(named: settings.generator, seed: 1)
    for (block, first) in stride(from: 0, to: settings.clients, by: Self.clientsPerBlock).enumerated() {
      try interrupt?.check()
      try words.reseed(seed(block))
      let clients = first..<min(first + Self.clientsPerBlock, settings.clients)
      model.play(clients, words: &words, tally: &tally, pending: &pending)
    }
    if model.isLimited {
      try words.reseed(seed(0, ofServer: true))
      var server = StormServer(model, settings, pending)
      try server.run(words: &words, tally: &tally, interrupt: interrupt)
    }
    return tally
  }

  private static let clientsPerBlock = 16_384

  /// The seed of a block of clients, or of the server.
  private func seed(_ block: Int, ofServer: Bool = false) throws -> UInt32 {
    try SampleBatch(of: block, seed: settings.seed, streams: ["clients", "server"]).seed(ofServer ? 1 : 0)
  }
}

struct StormTally: Codable, Sendable, Equatable {
  var clients = 0
  var attempts = 0
  var shed = 0
  /// Clients that exhausted their attempts at any time; the slow cadence may have brought them back.
  var gaveUp = 0
  var back = 0
  /// Attempts in each tenth of a second, aligned to the server's return.
  private(set) var attemptBins: [Int] = []
  /// Clients that came back in each millisecond after the return.
  private(set) var backMilliseconds: [UInt32] = []

  /// The number of tenths before the return; the outage begins within the first.
  fileprivate let tenthsDuring: Int
  /// Nanoseconds from the beginning of the outage to the return; `shift` is from that of the first tenth to it.
  private let outage: Int64
  private let shift: Int64

  private static let tenth: Int64 = 100_000_000

  init(_ settings: StormSettings) {
    outage = settings.outage.nanoseconds
    tenthsDuring = Int((outage + Self.tenth - 1) / Self.tenth)
    shift = Int64(tenthsDuring) * Self.tenth - outage
  }

  /// Counts an attempt at a time, in nanoseconds since the outage began.
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

/// The exact counts of a storm with one policy.
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

  /// Attempts in each tenth of a second before the server's return; the last tenth ends with it.
  var attemptsDuring: [Int] {
    let counts = Array(tally.attemptBins.prefix(tally.tenthsDuring))
    return counts + Array(repeating: 0, count: tally.tenthsDuring - counts.count)
  }

  /// Attempts in each tenth of a second from the server's return on, up to the last attempt.
  var attemptsAfter: [Int] { Array(tally.attemptBins.dropFirst(tally.tenthsDuring)) }

  /// Clients that came back in each tenth of a second from the server's return on.
  var acceptedAfter: [Int] { Self.sums(of: tally.backMilliseconds.map(Int.init), by: 100) }

  /// The most attempts in a whole second before the server's return, counted back from it.
  var peakDuring: Int { Self.sums(of: attemptsDuring.reversed(), by: 10).max() ?? 0 }

  /// The most attempts in a whole second from the server's return on.
  var peakAfter: Int { Self.sums(of: attemptsAfter, by: 10).max() ?? 0 }

  /// The most attempts in a tenth of a second from the server's return on.
  var peakTenth: Int { attemptsAfter.max() ?? 0 }

  /// The most clients that came back in a whole second from the return on.
  var peakAccepted: Int { Self.sums(of: acceptedAfter, by: 10).max() ?? 0 }

  /// The time at which a share of all clients was back, in milliseconds after the server's return; nil if it never was.
  func back(share: Double) -> Int? {
    // Rounding may make the product slightly larger than the integer that it stands for.
    let wanted = Int((share * Double(tally.clients) * (1 - 1e-12)).rounded(.up))
    guard wanted <= tally.back else { return nil }
    var sum = 0
    for (millisecond, count) in tally.backMilliseconds.enumerated() {
      sum += Int(count)
      if sum >= wanted { return millisecond }
    }
    return nil
  }

  /// The same time in seconds; infinite if the share was never back.
  func backSeconds(share: Double) -> Double { back(share: share).map { Double($0) / 1_000 } ?? .infinity }

  /// The mean time at which clients were back, in seconds after the server's return, from milliseconds; clients missing
  /// at the horizon count as back then.
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

/// One server, its clients, and an outage: all parameters of a storm except the policy.
///
/// All clients are connected; the server goes down, and each client notices within `detectionWindow`. Each waits by its
/// policy and tries; while the server is down an attempt fails after `attemptTimeout`. When the server is back it
/// accepts clients as fast as its capacity allows, by a token bucket, and sheds the rest.
struct StormSettings: Hashable, Sendable {
  /// The answer to a shed client.
  enum Shed: String, CaseIterable {
    /// The connection is refused, as while the server was down.
    case refused
    /// 503 Service Unavailable, handled by `RefusalRules`.
    case unavailable
  }

  var clients = 100_000
  var outage = Interval.seconds(30)
  /// Handshakes that the server accepts per second; nil for no limit.
  var capacity: Int?
  /// The capacity that the server can save up: the depth of the token bucket, which is full at the return.
  var burst = Interval.milliseconds(100)
  var shed = Shed.refused
  var retryAfter: Interval?
  /// The time within which all clients notice the loss of the connection, uniformly distributed.
  var detectionWindow = Interval.milliseconds(200)
  /// The time after which an attempt fails while the server is down or sheds; at least 1 ms, so that no attempt follows
  /// another at the same time.
  var attemptTimeout = Interval.milliseconds(50)
  /// The interval between attempts of a client that has exhausted its attempts; nil for none.
  var cadence: Interval? = .seconds(300)
  /// The share of the cadence by which it is spread to either side.
  var cadenceSpread = 0.5
  /// The time after the server's return for which the storm is simulated.
  var horizon = Interval.seconds(3_600)
  var seed: UInt64 = 1
  var generator = GSLGenerator.defaultName

  /// The capacity for one handshake; a rate of one per second gains one unit per nanosecond.
  static let token: Int64 = 1_000_000_000

  var depth: Int64 { Int64(capacity ?? 0) * burst.nanoseconds }

  var suspendedCadence: SlowCadence? { cadence.map { SlowCadence(every: $0, spread: cadenceSpread) } }

  /// The delay that the server's answer adds to a shed client's wait, by the shipped rules.
  var wait: Interval {
    guard shed == .unavailable else { return .zero }
    let refusal = Refusal(status: 503, retryAfter: retryAfter)
    guard case .retryAfter(let wait) = RefusalRules().verdict(on: refusal, isSecure: true, redirects: 0) else {
      return .zero
    }
    return wait
  }
}
