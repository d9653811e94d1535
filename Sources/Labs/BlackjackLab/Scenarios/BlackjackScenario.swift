// SPDX-License-Identifier: GPL-3.0-or-later
public import BlackjackCore

/// A blackjack experiment as a scenario file states it: what to run under which rules, and what must come out.
public struct BlackjackScenario: Hashable, Sendable {
  /// What is run.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A chart is made by simulation.
    case chart = "blackjack-chart"
    /// A chart is played for its EV.
    case play = "blackjack-play"
    /// A chart is judged by two witnesses.
    case verify = "blackjack-verify"
  }

  /// How an EV is found.
  public enum Method: String, CaseIterable, Hashable, Sendable {
    case simulate, exact
  }

  /// Which chart is played, judged or compared with.
  public enum ChartSource: Hashable, Sendable {
    /// The one that the trainer ships.
    case trainer
    /// The exact analyser's, made for the rules.
    case exact
    /// No chart but the best play for the cards themselves; exact only.
    case composition
    /// A file, with its path.
    case file(String)

    /// The name that scenarios and reports use.
    public var name: String {
      switch self {
      case .trainer: "trainer"
      case .exact: "exact"
      case .composition: "composition"
      case .file(let path): path
      }
    }
  }

  /// What must come out.
  public struct Expectation: Hashable, Sendable {
    /// Under which rules; those of the scenario where the expectation names none.
    public let rules: [Rules]
    /// The chart that the one made must match, indifferent cells apart.
    public let chart: ChartSource?
    /// The interval, in bets, that the EV must lie in.
    public let ev: ClosedRange<Double>?
    /// Who says so.
    public let source: String?
  }

  /// What people call it.
  public let name: String
  /// What is run.
  public let kind: Kind
  /// The rules to run it under, one after the other.
  public let rules: [Rules]
  /// What determines the simulation.
  public let simulation: Provenance.Simulation
  /// How EVs are found.
  public let method: Method
  /// The rounds to play under each of the rules.
  public let rounds: Int
  /// Which chart is played or judged.
  public let chart: ChartSource
  /// What must come out.
  public let expectations: [Expectation]
}
