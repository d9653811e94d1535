// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

extension ProfileTemplate {
  /// One server that everybody is connected to, down for some seconds: by an orderly restart most often, else killed or
  /// gone with its machine. Now and then it forgets the stream's history, and it turns some attempts away at first.
  ///
  /// The limit is 45 s. The waits have grown with the time that it was down, to 30 s at most, the cap; a machine that
  /// vanished is found within 40 s of its going, and the attempt comes within a second; attempts turned away come again
  /// after the seconds that the server asks for; then time to resume.
  static let serverRestart = ProfileTemplate(
    name: "server-restart",
    parameters: [
      .time("down", .seconds(2, 30)), .portion("killed", 20), .portion("vanished", 10), .portion("forgets", 10),
      .portion("turned-away", 30), .time("shedding", .seconds(3, 10)),
    ],
    shares: ["killed", "vanished"]
  ) { values in
    let shedding = FaultPattern(
      .shedding, anchor: .previous, lasting: values["shedding"],
      values: [values["turned-away"], .seconds(1, 4)])
    func course(_ how: Int64, weight: UInt32) -> [OutageCourse] {
      let forgets = values.weight("forgets")
      return [(0, forgets), (1, 10_000 - min(10_000, forgets))].map { history, share in
        OutageCourse(
          weight: weight * share,
          [
            FaultPattern(.restart, lasting: values["down"], values: [Spread(how), Spread(history)]), shedding,
          ])
      }
    }
    return OutageProfile(
      name: "server-restart", meaning: "The server is down for some seconds: restarted, killed or gone.",
      reason: "Up to 30 s before the attempt that finds it back, some seconds if turned away, and time to resume.",
      limit: .seconds(45), outages: Spread(1, 2),
      courses: course(0, weight: values.rest("killed", "vanished")) + course(1, weight: values.weight("killed"))
        + course(2, weight: values.weight("vanished")))
  }

  /// A new version rolled out over many servers: the connection is closed in good order, opened elsewhere, and closed
  /// again when that server's turn comes. Servers on their way out accept and close, or turn attempts away.
  ///
  /// The limit is 35 s. A server that is closing asks for the usual wait, a second at first, or for some seconds (503
  /// with `Retry-After`), or for 5 to 30 s (1012); a handful of attempts may meet servers on their way out before one
  /// stays, whose waits are up to 1, 2, 4 and 8 s, or the rest of 30 s after 1012; then time to resume.
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
      reason: "Up to 30 s after 1012, or a few attempts with waits of up to 8 s, and time to resume.",
      limit: .seconds(35),
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
