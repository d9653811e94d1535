// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing
import TestSupport

@Suite("assay blackjack train")
struct TrainCommandTests {
  /// Plays lines under an infinite deck, the quickest to compute.
  private func play(_ lines: String, _ options: String = "--mode quick --seed 7") throws -> AssayProcess {
    let folder = try TemporaryFolder(["keys": lines])
    return try withExtendedLifetime(folder) {
      try AssayProcess(
        "blackjack train --rules inf \(options)", environment: ["LC_ALL": "C.UTF-8"],
        input: URL(filePath: folder.path("keys")))
    }
  }

  @Test("reads lines if the input is not a terminal, and ends with 0 after the summary")
  func lines() throws {
    let played = try play("h\nr\ns\nd\nq\n")
    #expect(played.status == 0, "\(played.remarks)")
    #expect(
      played.output.hasPrefix(
        """
        1/50: 6♠ 6♣ (pair 6,6) against Q♡ [s h d p]
        right: hit
        2/50: A♣ 7♣ (soft 18) against 2♠ [s h d]
        surrender is not allowed with A♣ 7♣; allowed: stand, hit, double.
        2/50: A♣ 7♣ (soft 18) against 2♠ [s h d]
        right: stand
        3/50: 9♢ 7♣ (hard 16) against 10♠ [s h d]
        wrong: double costs 0.5398 bets; right: hit.
        """))
    #expect(played.output.contains("2 of 3 right, 66.7%; longest streak 2;"))
    #expect(played.output.contains("hard 16 v 10            1  0.5398"))
  }

  @Test(
    "refuses what it cannot play, by name",
    arguments: [
      ("--mode dealer", "--subtype: found nothing, expected one of weak, medium, strong."),
      ("", "--mode: found nothing, expected one of quick, dealer, hand, absolutes."),
      ("--mode quick --questions 0", "--questions: found '0', expected a whole number, 1 to 1,000."),
      (
        "--mode absolutes --difficulty hard",
        "difficulty: found 'hard', which leaves nothing to ask in the mode 'absolutes'"
      ),
      ("--mode quick --subtype weak", "--subtype: found 'weak', expected none: the mode quick has no subtypes."),
      ("--mode quick --rules inf-h17 --chart trainer", "which loses 0.0064 bets; expected a chart of inf-h17."),
    ])
  func refused(options: String, problem: String) throws {
    let typed = options.contains("--rules") ? options : "--rules inf \(options)"
    try AssayProcess("blackjack train \(typed)").expectRefusal(problem)
  }

  @Test("reports the line of invalid input")
  func badLine() throws {
    let played = try play("h\nx\n")
    #expect(played.status == 2)
    #expect(played.remarks.contains("the standard input, line 2: found 'x', expected h, s, d, p, r, ? or q."))
  }

  @Test("asks for keys on a terminal, shows the chart, and restores the terminal with the summary")
  func keys() throws {
    let played = try TerminalProcess(
      "blackjack train --rules inf --seed 7",
      answers: [("Quick practice", "1"), ("1/50", "?"), ("is marked", " "), ("Dealer 10", "h"), ("Right: hit", "q")],
      environment: ["LC_ALL": "C.UTF-8"])
    #expect(played.status == 0, "\(played.written)")
    #expect(played.isCooked && played.written.contains("\u{1B}[?25h\u{1B}[?1049l"))
    #expect(played.written.contains("1 of 1 right, 100%"))
  }

  @Test(
    "gives the terminal back before a signal ends it",
    arguments: [(SIGTERM, Int32(143)), (SIGABRT, SIGABRT), (SIGILL, SIGILL), (SIGHUP, SIGHUP)])
  func signals(number: Int32, status: Int32) throws {
    let played = try TerminalProcess(
      "blackjack train --rules inf --mode quick --seed 7", signals: [("1/50", number)], answers: [("never shown", "")])
    #expect(played.status == status)
    #expect(played.isCooked && played.written.contains("\u{1B}[?25h\u{1B}[?1049l"))
  }
}
