// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import ClubCore
internal import Reporting

/// How feed files are read.
struct ClubFeedOptions: ParsableArguments {
  @OptionGroup var sports: ClubSportOption

  @Option(
    help: ArgumentHelp(
      "What becomes of activities that stand on several pages alike, since pages overlap: once counts them as often "
        + "as the page that has most of them, each counts them on every page. Example: --identical each",
      valueName: "rule"),
    completion: .list(Identical.allCases.map(\.rawValue)))
  var identical = Identical.once.rawValue

  @Flag(help: "Refuse a feed with a malformed line instead of skipping the line. Example: --strict")
  var strict = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many workers share the work; results do not depend on it (default: one a core). Example: --jobs 2",
      valueName: "count"))
  var jobs: String?

  /// What becomes of activities that stand on several pages alike.
  enum Identical: String, CaseIterable {
    case once, each
  }

  /// The options, checked.
  struct Checked {
    let filter: SportFilter
    let sports: String
    let identical: Identical
    let isStrict: Bool
    let jobs: Int
  }

  /// The options, checked.
  ///
  /// - Throws: `CommandError` naming the option, the value and what was expected.
  func checked() throws(CommandError) -> Checked {
    Checked(
      filter: try sports.checked(), sports: sports.meaning,
      identical: try ClubWord.parse("--identical", identical, among: Identical.allCases), isStrict: strict,
      jobs: try RandomOptions.workers(jobs))
  }
}

/// Options whose value is one of a few words.
enum ClubWord {
  /// The case of that word.
  ///
  /// - Parameters:
  ///   - option: The option.
  ///   - found: Its value.
  ///   - known: What it may be.
  /// - Returns: One of those.
  /// - Throws: `CommandError.badValue` with the nearest word.
  static func parse<Word: RawRepresentable<String>>(
    _ option: String, _ found: String, among known: [Word]
  ) throws(CommandError) -> Word {
    if let word = known.first(where: { $0.rawValue == found }) { return word }
    let words = known.map(\.rawValue)
    let nearest = Spelling.nearest(to: found, among: words).map { " (did you mean '\($0)'?)" } ?? ""
    let list = words.dropLast().joined(separator: ", ")
    throw .badValue(option: option, found: found, expected: "\(list) or \(words.last ?? "")\(nearest)")
  }
}
