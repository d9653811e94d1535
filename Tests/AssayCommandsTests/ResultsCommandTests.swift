// SPDX-License-Identifier: GPL-3.0-or-later
import Database
import Foundation
import TestSupport
import Testing

import Archive

@Suite("assay results, end to end")
struct ResultsCommandTests {
  /// Two runs of quick by different seeds, and one of long.
  private func recorded() throws -> RecordedRuns {
    let runs = try RecordedRuns()
    try runs.add(day: 3)
    try runs.add("long", day: 4, build: RunRecord.Build(commit: String(repeating: "1a", count: 20), binary: "aa"))
    try runs.add(
      day: 5, digest: "deadbeef", seed: 2, wins: 520,
      build: RunRecord.Build(commit: Self.changed, isChanged: true, binary: "bb"))
    return runs
  }

  private static let changed = String(repeating: "2b", count: 20)

  @Test("list shows the newest run first, all or those of a scenario")
  func list() throws {
    let runs = try recorded()
    let all = try runs.results("list")
    #expect(all.status == 0 && all.remarks.isEmpty)
    #expect(
      all.output == """
        3 runs in Results/history.sqlite

        run  started (UTC)        scenario  digest    verdict    seconds  version  commit     host
        ---  -------------------  --------  --------  ---------  -------  -------  ---------  -----
          3  2026-11-05 00:00:00  quick     deadbeef  holds         2.25  0.1.0    2b2b2b2b+  anvil
          2  2026-11-04 00:00:00  long      00c0ffee  undecided     2.25  0.1.0    1a1a1a1a   anvil
          1  2026-11-03 00:00:00  quick     00c0ffee  undecided     2.25  0.1.0               anvil

        """)
    let csv = try runs.results("list --scenario quick --last 1 --format csv")
    #expect(csv.output.split(separator: "\n").count == 2)
    #expect(
      csv.output.hasPrefix("id,slug,") && csv.output.contains(",deadbeef,holds,complete,2026-11-05T00:00:00Z,2.25,"))
  }

  @Test("show prints the run's thresholds, its measurements with intervals, and its scenario")
  func show() throws {
    let runs = try recorded()
    let shown = try runs.results("show quick~1 --confidence 0.95")
    #expect(shown.status == 0)
    #expect(shown.output.hasPrefix("Run 1, quick, 2026-11-03 00:00:00 UTC\n"))
    #expect(shown.output.contains("wins >= 0.4 at 0.99  undecided  430 of 1,000"))
    // Clopper and Pearson's interval for 430 of 1,000 at 0.95.
    #expect(shown.output.contains("0.430  0.399..0.461"))
    #expect(shown.output.contains("\nseed: 1\n"))
    #expect(shown.output.contains("\ncommit         not known\n"))
    let latest = try runs.results("show")
    #expect(latest.output.contains("commit         \(Self.changed), with changes that are not in it\n"))
    #expect(latest.output.contains("binary         SHA-256 bb\n"))
    let json = try runs.results("show --format json")
    #expect(json.output.contains("\"id\": 3"))
    #expect(try runs.results("show 2 --format markdown").output.contains("## Thresholds\n\n| threshold |"))
  }

  @Test("compare finds a difference of two shares, and lists other differences")
  func compare() throws {
    let runs = try recorded()
    let compared = try runs.results("compare quick~1 quick --confidence 0.95")
    #expect(compared.status == 0)
    let lead = compared.output.split(separator: "\n\n")[1].replacing("\n", with: " ")
    #expect(
      lead.hasPrefix("Run 3 is 1.00 times as fast as run 1 (2.25 s, 2.25 s; one timing of each), and differs most"))
    #expect(lead.hasSuffix(" in wins, which is 1.21 times as large: 0.520 instead of 0.430."))
    #expect(compared.output.contains("1 of 1 verdicts changed; 1 of 2 measurements differ"))
    #expect(compared.output.contains("different seeds"))
    #expect(compared.output.contains("CHANGED") && compared.output.contains("DIFFERS"))
    #expect(compared.output.contains("\n- seed: 1\n+ seed: 2\n"))
    let failing = try runs.results("compare 1 3 --fail-on-difference --quiet")
    #expect(failing.status == 1)
    #expect(failing.remarks.contains("reproduce: assay results compare 1 3 --confidence 0.99 --fail-on-difference"))
    #expect(try runs.results("compare 1 1 --fail-on-difference").status == 0)
    #expect(try runs.results("compare 1 1").output.contains("The same by construction"))
    let csv = try runs.results("compare 1 3 --format csv")
    #expect(csv.output.contains("edge[6d],0.0043,0.0043,0,0,0,1,bets,no-difference-found"))
  }

  @Test("page shows every scenario with its verdict, draws each measure that changed and lists the others")
  func page() throws {
    let runs = try recorded()
    let made = try runs.results("page --output Results/all.html")
    #expect(made.status == 0 && made.remarks.contains("wrote Results/all.html"), "\(made.remarks)")
    let file = runs.folder.url.appendingPathComponent("Results/all.html")
    let html = try String(contentsOf: file, encoding: .utf8)
    #expect(html.contains("The latest runs of 2 scenarios: 1 undecided, 1 holds."))
    let titles = html.matches(of: /<h2>(A \w+ look: \w+)<\/h2>/).map { String($0.1) }
    #expect(titles == ["A long look: undecided", "A quick look: holds"])
    #expect(html.matches(of: /<figcaption>(.*?)<\/figcaption>/).map { String($0.1) } == ["wins"])
    #expect(html.contains("1 more measure of the latest run") && html.contains("2 measures of the latest run"))
    #expect(html.contains("threshold wins &gt;= 0.4"))
    #expect(html.contains("<tr><th scope=\"row\">edge[6d]<td class=\"n\">0.0043<td><td>bets<td class=\"n\">"))
    #expect(html.contains("wins in 2 runs, the oldest first"))
  }

  @Test("trend shows a measurement from run to run, and where the scenario changed")
  func trend() throws {
    let runs = try recorded()
    let trend = try runs.results("trend quick wins")
    #expect(trend.status == 0 && trend.output.hasPrefix("wins of quick in 2 runs\n\nThe share of rounds won.\n"))
    #expect(trend.output.contains("The scenario changed once in between"))
    #expect(trend.output.contains("deadbeef, changed"))
    #expect(trend.output.contains("▁█ (the oldest first, from 0.43 to 0.52)"))
    let csv = try runs.results("trend quick edge --last 1 --format csv")
    #expect(
      csv.output.contains("\n3,2026-11-05T00:00:00Z,0.1.0,\(Self.changed),true,bb,deadbeef,false,")
        && csv.output.hasSuffix(",edge[6d],0.0043,0.0043,0.0043,1,,bets,2.25\n"))
  }

  @Test("trend without a measurement lists them all; a name selects all its labels")
  func measures() throws {
    let runs = try recorded()
    let all = try runs.results("trend quick")
    #expect(all.status == 0)
    #expect(
      all.output == """
        2 measures of quick in 2 runs

        measure   runs  from run to run  latest  interval      unit
        --------  ----  ---------------  ------  ------------  ----
        edge[6d]     2  ▄▄               0.0043                bets
        wins         2  ▁█                0.520  0.479..0.561

        Each is followed alone by its name: assay results trend quick 'edge[6d]'

        """)
    #expect(try runs.results("trend quick edge").output.hasPrefix("edge[6d] of quick in 2 runs\n"))
    let json = try runs.results("trend quick --format json").json()
    #expect((json["measurements"] as? [[String: Any]])?.map { $0["measurement"] as? String } == ["edge[6d]", "wins"])
  }

  @Test(
    "at 80 columns every table of several runs stays a table", arguments: ["list", "trend quick wins", "compare 1 3"])
  func narrow(typed: String) throws {
    let runs = try recorded()
    let process = try AssayProcess("results \(typed)", in: runs.folder.url, environment: ["COLUMNS": "80"])
    #expect(!process.output.contains("\nrun: ") && !process.output.contains("\nmeasurement: "), "\(process.output)")
    #expect(process.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    if typed != "compare 1 3" { #expect(process.output.contains("In every row: ")) }
  }

  @Test("prune lists what it would remove before removing it")
  func prune() throws {
    let runs = try recorded()
    let rehearsal = try runs.results("prune --keep 1 --dry-run")
    #expect(rehearsal.status == 0 && rehearsal.output.hasPrefix("1 run and 1 folder would be removed\n"))
    let folder = runs.folder.url.path + "/Results/runs/quick-00c0ffee"
    #expect(FileManager.default.fileExists(atPath: folder))
    #expect(try runs.results("prune --keep 1 --yes").output.hasPrefix("1 run and 1 folder removed\n"))
    #expect(!FileManager.default.fileExists(atPath: folder))
    let rows = try runs.results("prune --older-than 1d --keep 0 --yes --format csv")
    #expect(rows.output.contains("path,removed,cause\n"))
    #expect(try runs.results("list").status == 2)
  }

  @Test("prune asks on a terminal, and removes nothing unless the answer is yes", arguments: ["y", "n", ""])
  func pruneAsks(answer: String) throws {
    let runs = try recorded()
    let folder = runs.folder.url.path + "/Results/runs/quick-00c0ffee"
    let asked = try TerminalProcess(
      "results prune --keep 1", in: runs.folder.url, answers: [("[y/N]", answer + "\n")])
    #expect(asked.status == 0)
    let question = try #require(asked.screen.firstIndex { $0.hasPrefix("remove 1 run and 1 folder? [y/N]") })
    #expect(asked.screen[..<question].contains { $0.contains("quick-00c0ffee") && $0.hasSuffix("would go") })
    #expect(FileManager.default.fileExists(atPath: folder) == (answer != "y"))
    #expect(asked.screen.contains(answer == "y" ? "1 run and 1 folder removed" : "nothing was removed"))
  }

  @Test("every command but rebuild refuses a damaged history, including run")
  func rebuild() throws {
    let runs = try recorded()
    let scenario = try runs.folder.write(ScenarioText.holds, as: "good.yaml")
    let before = try FileManager.default.contentsOfDirectory(atPath: runs.home + "/runs")
    let torn = Data("torn to pieces, all of it".utf8)
    try torn.write(to: URL(fileURLWithPath: runs.history))
    for command in ["list", "show 1", "compare 1 2", "trend quick wins", "page", "prune --keep 1 --yes"] {
      let process = try runs.results(command)
      #expect(process.status == 2 && process.output.isEmpty)
      #expect(process.remarks.contains("it is damaged (file is not a database); 'assay results rebuild'"))
    }
    let process = try AssayProcess("run", [scenario], in: runs.folder.url)
    #expect(process.status == 2 && process.remarks.contains("'assay results rebuild'"), "\(process.remarks)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: runs.home).sorted() == ["history.sqlite", "runs"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: runs.home + "/runs") == before)
    #expect(try Data(contentsOf: URL(fileURLWithPath: runs.history)) == torn)
    let rebuilt = try runs.results("rebuild")
    #expect(rebuilt.status == 0 && rebuilt.output.hasPrefix("3 runs added from Results/runs\n"))
    #expect(rebuilt.remarks.contains("warning: the history 'Results/history.sqlite' was damaged"))
    #expect(try runs.results("list").output.hasPrefix("3 runs in"))
  }

  @Test(
    "a first start that may write only a limited number of bytes leaves nothing that stops the next",
    arguments: [0, 8, 64])
  func fileLimit(blocks: Int) throws {
    let folder = try TemporaryFolder()
    let scenario = try folder.write(ScenarioText.holds, as: "good.yaml")
    let limited = try AssayProcess(
      "-c", ["ulimit -f \(blocks); exec \"$0\" run \"$1\"", AssayProcess.executable().path, scenario], in: folder.url,
      executable: URL(fileURLWithPath: "/bin/sh"))
    #expect(limited.status != 0)
    let process = try AssayProcess("run", [scenario], in: folder.url)
    #expect(process.status == 0, "\(process.remarks)")
    #expect(try AssayProcess("results list", in: folder.url).output.hasPrefix("1 run in"))
  }

  @Test("a picture of too many runs suggests --last")
  func manyRuns() throws {
    let runs = try RecordedRuns()
    try runs.add(day: 1)
    let database = try SQLiteConnection(runs.history)
    try database.transaction(.write) {
      try database.runAll(
        "CREATE TEMP TABLE r AS SELECT * FROM runs; CREATE TEMP TABLE m AS SELECT * FROM measurements")
      for _ in 1...2_000 {
        try database.runAll(
          """
          UPDATE r SET id = id + 1, process = process + 1; INSERT INTO runs SELECT * FROM r;
          UPDATE m SET run = run + 1; INSERT INTO measurements SELECT * FROM m
          """)
      }
    }
    #expect(try runs.results("trend quick wins").output.hasPrefix("wins of quick in 2,001 runs\n"))
    let many = try runs.results("trend quick wins --output wins.svg")
    #expect(many.status == 2)
    #expect(
      many.remarks.contains("--last: found 'none', expected at most 2000 for a picture: there are 2001 runs."),
      "\(many.remarks)")
    #expect(try runs.results("trend quick wins --output wins.svg --last 2000").status == 0)
  }

  @Test("two processes that record at the same time lose nothing")
  func twoProcesses() throws {
    let runs = try RecordedRuns()
    for number in 0..<40 {
      try runs.add("run\(number)", day: 1, root: number.isMultiple(of: 2) ? "even" : "odd", isRecorded: false)
    }
    let program = try AssayProcess.executable().path
    let rebuild = "'\(program)' results rebuild --runs"
    let both = try AssayProcess.bash("\(rebuild) even & \(rebuild) odd && wait $!", in: runs.folder.url)
    #expect(both.status == 0, "\(both.remarks)")
    #expect(try runs.results("list").output.hasPrefix("40 runs in"))
  }

  @Test(
    "bad input ends with 2 and says what was found, what was expected, and the nearest name",
    arguments: [
      ("show quik", "found no run 'quik' (did you mean 'quick'?)"),
      ("list --scenario lonk", "no run of a scenario 'lonk' (did you mean 'long'?), expected one of long, quick."),
      ("list --last 0", "--last: found '0', expected a whole number, 1 or more."),
      ("trend quick winz", "no run of 'quick' measured 'winz' (did you mean 'wins'?), expected one of edge, wins."),
      ("compare 1 2 --confidence 1", "--confidence: found '1', expected a number, above 0 and below 1"),
      ("rebuild --runs nodir", "--runs: found no folder 'nodir', expected the one in which runs have their folders"),
      ("prune", "expected --keep, --older-than or both, for example --keep 20."),
      ("prune --older-than 5", "--older-than: found '5', expected a length of time with its unit, 1m to 366d, for"),
      ("prune --older-than 59s --yes", "--older-than: found '59s', expected a length of time with its unit"),
      ("prune --older-than 400d --yes", "--older-than: found '400d', expected a length of time with its unit"),
      ("prune --keep 1", "prune: found 'no terminal to ask on', expected --yes to remove without asking, or --dry-run"),
      ("prune --keep -1", "--keep: found '-1', expected a whole number, 0 or more."),
      (
        "list --history nowhere.sqlite",
        "history 'nowhere.sqlite': no run is recorded yet; 'assay run FILE' records one, and so does every command with"
      ),
      ("list --history Results", "history 'Results': it is a folder"),
      ("list --format svg", "--format: 'results list' has no svg, expected one of text, markdown, csv, json."),
    ])
  func badInput(typed: String, problem: String) throws {
    let runs = try recorded()
    let process = try runs.results(typed)
    process.expectRefusal(problem)
    #expect(try runs.folder.names() == ["Results"])
  }
}
