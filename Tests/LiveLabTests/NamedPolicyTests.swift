// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import Foundation
import LiveCore
import LiveLab
import Reporting
import Scenarios
import Testing

@Suite("A backoff policy of one's own")
struct NamedPolicyTests {
  private static let line = "base=500ms cap=20s factor=1.5 jitter=equal attempts=12"
  private static let type = ValueType<NamedPolicy>.policy

  /// A policy as an option gives it.
  private func policy(_ text: String) throws -> NamedPolicy {
    try Self.type.read(ScenarioField(option: "--policy", [text]))
  }

  @Test("is LiveCore's own, as an option, a line of a file or a mapping")
  func doors() throws {
    var mine = Backoff()
    (mine.base, mine.cap, mine.factor) = (.milliseconds(500), .seconds(20), 1.5)
    (mine.jitter, mine.maximumAttempts) = (.equal, 12)
    let typed = try policy("name=mine \(Self.line)")
    #expect(typed.name == "mine" && typed.backoff == mine)
    for yaml in [
      "policy: 'name=mine \(Self.line)'",
      "policy: {attempts: 12, name: mine, base: 500ms, cap: 20s, factor: 1.5, jitter: equal}",
    ] {
      let field = try ScenarioDocument(yaml: yaml, file: "test.yaml").root.member("policy")
      #expect(try Self.type.read(#require(field)) == typed)
    }
  }

  @Test("without a name is named after its values; values that are left out are LiveCore's")
  func label() throws {
    #expect(try policy(Self.line).name == "own-500ms-20s-100ms-1.5-equal-12")
    #expect(try policy("attempts=3").name == "own-1s-30s-100ms-2-full-3")
  }

