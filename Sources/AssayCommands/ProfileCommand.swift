// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import ProfileCore
internal import ProfileLab
internal import Reporting
internal import Scenarios
internal import Workbench

struct ProfileFindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Searches the settings of a map by name, synonym and section, and tolerates typing errors.",
    discussion: """
      Example: assay profile find flat pasword
      Example: assay profile find settings.yaml "dark mode" --system 17

      Case and accents are folded. A word may have no typing error up to 4 letters, one from 5 to 8, two from 9, as \
      Meilisearch has it; a swap of neighbours is one, an error in the first letter is two.
      """)

  @Argument(help: "The map: a file, or flat, or nested.") var map: String
  @Argument(help: "The text to find. Example: 'dark mode'") var query: [String]
  @Option(
    "system",
    ValueType<String>.text("version", expected: "a version such as 17.4").map {
      SystemVersion($0)
    } back: {
      "\($0)"
    },
    "The system version (default: the last one of the map).", example: "17.4")
  var system: SystemVersion?

  @OptionGroup var destination: OutputOptions<TableFormats>

  func run() throws {
    let plan = try destination.plan(for: "profile find")
    let found = try FoundSettings(query.joined(separator: " "), in: MapFile.read(map), on: system)
    try plan.write(found.document, json: found.json)
  }
}

struct ProfileMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merges two changed copies of a text by their common ancestor, as git merge-file does.",
    discussion: """
      Example: assay profile merge base.txt mine.txt theirs.txt
      Example: assay profile merge base.txt mine.txt theirs.txt --by words --ancestor

      Prints the merged text with conflicts marked, and exits with 1 if there are any. Changes that touch conflict; \
      equal changes of both sides do not. Texts are equal if their bytes are. By words, a sentence with a number or an \
      address is one word, so that no value appears that nobody typed.
      """)

  @Argument(help: "The text that both sides began from.") var base: String
  @Argument(help: "The text as changed by one side.") var mine: String
  @Argument(help: "The text as changed by the other.") var theirs: String
  @Option("by", .choice, "The unit that is compared: lines or words.", example: "words", valueName: "unit")
  var unit = ThreeWayMerge<String>.Unit.lines
  @Flag(help: "Show the ancestor's text in conflicts, as diff3 does.") var ancestor = false

  func run() throws {
    let texts = try [base, mine, theirs].map { path throws(ReportingError) in try TextFile.read(path) }
    let whole = ThreeWayMerge(base: texts[0], mine: texts[1], theirs: texts[2], by: unit)
    // git divides conflicts only if it does not show the ancestor.
    let merge = ancestor || unit == .words ? whole : whole.divided
    try Console.write(merge.text(mine: mine, theirs: theirs, base: ancestor ? base : nil))
    guard merge.conflicts > 0 else { return }
    var echo = CommandLineEcho("profile", "merge")
    echo.add([base, mine, theirs])
    throw ExitStatus.Conclusion(
      status: .failed, message: "\(NumberFormat.counted(merge.conflicts, "conflict")).", reproduction: echo.line)
  }
}
