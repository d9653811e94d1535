// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Scenarios
import Testing

@testable import Archive

@Suite("An annotation")
struct GitHubAnnotationTests {
  @Test("names file, line and title, then says the message")
  func plain() {
    let annotation = GitHubAnnotation(.error, file: "Scenarios/x.yaml", line: 3, title: "Fails", message: "found 1")
    #expect(annotation.command == "::error file=Scenarios/x.yaml,line=3,title=Fails::found 1")
  }

  @Test("is one line whatever stands in it, and nothing in it ends a property or the message")
  func hostile() {
    let text = "100%, a::b\r\n::error::%0A"
    let annotation = GitHubAnnotation(.warning, file: "a,b:c%.yaml", line: 2, title: text, message: text)
    #expect(
      annotation.command
        == "::warning file=a%2Cb%3Ac%25.yaml,line=2,title=100%25%2C a%3A%3Ab%0D%0A%3A%3Aerror%3A%3A%250A"
        + "::100%25, a::b%0D%0A::error::%250A")
    #expect(annotation.command.allSatisfy { !$0.isNewline })
  }

  @Test(
    "reads back, decoded as a runner does, to what was said",
    arguments: ["%25", "%", "a\nb", "::", "\r", "%0A,%3A"])
  func decoding(text: String) throws {
    let annotation = GitHubAnnotation(.notice, title: text, message: text).command
    let rest = try #require(annotation.split(separator: "title=", maxSplits: 1).last)
    let end = try #require(rest.firstRange(of: "::"))
    #expect(Self.decoded(String(rest[..<end.lowerBound])) == text)
    #expect(Self.decoded(String(rest[end.upperBound...])) == text)
  }

  private static func decoded(_ text: String) -> String {
    [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")].reduce(text) {
      $0.replacing($1.0, with: $1.1)
    }
  }

  @Test("without a file names no line")
  func nowhere() {
    #expect(GitHubAnnotation(.notice, line: 4, title: "T", message: "m").command == "::notice title=T::m")
  }

  @Test(
    "names files from the root of the repository",
    arguments: [
      ("Scenarios/x.yaml", "/work/repo", "/work/repo", "Scenarios/x.yaml"),
      ("x.yaml", "/work/repo/Scenarios", "/work/repo", "Scenarios/x.yaml"),
      ("../x.yaml", "/work/repo/Scenarios", "/work/repo/", "x.yaml"),
      ("/work/repo/a/x.yaml", "/tmp", "/work/repo", "a/x.yaml"),
      ("/work/repository/x.yaml", "/tmp", "/work/repo", "/work/repository/x.yaml"),
      ("x.yaml", "/work/repo", "", "x.yaml"),
    ])
  func place(file: String, folder: String, workspace: String, place: String) {
    #expect(GitHubAnnotation.place(of: file, in: folder, workspace: workspace) == place)
  }

  @Test("of a run: fails are errors and undecided ones warnings at their lines, remarks notices; errors first")
  func run() {
    let run = Accounts.run(
      [
        Accounts.threshold("share >= 0.9 at 0.99", .undecided, line: 5, remedy: "about 400 more samples"),
        Accounts.threshold("share >= 0.99 at 0.99", .fails, line: 6, source: "the contract"),
        Accounts.threshold("share <= 1 at 0.99", .holds),
      ], remarks: ["A remark."])
    let annotations = GitHubAnnotation.all(of: run)
    #expect(annotations.map(\.level) == [.error, .warning, .notice])
    #expect(annotations.map(\.line) == [6, 5, nil])
    #expect(annotations.allSatisfy { $0.file == "Scenarios/one.yaml" })
    #expect(
      annotations.first?.message == """
        share: found 0.93 | 0.91 to 0.95
        Source: the contract
        Scenario: A scenario
        Run again: assay run Scenarios/one.yaml
        """)
    #expect(annotations.dropFirst().first?.message.contains("To decide it: about 400 more samples") == true)
  }

  @Test("of a run: a property that fails is said with its seed and what replays it")
  func property() throws {
    let failing = Accounts.run([Accounts.threshold("x == 0", .fails)], cases: [Accounts.failingProperty])
    let annotation = try #require(GitHubAnnotation.all(of: failing).last)
    #expect(annotation.level == .error)
    #expect(annotation.title == "Fails: league.rank: ranks, in order")
    #expect(annotation.message.contains("seed 7\nassay properties replay abc"))
    let allowed = Accounts.run([Accounts.threshold("x <= 1", .holds)], cases: [Accounts.failingProperty])
    #expect(GitHubAnnotation.all(of: allowed).map(\.level) == [.warning])
  }

  @Test("of a run that holds: there is none")
  func holds() {
    #expect(GitHubAnnotation.all(of: Accounts.run([Accounts.threshold("x == 0", .holds)])).isEmpty)
  }

  @Test("of bad input stands at the line that is wrong")
  func badInput() {
    let error = ReportingError.badValue(file: "s.yaml", line: 9, field: "rules", found: "'9d'", expected: "1d to 8d")
    let annotation = GitHubAnnotation(badInput: error, in: "other.yaml")
    #expect(annotation.command == "::error file=s.yaml,line=9,title=Bad input::\(error)")
    let nowhere = ReportingError.unwritable(path: "/x", cause: "c", cure: "d")
    #expect(GitHubAnnotation(badInput: nowhere, in: "s.yaml").file == "s.yaml")
  }
}
