// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

/// The trainer's chart as a file: a header and 330 lines, line 2 being hard 5 against 2.
private func trainerFile(fallbacks: Bool = true) -> [String] {
  ["kind,player,dealer,action" + (fallbacks ? ",fallback" : "")]
    + ChartCellKey.all.compactMap { key in
      guard let cell = StrategyChart.trainer[key] else { return nil }
      let fallback = fallbacks ? "," + (cell.fallback.map { String($0.letter) } ?? "") : ""
      return "\(key.row.kind.rawValue),\(key.row.label),\(key.upcard),\(cell.action.letter)\(fallback)"
    }
}

private func trainerFile(line: Int, replacedBy text: String) -> String {
  var lines = trainerFile()
  lines[line - 1] = text
  return lines.joined(separator: "\n")
}

@Suite("Reading a chart file") struct ChartFileTests {
  @Test("Line ends of any system, a byte order mark, blank lines, comments, spaces and quotes change nothing")
  func layout() throws {
    let lines = trainerFile()
    #expect(try StrategyChart(csv: lines.joined(separator: "\r\n") + "\r\n") == .trainer)
    #expect(try StrategyChart(csv: lines.joined(separator: "\r")) == .trainer)
    #expect(try StrategyChart(csv: "\u{FEFF}" + lines.joined(separator: "\n")) == .trainer)
    #expect(try StrategyChart(csv: "# a chart\n\n" + lines.joined(separator: "\n\n  \n#, 1\n") + "\n\n") == .trainer)
    let quoted = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).map { "\"\($0)\"" } }
    #expect(try StrategyChart(csv: quoted.map { $0.joined(separator: " , ") }.joined(separator: "\n")) == .trainer)
  }

  @Test("Columns may come in any order, beside others that are ignored")
  func columns() throws {
    let lines = trainerFile().map { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      return ([fields[3], "0.25", fields[2], fields[1], fields[0], fields[4], ""]).joined(separator: ",")
    }
    #expect(try StrategyChart(csv: lines.joined(separator: "\n")) == .trainer)
  }

  @Test("A fallback given is kept")
  func fallbackKept() throws {
    let chart = try StrategyChart(csv: trainerFile(line: 2, replacedBy: "hard,5,2,D,S"))
    #expect(chart[ChartCellKey.all[0]] == StrategyChart.Cell(.double, else: .stand))
    let lower = try StrategyChart(csv: trainerFile(line: 2, replacedBy: "hard,5,2,d,s"))
    #expect(lower == chart)
  }

  @Test("An empty file is refused with what its first line should be", arguments: ["", "\n\n", "# nothing\n"])
  func emptyFile(csv: String) {
    let error = blackjackError { _ = try StrategyChart(csv: csv) }
    #expect(
      error
        == .badChart(
          line: nil, field: "table", found: "nothing",
          expected: "a line with the names of the columns, and a line for each row"))
  }

  @Test("A header without a column names the column", arguments: ["kind", "player", "dealer", "action"])
  func badHeader(column: String) {
    let header = trainerFile()[0].replacing(column, with: column + "s")
    let error = blackjackError { _ = try StrategyChart(csv: "# chart\n" + header + "\nhard,5,2,H,") }
    let found = header.replacing(",", with: ", ")
    #expect(error == .badChart(line: 2, field: "heading", found: found, expected: "a column '\(column)'"))
    #expect(error?.description == "line 2, heading: found \(found), expected a column '\(column)'.")
  }

  @Test("A file without a header is refused at its first line")
  func noHeader() {
    let error = blackjackError { _ = try StrategyChart(csv: "hard,5,2,H,\nhard,5,3,H,") }
    #expect(error == .badChart(line: 1, field: "heading", found: "hard, 5, 2, H", expected: "a column 'kind'"))
  }

  @Test("A missing cell is named, with how many are missing")
  func missing() {
    var lines = trainerFile()
    lines.remove(at: 330)
    let one = blackjackError { _ = try StrategyChart(csv: lines.joined(separator: "\n")) }
    #expect(
      one == .badChart(line: nil, field: "cell", found: "pair A,A v A missing (1 in all)", expected: "all 330 cells"))
    let none = blackjackError { _ = try StrategyChart(csv: lines[0] + "\n" + lines[1]) }
    #expect(
      none == .badChart(line: nil, field: "cell", found: "hard 5 v 3 missing (329 in all)", expected: "all 330 cells"))
  }

  @Test("A doubled cell is named with the line that doubles it")
  func doubled() {
    let error = blackjackError { _ = try StrategyChart(csv: trainerFile(line: 4, replacedBy: "hard,5,2,H,")) }
    #expect(
      error == .badChart(line: 4, field: "cell", found: "hard 5 v 2 a second time", expected: "each cell once"))
  }

  private static let marks = "quotation marks around a whole value, and one within them written twice"

  @Test(
    "A bad field is named with its line, its value and what was expected",
    arguments: [
      ("Hard,5,2,H,", "kind", "'Hard'", "hard, soft or pair"), (",5,2,H,", "kind", "nothing", "hard, soft or pair"),
      ("hard,4,2,H,", "player", "'4'", "5 to 19 for a hard hand"),
      ("hard,20,2,H,", "player", "'20'", "5 to 19 for a hard hand"),
      ("hard,99999999999999999999,2,H,", "player", "'99999999999999999999'", "5 to 19 for a hard hand"),
      ("hard,-5,2,H,", "player", "'-5'", "5 to 19 for a hard hand"),
      ("soft,12,2,H,", "player", "'12'", "13 to 20 for a soft hand"),
      ("soft,\"A,7\",2,H,", "player", "'A,7'", "13 to 20 for a soft hand"),
      ("hard,05,2,H,", "player", "'05'", "5 to 19 for a hard hand"),
      ("soft,+13,2,H,", "player", "'+13'", "13 to 20 for a soft hand"),
      ("hard,5,02,H,", "dealer", "'02'", "2 to 10 or A"),
      (
        "hard,5,2,H,,x", "column 6", "'x'",
        "no value where the heading has no name; a value that contains the separator needs quotation marks"
      ),
      ("pair,12,2,H,", "player", "'12'", "2 to 10 or A for a pair hand"),
      ("hard,5,1,H,", "dealer", "'1'", "2 to 10 or A"), ("hard,5,11,H,", "dealer", "'11'", "2 to 10 or A"),
      ("hard,5,,H,", "dealer", "nothing", "2 to 10 or A"), ("hard,5,2,X,", "action", "'X'", "one of H, S, D, P, R"),
      ("hard,5,2,,", "action", "nothing", "one of H, S, D, P, R"),
      ("hard,5,2", "row", "3 values", "5, one for each column of the heading"),
      ("hard", "row", "1 value", "5, one for each column of the heading"),
      ("hard,5,2,P,", "action", "'P'", "a split only of a pair, not of hard 5"),
      ("soft,13,2,P,", "action", "'P'", "a split only of a pair, not of soft 13"),
      ("hard,5,2,R,P", "fallback", "'P'", "a split only of a pair, not of hard 5"),
      ("hard,5,2,D,?", "fallback", "'?'", "one of H, S, D, P, R"),
      // After a fallback that may itself be forbidden there is nothing left to play.
      ("hard,16,10,R,D", "fallback", "'D'", "S or H for hard 16, which no rule forbids"),
      ("hard,16,10,D,D", "fallback", "'D'", "S or H for hard 16, which no rule forbids"),
      ("soft,18,2,D,R", "fallback", "'R'", "S or H for soft 18, which no rule forbids"),
      // A quotation mark without its second.
      ("hard,5,2,\"H,", "action", "a quotation mark that nothing closes", marks),
      ("\"hard,5,2,H,", "kind", "a quotation mark that nothing closes", marks),
      ("hard,5,2,H\",", "action", "'H\"'", "one of H, S, D, P, R"),
      ("hard,5,2,\"H\"S,", "action", "'\"H\"S'", marks),
      ("hard,5,2,H,\"", "fallback", "a quotation mark that nothing closes", marks),
    ])
  func badField(text: String, field: String, found: String, expected: String) {
    let error = blackjackError { _ = try StrategyChart(csv: trainerFile(line: 2, replacedBy: text)) }
    #expect(error == .badChart(line: 2, field: field, found: found, expected: expected))
  }

  @Test("A chart as a spreadsheet of another country writes it is the same chart")
  func spreadsheet() throws {
    let lines = trainerFile().map { $0.replacing(",", with: ";") + ";;" }
    #expect(try StrategyChart(csv: "\u{FEFF}" + (lines + [";;;;;;"]).joined(separator: "\r\n")) == .trainer)
    #expect(try StrategyChart(csv: lines.joined(separator: "\n").replacing(";", with: "\t")) == .trainer)
  }

  @Test("Lines are counted as an editor counts them", arguments: ["\n", "\r\n"])
  func lineNumbers(newline: String) {
    let text = ["# chart", "", trainerFile()[0], "", "hard,5,2,Q,"].joined(separator: newline)
    let error = blackjackError { _ = try StrategyChart(csv: text) }
    #expect(error == .badChart(line: 5, field: "action", found: "'Q'", expected: "one of H, S, D, P, R"))
  }
}
