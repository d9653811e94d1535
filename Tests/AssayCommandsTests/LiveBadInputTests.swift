// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@Suite("Bad input to assay live ends with 2, says what was found and expected, and writes nothing")
struct LiveBadInputTests {
  @Test(
    "options and names, with the nearest that there is",
    arguments: [
      ("simulate tunnle", "<profile>: found 'tunnle', expected one of lift, tunnel, commute"),
      ("simulate tunnle", "(did you mean 'tunnel'?)."),
      ("simulate lift lift", "<profile>: found 'lift', expected a profile of another name"),
      ("simulate --policy full-jiter", "--policy: found 'full-jiter', expected one of none, exponential"),
      ("simulate --policy full-jiter", "(did you mean 'full-jitter'?)."),
      (
        "simulate --subject live-sends-no-ping",
        "(did you mean 'live-sends-no-pings'?)."
      ),
      ("simulate --sessions some", "--sessions: found 'some', expected a whole number, 2 to 1,000,000,000"),
      ("simulate --sessions 3", "--sessions: found '3', expected two for each profile at the least, 16"),
      ("simulate --target 1", "--target: found '1', expected a number, above 0 and below 1"),
      ("simulate --confidence 0.2", "--confidence: found '0.2', expected a number, above 0.5 and below 1"),
      ("simulate --seed -1", "--seed: found '-1', expected a whole number, 0 to 18446744073709551615."),
      ("simulate --generator taus3", "--generator: found 'taus3', expected one of"),
      ("simulate --jobs 0", "--jobs: found '0', expected a whole number, 1 to 1,024."),
      ("storm --clients 0", "--clients: found '0', expected a whole number, 1 to 10,000,000."),
      ("storm --clients 11M", "--clients: found '11M'"),
      ("storm --outage 30x", "--outage: found '30x', expected a length of time, 1ms to 1d"),
      ("storm --outage 25h", "--outage: found '25h'"),
      ("storm --capacity 5000/d", "--capacity: found '5000/d', expected a rate"),
      ("storm --capacity 0", "--capacity: found '0'"),
      ("storm --outage 100ms", "--outage: found '100ms', expected no more than the outage"),
      ("storm --capacity 1/s", "--capacity: found '1/s', expected time enough for one handshake at the capacity."),
      ("storm --policy ful", "--policy: found 'ful', expected one of none, exponential"),
      ("storm --policy grpc --policy grpc", "--policy: found 'grpc', expected each value once."),
      ("storm --attempts 0", "--attempts: found '0', expected a whole number, 1 to 1,000,000"),
      ("storm --capacity 10/s --shed unavailable --retry-after soon", "--retry-after: found 'soon', expected a length"),
      ("storm --retry-after 5s", "--retry-after: found '5s', expected 'unavailable' for shed"),
      ("timeline nigth", "(did you mean 'night'?)."),
      ("timeline lift --seed 4294967296", "--seed: found '4294967296', expected a whole number, 0 to 4,294,967,295."),
      ("timeline lift --output no/such/t.svg", "does not exist; create it or choose another."),
    ])
  func options(typed: String, problem: String) throws {
    try expect(typed, [], problem)
  }

  @Test(
    "schedules that contradict themselves, or are another version's",
    arguments: [
      (
        "live/2 for=10m", "schedule, character 1: found 'live/2', expected live/1; a schedule of another version cannot"
      ),
      ("tunnel", "expected a schedule, which begins by live/1."),
      ("live/1", "expected for=, how long the session is"),
      ("live/1 for=10m; 5m offlin for=20s", "found 'offlin', expected the name of a fault (did you mean 'offline'?)."),
      ("live/1 for=10m; 15m offline for=20s", "found 15m, expected a moment of the session"),
      ("live/1 for=10m; 5m offline", "expected for= of offline, such as for=20s."),
      ("live/1 for=10m; 5m reset for=20s", "found 'for=20s'"),
      ("live/1 for=10m; 5m loss for=20s portion=120%", "found"),
      ("live/1 for=0s", "found 0s, expected a time above 0"),
      ("live/1 for=10m for=5m", "expected for only once."),
    ])
  func schedules(schedule: String, problem: String) throws {
    try expect("timeline", ["--schedule", schedule], problem)
  }

  private func expect(_ typed: String, _ more: [String], _ problem: String) throws {
    let folder = try TemporaryFolder()
    let process = try AssayProcess("live " + typed, more, in: folder.url)
    process.expectRefusal(problem)
    #expect(try folder.names() == [])
  }
}
