// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@Suite("assay live timeline, end to end")
struct LiveTimelineCommandTests {
  private static let offline = "live/1 for=10m limit=45s; 5m offline for=20s"

  @Test("a schedule is shown event by event: the network, the client's inputs, its actions and its status")
  func schedule() throws {
    let process = try AssayProcess("live timeline --seed 3 --log-level info", ["--schedule", Self.offline])
    #expect(process.status == 0, "\(process.remarks)")
    #expect(process.remarks.contains("assay live timeline --schedule '\(Self.offline)' --seed 3"))
    #expect(process.output.hasPrefix("A schedule, seed 3: production\n"))
    #expect(process.output.contains("Schedule: \(Self.offline)"))
    #expect(process.output.contains(/0:00\.000 +app: start +open #1 +connecting/))
    #expect(process.output.contains(/5:00\.000 +~ offline: for 20 s the phone\s+has no network, and knows/))
    #expect(process.output.contains(/5:20\.000 +~ offline is over/))
    #expect(process.output.contains(#/\n +2 +5:00\.000 +offline /#))
  }

  @Test("equal seeds give equal sessions, and the printed schedule reproduces the session")
  func again() throws {
    let one = try AssayProcess("live timeline tunnel --seed 7 --format json --quiet")
    #expect(one.status == 0 && one.remarks.isEmpty)
    #expect(try AssayProcess("live timeline tunnel --seed 7 --format json --quiet").output == one.output)
    #expect(try AssayProcess("live timeline tunnel --seed 8 --format json --quiet").output != one.output)
    let schedule = try #require(one.output.firstMatch(of: #/"schedule": "(live.1 [^"]+)"/#)?.1)
    let other = try AssayProcess("live timeline --seed 7 --format json --quiet", ["--schedule", String(schedule)])
    let steps: (String) -> Substring? = { $0.split(separator: "\"steps\"").last }
    #expect(steps(other.output) == steps(one.output))
  }

  @Test("a broken client fails with the invariant, the moment and the command that reproduces it")
  func broken() throws {
    let process = try AssayProcess(
      "live timeline --seed 1 --subject live-sends-no-pings", ["--schedule", "live/1 for=20m; 5m half-open"])
    #expect(process.status == 1)
    #expect(process.output.contains("! BROKEN "))
    #expect(process.output.contains("Broken: half-open-noticed at "), "\(process.output)")
    #expect(process.remarks.contains("FAILS: 1 of 2 thresholds: timeline.broken == 0"), "\(process.remarks)")
    #expect(process.remarks.contains("reproduce: assay live timeline --schedule 'live/1 for=20m; 5m half-open'"))
  }

  @Test("answered pings share a line; --whole shows every step")
  func whole() throws {
    let short = try AssayProcess("live timeline --quiet", ["--schedule", Self.offline]).output
    let whole = try AssayProcess("live timeline --quiet --whole", ["--schedule", Self.offline]).output
    #expect(short.contains(/\d+ pongs +\d+ pings within/) && !short.contains("received pong"))
    #expect(whole.contains("received pong 1") && whole.contains("timer at "))
    #expect(whole.split(separator: "\n").count > short.split(separator: "\n").count)
  }

  @Test(
    "a schedule that is none is refused with what was expected",
    arguments: [
      ("live/1 for=10m; 5m offlin for=20s", "found 'offlin', expected the name of a fault (did you mean 'offline'?)."),
      ("live/1 for=10m; 5m offline", "expected for= of offline, such as for=20s."),
      ("live/1 for=0s", "found 0s, expected a time above 0"), ("live/1 for=10m for=5m", "expected for only once."),
    ])
  func refused(schedule: String, problem: String) throws {
    try AssayProcess("live timeline", ["--schedule", schedule]).expectRefusal(problem)
  }
}
