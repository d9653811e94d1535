// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

// Limits count with the recommended settings: a ping every 30 s and 10 s for its answer, 10 s for an attempt, waits of
// up to 1, 2, 4, 8, 16 and then 30 s before the attempts; and with 2 s to open a connection and resume the stream over
// a good way, which takes 0.35 s on average and a second more where the first packet is sent again. See `LimitPart`.

extension ProfileTemplate {
  /// Twenty seconds without a signal, no more and no less. In half of the lifts the phone knows that it has none.
  ///
  /// The limit is 16 s. Where the phone knows, it says when the network is back, and the attempt comes within a second.
  /// Where it does not, and a ping fell into the outage, it is unanswered after 10 s, so that an attempt may be under
  /// way when the doors open and hang for its 10 s; it is the second at the latest, so that the wait before the next is
  /// up to 4 s; then the connection is opened and the stream resumed. Where no ping fell into it, the connection has
  /// outlived it, or is found dead by a ping sent at its end.
  static let lift = ProfileTemplate(
    name: "lift", parameters: [.time("length", .seconds(20)), .portion("known", 50)]
  ) { values in
    OutageProfile(
      name: "lift", meaning: "Twenty seconds without a signal; in half of the lifts the phone knows.",
      limit: [.hangingAttempt, .waitAfterHanging(in: values["length"].most), .opening(slower: .zero)],
      outages: Spread(1, 3),
      courses: [
        OutageCourse(weight: values.weight("known"), [FaultPattern(.offline, lasting: values["length"])]),
        OutageCourse(weight: values.rest("known"), [FaultPattern(.blackHole, lasting: values["length"])]),
      ])
  }

  /// One to three minutes without a signal. In most tunnels the phone knows that it has none; in the others it shows a
  /// signal and nothing goes through.
  ///
  /// The limit is 42 s. Where the phone does not know, the dead link is found within the first 40 s, inside the tunnel;
  /// at its end an attempt may hang for its 10 s, the next comes after up to 30 s, the cap, then the connection is
  /// opened and the stream resumed. Attempts that hang for 10 s and waits of at most 30 s last for three minutes on
  /// average: a client whose waits were drawn short has used up its ten before the end of the longest tunnels and is
  /// suspended. That is a failure, and is counted as one.
  static let tunnel = ProfileTemplate(
    name: "tunnel", parameters: [.time("length", .seconds(60, 180)), .portion("known", 70)]
  ) { values in
    OutageProfile(
      name: "tunnel", meaning: "One to three minutes without a signal; in seven of ten tunnels the phone knows.",
      limit: [.hangingAttempt, .waitAfterHanging(in: values["length"].most), .opening(slower: .zero)],
      outages: Spread(1, 2),
      courses: [
        OutageCourse(weight: values.weight("known"), [FaultPattern(.offline, lasting: values["length"])]),
        OutageCourse(weight: values.rest("known"), [FaultPattern(.blackHole, lasting: values["length"])]),
      ])
  }

  /// A train ride on which the network comes and goes: some short outages in a row, most of which the phone knows of,
  /// with changes of cell that keep the connection, and some changes of network that do not.
  ///
  /// The limit is 28 s, counted from the end of each gap that leaves time to come back: 10 s for an attempt that hangs
  /// when a gap ends that the phone did not know of, up to 16 s before the next, which is the fifth at the latest where
  /// one outage spans two gaps of 20 s and the 5 s between them, and 2 s to open the connection and resume the stream.
  /// After a gap that it knew of, it is back within a second or two.
  static let commute = ProfileTemplate(
    name: "commute",
    parameters: [
      .count("gaps", of: "gaps in a row", 1...20, Spread(3, 6)), .time("length", .seconds(2, 20)),
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
      name: "commute", meaning: "A ride on which the network comes and goes, known to the phone in most gaps.",
      limit: [
        .hangingAttempt, .waitAfterHanging(in: 2 * values["length"].most + values["between"].least),
        .opening(slower: .zero),
      ],
      courses: [
        course(.offline, weight: values.weight("known")), course(.blackHole, weight: values.rest("known")),
      ])
  }

  /// Five to nine hours on the bedside table. The phone sleeps, the connection dies somewhere between, and in the
  /// morning the phone is where it was or on another network.
  ///
  /// The limit is 13 s from waking: a ping is sent at once and given up after 10 s; the first attempt comes within a
  /// second; then the connection is opened and the stream resumed. After a change of network the phone says so, and the
  /// attempt comes within a second of that.
  static let night = ProfileTemplate(
    name: "night",
    parameters: [.time("length", .minutes(300, 540)), .portion("dies", 80), .portion("changes", 30)]
  ) { values in
    OutageProfile(
      name: "night", meaning: "Hours asleep, in which the connection most often dies.",
      limit: [.pong, .wait(before: 1), .opening(slower: .zero)],
      courses: [
        OutageCourse([
          FaultPattern(.halfOpen, delay: .minutes(5, 60), chance: values.chance("dies")),
          FaultPattern(.sleep, lasting: values["length"]),
          FaultPattern(
            .networkChange, anchor: .previous, delay: .milliseconds(100, 3_000), chance: values.chance("changes")),
        ])
      ])
  }
}
