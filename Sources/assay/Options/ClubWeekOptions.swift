// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import ClubCore

/// How a club's week is looked at.
struct ClubWeekOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Which average speed is meant: total, distance over moving time, or mean, the unweighted mean of the rides' own. "
        + "Example: --speed mean",
      valueName: "average"),
    completion: .list(Speed.allCases.map(\.rawValue)))
  var speed = Speed.total.rawValue

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "From which change on a trend goes up or down, in percent, to a tenth. Example: --threshold 5%",
      valueName: "percentage"))
  var threshold = "10%"

  @Option(
    help: ArgumentHelp(
      "short, the first name and an initial, or full, as much as the feed tells. Example: --names full",
      valueName: "style"),
    completion: .list(NameStyle.allCases.map(\.rawValue)))
  var names = NameStyle.short.rawValue

  /// Which average speed is meant, as it is typed.
  enum Speed: String, CaseIterable {
    case total, mean
  }

  /// The options, checked.
  struct Checked {
    let speed: SpeedKind
    let threshold: Trend.Threshold
    let names: NameStyle
  }

  /// The options, checked.
  ///
  /// - Throws: `CommandError` naming the option, the value and what was expected.
  func checked() throws(CommandError) -> Checked {
    let average = try ClubWord.parse("--speed", speed, among: Speed.allCases)
    guard let change = Self.threshold(threshold) else {
      throw .badValue(
        option: "--threshold", found: threshold, expected: "a percentage from 0% to 1000%, to a tenth, for example 7.5%"
      )
    }
    return Checked(
      speed: average == .total ? .total : .meanOfRides, threshold: change,
      names: try ClubWord.parse("--names", names, among: NameStyle.allCases))
  }

  /// A percentage, exactly: `7.5%` or `7.5`.
  private static func threshold(_ text: String) -> Trend.Threshold? {
    let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, (1...4).contains(whole.count),
      parts.count == 1 || parts[1].count == 1, parts.joined().allSatisfy({ ("0"..."9").contains($0) }),
      let tenths = Int(whole + (parts.count == 2 ? parts[1] : "0")), tenths <= 10_000
    else { return nil }
    return Trend.Threshold(tenthsOfPercent: tenths)
  }
}
