// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("assay properties, end to end")
struct PropertiesCommandTests {
  /// Runs the program of the specimens, whose outcomes are known.
  private func assay(_ typed: String, in folder: TemporaryFolder) throws -> AssayProcess {
    try AssayProcess("properties " + typed, in: folder.url, executable: AssayProcess.executable("Specimens"))
  }

  /// What follows a word on the line that begins with it.
  private func rest(of sign: String, in text: String) throws -> String {
    let line = try #require(text.split(separator: "\n").first { $0.contains(sign) })
    return String(line[try #require(line.range(of: sign)).upperBound...])
  }

  /// Text without its line breaks, which depend on the width.
  private func flat(_ text: String) -> String { text.replacing("\n", with: " ") }

  @Test("assay properties list names every property once, and the mutants")
  func list() throws {
    let process = try AssayProcess("properties list --format csv")
    #expect(process.status == 0)
    let ids = process.output.split(separator: "\n").dropFirst().compactMap { $0.split(separator: ",").first }
    #expect(ids.count > 20 && Set(ids).count == ids.count)
    #expect(ids.contains("blackjack.1") && !process.output.contains("specimen"))
    let all = try AssayProcess("properties list --format markdown").output
    let mutants = all[try #require(all.range(of: "| mutant |")).lowerBound...]
      .split(separator: "\n").dropFirst(2).compactMap { $0.split(separator: "|").first }
    #expect(mutants.count > 60 && Set(mutants).count == mutants.count)
    let markdown = try AssayProcess("properties list blackjack --format markdown")
    #expect(markdown.output.hasPrefix("# Properties\n\n| id | what is claimed | source |\n"))
    #expect(markdown.output.contains("| mutant | core | fault |"))
  }

  @Test("assay properties check prints the same with --jobs 1 and --jobs 3, for passing and failing properties")
  func sameAtAnyNumberOfJobs() throws {
    let folder = try TemporaryFolder()
    for property in ["specimen.holds", "specimen.fails", "specimen.trap"] {
      let typed = "check \(property) --cases 20k --seed 3 --store none --quiet --jobs "
      let one = try assay(typed + "1", in: folder)
      let three = try assay(typed + "3", in: folder)
      #expect(one.output == three.output)
      #expect(one.status == (property == "specimen.holds" ? 0 : 1))
      let direct = try property == "specimen.trap" ? nil : assay(typed + "2 --in-process", in: folder)
      if let direct { #expect(direct.output.replacing(" --in-process", with: "") == one.output) }
    }
  }

  @Test("assay properties sample shows the cases that a check draws first, and the shares of their classes")
  func sample() throws {
    let folder = try TemporaryFolder()
    let checked = try assay("check specimen.trap --seed 1 --store none --jobs 1", in: folder)
    let found = try #require(Int(try rest(of: "False, found in case ", in: checked.output)))
    let drawn = try assay("sample specimen.trap --seed 1 --count \(found) --cases 0", in: folder)
    #expect(drawn.status == 0 && drawn.output.hasPrefix("specimen.trap  Every list has a third element, or ends"))
    let lists = drawn.output.split(separator: "\n").filter { $0.hasPrefix("  numbers: ") }
    let sizes = lists.map { $0.split { !$0.isNumber }.count }
    #expect(sizes.count == found && sizes.last == 2 && !sizes.dropLast().contains(2), "a list of two traps")
    let shares = try AssayProcess("properties sample contrast.4 --count 1")
    #expect(shares.status == 0 && shares.output.contains("\ncase 1\n  ") && !shares.output.contains("case 2"))
    #expect(shares.output.contains("\n1000 random cases passed") && shares.output.contains("% (at least 10% claimed: "))
    for (typed, message) in [
      ("sample specimen.fail", "specimen.fails"), ("sample specimen.fails --count 0", "--count: found '0'"),
      ("sample specimen.empty", "The generator can produce nothing"),
    ] {
      let refused = try assay(typed, in: folder)
      #expect(refused.status == 2 && flat(refused.remarks).contains(message), "\(refused.remarks)")
    }
    let trapped = try assay("sample specimen.generator --count 100", in: folder)
    #expect(flat(trapped.remarks).contains("while a generator of 'A generator may divide by what it drew'"))
  }

  @Test("a failure prints its replay command, is stored, and is tried first on request")
  func failure() throws {
    let folder = try TemporaryFolder()
    let process = try assay("check specimen.fails --jobs 1", in: folder)
    #expect(process.status == 1)
    #expect(process.output.contains("numbers   [501]\n"))
    #expect(flat(process.output).contains("FAILS: specimen.fails does not hold; 0 cases passed."))
    #expect(process.remarks.hasSuffix("reproduce: assay properties check specimen.fails\n"))
    let replay = try rest(of: "assay properties ", in: process.output)
    let again = try assay(replay, in: folder)
    #expect(again.status == 1)
    #expect(again.output.contains("  numbers: [501]\n  failure: one is above 500\n"))
    #expect(try assay(replay + " --in-process", in: folder).output == again.output)
    let stored = try rest(of: "Stored: ", in: process.output)
    let file = folder.url.appendingPathComponent(stored)
    #expect(try String(contentsOf: file, encoding: .utf8).contains("# argument 1: [501]\n"))
    let next = try assay("check specimen.fails --seed 9 --retry", in: folder)
    #expect(next.status == 1)
    #expect(
      next.output.contains("False in a stored case, which was tried first\n")
        && next.output.contains("numbers   [501]\n"))
    #expect(next.output.contains("Still fails: \(stored)"))
  }

  @Test("a damaged or stale stored case is reported and kept; nothing is stored without a store")
  func storedCases() throws {
    let folder = try TemporaryFolder()
    let failing = try assay("check specimen.fails --store kept --jobs 1 --quiet", in: folder)
    let stored = try rest(of: "Stored: ", in: failing.output)
    let token = try rest(of: "replay specimen.fails:", in: failing.output)
    let home = folder.url.appendingPathComponent("kept/specimen.holds")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    _ = try folder.write("# note\nspecimen.holds:1:AAAA\n", as: "kept/specimen.holds/a.txt")
    let process = try assay("check specimen.holds --store kept --retry --cases 10", in: folder)
    #expect(process.status == 0)
    #expect(flat(process.output).contains("warning: kept/specimen.holds/a.txt:2: replay token of 'specimen.holds'"))
    #expect(try assay("replay specimen.holds:\(token)", in: folder).status == 2, "the token is another property's")
    #expect(FileManager.default.fileExists(atPath: folder.url.appendingPathComponent(stored).path))
    let none = try assay("check specimen.fails --store none --quiet", in: folder)
    #expect(none.status == 1 && !none.output.contains("Stored"))
    #expect(try folder.names() == ["kept"])
  }

  @Test(
    "a case that traps fails like any other, with the fewest parts that trap",
    arguments: [
      ("specimen.trap", "numbers", "[0, 0]"), ("specimen.recursion", "depth", "101"),
      ("specimen.overflow", "bytes", "["),
    ])
  func traps(property: String, name: String, value: String) throws {
    let folder = try TemporaryFolder()
    let process = try assay("check \(property) --jobs 1 --quiet", in: folder)
    #expect(process.status == 1)
    let row = process.output.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
    #expect(try #require(row).contains(value))
    #expect(process.output.contains("It fails with: trapped with SIG"))
    let again = try assay(rest(of: "assay properties ", in: process.output), in: folder)
    #expect(again.status == 1)
    #expect(again.output.contains("failure: trapped with SIG") && again.output.contains("  \(name): \(value)"))
    for shown in [process.output, again.output] {
      #expect(shown.contains("times: 1") == (property == "specimen.recursion"), "what the body drew, if it did")
    }
    let next = try assay("check \(property) --jobs 1 --retry --quiet", in: folder)
    #expect(next.status == 1 && next.output.contains("Still fails: .assay/examples/\(property)/"))
  }

  @Test("a campaign that ends with a trap advances the seed of the next one")
  func trapInCampaign() throws {
    let folder = try TemporaryFolder()
    for campaign in 1...2 {
      let process = try assay("check specimen.trap --for 1m --jobs 1 --store none --quiet", in: folder)
      #expect(process.status == 1 && process.output.contains("It fails with: trapped with SIG"))
      let corpus = try String(contentsOfFile: folder.path(".assay/corpus/specimen.trap.txt"), encoding: .utf8)
      #expect(corpus.contains("\ncorpus version 1, \(campaign) campaigns\n"))
    }
  }

  @Test("an unguided search tries the stored corpus first, and the report states both facts")
  func unguided() throws {
    let folder = try TemporaryFolder()
    let found = try assay("check specimen.fails --store none --quiet", in: folder)
    let token = try rest(of: "assay properties replay ", in: found.output)
    let file = folder.url.appendingPathComponent(".assay/corpus/specimen.fails.txt")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("corpus version 1, 0 campaigns\n\(token)\n".utf8).write(to: file)
    for seed in 2...6 {
      let process = try assay("check specimen.fails --guided --seed \(seed) --store none --quiet", in: folder)
      #expect(process.status == 1 && process.output.contains("False, found in case 1"))
      #expect(flat(process.output).contains("not guided: no module of this program is instrumented"))
      #expect(flat(process.output).contains("1 stored case was tried first anyway"))
    }
  }

  @Test(
    "scripts run the build that is instrumented with ASSAY_GUIDED=1 alone",
    arguments: [("1", ".build/guided"), ("0", ".build"), ("", ".build")])
  func guidedBuild(value: String, folder: String) throws {
    let process = try AssayProcess(
      "-c", ["unset ASSAY_BUILD; source scripts/lib.sh; printf %s \"${build#\"$root\"/}\""], in: packageRoot,
      environment: ["ASSAY_GUIDED": value], executable: URL(fileURLWithPath: "/bin/bash"))
    #expect(process.status == 0 && process.output == folder, "\(process.remarks)")
  }

  @Test("the number of cases until a trap does not include those of other properties")
  func trapAfterOthers() throws {
    let folder = try TemporaryFolder()
    let alone = try assay("check specimen.trap --jobs 1 --store none --quiet", in: folder)
    let found = try rest(of: "False, found in case ", in: alone.output)
    let second = try assay("check specimen.holds specimen.trap --jobs 1 --store none --quiet", in: folder)
    #expect(try rest(of: "False, found in case ", in: second.output) == found)
  }

  @Test(
    "a case that exceeds its time limit fails like one that traps: it is shrunk, stored and replayed, or only shown")
  func hang() throws {
    let folder = try TemporaryFolder()
    let process = try assay("check specimen.hang specimen.holds --case-limit 2s --cases 50 --jobs 1", in: folder)
    #expect(process.status == 1)
    #expect(process.output.contains("specimen.hang: Counting down to 0 ends: fails"))
    #expect(flat(process.output).contains("It fails with: it did not end within 2.0 seconds"))
    #expect(process.output.contains("; 52 cases passed"), "the others are tested all the same")
    let stored = try rest(of: "Stored: ", in: process.output)
    let text = try String(contentsOf: folder.url.appendingPathComponent(stored), encoding: .utf8)
    #expect(text.contains("# argument 1: -1\n# failure: it did not end within 2.0 seconds\n"))
    let token = try #require(text.split(separator: "\n").last)
    let again = try assay("replay \(token) --case-limit 2s", in: folder)
    #expect(again.status == 1 && again.output.contains("failure: it did not end within 2.0 seconds\n"))
    let shown = try assay("replay \(token) --show", in: folder)
    #expect(shown.status == 0 && shown.output == "specimen.hang  Counting down to 0 ends\n  -1\n")
  }

  @Test("in process, a case that exceeds its time limit is printed with its replay command and ends the process")
  func hangInProcess() throws {
    let folder = try TemporaryFolder()
    let typed = "check specimen.hang --in-process --case-limit 2s --cases 50 --jobs 2 --store none --quiet"
    let process = try assay(typed, in: folder)
    #expect(process.status == 1)
    #expect(process.remarks.contains("More than 2.0 seconds in a case of 'Counting down to 0 ends' (specimen.hang)"))
    let replay = try rest(of: "replay: assay properties ", in: process.remarks)
    let again = try assay(replay + " --case-limit 2s", in: folder)
    #expect(again.status == 1 && again.output.contains("failure: it did not end within 2.0 seconds\n"))
  }

  @Test(
    "what is undecided fails, with the cure",
    arguments: [
      ("check specimen.empty", "The generator can produce nothing"),
      ("check specimen.generator --jobs 1", "'specimen.generator': a generator trapped with SIG"),
    ])
  func undecided(typed: String, problem: String) throws {
    let folder = try TemporaryFolder()
    let process = try assay(typed, in: folder)
    #expect(process.status == 1)
    #expect(flat(process.output).contains(problem), "\(process.output)")
    #expect(try folder.names() == [])
  }

  @Test(
    "what cannot be asked for ends with 2 and the cure",
    arguments: [
      ("check specimen.hold", "unknown property 'specimen.hold'; did you mean 'specimen.holds'?"),
      ("check specimn", "unknown property 'specimn'; did you mean 'specimen'?"),
      ("check x*y", "unknown property 'x*y'; 'assay properties list' names them all."),
      ("check --mutant specimen-brokn", "unknown mutant 'specimen-brokn' (did you mean 'specimen-broken'?)"),
      ("check specimen.holds --store /dev/null", "'/dev/null' is not a folder"),
      ("mutants specimn", "unknown property 'specimn'; did you mean 'specimen'?"),
      ("replay specimen.holds", "replay token: found 'specimen.holds', expected PROPERTY:1:LETTERS on one line"),
      ("replay specimen.fails:1:ANYWCQA", "no longer fits the generators of 'specimen.fails'"),
      (
        "replay specimen.fails:1:ANYWCQA --case-limit 0",
        "--case-limit: found '0', expected a length of time, 1ms to 366d"
      ),
      ("worker", "it is started by 'assay properties check' and not by hand"),
    ])
  func badInput(typed: String, problem: String) throws {
    let folder = try TemporaryFolder()
    let process = try assay(typed, in: folder)
    #expect(process.status == 2)
    #expect(process.remarks.contains(problem), "\(process.remarks)")
    #expect(try folder.names() == [])
  }

  @Test("a mutant fails, is not stored, and its replay line names it")
  func mutant() throws {
    let folder = try TemporaryFolder()
    let process = try assay("check --mutant specimen-broken --jobs 1", in: folder)
    #expect(process.status == 1)
    let replay = try rest(of: "assay properties ", in: process.output)
    #expect(replay.hasSuffix(" --mutant specimen-broken"))
    #expect(try assay(replay, in: folder).status == 1)
    let whole = try assay(replay.replacing(" --mutant specimen-broken", with: ""), in: folder)
    #expect(whole.status == 0 && whole.output.contains("passes now"))
    #expect(try folder.names() == [])
  }

  @Test("assay properties mutants shows what catches each mutant")
  func mutants() throws {
    let process = try AssayProcess(
      "properties mutants specimen --cases 100 --quiet --format markdown",
      executable: AssayProcess.executable("Specimens"))
    #expect(process.status == 0)
    #expect(process.output.contains("## Specimens: 1 of 1 mutants caught; cases: median of 3 seeds\n"))
    #expect(process.output.contains("| specimen-broken | Nothing holds. | specimen.holds | 1 |"))
  }

  @Test("results are written as JSON, JUnit and Markdown even if properties fail")
  func formats() throws {
    let folder = try TemporaryFolder()
    let process = try assay(
      "check specimen.holds specimen.fails specimen.empty --store none --jobs 1 --cases 100 --quiet --output r.json"
        + " --output r.xml --output r.md", in: folder)
    #expect(process.status == 1 && process.output.isEmpty)
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url.appendingPathComponent("r.json")))
    let data = try #require((json as? [String: Any])?["data"] as? [String: Any])
    let properties = try #require(data["properties"] as? [[String: Any]])
    #expect(properties.compactMap { $0["verdict"] as? String } == ["holds", "fails", "undecided"])
    let found = try #require(properties[1]["counterexample"] as? [String: Any])
    #expect(found["arguments"] as? [[String: String]] == [["name": "numbers", "value": "[501]"]])
    #expect((properties[1]["token"] as? String)?.hasPrefix("specimen.fails:1:") == true)
    let xml = try String(contentsOf: folder.url.appendingPathComponent("r.xml"), encoding: .utf8)
    #expect(xml.contains(#"<testsuite name="properties-check" package="assay" id="0" tests="5" failures="3" "#))
    #expect(xml.contains(#"<failure message="false, found in"#))
    let markdown = try String(contentsOf: folder.url.appendingPathComponent("r.md"), encoding: .utf8)
    #expect(
      markdown.contains("| specimen.holds | A list is as long as its reverse | 100 | 0.0% | holds |"))
  }

  @Test("--time ends an unlimited search")
  func time() throws {
    let folder = try TemporaryFolder()
    let process = try assay("check specimen.holds --cases 1e11 --time 100ms --quiet --format markdown", in: folder)
    #expect(process.status == 0)
    #expect(process.output.contains("the time limit ended the search before"))
  }

  @Test("Ctrl-C ends with 130 and partial results", arguments: ["", " --in-process"])
  func interrupted(isolation: String) throws {
    let process = try AssayProcess(
      "properties check specimen.holds --cases 1e11 --store none\(isolation) --verbose", interruptedBy: "--store none",
      executable: AssayProcess.executable("Specimens"))
    #expect(process.status == 130)
    let ends = ["cut short", "not begun"]
    #expect(ends.contains { process.output.contains($0) }, "\(process.output)")
    #expect(process.remarks.contains("Interrupted: the results are partial."))
  }
}
