// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import PropertyTesting

extension LiveProperties {
  /// The origin of every breach. One fault of a client breaks several invariants, and which of them is seen first is
  /// an accident of the schedule: were they kept apart, what is smallest would depend on what was drawn.
  private static let anyBreach = "an invariant of the connection"

  /// The claims about whole clients.
  static func sessions<Subject: LiveSubject>(of type: Subject.Type, named name: String) -> [Property] {
    let seeds = Gen<Int>.integers(in: 1...1_000)
    return [
      Property(
        "live.1", "No schedule of faults makes a client break an invariant",
        reference: "the connection's invariants, at every step", arguments: ["session"], ScheduledSession.any()
      ) { drawn in
        let seed = UInt32(drawn.seed)
        var session = try Session<Subject, InvariantWatch>(witness: InvariantWatch())
        try session.run(drawn.schedule, seed: seed)
        guard let breach = session.witness.breach else { return }
        let replay = LiveReplay.command(drawn.schedule, seed: seed, subject: name)
        throw Failure("\(breach); \(replay)", origin: anyBreach)
      },
      Property(
        "live.2", "No order of events makes a client break an invariant",
        reference: "the connection's invariants, at every step", arguments: ["story"], ToldStory.any()
      ) { told in
        let run = StoryRun<Subject>(told.story, told.limits.settings)
        guard let breach = run.watch.breach else { return }
        throw Failure("\(breach)", origin: anyBreach)
      },
      Property(
        "live.3", "Clients that lost one server at one moment do not return at one moment",
        reference: "no thundering herd after a restart", arguments: ["schedule", "seed"], SchedulePlan.ofOneLoss(),
        seeds
      ) { schedule, seed in
        let herd = try Herd(of: type, schedule, seed: UInt32(seed))
        try claim(herd.isSpread, "\(Invariant.spreadReturns.name): \(herd)")
      }.shownByToken,
    ]
  }

  /// The claim about clients that are told one date.
  static func dates<Subject: LiveSubject>(of type: Subject.Type) -> Property {
    Property(
      "live.12", "Clients that are told one date in `Retry-After` come later than that, and not at one moment",
      reference: "RFC 9110, section 10.2.3: no sooner; no thundering herd",
      arguments: ["ahead", "width", "hinted", "seed"],
      .integers(in: 1...3_000), .integers(in: 0...1_000), .booleans(), .integers(in: 1...1_000)
    ) { ahead, width, hinted, seed in
      let herd = try DatedHerd(of: type, ahead: ahead, width: width, hinted: hinted, seed: UInt32(seed))
      try claim(herd.waits.count == DatedHerd.size, "only \(herd.waits.count) of \(DatedHerd.size) come at all")
      if let first = herd.waits.first {
        try claim(first >= .zero, "one comes \((Interval.zero - first).inSeconds) too soon")
      }
      try claim(herd.isSpread, "\(herd)")
    }.shownByToken
  }
}

/// How a session is shown again, event by event.
enum LiveReplay {
  /// The command that does.
  static func command(_ schedule: FaultSchedule, seed: UInt32, subject: String) -> String {
    let subject = subject == LiveSubjects.production.name ? "" : " --subject \(subject)"
    return "assay live timeline --schedule '\(schedule)' --seed \(seed)\(subject)"
  }
}
