// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

extension ProfileTemplate {
  /// One server that everybody is connected to, down for some seconds: by an orderly restart most often, else killed or
  /// gone with its machine. Now and then it forgets the stream's history, and in half of those cases, where that was
  /// not kept apart, the numbers of the app's messages too. It turns some attempts away at first.
  ///
  /// The limit is 46 s. An attempt may be turned away at the end of the first ten seconds and asked to stay away for
  /// four; the usual wait comes on top, which has grown to 30 s, the cap, where the server was down for long; then the
  /// connection is opened and the stream resumed. That is more than all other ways: after 1012 the client is away for
  /// up to 30 s from the closing; a machine that vanished is found within 40 s of its going, and the attempt comes a
  /// second later.
  static let serverRestart = ProfileTemplate(
    name: "server-restart",
    parameters: [
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
      name: "server-restart", meaning: "The server is down for some seconds: restarted, killed or gone.",
      limit: [
        .own(Interval(nanoseconds: values["shedding"].most), "in which it turns attempts away"),
        .own(.seconds(4), "that it asks the last of them to stay away"), .wait(before: 10), .opening(slower: .zero),
      ],
      outages: Spread(1, 2),
      courses: course(0, weight: values.rest("killed", "vanished")) + course(1, weight: values.weight("killed"))
        + course(2, weight: values.weight("vanished")))
  }

  /// A new version rolled out over many servers: the connection is closed in good order, opened elsewhere, and closed
  /// again when that server's turn comes. Servers on their way out accept and close, or turn attempts away.
  ///
  /// The limit is 33 s. A server on its way out may accept an attempt just before it is gone, and close by 1012 within
  /// a second; then the client is away for up to 30 s, opens the connection and resumes the stream. That other servers
  /// would take it at once it cannot know: 1012 says that this server restarts, to all of its clients at once, and the
  /// proposal that brought the code asks them for 5 to 30 s at random. To be back sooner would be to disregard it, so
  /// that no shorter limit is fair, and no longer one is needed: an attempt that was turned away five times in the
  /// first 5 s, asked for 3 s and waits 16 s more is back before that.
  static let rollingDeploy = ProfileTemplate(
    name: "rolling-deploy",
    parameters: [
      .count("moves", of: "times that the connection is closed", 1...20, Spread(2, 4)),
      .time("between", .seconds(30, 120)), .portion("turned-away", 40), .portion("bounced", 20),
      .time("busy", .seconds(1, 5)),
    ]
  ) { values in
    OutageProfile(
      name: "rolling-deploy", meaning: "Servers are replaced one by one: the connection is closed again and again.",
      limit: [
        .own(.seconds(1), "until a server on its way out has closed"), .stayingAway, .opening(slower: .zero),
      ],
      courses: [
        OutageCourse(
          times: values["moves"], gap: values["between"],
          [
            FaultPattern(.close, values: [Spread(1_001), .milliseconds(0, 200)]),
            FaultPattern(
              .shedding, lasting: values["busy"], values: [values["turned-away"], .seconds(1, 3)]),
            FaultPattern(
              .acceptThenClose, lasting: values["busy"], values: [Spread(1_012), .milliseconds(0, 500)],
              chance: values.chance("bounced")),
          ])
      ])
  }
}
