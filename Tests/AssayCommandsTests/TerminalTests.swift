// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import TestSupport
import Testing

@Suite("On a terminal")
struct TerminalTests {
  private static let endless = "blackjack play --rounds 1e12 --jobs 1"
  private static let noticed = "interrupted: ending with partial results; interrupt again to exit at once"

  /// Returns true if a line of progress, or a part of one, is to be seen.
  private static func showsProgress(_ process: TerminalProcess) -> Bool {
    process.screen.contains { $0.contains(/\d (rounds|cases)\b.*(\(\d+%\)|\/s)/) }
  }

  @Test(
    "a signal removes the line of progress; what follows stands on its own lines, the result among it",
    arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func interrupted(signal: Int32, status: Int32) throws {
    let process = try TerminalProcess(Self.endless, signals: [("/s, ", signal)])
    #expect(process.status == status)
    #expect(process.screen.contains(Self.noticed), "\(process.written)")
    #expect(!Self.showsProgress(process), "\(process.screen)")
    let last = process.screen.drop { !$0.hasPrefix("Interrupted: ") }
    #expect(last.last == "" && last.dropLast().last == "reproduce: assay blackjack play --rounds 1e12", "\(last)")
    #expect(process.screen.contains("The chart's EV"), "partial results")
  }

  @Test("a second signal ends the process immediately and clears the progress line")
  func interruptedTwice() throws {
    // This case never ends, so only a further signal can end the process; those that come at the same time as the first
    // are the same request.
    let process = try TerminalProcess(
      "properties check specimen.hang --in-process --store none",
      signals: [(" cases", SIGINT), (Self.noticed, SIGINT)], insisting: true,
      executable: AssayProcess.executable("Specimens"))
    #expect(process.status == 130)
    #expect(process.screen.contains(Self.noticed) && process.screen.last == "")
    #expect(!Self.showsProgress(process), "\(process.screen)")
  }

  @Test(
    "no progress where the terminal cannot draw over a line, nor with --quiet",
    arguments: [("", "dumb"), (" --quiet", "xterm")])
  func plain(option: String, terminal: String) throws {
    let process = try TerminalProcess(
      "blackjack play --rounds 1e3" + option, environment: ["TERM": terminal, "NO_COLOR": "1"])
    #expect(process.status == 0)
    #expect(!process.written.contains("\u{1B}") && !process.written.contains("(0%)"))
    #expect(process.screen.contains { !$0.isEmpty })
  }

  @Test("an interrupted chart shows open cells and the number of decided ones")
  func chart() throws {
    let process = try TerminalProcess(
      "blackjack chart --rules inf --jobs 1 --indifference 0.00001", signals: [("0 rounds", SIGINT)],
      environment: ["NO_COLOR": "1"])
    #expect(process.status == 130)
    let text = process.screen.joined(separator: "\n")
    #expect(text.contains(/Interrupted when \d+ of 330 cells were decided\./), "\(text)")
    #expect(text.contains("? undecided") && !text.contains("S?"))
    let pairs = process.screen.drop { !$0.hasPrefix("Pairs") }.dropFirst().prefix(10)
    #expect(pairs.allSatisfy { $0.split(separator: " ").dropFirst() == Array(repeating: "?", count: 10)[...] })
  }

  @Test("the verdict is printed once if both streams are the terminal, else on each of them")
  func verdict() throws {
    let folder = try TemporaryFolder(["fails.yaml": ScenarioText.fails])
    let verdict = "FAILS: 1 of 1 thresholds fails (fails), 1 scenario."
    let terminal = try TerminalProcess("run fails.yaml --no-history", in: folder.url)
    #expect(terminal.status == 1 && terminal.screen.count { $0 == verdict } == 1)
    #expect(terminal.screen.dropLast().last?.hasPrefix("reproduce: assay run fails.yaml ") == true)
    let apart = try AssayProcess("run fails.yaml --no-history", in: folder.url)
    #expect(apart.output.hasSuffix("\(verdict)\n") && apart.remarks.contains("\(verdict)\nreproduce: "))
    let data = try TerminalProcess("run fails.yaml --no-history --format csv", in: folder.url)
    #expect(data.screen.count { $0 == verdict } == 1, "data do not end with the verdict")
    let program = try AssayProcess.executable().path
    let shell = try AssayProcess.bash(
      "'\(program)' run fails.yaml --no-history >both.txt 2>&1; cat both.txt", in: folder.url)
    #expect(shell.output.split(separator: "\n").count { $0 == verdict } == 1)
  }
}

@Suite("Printed commands can be pasted")
struct PastedCommandTests {
  /// What the command line of a run is tried with: the shell reads most of it in another way unless it is quoted.
  private static let folders = ["a b", "it's $HOME", "glob[ab]*?", "~", "#1", "-dash", "tab\there", "ü & co; `id`"]

