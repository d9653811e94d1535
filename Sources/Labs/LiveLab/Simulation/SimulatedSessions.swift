// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// Sessions of one client under one profile, watched at every step.
struct SimulatedSessions<Subject: LiveSubject>: ~Copyable, SessionPlayer {
  private let profile: OutageProfile
  private var session: Session<Subject, InvariantWatch>
  private var random: SessionRandom
  private var schedule = FaultSchedule()
  private var room = JudgingRoom()
  private let most: Int

  init(_ profile: OutageProfile, settings: ConnectionSettings, generator: String) throws {
    self.init(
      profile, try Session(settings: settings, witness: InvariantWatch(), generator: generator),
      try SessionRandom(seed: 1, generator: generator))
  }

  private init(
    _ profile: OutageProfile, _ session: consuming Session<Subject, InvariantWatch>, _ random: consuming SessionRandom
  ) {
    self.profile = profile
    most = ProfileTally.mostJudged(of: profile)
    self.session = session
    self.random = random
  }

  mutating func play(session number: Int, seed: UInt32, into tally: inout ProfileTally) throws {
    try random.reseed(seed)
    profile.draw(into: &schedule, using: &random)
    session.witness = InvariantWatch()
    try session.run(schedule, seed: seed)
    tally.add(
      session: number, seed: seed, session.result, schedule, limit: profile.limit, most: most, room: &room)
    tally.add(session: number, seed: seed, breach: session.witness.breach, breached: session.witness.breached)
  }
}

/// Sessions of one client whose waits are tilted, for failures that are too rare to be seen often enough.
struct TiltedSessions<Base: LiveSubject, Tilting: Tilt>: ~Copyable {
  private let profile: OutageProfile
  private var session: Session<TiltedSubject<Base, Tilting>, NoWitness>
  private var random: SessionRandom
  private var schedule = FaultSchedule()
  private var room = JudgingRoom()
  private let most: Int

  init(_ profile: OutageProfile, settings: ConnectionSettings, generator: String) throws {
    self.init(
      profile, try Session(settings: settings, witness: NoWitness(), generator: generator),
      try SessionRandom(seed: 1, generator: generator))
  }

  private init(
    _ profile: OutageProfile, _ session: consuming Session<TiltedSubject<Base, Tilting>, NoWitness>, _ random: consuming SessionRandom
  ) {
    self.profile = profile
    most = ProfileTally.mostJudged(of: profile)
    self.session = session
    self.random = random
  }

  mutating func play(seed: UInt32, into tally: inout WeightTally) throws {
    try random.reseed(seed)
    profile.draw(into: &schedule, using: &random)
    try session.run(schedule, seed: seed)
    var judged = ProfileTally()
    judged.add(session: 0, seed: seed, session.result, schedule, limit: profile.limit, most: most, room: &room)
    tally.add(weight: session.subject.weight, hasFailed: judged.troubledSessions > 0)
  }
}
