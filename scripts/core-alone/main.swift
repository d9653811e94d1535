// SPDX-License-Identifier: GPL-3.0-or-later
// An app on the cores alone, which asks each of them one question. Built and run by scripts/check-core-alone.

import BlackjackCore
import LeagueCore

let rules = try Rules(name: "6d-s17-das")
let hand = Hand(.ten, .six)
let cell = try StrategyChart.trainer.cell(for: hand, against: .seven)

let league = [
  try TeamRecord(id: 1, name: "Moose", wins: 8, losses: 5, pointsFor: 1937.52, pointsAgainst: 1640.6),
  try TeamRecord(id: 2, name: "Crane", wins: 9, losses: 4, pointsFor: 1863.56, pointsAgainst: 1624.96),
]
let best = try PowerRanking(league).teams.first?.team.name ?? "nobody"
print("\(rules.name): \(hand) against \(CardValue.seven): \(cell.action.name); the league's first: \(best)")