  @Test("a shell reads the reproduce line as the words that were typed", arguments: folders)
  func words(folder name: String) throws {
    let folder = try TemporaryFolder(["\(name).yaml": ScenarioText.fails])
    let typed = ["run", "./\(name).yaml", "--jobs", "1", "--runs", "./\(name)", "--history", "./\(name).sqlite"]
    let process = try AssayProcess("", typed, in: folder.url)
    #expect(process.status == 1, "\(process.remarks)")
    let line = try #require(process.remarks.split(separator: "\n").last?.trimmingPrefix("reproduce: "))
    #expect(try AssayProcess.words(of: String(line)) == ["assay"] + typed)
  }

  @Test("a command broken into lines has the same words, whatever is quoted", arguments: [12, 30, 60])
  func folded(width: Int) throws {
    let words = [
      "assay", "run", "it's a long name of a file.yaml", "a\nb and \\ 'c'\u{1B}d.yaml", "--jobs", "2", "a b",
    ]
    let lines = TerminalText.foldedCommand(ShellLine.text(words), width: width)
    #expect(lines.contains("\\\n"))
    #expect(try AssayProcess.words(of: lines) == words, "\(lines)")
  }

  @Test("a file whose name begins with a hyphen is printed with its folder")
  func dash() throws {
    let folder = try TemporaryFolder(["-x.yaml": ScenarioText.fails])
    let process = try AssayProcess("run --no-history -- -x.yaml", in: folder.url)
    #expect(process.status == 1 && process.remarks.contains("reproduce: assay run ./-x.yaml "), "\(process.remarks)")
  }

  @Test("the pasted line reproduces thresholds and an experiment's options")
  func experiment() throws {
    let folder = try TemporaryFolder()
    let typed = [
      "blackjack", "play", "--rules", "inf", "--method", "exact", "--threshold", "ev[inf] >= 0", "--format", "csv",
      "--output", "it's [a] file.csv",
    ]
    let program = try AssayProcess.executable().path
    let process = try AssayProcess("", typed, in: folder.url, environment: ["ASSAY_CALLED_AS": program])
    #expect(process.status == 1, "\(process.remarks)")
    let line = String(try #require(process.remarks.split(separator: "\n").last?.trimmingPrefix("reproduce: ")))
    #expect(try AssayProcess.words(of: line) == [program] + typed)
    let again = try AssayProcess.bash("unset ASSAY_CALLED_AS; " + line, in: folder.url)
    #expect(again.status == 1 && again.remarks == process.remarks)
    #expect(try folder.names() == ["it's [a] file.csv"])
  }

  @Test("reports' commands for one session or one case can be pasted")
  func reports() throws {
    let folder = try TemporaryFolder()
    let program = try AssayProcess.executable("Specimens")
    let process = try AssayProcess(
      "properties check specimen.fails --jobs 1 --cases 200 --store none --case-limit 2s", in: folder.url,
      executable: program)
    let line = try #require(process.output.split(separator: "\n").first { $0.hasPrefix("assay properties replay ") })
    let words = try AssayProcess.words(of: String(line))
    #expect(words.prefix(3) == ["assay", "properties", "replay"] && words.suffix(2) == ["--case-limit", "2s"])
    let replayed = try AssayProcess("", Array(words.dropFirst()), executable: program)
    #expect(replayed.status == 1 && replayed.output.contains("one is above 500"))
  }
}

@Suite("The program is called as it was typed")
struct ProgramNameTests {
  private static let name = "my tools/assay"
  private static let quoted = "'my tools/assay'"

