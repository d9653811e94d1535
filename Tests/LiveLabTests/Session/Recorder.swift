// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
public import LiveLab
import Testing

/// Writes down all that an observer of a session sees.
struct Recorder: SessionObserver {
  enum Entry: Hashable {
    case event(LiveEvent)
    case effect(LiveEffect)
    case change(SessionChange)
  }

  var entries: [(at: SessionMoment, entry: Entry)] = []

  mutating func began(_ settings: ConnectionSettings) { entries.removeAll() }
  mutating func step(
    _ event: LiveEvent, effects: LiveEffects, status: LiveStatus, truth: borrowing GroundTruth,
    at moment: SessionMoment
  ) {
    entries.append((moment, .event(event)))
    entries += effects.map { (moment, .effect($0)) }
  }
  mutating func observe(_ change: SessionChange, at moment: SessionMoment) { entries.append((moment, .change(change))) }

  var events: [(at: SessionMoment, event: LiveEvent)] {
    entries.compactMap { if case .event(let event) = $0.entry { ($0.at, event) } else { nil } }
  }

  var changes: [SessionChange] {
    entries.compactMap { if case .change(let change) = $0.entry { change } else { nil } }
  }

  /// How many messages the server recognised as duplicates.
  var repeats: Int { changes.count { if case .took(_, isRepeated: true) = $0 { true } else { false } } }

  /// When something first changed in the world, in its seconds.
  func first(_ change: SessionChange) -> Double? { entries.first { $0.entry == .change(change) }?.at.seconds }

  /// When an event that fits was first delivered, in seconds of the world.
  func first(_ fits: (LiveEvent) -> Bool) -> Double? { events.first { fits($0.event) }?.at.seconds }
}

extension SessionMoment {
  var seconds: Double { Double(world.nanoseconds) / 1e9 }
}

/// The result of a session, and all that its observer saw.
struct Played {
  let result: SessionResult
  let record: Recorder

  /// The sums over the session, its messages among them.
  var counts: SessionCounts {
    var counts = SessionCounts()
    counts.add(result)
    return counts
  }

  /// The outages that a fault began.
  var outages: [Outage] { result.outages.filter { $0.fault != nil } }
}

/// Plays one session of the production client.
///
/// - Parameters:
///   - faults: What goes wrong, with the second at which it begins and how many it holds.
///   - seconds: How long the session is.
///   - seed: Its seed.
///   - settings: The client's settings.
///   - world: What the faults come on top of.
/// - Returns: its result, and all that its observer saw.
/// - Throws: What the schedule and the session throw.
func play(
  _ faults: [(Fault, Double, Double)] = [], seconds: Double = 600, seed: UInt32 = 1,
  settings: ConnectionSettings = ConnectionSettings(), world: SessionWorld = SessionWorld()
) throws -> Played {
  var session = try Session<LiveConnection, Recorder>(settings: settings, world: world, observer: Recorder())
  try session.run(try schedule(faults, seconds: seconds), seed: seed)
  return Played(result: session.result, record: session.observer)
}

/// What a checker finds of a client in sessions of one schedule, one after the other.
func checked<Subject: ClientUnderTest>(
  _ type: Subject.Type, _ schedule: FaultSchedule, seeds: ClosedRange<UInt32>, world: SessionWorld = SessionWorld()
) throws -> InvariantChecker {
  var session = try Session<Subject, InvariantChecker>(world: world, observer: InvariantChecker())
  for seed in seeds { try session.run(schedule, seed: seed) }
  return session.observer
}

extension Fault: @retroactive ExpressibleByStringInterpolation {
  /// A fault as a schedule writes it.
  public init(stringLiteral text: String) {
    do throws(LiveLabError) {
      self = try TimedFault(reading: text).fault
    } catch {
      Issue.record(error)
      self.init(.reset)
    }
  }
}

func schedule(_ faults: [(Fault, Double, Double)], seconds: Double) throws -> FaultSchedule {
  try FaultSchedule(
    faults.map { TimedFault($0.0, at: .zero + Interval(seconds: $0.1), lasting: Interval(seconds: $0.2)) },
    duration: Interval(seconds: seconds))
}

/// A world in which app and server send nothing of themselves.
var silence: SessionWorld {
  var world = SessionWorld()
  world.phone.sends = nil
  world.server.publishes = nil
  return world
}

/// A world in which both send a lot.
var chatter: SessionWorld {
  var world = SessionWorld()
  world.phone.sends = .seconds(2)
  world.server.publishes = .seconds(2)
  return world
}

/// A silent world in which a message takes a minute each way.
var slow: SessionWorld {
  var world = silence
  world.network.bytesPerSecond = 4_000
  (world.server.messageBytes, world.phone.messageBytes) = (240_000, 240_000)
  return world
}
