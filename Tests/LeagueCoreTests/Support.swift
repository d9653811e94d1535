// SPDX-License-Identifier: Apache-2.0
import LeagueCore

/// A record in whole points.
func season(
  _ wins: Int, _ losses: Int, _ ties: Int = 0, for scored: Double, against conceded: Double
) throws -> SeasonRecord {
  try SeasonRecord(
    wins: wins, losses: losses, ties: ties, pointsFor: Points(scored), pointsAgainst: Points(conceded))
}

/// A team that is called like its number.
func team(
  _ id: Int, _ name: String? = nil, _ wins: Int = 0, _ losses: Int = 0, _ ties: Int = 0, for scored: Double = 0,
  against conceded: Double = 0
) throws -> TeamRecord {
  try TeamRecord(
    id: id, name: name ?? "Team \(id)", wins: wins, losses: losses, ties: ties, pointsFor: scored,
    pointsAgainst: conceded)
}

/// Every order of the elements.
func permutations<Element>(of elements: [Element]) -> [[Element]] {
  guard let last = elements.last else { return [[]] }
  return permutations(of: Array(elements.dropLast())).flatMap { shorter in
    (0...shorter.count).map { place in
      var longer = shorter
      longer.insert(last, at: place)
      return longer
    }
  }
}
