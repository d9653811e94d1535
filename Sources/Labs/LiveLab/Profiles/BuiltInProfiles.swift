// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

/// A built-in profile: a profile as a scenario composes one of faults, with parameters in its text.
struct ProfileTemplate: Sendable {
  let name: String
  let meaning: String
  let parameters: [(parameter: FaultParameter, standard: Spread)]
  /// Those of its parameters that are shares of one whole.
  let shares: [String]
  private let text: String

  private init(_ text: String) throws(ReportingError) {
    self.text = text
    let map = try ScenarioDocument(yaml: text, file: "built-in profiles").root.mapping(keys: ProfileReader.templateKeys)
    (name, meaning) = (try map["name"]?.string() ?? "", try map["meaning"]?.string() ?? "")
    parameters = try (map["parameters"]?.members ?? []).map { field throws(ReportingError) in try Self.parameter(field)
    }
    shares = try (map["shares"]?.members ?? []).map { field throws(ReportingError) in try field.string() }
  }

  /// `length 20s`, `known 50%`, or `gaps 3..6 of 1..20 gaps in a row`.
  private static func parameter(_ field: ScenarioField) throws(ReportingError) -> (FaultParameter, Spread) {
    let words = try field.string().split(separator: " ").map(String.init)
    var parameter = FaultParameter(words[0], .time, 1...FaultSchedule.longest.nanoseconds)
    if words.count > 3, let range = ProfileReader.spread(words[3], as: .any) {
      parameter = FaultParameter(
        words[0], .count(of: words.dropFirst(4).joined(separator: " ")), range.least...range.most)
    } else if words.last?.hasSuffix("%") == true {
      parameter = .portion(words[0])
    }
    guard words.count > 1, let standard = ProfileReader.spread(words[1], as: parameter) else {
      throw field.bad(expected: parameter.expectation)
    }
    return (parameter, standard)
  }

  /// The profile with other values of some parameters.
  ///
  /// - Throws: What is wrong with the profile that they make.
  func profile(changed: [String: Spread] = [:]) throws(ReportingError) -> OutageProfile {
    var (text, values) = (text, changed)
    // The longer names first, of which others are the beginning.
    for (parameter, standard) in parameters.sorted(by: { $0.parameter.name.count > $1.parameter.name.count }) {
      let value = changed[parameter.name] ?? standard
      values[parameter.name] = value
      text = text.replacing("$" + parameter.name, with: parameter.text(value))
    }
    var profile = try ProfileReader.composed(ScenarioDocument(yaml: text, file: "built-in profiles").root)
    profile.origin = ProfileOrigin(template: name, values: values)
    return profile
  }

  /// A text that is none of a profile is missing here, which a test would notice.
  static let all = texts.compactMap { try? ProfileTemplate($0) }
}

/// The built-in profile that a profile comes from, and the values of its parameters.
struct ProfileOrigin: Hashable, Sendable {
  let template: String
  let values: [String: Spread]
}

