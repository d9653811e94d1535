// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("Bad input ends with 2, says what was found and expected, and writes nothing")
struct BadInputTests {
  @Test(
    "assay blackjack ...",
    arguments: [
      ("chart --rules 6d-s18", "unknown rule 's18' in '6d-s18'; did you mean 's17'?"),
      ("chart --rules 8d-csm", "--rules: 'csm' is not supported: a continuous shuffler"),
      ("chart --rules 6d-ins", "--rules: 'ins' is not supported: an insurance bet."),
      ("chart --rules 6d-spl4", "--rules: unknown rule 'spl4' in '6d-spl4'. Known: 1d to 8d or inf, s17|h17, "),
      ("hand 16 10", "<cards>: found '16', expected the cards of the total, such as 10,6."),
      ("play --deadline 30", "with its unit: '30s' is 30s, '30ms' is 30ms"),
      ("chart --generator mt19936", "did you mean 'mt19937'?"),
      ("chart --confidence -0.5", "--confidence: found '-0.5', expected a number, above 0.5 and below 1"),
      ("chart --seed -1", "--seed: found '-1', expected a whole number, 0 to 18446744073709551615."),
      ("chart --jobs 0", "--jobs: found '0', expected a whole number, 1 to 1,024."),
      (
        "chart --format markdwon",
        "format: found 'markdwon', expected one of text, markdown, csv, json, junit, svg, png (did you mean"
      ),
      (
        "chart --output chart.pdf",
        "format: found 'chart.pdf', expected a file ending in .txt, .md, .csv, .json, .xml, .svg, .png, or --format."
      ),
      ("chart --output no/such/folder/chart.svg", "does not exist; create it or choose another."),
      ("play --chart nowhere.csv", "cannot read 'nowhere.csv': no such file; check the name"),
      ("hand A,7 9 --format pdf", "found 'pdf', expected one of text, markdown, csv, json, junit, svg, png."),
      (
        "hand A,7 9 --output hand.html",
        "found 'hand.html', expected a file ending in .txt, .md, .csv, .json, .xml, .svg, .png, or"
      ),
      ("hand A,12 9", "<cards>: found 'A,12', expected two cards or more"),
      ("hand A, 9", "<cards>: found 'A,', expected two cards or more"),
      ("hand A,7", "<upcard>: found nothing, expected a card"),
    ])
  func blackjack(typed: String, problem: String) throws {
    let folder = try TemporaryFolder()
    let process = try AssayProcess("blackjack " + typed, in: folder.url)
    process.expectRefusal(problem)
    #expect(try folder.names() == [])
  }

  @Test(
    "the options of any command are refused by their types, before it reads a file",
    arguments: [
      ("club report x.json --change 7.55%", "--change: found '7.55%', expected a percentage from 0% to 1000%"),
      ("club insights x.json --member a --zone Mars", "--zone: found 'Mars', expected a time zone such as"),
      ("fantasy byes x.json --position GOA", "--position: found 'GOA', expected one of DEF, MID, RUC, FWD."),
      ("fantasy paths x.json --at now", "--at: found 'now', expected a moment such as 2026-06-11T09:30:00Z."),
      ("league rank x.json --season 2,024", "--season: found '2,024', expected a year from"),
      ("profile find flat x --system a", "--system: found 'a', expected a version such as 17.4."),
      ("profile merge a b c --by word", "--by: found 'word', expected one of lines, words (did you mean 'words'?)."),
      ("league connect yahoo 1", "<platform>: found 'yahoo', expected one of espn, sleeper."),
      ("contrast ratio #777 #fff --below no", "--below: found 'no', expected a colour as CSS writes it"),
      ("blackjack train --mode dealer --subtype week", "--subtype: found 'week', expected one of weak, medium,"),
      ("scenario keys live.strom", "found 'live.strom', expected one of 30 names (did you mean 'live.storm'?)."),
      ("properties replay x --case-limit 5", "--case-limit: found '5', expected a length of time"),
    ])
  func typed(command: String, problem: String) throws {
    try AssayProcess(command).expectRefusal(problem)
    let likeTheParsers = "' is invalid for 'x': --y"
    try AssayProcess("results list --last", [likeTheParsers]).expectRefusal(
      "--last: found '\(likeTheParsers)', expected a whole number, 1 or more.")
  }

  @Test("a read-only folder is refused before the first round is played")
  func readOnlyFolder() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
    let path = folder.url.appendingPathComponent("chart.svg").path
    let process = try AssayProcess("blackjack chart --rules 6d-s17-das --output \(path) --verbose")
    #expect(process.status == 2)
    #expect(process.remarks.contains("is read-only; make it writable or choose another."))
    #expect(
      !process.remarks.contains("assay blackjack chart --rules"), "the options are echoed only when the work begins")
    #expect(try folder.names() == [])
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
  }

  @Test("a file that is not a chart is refused with its line", arguments: ["play", "verify"])
  func chartFile(command: String) throws {
    let folder = try TemporaryFolder(["chart.csv": "kind,player,dealer,action\nhard,5,2,X\n"])
    let process = try AssayProcess("blackjack \(command) --rules 6d-s17-das --chart chart.csv", in: folder.url)
    process.expectRefusal("error: --chart: found 'chart.csv', expected a chart, which 'assay blackjack chart")
    #expect(process.remarks.contains("line 2, action: found 'X', expected one of H, S, D, P, R"), "\(process.remarks)")
  }
}