  private static func run(
    _ typed: String, in folder: TemporaryFolder, called name: String = name, program: String = "assay"
  ) throws -> AssayProcess {
    try AssayProcess(
      typed, in: folder.url, environment: ["ASSAY_CALLED_AS": name], executable: AssayProcess.executable(program))
  }

  @Test("remarks, results, reports and annotations use the typed name; result.json does not depend on it")
  func everywhere() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      """
      name: A property that fails
      kind: properties.check
      properties: specimen.fails
      cases: 200
      store: none

      """, as: "p.yaml")
    let process = try Self.run(
      "run p.yaml --ci --no-history --runs runs --jobs 1", in: folder, program: "Specimens")
    #expect(process.status == 1, "\(process.remarks)")
    let path = try #require(process.output.firstMatch(of: /\nfolder: (runs\/[^\n]+)\n/)?.1)
    func file(_ name: String) throws -> String {
      try String(contentsOf: folder.url.appendingPathComponent("\(path)/\(name)"), encoding: .utf8)
    }
    let again = "\(Self.quoted) run p.yaml"
    let replay = "\(Self.quoted) properties replay specimen.fails:"
    #expect(process.remarks.contains("\nreproduce: \(again) --jobs 1"), "\(process.remarks)")
    #expect(process.output.contains(replay))
    #expect(process.remarks.contains(#/\n::(error|warning) [^\n]*replay: 'my tools/assay' properties replay /#))
    let page = try file("report.html").replacing("&#39;", with: "'")
    #expect(page.contains("\(again) --runs runs<") && page.contains(replay))
    #expect(try file("junit.xml").replacing("&apos;", with: "'").replacing("&#39;", with: "'").contains(replay))
    for text in [process.remarks, process.output, page] {
      #expect(!text.contains(#/(?m)(^|[ '`:>])assay (run|properties)\b/#), "\(text)")
    }
    let result = try file("result.json")
    #expect(!result.contains("my tools") && result.contains("assay properties replay specimen.fails:"))
    _ = try Self.run(
      "run p.yaml --no-history --runs runs --jobs 1", in: folder, called: "assay", program: "Specimens")
    #expect(try file("result.json") == result)
  }

  @Test(
    "in help, in errors of usage, in hints and in errors of input",
    arguments: [
      ("run --help", "USAGE: 'my tools/assay' run "),
      ("run --help", "Example: 'my tools/assay' run mine.yaml"),
      ("--help", "See 'my tools/assay' help <subcommand>"), ("run --fail-fats", "did you mean '--fail-fast'?"),
      ("blackjack chrat", "did you mean ''my tools/assay' blackjack chart'?"),
      ("run", "begin one by 'my tools/assay' scenario new."),
      ("results show", "''my tools/assay' run FILE' records one"),
      ("scenario kinds", "'my tools/assay' live storm"), ("", "  'my tools/assay' doctor "),
      ("crash-test", "command: 'my tools/assay' crash-test"),
    ])
  func texts(typed: String, part: String) throws {
    let folder = try TemporaryFolder()
    let process = try Self.run(typed, in: folder, program: typed == "crash-test" ? "Specimens" : "assay")
    let text = (process.output + process.remarks).replacing("See ''", with: "See '")
    #expect(text.contains(part), "\(text)")
  }

  @Test("output for other programs uses the program's own name")
  func machines() throws {
    let folder = try TemporaryFolder()
    for typed in ["--generate-completion-script bash", "--experimental-dump-help", "scenario new live.storm"] {
      let texts = try [Self.name, "assay"].map { try Self.run(typed, in: folder, called: $0).output }
      #expect(texts[0] == texts[1] && !texts[0].isEmpty, "\(typed)")
    }
  }

  @Test("without the variable, the name is the first word of the command line")
  func typed() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      at: folder.url.appendingPathComponent("assay"), withDestinationURL: try AssayProcess.executable())
    let shell = try AssayProcess.bash("unset ASSAY_CALLED_AS; ./assay run nothing.yaml --nonesuch", in: folder.url)
    #expect(shell.status == 64, "\(shell.remarks)")
    #expect(shell.remarks.contains("'./assay run --help' shows the usage."), "\(shell.remarks)")
  }
}
