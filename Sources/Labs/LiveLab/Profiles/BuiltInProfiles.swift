// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

struct ProfileParameter {
  let parameter: FaultParameter
  let standard: Spread

  var name: String { parameter.name }

  init(_ name: String, _ unit: FaultParameter.Unit, _ range: ClosedRange<Int64>, _ standard: Spread) {
    (parameter, self.standard) = (FaultParameter(name, unit, range), standard)
  }

  static func time(_ name: String, _ standard: Spread) -> ProfileParameter {
    ProfileParameter(name, .time, 1...FaultSchedule.longest.nanoseconds, standard)
  }

  static func portion(_ name: String, _ percent: Int64) -> ProfileParameter {
    ProfileParameter(name, .portion, 0...FaultParameter.whole, Spread(percent * 10_000))
  }
}

/// A built-in profile, and the values of its parameters.
struct ProfileOrigin: Hashable, Sendable {
  let template: String
  fileprivate(set) var values: [String: Spread]

  /// Nothing for a parameter that the template does not have.
  subscript(name: String) -> Spread { values[name] ?? Spread(0) }

  /// A portion as a weight among courses, in a hundredth of a percent.
  func weight(_ name: String) -> UInt32 { UInt32(clamping: self[name].most / 100) }

  /// What is left of the whole after some portions, as a weight.
  func rest(_ names: String...) -> UInt32 { UInt32(clamping: 10_000 - names.reduce(0) { $0 + Int64(weight($1)) }) }

  func chance(_ name: String) -> Double { Double(self[name].most) / 1e6 }
}

/// A built-in profile: its parameters, and what it is with values of them.
struct ProfileTemplate: Sendable {
  let name: String
  let meaning: String
  let parameters: [ProfileParameter]
  /// Those of its parameters that are shares of one whole.
  var shares: [String] = []
  let make: @Sendable (ProfileOrigin) -> OutageProfile

  init(
    _ name: String, _ meaning: String, _ parameters: [ProfileParameter], shares: [String] = [],
    make: @escaping @Sendable (ProfileOrigin) -> OutageProfile
  ) {
    (self.name, self.meaning, self.parameters, self.shares, self.make) = (name, meaning, parameters, shares, make)
  }

  func profile(changed: [String: Spread] = [:]) -> OutageProfile {
    var origin = ProfileOrigin(template: name, values: changed)
    for parameter in parameters where changed[parameter.name] == nil {
      origin.values[parameter.name] = parameter.standard
    }
    var profile = make(origin)
    (profile.name, profile.meaning, profile.origin) = (name, meaning, origin)
    return profile
  }

  static let all = [lift, tunnel, commute, stadium, serverRestart, rollingDeploy, badWiFi, night]
}

extension OutageProfile {
  public static let all = ProfileTemplate.all.map { $0.profile() }

  public static let names = ProfileTemplate.all.map(\.name)

  /// Throws `LiveLabError.badValue` with the closest match where there is no built-in profile of that name.
  public static func named(_ name: String) throws(LiveLabError) -> OutageProfile {
    guard let profile = all.first(where: { $0.name == name }) else {
      throw .badValue(
        field: "profile", found: "'\(name)'",
        expected: "one of \(names.joined(separator: ", "))\(Spelling.hint(for: name, among: names))")
    }
    return profile
  }
}

// MARK: The built-in profiles

// Limits count with the recommended settings: a ping every 30 s and 10 s for its answer, 10 s for an attempt, waits of
// up to 1, 2, 4, 8, 16 and then 30 s before the attempts; and with 2 s to open a connection and resume the stream over
// a good way, which takes 0.35 s on average and a second more where the first packet is sent again. See `LimitPart`.

extension ProfileTemplate {
  /// The limit is 16 s. Where the phone knows, it says when the network is back, and the attempt comes within a second.
  /// Where it does not, and a ping fell into the outage, it is unanswered after 10 s, so that an attempt may be under
  /// way when the doors open and hang for its 10 s; it is the second at the latest, so that the wait before the next is
  /// up to 4 s; then the connection is opened and the stream resumed. Where no ping fell into it, the connection has
  /// outlived it, or is found dead by a ping sent at its end.
  static let lift = ProfileTemplate(
    "lift", "Twenty seconds without a signal; in half of the lifts the phone knows.",
    [.time("length", .seconds(20, 20)), .portion("known", 50)]
  ) { values in
    OutageProfile(
      parts: [.hangingAttempt, .waitAfterHanging(in: values["length"].most), .opening()], outages: Spread(1, 3),
      courses: withoutSignal(values))
  }

