// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import LeagueLab

@Suite("The schedule: everybody meets everybody")
struct RoundRobinTests {
  @Test("nobody plays twice in a week, and only an odd team out has a bye", arguments: 2...64)
  func onceAWeek(teams: Int) {
    for games in RoundRobin(teams: teams).cycle {
      let playing = games.flatMap { [$0.first, $0.second] }
      #expect(Set(playing).count == playing.count)
      #expect(playing.count == teams - teams % 2)
      #expect(playing.allSatisfy { (0..<teams).contains($0) })
    }
  }

  @Test("every pair meets exactly once in a cycle", arguments: 2...64)
  func everyPairOnce(teams: Int) {
    let schedule = RoundRobin(teams: teams)
    #expect(schedule.cycle.count == (teams.isMultiple(of: 2) ? teams - 1 : teams))
    let pairs = schedule.cycle.joined().map { [min($0.first, $0.second), max($0.first, $0.second)] }
    #expect(pairs.count == teams * (teams - 1) / 2)
    #expect(Set(pairs).count == pairs.count)
  }

  @Test("an odd number of teams has its byes in turn", arguments: [3, 5, 9, 63])
  func byes(teams: Int) {
    let resting = RoundRobin(teams: teams).cycle.map { games in
      (0..<teams).filter { team in !games.contains { $0.first == team || $0.second == team } }
    }
    #expect(resting.allSatisfy { $0.count == 1 })
    #expect(Set(resting.joined()).count == teams)
  }

  @Test("after the cycle the schedule starts again")
  func repeats() {
    let schedule = RoundRobin(teams: 12)
    #expect(schedule.games(in: 11) == schedule.games(in: 0))
    #expect(schedule.games(in: 24) == schedule.games(in: 2))
    #expect(RoundRobin(teams: 1).games(in: 5).isEmpty)
  }
}
