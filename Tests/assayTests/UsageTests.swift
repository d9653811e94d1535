// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@Suite("Usage errors end with 64 and suggest; help reads well")
struct UsageTests {
  @Test(
    "a misspelt option suggests the right one",
    arguments: [
      ("blackjack chart --rule 6d", "Did you mean '--rules'?"),
      ("blackjack chart --confidnce 0.9", "Did you mean '--confidence'?"),
      ("blackjack play --round 10", "Did you mean '--rounds'?"),
      ("blackjack hand A,7 9 --quite", "Did you mean '--quiet'?"),
      ("blackjack chart extra", "Unexpected argument 'extra'"),
      ("league simulate --season 10", "Did you mean '--seasons'?"),
      ("league simulate extra", "Unexpected argument 'extra'"),
      ("blackjack hand A,7", "Missing expected argument '<upcard>'"),
      ("blackjak", "blackjak"),
    ])
  func misspelt(typed: String, hint: String) throws {
    let process = try AssayProcess(typed)
    #expect(process.status == 64)
    #expect(process.remarks.contains(hint), "\(process.remarks)")
    #expect(process.output.isEmpty)
  }

  @Test("assay --help says where to start and what the exit codes mean")
  func rootHelp() throws {
    let process = try AssayProcess("--help")
    #expect(process.status == 0)
    #expect(
      process.output == """
        OVERVIEW: Puts the cores that ship inside apps on trial, and says with a stated
        confidence whether they hold.

        Start here:
          assay blackjack chart      the basic strategy, from the rules alone
          assay blackjack verify     the trainer's chart before two witnesses
          assay league simulate      a fantasy league's power ranking against luck
          assay properties check     what is claimed of the cores, case by case
          assay run                  everything in Scenarios/

        Exit codes: 0 holds, 1 something on trial failed, 2 bad input, 64 usage,
        130 interrupted. Results go to the standard output or to --output, all
        else to the standard error.

        USAGE: assay <subcommand>

        OPTIONS:
          --version               Show the version.
          -h, --help              Show help information.

        SUBCOMMANDS:
          run                     Runs scenarios and compares what comes out with what
                                  they expect.
          blackjack               Derives, judges and plays blackjack strategy.
          league                  Puts a fantasy league's power ranking on trial.
          properties              Tests what is claimed of the cores.

          See 'assay help <subcommand>' for detailed help.

        """)
  }

  @Test(
    "every option of every command has an example",
    arguments: [
      "run", "blackjack chart", "blackjack verify", "blackjack play", "blackjack hand", "league simulate",
      "properties list", "properties check", "properties replay",
    ])
  func examples(command: String) throws {
    let help = try AssayProcess("help \(command)").output
    #expect(help.contains("Example: assay \(command)"))
    let options = help.split(separator: "\n\n").first { $0.hasPrefix("OPTIONS:") } ?? ""
    let entries = options.split(separator: "\n  --").dropFirst(options.hasPrefix("OPTIONS:\n  --") ? 1 : 0)
    for entry in entries where !entry.hasPrefix("version") {
      let words = entry.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("Example:"), "--\(words)")
    }
  }

  @Test("assay --version prints a version")
  func version() throws {
    let process = try AssayProcess("--version")
    #expect(process.status == 0)
    #expect(process.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }
}
