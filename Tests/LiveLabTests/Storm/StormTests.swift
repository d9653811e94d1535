// SPDX-License-Identifier: GPL-3.0-or-later
import LiveLab
import Reporting
import Scenarios
import Testing

private func storm(_ yaml: String, on context: RunContext = RunContext(workers: 2)) throws -> Outcome {
  try Outcome("live.storm", yaml, on: context)
}

@Suite("A storm without chance")
struct ExactStormTests {
  /// A storm of ten clients that notice at once and wait 1, 2, 4, 8… s, under other settings, and what is measured.
  struct MeasurementSeries: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let settings: String
    let expected: [String: Double]

    init(_ description: String, _ settings: String, _ expected: [String: Double]) {
      (testDescription, self.settings, self.expected) = (description, settings, expected)
    }
  }

  static let courses = [
    MeasurementSeries(
      "an attempt follows the failure of the one before after the wait", "outage: 5s",
      // At 1, 3.05 and 7.1 s, the outage ending at 5.
      [
        "attempts": 30, "peakDuring": 10, "peak": 10, "peakTenth": 10, "accepted": 10, "back50": 2.1, "back100": 2.1,
        "meanBack": 2.1, "back": 10, "missing": 0, "gaveUp": 0, "shed": 0,
      ]),
    MeasurementSeries(
      "milliseconds count from the return, whatever the outage's length", "outage: 3049ms", ["back100": 0.001]),
    // The second attempt fails at 3.1 s.
    MeasurementSeries(
      "a client that has exhausted its attempts comes at the slow cadence",
      "outage: 5s\nattempts: 2\ncadence: 10s\ncadence-spread: 0", ["gaveUp": 10, "back100": 8.1]),
    MeasurementSeries(
      "without a cadence it never comes", "outage: 5s\nattempts: 2\ncadence: none",
      ["gaveUp": 10, "back": 0, "missing": 10, "attempts": 20, "back50": .infinity, "meanBack": 3_600]),
    MeasurementSeries(
      "nothing is counted after the horizon", "outage: 5s\nhorizon: 2s", ["attempts": 20, "back": 0, "missing": 10]),
    MeasurementSeries(
      "an outage that outlasts every attempt leaves all to the cadence", "outage: 250s\nhorizon: 60s",
      ["gaveUp": 10, "back": 0, "survives95": 181]),
    MeasurementSeries("attempts span the sum of their waits", "outage: 5s\nattempts: 4", ["survives95": 15]),
    // One of ten is accepted at 7.1 s; the others are shed, fail at 7.15 and come at 15.15 s, one more.
    MeasurementSeries(
      "a shed client waits again",
      "outage: 5s\nattempts: 4\ncadence: none\ncapacity: 1/s\nburst: 1s\npercentiles: 20",
      ["back": 2, "shed": 17, "gaveUp": 8, "missing": 8, "back20": 10.15]),
    MeasurementSeries(
      "503 without Retry-After is waited out in the same way",
      "outage: 5s\nattempts: 4\ncapacity: 1/s\nburst: 1s\nshed: unavailable\npercentiles: 20", ["back20": 10.15]),
    MeasurementSeries(
      "Retry-After is added to the wait",
      "outage: 5s\nattempts: 4\ncapacity: 1/s\nburst: 1s\nshed: unavailable\nretry-after: 20s\npercentiles: 20",
      ["back20": 30.15]),
    MeasurementSeries(
      "a server that saved up three handshakes accepts three at once, and no more after a longer pause",
      "outage: 5s\nattempts: 4\ncadence: none\ncapacity: 10/s\nburst: 300ms",
      ["accepted": 3, "back": 6, "shed": 11, "attempts": 37]),
  ]

  @Test("is counted exactly", arguments: courses)
  func counted(course: MeasurementSeries) throws {
    let found = try storm("clients: 10\ndetection-window: 0s\npolicies: [exponential]\n" + course.settings)
    for (name, value) in course.expected { #expect(found["storm.\(name)[exponential]"]?.estimate == value, "\(name)") }
  }

  @Test("has its attempts and returns in tenths of a second around the server's return")
  func tenths() throws {
    let found = try storm("clients: 10\ndetection-window: 0s\npolicies: [exponential]\noutage: 5s")
    let rows = "exponential,-4.0,10,0\nexponential,-2.0,10,0\nexponential,2.1,10,10"
    #expect(found.result.files.first?.content.contains(rows) == true)
  }
}

