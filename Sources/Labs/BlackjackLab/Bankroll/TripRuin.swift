// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness
internal import Sampling
internal import Scenarios

/// Ruin on a trip, where it is so rare that no simulated trip shows it: by splitting, next to the exact walk.
struct TripRuin: RareEvent {
  static let kind = "blackjack.ruin"
  static let summary = "The risk of ruin on a trip where it is very small, by splitting, and by an exact walk."
  static let discussion = """
    Example: assay blackjack ruin --bankroll 100 --rounds 200
    Example: assay blackjack ruin --from runs/count/result.json --bankroll 2000 --rounds 1000

    The wins of a round are those of 'blackjack bankroll'. A trip's level is the risk that is left, by the formula of \
    a barrier; trips of which it rises are continued several times. Ruin is checked after each round, and a bet can \
    always be made.
    """

  /// The bankroll, the rounds, and the wins of a round.
  var trip = BankrollExperiment()
  private var wins: WinDistribution?
  private var walker: TripWalker?

  init() { (trip.bankroll, trip.rounds) = (100, 200) }

  static let parameters: [Parameter<Self>] = BankrollExperiment.parameters.filter {
    ["from", "rules", "chart", "win", "deviation", "bankroll", "rounds"].contains($0.key)
  }.map { $0.within(\.trip) }

  static let measures: [SampleMeasure<Replicate>] = [
    .exact("probability.exact", "The same, by the walk.") { (ruin: TripRuin) in ruin.exact }
  ]

  func check() throws(ParameterError) { try trip.check() }

  /// `nil` if the walk takes too long.
  private var exact: Double? { wins?.trip(bankroll: trip.bankroll, rounds: trip.rounds)?.ruin }

  mutating func prepare(on context: RunContext) throws {
    let wins = try trip.distribution()
    self.wins = wins
    walker = TripWalker(wins, bankroll: trip.bankroll, goal: nil, rounds: trip.rounds)
  }

  /// The money, in tenths of a unit, and the rounds played.
  typealias State = (money: Int, rounds: Int)

  var top: Double { 1 }

  func start(_ random: inout RandomStream) -> State { (Int((trip.bankroll * 10).rounded()), 0) }

  func step(_ state: inout State, _ random: inout RandomStream) -> Bool {
    state.money += walker?.win(drawing: &random) ?? 0
    state.rounds += 1
    return state.rounds < trip.rounds
  }

  func level(of state: State) -> Double {
    guard state.money > 0, let wins else { return 1 }
    let risk = RuinFormula.trip(
      Double(state.money) / 10, rounds: trip.rounds - state.rounds, mean: wins.mean, variance: wins.variance)
    // Where the formula is no number, only ruin itself rises.
    return risk < 1 ? risk : risk >= 1 ? 1.0.nextDown : 0
  }
}
