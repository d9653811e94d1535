// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore
package import Randomness

/// One client against one server over one way, under a schedule of faults, in virtual time.
///
/// A value is made once and run again and again; after the first few runs it allocates nothing. What a run does follows
/// from the settings, the world, the schedule and the seed alone.
///
/// It is a loop over whatever happens next, of very few things: the client's one timer, the head of each direction of
/// each connection, which both keep their order as TCP does, and the next of the rarer things.
package struct Session<Subject: LiveSubject, Witness: SessionWitness>: ~Copyable {
  /// The client's settings.
  package let settings: ConnectionSettings
  /// What the faults come on top of.
  package let world: SessionWorld
  /// Who looks on.
  package var witness: Witness
  /// What came of the last run.
  package internal(set) var result = SessionResult()
  /// The client, as the last run left it.
  package var subject: Subject { seen.subject }

  /// The client and the truth about it.
  var seen: SessionView<Subject>
  var random: SessionRandom
  var spare: UInt64 = 0
  var coins: UInt64 = 0
  var effects = LiveEffects()
  var now: Int64 = 0
  var end: Int64 = 0
  var events: UInt64 = 0
  var clock = SkewedClock()
  var conditions = Conditions()

  /// When each thing happens next: 0 the client's timer, 1 the next of the rare things, then each connection's way up,
  /// way down and control.
  var heads = InlineArray<26, Int64>(repeating: .max)
  var headCount = 2
  /// When each of the rare things happens next, by `Rare`.
  var rare = InlineArray<8, Int64>(repeating: .max)
  var sockets = InlineArray<8, Socket>(repeating: Socket())
  /// The place of the connection that the client opened last.
  var current = -1
  var up = FramePool<UpFrame>()
  var down = FramePool<DownFrame>()
  var late = LatePongs()
  var pong = PongAtHand()
  var server = ServerState()
  var phone = PhoneState()
  var faults = FaultCursor()
  var isServed = false
  var isServiceDirty = false
  var servedSince: Int64 = 0
  /// How long the way takes to carry the smallest packet, of 60 bytes, in nanoseconds.
  var packetTime: Int64 = 0
  /// Two thirds of the way's mean jitter, as `SessionRandom.halfWaiting` wants it.
  let jitterStep: Int64

  /// Makes what runs sessions.
  ///
  /// - Parameters:
  ///   - settings: The client's settings.
  ///   - world: What the faults come on top of.
  ///   - witness: Who looks on.
  ///   - generator: One of `GSLGenerator.names`.
  /// - Throws: What `SessionRandom.init(seed:generator:)` throws.
  package init(
    settings: ConnectionSettings = ConnectionSettings(), world: SessionWorld = SessionWorld(), witness: Witness,
    generator: String = SessionRandom.defaultName
  ) throws(RandomnessError) {
    (self.settings, self.world, self.witness) = (settings, world, witness)
    seen = SessionView(Subject(settings))
    jitterStep = min(max(0, world.network.jitter.nanoseconds / 3 &* 2), 1 << 38)
    random = try SessionRandom(seed: 1, generator: generator)
  }

  /// Runs one session.
  ///
  /// - Parameters:
  ///   - schedule: What goes wrong, and how long the session is.
  ///   - seed: Any 32 bits. The session draws from a stream made from it by a step of its own, so that the schedule can
  ///     be drawn from the seed itself, and a schedule written down gives the same session as one drawn.
  /// - Throws: What `SessionRandom.reseed(_:)` throws.
  package mutating func run(_ schedule: borrowing FaultSchedule, seed: UInt32) throws(RandomnessError) {
    // Odd, so that different seeds stay different; 0 would be the generator's default seed.
    let own = seed &* 0x9E37_79B1 ^ 0x5851_F42D
    try random.reseed(own == 0 ? 1 : own)
    begin(schedule)
    play(schedule)
    finish()
    if world.phone.stopsAtEnd {
      end = now &+ (settings.closeTimeout + .seconds(60)).nanoseconds
      stop()
      play(schedule)
    }
    witness.ended(seen, at: moment)
  }

  var moment: SessionMoment {
    SessionMoment(world: Instant(nanoseconds: now), client: Instant(nanoseconds: clock.reading(at: now)))
  }

  /// Lets things happen, each in its turn, until the end.
  private mutating func play(_ schedule: borrowing FaultSchedule) {
    while true {
      var (next, at) = (0, heads[0])
      if heads[1] < at { (next, at) = (1, heads[1]) }
      for place in 2..<headCount where heads[place] < at { (next, at) = (place, heads[place]) }
      if at > end {
        now = end
        break
      }
      if at > now { now = at }
      events &+= 1
      if next == 0 {
        ring()
      } else if next == 1 {
        happenRare(schedule)
      } else {
        let (socket, part) = (next &- 2).quotientAndRemainder(dividingBy: 3)
        switch part {
        case 0: arriveAtServer(socket)
        case 1: arriveAtClient(socket)
        default: control(socket)
        }
      }
      if isServiceDirty { judgeService(schedule) }
      if events > world.mostEvents { break }
    }
  }

  private mutating func begin(_ schedule: borrowing FaultSchedule) {
    now = 0
    end = schedule.duration.nanoseconds
    (events, current, headCount) = (0, -1, 2)
    for place in 0..<26 { heads[place] = .max }
    for place in 0..<8 { rare[place] = .max }
    for place in 0..<8 { sockets[place] = Socket() }
    up.removeAll()
    down.removeAll()
    clock = SkewedClock()
    conditions = Conditions()
    packetTime = timeToCarry(bytes: 60)
    late = LatePongs()
    pong = PongAtHand()
    server.begin()
    phone.begin()
    faults.begin()
    (isServed, isServiceDirty, servedSince) = (false, false, 0)
    result.begin()
    spare = random.word()
    coins = random.word()
    seen = SessionView(Subject(settings))
    effects.removeAll()
    if let mean = world.phone.sends { set(.appSends, at: random.waiting(mean).nanoseconds) }
    if let mean = world.server.publishes { set(.publishes, at: random.waiting(mean).nanoseconds) }
    if let interval = world.server.pings { set(.serverPings, at: interval.nanoseconds) }
    setNextBoundary(schedule)
    beginOutage(schedule)
    witness.began(settings)
    tellRare(.start)
  }

  private mutating func stop() {
    for kind in [Rare.faults, .appSends, .publishes, .serverPings] { set(kind, at: .max) }
    phone.isStopped = true
    tellRare(.stop)
  }

  /// Closes the books.
  private mutating func finish() {
    if isServed { result.served = result.served + Interval(nanoseconds: now &- servedSince) }
    result.duration = Interval(nanoseconds: now)
    result.events = events
    result.isRunaway = events > world.mostEvents
    result.truth = seen.truth
    result.status = seen.subject.status
    // What lasts to the end is over only with it, and so leaves no moment in which an attempt could have succeeded.
    let last = result.outages.count - 1
    if !isServed, last >= 0, result.outages[last].possible.nanoseconds >= end { result.outages[last].possible = .never }
  }
}