  /// The limit is 42 s. Where the phone does not know, the dead link is found within the first 40 s, inside the tunnel;
  /// at its end an attempt may hang for its 10 s, the next comes after up to 30 s, the cap, then the connection is
  /// opened and the stream resumed. Attempts that hang for 10 s and waits of at most 30 s last for three minutes on
  /// average: a client whose waits were drawn short has exhausted its ten before the end of the longest tunnels and is
  /// suspended. That is a failure, and is counted as one.
  static let tunnel = ProfileTemplate(
    "tunnel", "One to three minutes without a signal; in seven of ten tunnels the phone knows.",
    [.time("length", .seconds(60, 180)), .portion("known", 70)]
  ) { values in
    OutageProfile(
      parts: [.hangingAttempt, .waitAfterHanging(in: values["length"].most), .opening()], outages: Spread(1, 2),
      courses: withoutSignal(values))
  }

  /// Some gaps end with a change of network, which the connection does not survive.
  ///
  /// The limit is 28 s, counted from the end of each gap that leaves time to come back: 10 s for an attempt that hangs
  /// when a gap ends that the phone did not know of, up to 16 s before the next, which is the fifth at the latest where
  /// one outage spans two gaps of 20 s and the 5 s between them, and 2 s to open the connection and resume the stream.
  /// After a gap that it knew of, it is back within a second or two.
  static let commute = ProfileTemplate(
    "commute", "A ride on which the network comes and goes, known to the phone in most gaps.",
    [
      ProfileParameter("gaps", .count(of: "gaps in a row"), 1...20, Spread(3, 6)), .time("length", .seconds(2, 20)),
      .time("between", .seconds(5, 90)), .portion("known", 70), .portion("changes", 25),
    ]
  ) { values in
    let change = FaultPattern(
      .networkChange, anchor: .previous, delay: .milliseconds(0, 2_000), chance: values.chance("changes"))
    func course(_ kind: Fault.Kind, weight: UInt32) -> OutageCourse {
      OutageCourse(
        weight: weight, times: values["gaps"], gap: values["between"],
        [FaultPattern(kind, lasting: values["length"]), change])
    }
    return OutageProfile(
      parts: [
        .hangingAttempt, .waitAfterHanging(in: 2 * values["length"].most + values["between"].least),
        .opening(),
      ],
      courses: [
        course(.offline, weight: values.weight("known")), course(.blackHole, weight: values.rest("known")),
      ])
  }

  /// In the morning the phone is where it was or on another network.
  ///
  /// The limit is 13 s from waking: a ping is sent at once and given up after 10 s; the first attempt comes within a
  /// second; then the connection is opened and the stream resumed. After a change of network the phone says so, and the
  /// attempt comes within a second of that.
  static let night = ProfileTemplate(
    "night", "Hours asleep, in which the connection most often dies.",
    [.time("length", .minutes(300, 540)), .portion("dies", 80), .portion("changes", 30)]
  ) { values in
    OutageProfile(
      parts: [.pong, .wait(before: 1), .opening()],
      courses: [
        OutageCourse([
          FaultPattern(.halfOpen, delay: .minutes(5, 60), chance: values.chance("dies")),
          FaultPattern(.sleep, lasting: values["length"]),
          FaultPattern(
            .networkChange, anchor: .previous, delay: .milliseconds(100, 3_000), chance: values.chance("changes")),
        ])
      ])
  }

  /// No network of which the phone knows, or a signal and nothing goes through.
  private static func withoutSignal(_ values: ProfileOrigin) -> [OutageCourse] {
    [
      OutageCourse(weight: values.weight("known"), [FaultPattern(.offline, lasting: values["length"])]),
      OutageCourse(weight: values.rest("known"), [FaultPattern(.blackHole, lasting: values["length"])]),
    ]
  }

