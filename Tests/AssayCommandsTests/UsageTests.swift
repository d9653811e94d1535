// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@Suite("Usage errors end with 64 and suggest; help reads well")
struct UsageTests {
  @Test(
    "a misspelt option suggests the right one",
    arguments: [
      ("blackjack chart --rule 6d", "did you mean '--rules'?"),
      ("blackjack chart --confidnce 0.9", "did you mean '--confidence'?"),
      ("blackjack play --round 10", "did you mean '--rounds'?"),
      ("blackjack hand A,7 9 --quite", "did you mean '--quiet'?"),
      (
        "blackjack chart extra",
        "error: Unexpected argument 'extra'; 'assay blackjack chart --help' shows the usage."
      ),
      ("blackjack chart 8d-h17", "error: Unexpected argument '8d-h17'; did you mean '--rules 8d-h17'?"),
      ("blackjack chart --hlep", "error: Unknown option '--hlep'; did you mean '--help'?"),
      ("club report --report", "error: Unknown option '--report'; 'assay club report --help' shows the usage."),
      ("play", "error: There is no 'play'; did you mean 'assay blackjack play'?"),
      ("league seasons --season 10", "did you mean '--seasons'?"),
      ("league seasons extra", "Unexpected argument 'extra'"),
      ("blackjak", "blackjak"),
      ("blackjack chrat", "There is no 'chrat'; did you mean 'assay blackjack chart'?\n"),
      ("help foo", "There is no 'foo'; 'assay --help' shows the usage."),
      ("help blackjack chrat", "did you mean 'assay blackjack chart'?"),
    ])
  func misspelt(typed: String, hint: String) throws {
    let process = try AssayProcess(typed)
    #expect(process.status == 64)
    #expect(process.remarks.contains(hint), "\(process.remarks)")
    #expect(process.output.isEmpty)
    #expect(process.remarks.split(separator: "\n").count == 1, "one line for one mistake: \(process.remarks)")
  }

  @Test(
    "an option with one value that is given twice is refused, whatever the command",
    arguments: [
      (
        "live timeline tunnel --policy full-jitter --policy equal-jitter", "--policy: found 2 values, 'full-jitter' and"
      ),
      (
        "blackjack hand 10,6 10 --rules 6d-s17 --rules=8d-h17",
        "--rules: found 2 values, '6d-s17' and '8d-h17', expected"
      ),
      ("results list --last 3 --last 4", "--last: found 2 values"),
      ("blackjack chart --jobs 1 -q --jobs 2", "--jobs: found 2 values"),
    ])
  func repeated(typed: String, problem: String) throws {
    let process = try AssayProcess(typed)
    #expect(process.status == 2 && process.remarks.contains(problem), "\(process.remarks)")
  }

  @Test("an option that takes several values may be repeated")
  func several() throws {
    #expect(try AssayProcess("live storm --clients 100 --policy full-jitter --policy equal-jitter -q").status == 0)
  }

  @Test("assay --help states where results are written, what the exit codes mean, and which commands exist")
  func rootHelp() throws {
    let process = try AssayProcess("--help")
    #expect(process.status == 0)
    #expect(
      process.output.hasPrefix(
        """
        OVERVIEW: Tests code that ships in apps by simulation, property-based testing
        and fault injection, with a stated confidence.

        Results go to the standard output or to --output, everything else to the
        standard error. Exit codes:
          0    success: all thresholds hold
          1    something under test fails, or a sample traps
          2    bad input: an invalid file, value or folder
          3    nothing fails, but something is undecided: too few samples
          64   usage: the command line is invalid
          70   internal: an error in Assay itself
          130  interrupted; partial results are kept
          143  terminated by SIGTERM; partial results are kept
        When several apply: 130 and 143 before 1 before 3.

        USAGE: assay <subcommand>

        """))
    let commands = process.output.split(separator: "SUBCOMMANDS:\n").last?.matches(of: #/\n? {2}([\w-]+) {3,}/#)
    #expect(
      commands?.map { String($0.1) } == [
        "run", "resume", "merge", "scenario", "blackjack", "league", "club", "live", "contrast",
        "profile", "fantasy", "properties", "calibrate", "results", "find", "find-best", "new", "doctor",
      ])
  }

  @Test(
    "every option with a value has an example, and no flag has one",
    arguments: [
      "run", "blackjack chart", "blackjack verify", "blackjack play", "blackjack hand",
      "blackjack count", "blackjack bets", "blackjack indices", "blackjack bankroll", "blackjack ruin",
      "blackjack effects", "blackjack composition",
      "blackjack compare", "blackjack students", "blackjack train", "blackjack cards", "league seasons", "league rank",
      "league export", "league roast-prompt",
      "club report", "club insights", "club stress", "club feed",
      "live simulate", "live storm", "live timeline",
      "properties list", "properties check", "properties mutants", "properties sample",
      "properties replay", "calibrate",
      "doctor",
    ])
  func examples(command: String) throws {
    let help = try AssayProcess("help \(command)").output
    #expect(help.contains("Example: assay \(command)"))
    let options = help.split(separator: "\n\n").first { $0.hasPrefix("OPTIONS:") } ?? ""
    let entries = options.split(separator: "\n  -").dropFirst(options.hasPrefix("OPTIONS:\n  -") ? 1 : 0)
    for entry in entries where !entry.hasPrefix("-version") && !entry.hasPrefix("h,") {
      let words = entry.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("Example:") == words.contains(" <"), "-\(words)")
    }
  }

  @Test(
    "an unknown option with the value of an argument names that argument, and another one the nearest of the command",
    arguments: [
      ("blackjack hand T,6 --dealer T", "upcard is the second argument: 'assay blackjack hand T,6 T'."),
      ("blackjack hand T,6 --upcard=9", "upcard is the second argument: 'assay blackjack hand T,6 9'."),
      ("blackjack hand T,6 --sede 7", "did you mean '--seed'?"), ("--hlep", "did you mean '--help'?"),
      ("blackjack --hlep", "did you mean '--help'?"), ("league seasons --team 3", "did you mean '--teams'?"),
    ])
  func unknown(typed: String, advice: String) throws {
    let process = try AssayProcess(typed)
    #expect(process.status == 64 && process.remarks.hasPrefix("error: Unknown option '--"))
    #expect(process.remarks.hasSuffix("; \(advice)\n"), "\(process.remarks)")
  }

  @Test("assay --version prints a version")
  func version() throws {
    let process = try AssayProcess("--version")
    #expect(process.status == 0)
    #expect(process.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }
}