extension OutageProfile {
  public static let all = ProfileTemplate.all.compactMap { try? $0.profile() }

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

extension ProfileTemplate {
  // Limits count with the recommended settings: a ping every 30 s and 10 s for its answer, 10 s for an attempt, waits
  // of up to 1, 2, 4, 8, 16 and then 30 s before the attempts; and with 2 s to open a connection and resume the stream
  // over a good way, which takes 0.35 s on average and a second more where the first packet is sent again. See
  // `LimitPart`.
  private static let texts = [
    """
    # The limit is 16 s. Where the phone knows, it says when the network is back, and the attempt comes within a second.
    # Where it does not, and a ping fell into the outage, it is unanswered after 10 s, so that an attempt may be under
    # way when the doors open and hang for its 10 s; it is the second at the latest, so that the wait before the next is
    # up to 4 s; then the connection is opened and the stream resumed. Where no ping fell into it, the connection has
    # outlived it, or is found dead by a ping sent at its end.
    name: lift
    meaning: Twenty seconds without a signal; in half of the lifts the phone knows.
    parameters: [length 20s, known 50%]
    limit: [hanging-attempt, wait-after-hanging $length, opening]
    outages: 1..3
    ways:
      - {share: $known, faults: [{kind: offline, for: $length}]}
      - {share: 100%-$known, faults: [{kind: black-hole, for: $length}]}
    """,
    """
    # The limit is 42 s. Where the phone does not know, the dead link is found within the first 40 s, inside the tunnel;
    # at its end an attempt may hang for its 10 s, the next comes after up to 30 s, the cap, then the connection is
    # opened and the stream resumed. Attempts that hang for 10 s and waits of at most 30 s last for three minutes on
    # average: a client whose waits were drawn short has exhausted its ten before the end of the longest tunnels and is
    # suspended. That is a failure, and is counted as one.
    name: tunnel
    meaning: One to three minutes without a signal; in seven of ten tunnels the phone knows.
    parameters: [length 1m..3m, known 70%]
    limit: [hanging-attempt, wait-after-hanging $length, opening]
    outages: 1..2
    ways:
      - {share: $known, faults: [{kind: offline, for: $length}]}
      - {share: 100%-$known, faults: [{kind: black-hole, for: $length}]}
    """,
    """
    # Some gaps end with a change of network, which the connection does not survive.
    # The limit is 28 s, counted from the end of each gap that leaves time to come back: 10 s for an attempt that hangs
    # when a gap ends that the phone did not know of, up to 16 s before the next, which is the fifth at the latest where
    # one outage spans two gaps of 20 s and the 5 s between them, and 2 s to open the connection and resume the stream.
    # After a gap that it knew of, it is back within a second or two.
    name: commute
    meaning: A ride on which the network comes and goes, known to the phone in most gaps.
    parameters: [gaps 3..6 of 1..20 gaps in a row, length 2s..20s, between 5s..90s, known 70%, changes 25%]
    limit: [hanging-attempt, wait-after-hanging $length $length least $between, opening]
    ways:
      - share: $known
        times: $gaps
        gap: $between
        faults: [{kind: offline, for: $length}, {kind: network-change, after: 0s..2s, chance: $changes}]
      - share: 100%-$known
        times: $gaps
        gap: $between
        faults: [{kind: black-hole, for: $length}, {kind: network-change, after: 0s..2s, chance: $changes}]
    """,
    """
    # Everything is slow and lost in bursts for the whole session; now and then the connection is reset, dies unnoticed,
    # or nothing goes through for some seconds.
    # The limit is 62 s. A connection that dies unnoticed is found after up to 40 s; the first attempt comes within
    # a second; under such a loss it may fail, after 10 s, and the second comes within 2 s and takes up to 9 where the
    # way is as slow as it gets: ten times over a way of 0.7 s more than usual on average, and a packet sent again.
    name: stadium
    meaning: "A crowded cell: slow, lossy, and connections that stall, are reset or die."
    parameters:
      - latency 100ms..400ms
      - jitter 100ms..600ms
      - enter 2%
      - leave 30%
      - lost 60%
      - rate 8000..40000 of 1..4294967295 bytes a second
      - stall 5s..25s
    limit: [silent-death, wait 1, hanging-attempt, wait 2, opening $latency $jitter]
    first: 1m..3m
    outages: 2..4
    pause: 1m..3m
    always:
      - {kind: latency, added: $latency, jitter: $jitter}
      - {kind: burst-loss, enter: $enter, leave: $leave, bad: $lost}
      - {kind: bandwidth, rate: $rate}
    ways:
      - {share: 40%, faults: [{kind: black-hole, for: $stall}]}
      - {share: 30%, faults: [reset]}
      - {share: 30%, faults: [half-open]}
    """,
    """
    # Now and then the server forgets the stream's history, and in half of those cases, where that was not kept apart,
    # the numbers of the app's messages too. Once back it turns some attempts away at first.
    # The limit is 46 s. An attempt may be turned away at the end of the first ten seconds and asked to stay away for
    # four; the usual wait comes on top, which has grown to 30 s, the cap, where the server was down for long; then the
    # connection is opened and the stream resumed. That is more than all other ways: after 1012 the client is away for
    # up to 30 s from the closing; a machine that vanished is found within 40 s of its going, and the attempt comes a
    # second later.
    name: server-restart
    meaning: "The server is down for some seconds: restarted, killed or gone."
    parameters:
      - down 2s..30s
      - killed 20%
      - vanished 10%
      - forgets 10%
      - forgets-numbers 50%
      - turned-away 30%
      - shedding 3s..10s
    shares: [killed, vanished]
    limit:
      - $shedding in which it turns attempts away
      - 4s that it asks the last of them to stay away
      - wait 10
      - opening
    outages: 1..2
    ways:
    """
      + ["graceful", "killed", "vanished"].flatMap { how in
        [("lost", "lost"), ("lost", "kept"), ("kept", "kept")].map { history, numbers in
          let memory =
            history == "kept" ? "100%-$forgets" : "$forgets, \(numbers == "kept" ? "100%-" : "")$forgets-numbers"
          return """

              - share: [\(how == "graceful" ? "100%-$killed-$vanished" : "$\(how)"), \(memory)]
                faults:
                  - {kind: restart, for: $down, how: \(how), history: \(history), numbers: \(numbers)}
                  - {kind: shedding, after: 0s, for: $shedding, share: $turned-away, retry-after: 1s..4s}
            """
        }
      }.joined(),
    """
    # Servers on their way out accept and close, or turn attempts away.
    # The limit is 33 s. A server on its way out may accept an attempt just before it is gone, and close by 1012 within
    # a second; then the client is away for up to 30 s, opens the connection and resumes the stream. That other servers
    # would take it at once it cannot know: 1012 says that this server restarts, to all of its clients at once, and the
    # proposal that brought the code asks them for 5 to 30 s at random. To be back sooner would be to disregard it, so
    # that no shorter limit is fair, and no longer one is needed: an attempt that was turned away five times in the
    # first 5 s, asked for 3 s and waits 16 s more is back before that.
    name: rolling-deploy
    meaning: "Servers are replaced one by one: the connection is closed again and again."
    parameters:
      - moves 2..4 of 1..20 times that the connection is closed
      - between 30s..2m
      - turned-away 40%
      - bounced 20%
      - busy 1s..5s
    limit: [1s until a server on its way out has closed, staying-away, opening]
    times: $moves
    gap: $between
    faults:
      - {kind: close, code: 1001, delay: 0s..200ms}
      - {kind: shedding, for: $busy, share: $turned-away, retry-after: 1s..3s}
      - {kind: accept-then-close, for: $busy, code: 1012, accept-then-close-after: 0s..500ms, chance: $bounced}
    """,
    """
    # A café's: the router also cuts idle connections.
    # The limit is 57 s. A connection that the router forgot is found after up to 40 s; the first attempt comes within a
    # second; over a weak signal it may fail, after 10 s, and the second comes within 2 s and takes up to 4. A portal is
    # passed, and a name found again, without the phone saying so, which leaves up to 30 s of waiting, the cap, and less
    # in all. A ping every 30 s keeps the router from cutting the connection for its idleness: that befalls only a
    # client that sends none.
    name: bad-wifi
    meaning: A router that forgets connections, a weak signal, failing names, and the portal.
    parameters: [lost 3%, latency 10ms..150ms, idle 1m..5m, stall 5s..1m, portal 15s..1m]
    limit: [silent-death, wait 1, hanging-attempt, wait 2, opening $latency $latency]
    first: 1m..4m
    outages: 1..3
    pause: 1m..4m
    always:
      - {kind: loss, share: $lost}
      - {kind: latency, added: $latency, jitter: $latency}
      - {kind: idle-cut, after: $idle, silent: yes}
    ways:
      - {share: 30%, faults: [half-open]}
      - {share: 30%, faults: [{kind: black-hole, for: $stall}]}
      - {share: 10%, faults: [{kind: partition, for: $stall, way: up..down}]}
      - {share: 20%, faults: [reset, {kind: name-not-found, for: $stall, name-not-found-after: 50ms..5s}]}
      - {share: 10%, faults: [network-change, {kind: captive-portal, for: $portal}]}
    """,
    """
    # In the morning the phone is where it was or on another network.
    # The limit is 13 s from waking: a ping is sent at once and given up after 10 s; the first attempt comes within a
    # second; then the connection is opened and the stream resumed. After a change of network the phone says so, and the
    # attempt comes within a second of that.
    name: night
    meaning: Hours asleep, in which the connection most often dies.
    parameters: [length 5h..9h, dies 80%, changes 30%]
    limit: [pong, wait 1, opening]
    faults:
      - {kind: half-open, at: 5m..1h, chance: $dies}
      - {kind: sleep, for: $length}
      - {kind: network-change, after: 100ms..3s, chance: $changes}
    """,
  ]
}