  @Test("is made by the parameters that the documentation's table gives for each policy of the catalogue")
  func documented() throws {
    let file = URL(fileURLWithPath: "../../docs/live.md", relativeTo: URL(fileURLWithPath: #filePath))
    let page = try String(contentsOf: file, encoding: .utf8)
    let rows: [[String]] = page.split(separator: "\n").map { line in
      line.split(separator: "|").map { cell in
        String(cell).replacing("`", with: "").trimmingCharacters(in: CharacterSet.whitespaces)
      }
    }
    let keys = ["base", "factor", "cap", "floor", "jitter", "attempts"]
    let head = try #require(rows.firstIndex { Array($0.prefix(7)) == ["name"] + keys })
    let table = rows[(head + 2)...].prefix { $0.count == 8 }
    #expect(table.map { $0[0] } == Backoff.names)
    var made = 0
    for (row, entry) in zip(table, Backoff.catalogue) {
      let isTable = row[1].hasPrefix("waits=")
      let values = zip(keys, row[1...6]).dropFirst(isTable ? 4 : 0)
      // What no policy of one's own can say stands in words.
      guard values.allSatisfy({ !$1.isEmpty && !$1.contains(" ") }) else { continue }
      let words = ((isTable ? [row[1]] : []) + values.map { "\($0)=\($1)" }).joined(separator: " ")
      #expect(try policy(words).backoff == entry.policy, "\(entry.name)")
      made += 1
    }
    #expect(made == 9)
  }

  @Test("may be a table of waits, followed by the last one or by nothing, and its jitter a length of time")
  func table() throws {
    let signalR = [0, 2, 10, 30].map(Interval.seconds)
    var expected = Backoff(waits: signalR)
    #expect(expected.maximumAttempts == nil)
    for text in ["waits=0s,2s,10s,30s", "then=last waits=0s,2s,10s,30s", "{waits: [0s, 2s, 10s, 30s]}"] {
      #expect(try policy(text).backoff == expected, "\(text)")
    }
    expected.maximumAttempts = 4
    for text in [
      "waits=0s,2s,10s,30s then=stop", "waits=0s,2s,10s,30s attempts=4", "{waits: '0s, 2s, 10s, 30s', then: stop}",
    ] {
      #expect(try policy(text).backoff == expected, "\(text)")
    }
    expected.jitter = .added(.zero, .milliseconds(500))
    let spread = try policy("waits=0s,2s,10s,30s then=stop jitter=500ms")
    #expect(spread.backoff == expected && spread.name == "own-0s-2s-10s-30s-500ms-4")
    #expect(try policy("jitter=300ms..3s").backoff.jitter == .added(.milliseconds(300), .seconds(3)))
  }

  @Test(
    "reads back as written",
    arguments: [
      "attempts=unlimited", "jitter=none", "jitter=equal", "jitter=full", "jitter=decorrelated", "jitter=above-base",
      "jitter=0.2", "jitter=7%", "jitter=3s", "jitter=0s..3s", "jitter=300ms..3s", "name=b jitter=full cap=1d",
      "waits=1ns,0s,1d", "waits=10ms,5s then=stop jitter=20%", "name=c waits=1m30s attempts=3 jitter=equal",
    ])
  func written(text: String) throws {
    let first = try policy(text)
    let written = Self.type.write(first).yamlInline.replacing("\"", with: "")
    #expect(try policy(written) == first)
    #expect(!text.hasPrefix("attempts") || written.hasSuffix("attempts=unlimited"))
  }

  @Test("labels its measurements")
  func measured() throws {
    let found = try Outcome(
      "live.storm",
      """
      clients: 500
      policies: [exponential, 'name=mine jitter=none attempts=2', 'jitter=none floor=0s']
      thresholds: ['storm.gaveUp[mine] == 500', 'storm.gaveUp[own-1s-30s-0s-2-none-10] == 0', 'storm.back == 500']
      """)
    #expect(found.verdicts == Array(repeating: .holds, count: 5))
    // Nothing but the floor differs, which no wait of a policy without jitter meets.
    let peaks = found.values("storm.peak")
    #expect(peaks[0] == peaks[2])
  }

  @Test("is written out in the command that shows a failed session")
  func replay() throws {
    let found = try Outcome(
      "live.simulate",
      "profiles: [tunnel]\nsubject: live-sends-no-pings\nsessions: 40\nend: all\npolicy: '\(Self.line)'")
    #expect(
      found.text.contains("--policy 'base=500ms cap=20s floor=100ms factor=1.5 jitter=equal attempts=12'\n"))
  }

  @Test(
    "is refused with the value's name, what was found and what was expected",
    arguments: [
      ("bse=1s", "--policy.bse: unknown key; did you mean 'base'?"),
      ("base=5x", "--policy.base: found '5x', expected a length of time, 1ms to 1d."),
      ("base=", "--policy.base: found nothing, expected a length of time, 1ms to 1d."),
      ("base=0s", "--policy.base: found '0s'"), ("base=99999999999999999999d", "--policy.base: found '9999"),
      ("cap=-1s", "--policy.cap: found '-1s'"), ("cap=366d", "--policy.cap: found '366d', expected a length of time"),
      ("base=40s", "--policy.base: found 40 s while cap is 30 s, expected no more than that."),
      (
        "cap=500ms",
        "--policy.base: found 1 s, the default, while cap is 0.5 s, expected no more than that."
      ),
      ("floor=2s", "--policy.floor: found 2 s while the longest first wait is "),
      ("factor=0.5", "--policy.factor: found '0.5', expected a number, 1 to 100."),
      ("factor=nan", "--policy.factor: found 'nan'"), ("factor=inf", "--policy.factor: found 'inf'"),
      ("factor=1e999", "--policy.factor: found '1e999'"),
      ("attempts=0", "--policy.attempts: found '0', expected a whole number, 1 to 1,000,000, or unlimited."),
      ("attempts=9223372036854775808", "--policy.attempts: found '9223372036854775808'"),
      ("jitter=ful", "to add at most, such as 500ms or 300ms..3s (did you mean 'full'?)."),
      ("jitter=3s..1s", "--policy.jitter: found '3s..1s', expected one of none, equal, full"),
      ("jitter=1s..2s..3s", "--policy.jitter: found '1s..2s..3s'"), ("jitter=2d", "--policy.jitter: found '2d'"),
      ("jitter=20", "a share to either side such as 20%, or a length of time"), ("jitter=..3s", "found '..3s'"),
      ("waits=", "--policy.waits: found nothing, expected 1 to 32 lengths of time, 0s to 1d, separated by commas"),
      ("waits=0s,,2s", "--policy.waits: found '0s,,2s'"), ("waits=0s,2", "'2s' is 2s, '2ms' is 2ms."),
      ("waits=0s,25h", "--policy.waits: found '0s,25h'"), ("waits=-1s", "--policy.waits: found '-1s'"),
      ("waits=\(Array(repeating: "1s", count: 33).joined(separator: ","))", "expected 1 to 32 lengths of time"),
      ("waits=0s,2s base=1s", "--policy.base: found '1s', expected only one of this and waits"),
      ("waits=0s floor=1s", "--policy.floor: found '1s', expected only one of this and waits"),
      ("then=stop", "--policy.then: found 'stop', expected waits with it, such as 'waits=0s,2s,10s,30s then=stop'."),
      ("waits=0s then=end", "--policy.then: found 'end', expected one of stop, last"),
      ("waits=0s then=stop attempts=4", "--policy.then: found 'stop', expected only one of then=stop and attempts."),
      (
        "waits=0s jitter=decorrelated", "--policy.jitter: found decorrelated while growth is a table of waits, expected"
      ),
      ("jitter=120%", "--policy.jitter: found '120%', expected one of none, equal, full"),
      ("base=1s base=2s", "each of name, base, cap, floor, factor, jitter, attempts, waits, then at most once."),
      ("base=1s cap", "--policy: found 'base=1s cap', expected words of a key, = and a value"),
      ("name=grpc base=2s", "--policy.name: found 'grpc', expected a name of letters"),
      ("name=a] base=2s", "--policy.name: found 'a]', expected a name of letters"),
      ("{base: [1s]}", "--policy.base: found a list, expected a length of time"),
      ("{bse: 1s}", "--policy.bse: unknown key; did you mean 'base'?"),
    ])
  func refused(text: String, message: String) {
    let error = #expect(throws: ReportingError.self) { try policy(text) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test("is refused where two have one name, and where the client could not follow it")
  func contradictions() {
    let twice = refusal("live.storm", "policies: ['name=a base=2s', 'name=a base=3s']")
    #expect(twice.contains("policies: found a list, expected policies of different names: two are named 'a'"))
    for text in [refusal("live.simulate", "policy: cap=10m"), refusal("live.timeline", "policy: cap=10m")] {
      #expect(text.contains("test.yaml:3: policy: found 'cap=10m', expected a policy that the client can follow: "))
      #expect(text.contains("while backoff.cap is 600 s"), "\(text)")
    }
  }

  @Test(
    "ends a storm whatever its numbers",
    arguments: [
      "base=1ms cap=1ms floor=0s factor=1 jitter=full attempts=1", "base=1d cap=1d factor=100 jitter=decorrelated",
      "base=1ms cap=1d floor=0s factor=100 jitter=100% attempts=50", "base=1d cap=1d floor=0s jitter=above-base",
      "waits=0s", "waits=1d,0s jitter=1d", "waits=1ns then=stop",
    ])
  func extremes(text: String) throws {
    let found = try Outcome("live.storm", "clients: 20\nhorizon: 60s\npolicies: ['\(text)']")
    #expect(found.result.isComplete)
  }
}