@Suite("A storm")
struct StormTests {
  @Test("a server accepts in its first second what it saved up and its rate, less a handshake that is not whole")
  func rate() throws {
    let found = try storm(
      "clients: 10k\noutage: 1s\ndetection-window: 1s\npolicies: [exponential]\ncapacity: 1000/s\nburst: 100ms")
    #expect(found["storm.accepted[exponential]"]?.estimate == 1_099)
  }

  @Test("a server that was idle for half a day saved up no more than its burst")
  func idle() throws {
    let found = try storm(
      """
      clients: 20
      outage: 1s
      detection-window: 0s
      policies: ['name=slow base=12h cap=12h jitter=none attempts=1']
      cadence: none
      horizon: 1d
      capacity: 10000000/s
      burst: 0.001ms
      """)
    #expect(found["storm.back[slow]"]?.estimate == 10 && found["storm.shed[slow]"]?.estimate == 10)
  }

  @Test("gives the same counts to the same seed, others to another one", arguments: ["none", "300/s"])
  func seeds(capacity: String) throws {
    func csv(_ seed: Int) throws -> String? {
      let limit = capacity == "none" ? "" : "\ncapacity: \(capacity)"
      return try storm("clients: 5k\npolicies: [full-jitter]\nrandom: {seed: \(seed)}\(limit)").result.files.first?
        .content
    }
    #expect(try csv(1) == csv(1))
    #expect(try csv(1) != csv(2))
  }

  @Test("a policy that an interruption stopped is left out and named: part of a storm has no peaks")
  func unfinished() throws {
    let found = try storm(
      "clients: 4000\npolicies: [full-jitter, exponential, grpc]", on: RunContext(workers: 1, maxSamples: 4_000))
    #expect(!found.result.isComplete && Set(found.result.measurements.map(\.measure.label)) == ["full-jitter"])
    for text in [found.text, found.result.document.markdown] {
      #expect(text.contains("4,000 clients") && text.contains("there are no results of exponential, grpc"))
      #expect(!text.contains("is recommended"), "there is nothing to compare with")
    }
  }

  @Test("one client and one attempt are in the singular")
  func one() throws {
    let found = try storm("clients: 1\npolicies: [full-jitter, exponential]\nstorms: 1")
    #expect(found.text.hasPrefix("1 client, a server down"))
    #expect(found.text.contains("its peak of 1 attempt a second after the return"))
  }

