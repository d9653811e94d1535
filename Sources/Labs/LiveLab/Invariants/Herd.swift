// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Randomness

/// What many clients do that lose one server at one moment: when each makes its first attempt to come back.
struct Herd: Sendable {
  /// How many clients there are.
  static let size = 32
  /// Within which time no more than three in four may return.
  static let window = Interval.milliseconds(250)

  /// How long after the loss each client made its first attempt, in ascending order; those that made none are left out.
  let waits: [Interval]

  /// Lets clients of one kind live through one schedule, each with chances of its own.
  init<Subject: LiveSubject>(
    of type: Subject.Type, _ schedule: FaultSchedule, seed: UInt32
  ) throws(RandomnessError) {
    var session = try Session<Subject, ReturnWitness>(witness: ReturnWitness())
    var waits: [Interval] = []
    for client in 0..<UInt32(Self.size) {
      session.witness = ReturnWitness()
      try session.run(schedule, seed: seed &* UInt32(Self.size) &+ client)
      if let wait = session.witness.wait { waits.append(wait) }
    }
    self.init(waits: waits)
  }

  /// A herd whose clients wait so long, in any order.
  init(waits: [Interval]) { self.waits = waits.sorted() }

  /// The most of them that return within `window`.
  var most: Int { Self.most(of: waits, within: Self.window) }

  /// The most of some moments, in ascending order, that lie within a window.
  static func most(of waits: [Interval], within window: Interval) -> Int {
    var (most, first) = (0, 0)
    for last in waits.indices {
      while waits[last] - waits[first] > window { first += 1 }
      most = max(most, last - first + 1)
    }
    return most
  }

  /// Whether they do not return all together. Of clients that wait evenly between nothing and a second, a quarter
  /// returns in any quarter of a second, and 24 of 32 in one less than once in a thousand million herds.
  var isSpread: Bool { most <= Self.size * 3 / 4 }
}

extension Herd: CustomStringConvertible {
  /// How many return together.
  var description: String { "\(most) of \(Self.size) clients return within \(Self.window.inSeconds)" }
}

/// Notes how long after its first loss a client asks for a connection again.
private struct ReturnWitness: SessionWitness {
  private var wasOpen = false
  private var lost: Instant?
  private(set) var wait: Interval?

  mutating func saw(_ event: LiveEvent, at moment: SessionMoment) {
    switch event {
    case .opened: wasOpen = true
    case .closed: if wasOpen, lost == nil { lost = moment.world }
    default: break
    }
  }

  mutating func saw(_ effect: LiveEffect, at moment: SessionMoment) {
    if case .open = effect, wait == nil, let lost { wait = moment.world - lost }
  }
}
