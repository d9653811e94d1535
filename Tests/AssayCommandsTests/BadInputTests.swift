// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import Foundation
import Testing

@Suite("Bad input ends with 2, says what was found and expected, and writes nothing")
struct BadInputTests {
  @Test(
    "assay blackjack ...",
    arguments: [
      ("chart --rules 6d-s18", "unknown rule 's18' in '6d-s18'; did you mean 's17'?"),
      ("chart --rules 9d", "decks: found 9, expected 1 to 8"),
      ("chart --rules 6d-das-nodas", "'das' and 'nodas' in '6d-das-nodas' are about the same rule"),
      ("chart --rules s17", "decks in 's17': found none"),
      ("chart --rules 6d-rsa-spl1", "'rsa' contradicts 'spl1'"),
      ("chart --generator mt19936", "did you mean 'mt19937'?"),
      (
        "chart --estimator pared",
        "--estimator: found 'pared', expected one of plain, paired, conditional (did you mean"
      ),
      ("chart --method exakt", "--method: found 'exakt', expected one of simulate, exact (did you mean 'exact'?)"),
      ("chart --confidence 1", "--confidence: found '1', expected a number, above 0.5 and below 1"),
      ("chart --confidence -0.5", "--confidence: found '-0.5'"),
      ("chart --indifference 0", "--indifference: found '0', expected a number"),
      ("chart --seed -1", "--seed: found '-1', expected a whole number, 0 to 18446744073709551615."),
      ("play --half-width nan", "--half-width: found 'nan', expected a number, above 0 and below 8"),
      ("play --deadline 0", "--deadline: found '0', expected a length of time"),
      ("play --deadline 1 --rounds 5", "--deadline: found '1', expected no rounds with it"),
      ("chart --jobs 0", "--jobs: found '0', expected a whole number, 1 to 1,024."),
      (
        "chart --format markdwon",
        "format: found 'markdwon', expected one of text, markdown, csv, json, svg, png, junit (did you mean"
      ),
      (
        "chart --output chart.pdf",
        "format: found 'chart.pdf', expected a file ending in .txt, .md, .csv, .json, .svg, .png, .xml"
      ),
      ("chart --output no/such/folder/chart.svg", "does not exist; create it or choose another."),
      ("chart --rules 6d-cut75 --quiet", "a chart is made for a fresh shoe every round"),
      ("chart --rules 6d-cut75 --method exact --quiet", "a chart is made for a fresh shoe every round"),
      ("chart --confidence 0.3 --quiet", "--confidence: found '0.3', expected a number, above 0.5 and below 1"),
      (
        "play --rules 6d-cut75 --method exact",
        "--rules: found '6d-cut75', expected rules without a cut card: the analyser computes"
      ),
      ("play --rounds 0", "--rounds: found '0', expected a whole number, 2 to 1,000,000,000,000."),
      ("play --rounds -5", "--rounds: found '-5'"),
      ("play --rounds 1.5", "--rounds: found '1.5'"),
      ("play --rounds many", "--rounds: found 'many'"),
      ("play --rounds 1e30", "--rounds: found '1e30'"),
      ("hand A,7 9 --rounds 1e3 --format svg --quiet", "'blackjack hand' has no svg, expected one of"),
      ("play --chart nowhere.csv", "cannot read 'nowhere.csv': no such file; check the name"),
      ("verify --chart /", "--chart: found '/', expected trainer, exact, composition or a file ending in .csv"),
      ("hand A,12 9", "<cards>: found 'A,12', expected two cards or more"),
      ("hand A,7 1", "<upcard>: found '1', expected a card: A, 2 to 10"),
      ("hand A, 9", "<cards>: found 'A,', expected two cards or more"),
      ("hand A 9", "<cards>: found 'A', expected two cards or more"),
      ("hand 10,9,5 9", "<cards>: found '10,9,5', expected a hand to play: it is bust with 24."),
      ("hand A,K 9", "expected a hand to play: a natural is paid at once, nothing is decided."),
      ("hand A,A,A,A A --rules 1d", "expected a hand that can be dealt: it needs 5 of the card A, and 1d has 4."),
      ("hand 10,9,2 9", "expected a hand to play: 21 stands by itself, nothing is decided."),
      ("hand A,7", "<upcard>: found nothing, expected a card"),
      ("hand 8,8 6 --rounds 0", "--rounds: found '0'"),
    ])
  func blackjack(typed: String, problem: String) throws {
    let folder = try TemporaryFolder()
    let process = try AssayProcess("blackjack " + typed, in: folder.url)
    process.expectRefusal(problem)
    #expect(try folder.names() == [])
  }

  @Test("a read-only folder is refused before the first round is played")
  func readOnlyFolder() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
    let path = folder.url.appendingPathComponent("chart.svg").path
    let process = try AssayProcess("blackjack chart --rules 6d-s17-das --output \(path)")
    #expect(process.status == 2)
    #expect(process.remarks.contains("is read-only; make it writable or choose another."))
    #expect(!process.remarks.contains("--seed"), "the options are echoed only when the work begins")
    #expect(try folder.names() == [])
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
  }

  private static let trainer =
    "kind,player,dealer,action\n"
    + ChartCellKey.all.map { key in
      let action = StrategyChart.trainer[key]?.action.letter ?? "?"
      return "\(key.row.kind.rawValue),\(key.row.label),\(key.upcard),\(action)\n"
    }.joined()

  @Test(
    "a chart file with a cell missing, doubled or illegal is refused with its line",
    arguments: [
      ("hard,16,10,H\n", "", "hard 16 v 10 missing (1 in all)"),
      ("hard,16,10,H\n", "hard,16,10,H\nhard,16,10,S\n", "line 121, cell: found hard 16 v 10 a second time"),
      ("hard,16,10,H\n", "hard,16,10,P\n", "found P for hard 16, expected a split only of a pair"),
      ("hard,16,10,H\n", "hard,16,10,X\n", "action: found 'X', expected one of H, S, D, P, R"),
      ("hard,16,10,H\n", "hard,21,10,H\n", "player: found '21', expected 5 to 19 for a hard hand"),
      ("hard,16,10,H\n", "hard,16,11,H\n", "dealer: found '11', expected 2 to 10 or A"),
      ("kind,player", "sort,player", "expected a column 'kind'"),
    ])
  func chartFile(good: String, bad: String, problem: String) throws {
    let folder = try TemporaryFolder()
    let broken = Self.trainer.replacingOccurrences(of: good, with: bad)
    try #require(broken != Self.trainer)
    let path = try folder.write(broken, as: "chart.csv")
    for command in ["play", "verify"] {
      let process = try AssayProcess("blackjack \(command) --rules 6d-s17-das --chart \(path)")
      #expect(process.status == 2)
      #expect(process.remarks.contains("error: --chart: found '\(path)', expected a chart: "))
      #expect(process.remarks.contains(problem), "\(process.remarks)")
    }
  }
}
