// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

extension ProfileTemplate {
  /// By how much a way is slower than usual on average, where it is as slow as it gets.
  private static func slowest(_ latency: Spread, _ jitter: Spread) -> Interval {
    Interval(nanoseconds: latency.most + jitter.most / 2)
  }

  /// Sixty thousand people in one cell: everything is slow and lost in bursts for the whole session, and now and then
  /// the connection is reset, dies without a word, or nothing goes through for some seconds.
  ///
  /// The limit is 62 s. A connection that dies without a word is found after up to 40 s; the first attempt comes within
  /// a second; under such a loss it may fail, after 10 s, and the second comes within 2 s and takes up to 9 where the
  /// way is as slow as it gets: ten times over a way of 0.7 s more than usual on average, and a packet sent again.
  static let stadium = ProfileTemplate(
    name: "stadium",
    parameters: [
      .time("latency", .milliseconds(100, 400)), .time("jitter", .milliseconds(100, 600)),
      .portion("enter", 2), .portion("leave", 30), .portion("lost", 60),
      .count("rate", of: "bytes a second", 1...4_294_967_295, Spread(8_000, 40_000)),
      .time("stall", .seconds(5, 25)),
    ]
  ) { values in
    OutageProfile(
      name: "stadium", meaning: "A crowded cell: slow, lossy, and connections that stall, are reset or die.",
      limit: [
        .silentDeath, .wait(before: 1), .hangingAttempt, .wait(before: 2),
        .opening(slower: ProfileTemplate.slowest(values["latency"], values["jitter"])),
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
        OutageCourse(weight: 3, [FaultPattern(.reset)]),
        OutageCourse(weight: 3, [FaultPattern(.halfOpen)]),
      ])
  }

  /// A café's Wi-Fi: a router that forgets connections and cuts idle ones, a weak signal, a name server that does not
  /// answer, and now and then the portal again.
  ///
  /// The limit is 57 s. A connection that the router forgot is found after up to 40 s; the first attempt comes within a
  /// second; over a weak signal it may fail, after 10 s, and the second comes within 2 s and takes up to 4. A portal is
  /// passed, and a name found again, without the phone saying so, which leaves up to 30 s of waiting, the cap, and less
  /// in all. A ping every 30 s keeps the router from cutting the connection for its idleness: that befalls only a
  /// client that sends none.
  static let badWiFi = ProfileTemplate(
    name: "bad-wifi",
    parameters: [
      .portion("lost", 3), .time("latency", .milliseconds(10, 150)), .time("idle", .seconds(60, 300)),
      .time("stall", .seconds(5, 60)), .time("portal", .seconds(15, 60)),
    ]
  ) { values in
    OutageProfile(
      name: "bad-wifi", meaning: "A router that forgets connections, a weak signal, failing names, and the portal.",
      limit: [
        .silentDeath, .wait(before: 1), .hangingAttempt, .wait(before: 2),
        .opening(slower: ProfileTemplate.slowest(values["latency"], values["latency"])),
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
          weight: 1,
          [FaultPattern(.networkChange), FaultPattern(.captivePortal, lasting: values["portal"])]),
      ])
  }
}