  @Test("figures have lines of the policies that spread, points of the others, and end when all are back")
  func figures() throws {
    let found = try storm(
      """
      clients: 1500
      capacity: 100/s
      policies: [full-jitter, exponential]
      thresholds: ['storm.peak[full-jitter] <= 700', storm.back95 <= 120s]
      """)
    #expect(found.result.document.text().split(separator: "\n").allSatisfy { $0.count <= 120 })
    let (attempts, back) = (try #require(found.figures.first), try #require(found.figures.last))
    #expect(attempts.series.map(\.style) == [.line, .points, .reference, .reference, .reference])
    let lines = attempts.series.filter { $0.style == .reference }
    let names = ["the server's return", "capacity, 100 a second", "threshold storm.peak[full-jitter] <= 700"]
    #expect(lines.map(\.name) == names)
    #expect(lines.first?.points.map(\.x) == [0] && lines.dropFirst().flatMap(\.points).map(\.y) == [100, 700])
    #expect(attempts.description.contains("capacity, 100 a second; threshold storm.peak[full-jitter] <= 700"))
    #expect(attempts.series[1].points.filter { $0.x > 0 && $0.y.isFinite }.map(\.y).max() == 1_500)
    #expect(back.series.last?.name == "threshold storm.back95 <= 120s" && back.series.last?.points.map(\.x) == [120])
    for series in back.series.dropLast() { #expect(series.points.last?.y == 100, "\(series.name)") }
  }

  @Test("the file of tenths of a second has every attempt and every return")
  func bins() throws {
    let found = try storm("clients: 3000\npolicies: [full-jitter, exponential]\nstorms: 1")
    let rows = (found.result.files.first?.content ?? "").split(separator: "\n").filter { $0.hasPrefix("exponential") }
    func sum(_ column: Int) -> Double { rows.reduce(0) { $0 + (Double($1.split(separator: ",")[column]) ?? 0) } }
    #expect(sum(2) == found["storm.attempts[exponential]"]?.estimate && sum(3) == 3_000)
  }

  @Test("thresholds name a measure of one policy")
  func thresholds() throws {
    let found = try storm(
      """
      clients: 2000
      policies: [full-jitter, exponential, reconnecting-websocket]
      attempts: 5
      cadence: none
      thresholds:
        - storm.peak[full-jitter] <= 400
        - storm.peak[exponential] == 2000
        - storm.gaveUp[reconnecting-websocket] >= 1000
        - storm.back99[reconnecting-websocket] <= 3600s
        - storm.back99[exponential] in 1.3s..1.4s
      """)
    #expect(found.verdicts.map { $0 == .holds } == [true, true, true, false, true])
  }

  @Test("the policies named after libraries give up only where the library does")
  func libraries() throws {
    let found = try storm(
      """
      clients: 2000
      policies: [phoenix, socket.io, reconnecting-websocket, centrifuge, ably, grpc, graphql-ws]
      storms: 1
      thresholds:
        - storm.back50[phoenix] <= 0.11s
        - storm.back100[phoenix] in 4.9s..5.05s
      """)
    #expect(found.verdicts == [.holds, .holds])
    #expect(found.values("storm.gaveUp").dropLast().allSatisfy { $0 == 0 })
    #expect(found.values("storm.survives95").dropLast().allSatisfy { $0 == .infinity })
    #expect(found["storm.survives95[graphql-ws]"]?.estimate.isFinite == true)
  }

  @Test("a policy's table of waits is followed by nothing or by its last wait")
  func table() throws {
    let found = try storm(
      """
      clients: 10
      outage: 5s
      detection-window: 0s
      cadence: none
      policies: ['name=stops waits=0s,2s then=stop', 'name=lasts waits=0s,2s', 'name=spread waits=0s jitter=3s']
      storms: 1
      """)
    // At 0, 2.05, 4.1 and 6.15 s, the outage ending at 5.
    #expect(found.values("storm.gaveUp") == [10, 0, 0] && found.values("storm.missing") == [10, 0, 0])
    #expect(found.values("storm.attempts").prefix(2) == [20, 40])
    #expect(found["storm.back50[lasts]"]?.estimate == 1.15 && found["storm.back100[lasts]"]?.estimate == 1.15)
    #expect(found["storm.back100[spread]"].map { $0.estimate <= 3.05 } == true)
  }

  @Test(
    "a bad value is refused with its line and key, what was found, and what was expected",
    arguments: [
      ("clients: 0", "test.yaml:3: clients: found '0', expected a whole number, 1 to 10,000,000"),
      ("outage: soon", "test.yaml:3: outage: found 'soon', expected a length of time, 1ms to 1d"),
      (
        "outage: 10s\ndetection-window: 20s",
        "test.yaml:4: detection-window: found '20s', expected no more than the outage"
      ),
      ("outage: 100ms", "test.yaml:3: outage: found '100ms', expected no more than the outage"),
      ("capacity: 5000/d", "test.yaml:3: capacity: found '5000/d', expected a rate"),
      ("capacity: 2/s", "test.yaml:3: capacity: found '2/s', expected enough time for one handshake"),
      ("policies: []", "test.yaml:3: policies: found a list, expected 1 or more of"),
      ("shed: dropped", "test.yaml:3: shed: found 'dropped', expected one of refused, unavailable"),
      ("clients: 9\nshed: unavailable", "test.yaml:4: shed: found 'unavailable', expected a capacity with it"),
      ("retry-after: 5s", "test.yaml:3: retry-after: found '5s', expected 'unavailable' for shed"),
      ("policies: [full-jitter, full]", "test.yaml:3: policies[2]: found 'full', expected each value once"),
      ("policies: [eqal-jitter]", "did you mean 'equal-jitter'?"),
      ("attempts: 0", "test.yaml:3: attempts: found '0'"),
      ("cadence-spread: 2", "test.yaml:3: cadence-spread: found '2', expected a number, 0 to 1"),
      ("cadance: none", "cadence"), ("noticed: 100ms", "noticed: unknown key"),
    ])
  func refused(yaml: String, message: String) {
    let text = refusal("live.storm", yaml)
    #expect(text.contains(message), "\(text)")
  }
}

@Suite("The recommendation of a storm")
struct StormRecommendationTests {
  private func storm(_ policies: String, _ more: String = "", clients: String = "20k") throws -> Outcome {
    try Outcome("live.storm", "clients: \(clients)\npolicies: [\(policies)]\nstorms: 1\n\(more)")
  }

  /// What others do better: the measure, the recommended policy's figure, the best and whose that is.
  private func better(_ found: Outcome) -> [[String]] { found.tables.first?.rows ?? [] }

  @Test("is full jitter after half a minute: it spreads best and is back soonest, but gives up soonest")
  func full() throws {
    let found = try storm("full, equal, decorr, grpc, expo")
    #expect(found.text.contains("For this storm full-jitter is recommended: its peak of "))
    #expect(
      found.text.contains("the soonest of the 3 with a peak within twice the lowest")
        && found.data.contains("\"full-jitter\""))
    let peaks = found.values("storm.peak")
    #expect(peaks.allSatisfy { $0 >= peaks[0] })
    #expect(abs((found["storm.survives95[full-jitter]"]?.estimate ?? 0) - 57.4) < 1)
    let rows = better(found)
    #expect(rows.last?[0] == "95% outlast, s" && rows.last?.suffix(2) == ["never", "grpc"])
    #expect(rows.contains { $0[0] == "peak during, attempts" && $0[3] == "decorrelated-jitter" })
    #expect(rows.allSatisfy { !["peak after, attempts", "shed, attempts", "missing, clients"].contains($0[0]) })
  }

  @Test("is another policy where the numbers are others, and none where there is no choice")
  func others() throws {
    #expect(try storm("exponential, equal-jitter").text.contains("equal-jitter is recommended"))
    #expect(try !storm("exponential").text.contains("recommended"))
  }

  @Test("counts clients that are not back as missing, and their moment as never")
  func missing() throws {
    let found = try storm("full, decorr", "outage: 45s\ncadence: none\nhorizon: 60s")
    #expect(found.text.contains("its clients are back after at least "))
    #expect(found.text.contains(/[0-9,]+ of its 20,000 clients are missing at the end\./))
    #expect(found["storm.back100[full-jitter]"]?.estimate == .infinity)
  }

  @Test("is no policy that leaves clients behind while another does not, or leaves few, however low its peak")
  func leftBehind() throws {
    let quits = "'name=quits base=1s cap=1s factor=1 jitter=full attempts=2'"
    // In this storm full jitter loses one client of 2,000.
    let found = try storm("full, \(quits)", "outage: 30s\ncadence: none", clients: "2000")
    #expect(found.values("storm.peak")[1] == 0 && found.values("storm.missing") == [1, 2_000])
    #expect(found.text.contains("For this storm full-jitter is recommended: its peak is "))
    #expect(
      found.text.contains(
        "s on average. 1 of its 2,000 clients is missing at the end. "
          + "quits is left out: it leaves 2,000 of its 2,000 clients behind."))
    #expect(!found.text.contains("no other"))
    let equal = try storm("full, equal, \(quits)", "outage: 45s\ncadence: none").text
    #expect(equal.contains("equal-jitter is recommended: its peak is ") && !equal.contains("missing at the end"))
    #expect(
      equal.contains(/full-jitter is left out: it leaves [0-9,]+ of its 20,000 clients behind\. quits is left out:/))
    let none = try storm("\(quits), 'name=leaves waits=0s then=stop'", "cadence: none").text
    #expect(none.contains("and none of its clients is back. 20,000 of its 20,000 clients are missing at the end."))
    #expect(
      try storm("exponential, equal-jitter").text.contains(" s on average; no other peak is within twice the lowest."))
  }

  @Test("states how many storms of other seeds agree, and a threshold can ask for more")
  func certainty() throws {
    let found = try Outcome(
      "live.storm",
      """
      clients: 2000
      outage: 10s
      capacity: 200/s
      policies: [full-jitter, exponential]
      storms: 8
      thresholds: ['storm.recommended[full-jitter] >= 60% at 0.95', 'storm.recommended[full-jitter] >= 99% at 0.95']
      """)
    // 0.05^(1/8) is 0.688.
    #expect(found.verdicts == [.holds, .undecided])
    #expect(found.text.contains("7 of 7 more storms with other seeds recommend the same policy"))
    #expect(found.text.contains("at least 68% of all such storms"))
    #expect(try storm("exponential, equal-jitter").text.contains("This is from one storm"))
  }
}