  /// By how much a way is slower than usual on average, where it is as slow as it gets.
  private static func slowest(_ latency: Spread, _ jitter: Spread) -> Interval {
    Interval(nanoseconds: latency.most + jitter.most / 2)
  }

  /// Everything is slow and lost in bursts for the whole session; now and then the connection is reset, dies unnoticed,
  /// or nothing goes through for some seconds.
  ///
  /// The limit is 62 s. A connection that dies unnoticed is found after up to 40 s; the first attempt comes within
  /// a second; under such a loss it may fail, after 10 s, and the second comes within 2 s and takes up to 9 where the
  /// way is as slow as it gets: ten times over a way of 0.7 s more than usual on average, and a packet sent again.
  static let stadium = ProfileTemplate(
    "stadium", "A crowded cell: slow, lossy, and connections that stall, are reset or die.",
    [
      .time("latency", .milliseconds(100, 400)), .time("jitter", .milliseconds(100, 600)),
      .portion("enter", 2), .portion("leave", 30), .portion("lost", 60),
      ProfileParameter("rate", .count(of: "bytes a second"), 1...4_294_967_295, Spread(8_000, 40_000)),
      .time("stall", .seconds(5, 25)),
    ]
  ) { values in
    OutageProfile(
      parts: [
        .silentDeath, .wait(before: 1), .hangingAttempt, .wait(before: 2),
        .opening(slower: slowest(values["latency"], values["jitter"])),
      ],
      first: .minutes(1, 3), outages: Spread(2, 4), pause: .minutes(1, 3),
      always: [
        FaultPattern(.latency, lasting: .forever, values: [values["latency"], values["jitter"]]),
        FaultPattern(
          .burstLoss, lasting: .forever, values: [values["enter"], values["leave"], Spread(0), values["lost"]]),
        FaultPattern(.bandwidth, lasting: .forever, values: [values["rate"]]),
      ],
      courses: [
        OutageCourse(weight: 4, [FaultPattern(.blackHole, lasting: values["stall"])]),
        OutageCourse(weight: 3, [FaultPattern(.reset)]), OutageCourse(weight: 3, [FaultPattern(.halfOpen)]),
      ])
  }

  /// A café's: the router also cuts idle connections.
  ///
  /// The limit is 57 s. A connection that the router forgot is found after up to 40 s; the first attempt comes within a
  /// second; over a weak signal it may fail, after 10 s, and the second comes within 2 s and takes up to 4. A portal is
  /// passed, and a name found again, without the phone saying so, which leaves up to 30 s of waiting, the cap, and less
  /// in all. A ping every 30 s keeps the router from cutting the connection for its idleness: that befalls only a
  /// client that sends none.
  static let badWiFi = ProfileTemplate(
    "bad-wifi", "A router that forgets connections, a weak signal, failing names, and the portal.",
    [
      .portion("lost", 3), .time("latency", .milliseconds(10, 150)), .time("idle", .seconds(60, 300)),
      .time("stall", .seconds(5, 60)), .time("portal", .seconds(15, 60)),
    ]
  ) { values in
    OutageProfile(
      parts: [
        .silentDeath, .wait(before: 1), .hangingAttempt, .wait(before: 2),
        .opening(slower: slowest(values["latency"], values["latency"])),
      ],
      first: .minutes(1, 4), outages: Spread(1, 3), pause: .minutes(1, 4),
      always: [
        FaultPattern(.loss, lasting: .forever, values: [values["lost"]]),
        FaultPattern(.latency, lasting: .forever, values: [values["latency"], values["latency"]]),
        FaultPattern(.idleCut, lasting: .forever, values: [values["idle"], Spread(1)]),
      ],
      courses: [
        OutageCourse(weight: 3, [FaultPattern(.halfOpen)]),
        OutageCourse(weight: 3, [FaultPattern(.blackHole, lasting: values["stall"])]),
        OutageCourse(weight: 1, [FaultPattern(.partition, lasting: values["stall"], values: [Spread(0, 1)])]),
        OutageCourse(
          weight: 2,
          [
            FaultPattern(.reset),
            FaultPattern(.nameNotFound, lasting: values["stall"], values: [.milliseconds(50, 5_000)]),
          ]),
        OutageCourse(
          weight: 1, [FaultPattern(.networkChange), FaultPattern(.captivePortal, lasting: values["portal"])]),
      ])
  }

  /// Now and then the server forgets the stream's history, and in half of those cases, where that was not kept apart,
  /// the numbers of the app's messages too. Once back it turns some attempts away at first.
  ///
  /// The limit is 46 s. An attempt may be turned away at the end of the first ten seconds and asked to stay away for
  /// four; the usual wait comes on top, which has grown to 30 s, the cap, where the server was down for long; then the
  /// connection is opened and the stream resumed. That is more than all other ways: after 1012 the client is away for
  /// up to 30 s from the closing; a machine that vanished is found within 40 s of its going, and the attempt comes a
  /// second later.
  static let serverRestart = ProfileTemplate(
    "server-restart", "The server is down for some seconds: restarted, killed or gone.",
    [
      .time("down", .seconds(2, 30)), .portion("killed", 20), .portion("vanished", 10), .portion("forgets", 10),
      .portion("forgets-numbers", 50), .portion("turned-away", 30), .time("shedding", .seconds(3, 10)),
    ],
    shares: ["killed", "vanished"]
  ) { values in
    let shedding = FaultPattern(
      .shedding, anchor: .previous, lasting: values["shedding"],
      values: [values["turned-away"], .seconds(1, 4)])
    let forgets = min(10_000, values.weight("forgets"))
    let forgetsBoth = forgets * min(10_000, values.weight("forgets-numbers")) / 10_000
    let memories: [(history: Int64, numbers: Int64, share: UInt32)] = [
      (0, 0, forgetsBoth), (0, 1, forgets - forgetsBoth), (1, 1, 10_000 - forgets),
    ]
    func course(_ how: Int64, weight: UInt32) -> [OutageCourse] {
      memories.map { memory in
        let kept = [Spread(how), Spread(memory.history), Spread(memory.numbers)]
        return OutageCourse(
          weight: weight * memory.share, [FaultPattern(.restart, lasting: values["down"], values: kept), shedding])
      }
    }
    return OutageProfile(
      parts: [
        LimitPart(Interval(nanoseconds: values["shedding"].most), "in which it turns attempts away"),
        LimitPart(.seconds(4), "that it asks the last of them to stay away"), .wait(before: 10), .opening(),
      ],
      outages: Spread(1, 2),
      courses: course(0, weight: values.rest("killed", "vanished")) + course(1, weight: values.weight("killed"))
        + course(2, weight: values.weight("vanished")))
  }

  /// Servers on their way out accept and close, or turn attempts away.
  ///
  /// The limit is 33 s. A server on its way out may accept an attempt just before it is gone, and close by 1012 within
  /// a second; then the client is away for up to 30 s, opens the connection and resumes the stream. That other servers
  /// would take it at once it cannot know: 1012 says that this server restarts, to all of its clients at once, and the
  /// proposal that brought the code asks them for 5 to 30 s at random. To be back sooner would be to disregard it, so
  /// that no shorter limit is fair, and no longer one is needed: an attempt that was turned away five times in the
  /// first 5 s, asked for 3 s and waits 16 s more is back before that.
  static let rollingDeploy = ProfileTemplate(
    "rolling-deploy", "Servers are replaced one by one: the connection is closed again and again.",
    [
      ProfileParameter("moves", .count(of: "times that the connection is closed"), 1...20, Spread(2, 4)),
      .time("between", .seconds(30, 120)), .portion("turned-away", 40), .portion("bounced", 20),
      .time("busy", .seconds(1, 5)),
    ]
  ) { values in
    OutageProfile(
      parts: [LimitPart(.seconds(1), "until a server on its way out has closed"), .stayingAway, .opening()],
      courses: [
        OutageCourse(
          times: values["moves"], gap: values["between"],
          [
            FaultPattern(.close, values: [Spread(1_001), .milliseconds(0, 200)]),
            FaultPattern(.shedding, lasting: values["busy"], values: [values["turned-away"], .seconds(1, 3)]),
            FaultPattern(
              .acceptThenClose, lasting: values["busy"], values: [Spread(1_012), .milliseconds(0, 500)],
              chance: values.chance("bounced")),
          ])
      ])
  }
}
