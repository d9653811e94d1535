// SPDX-License-Identifier: GPL-3.0-or-later
// An app on the cores alone, which asks each of them one question. Built and run by scripts/check-alone.

import BlackjackCore
import ClubCore
import ContrastCore
import FantasyCore
import LeagueCore
import LiveCore
import ProfileCore

let rules = try Rules(name: "6d-s17-das")
let hand = Hand(.ten, .six)
let cell = try StrategyChart.trainer.cell(for: hand, against: .seven)

let league = [
  try Team(id: 1, name: "Moose", wins: 8, losses: 5, pointsFor: 1937.52, pointsAgainst: 1640.6),
  try Team(id: 2, name: "Crane", wins: 9, losses: 4, pointsFor: 1863.56, pointsAgainst: 1624.96),
]
let best = try PowerRanking(league).teams.first?.team.name ?? "nobody"

let page = """
  {"athlete": {"firstname": "sarah ", "lastname": "M."}, "name": "Lunch", "distance": 42300.0, "moving_time": 5362, \
  "elapsed_time": 6021, "total_elevation_gain": 310.5, "type": "Ride", "sport_type": "GravelRide"}
  """
let rides = try FeedDecoder(source: "page").activities(in: Array(page.utf8))
let leader = ClubWeek(WeekTally(rides)).standings(by: .distance).first?.stats
let ridden =
  leader.map { "\($0.member.name.shown(.short)) rode \(ClubDisplay.distance($0.tally.distance))" } ?? "nobody rode"

var connection = LiveConnection()
var random = SystemRandomNumberGenerator()
_ = connection.handle(.start, at: .zero, using: &random)
_ = connection.handle(.failed(Generation(1), .unreachable), at: .zero, using: &random)
let next = connection.status.nextTry.map { $0 <= .zero + .seconds(1) ? "within a second" : "later" } ?? "never"

let contrast = Contrast.ratio(of: Colour(bytes: 0xFC, 0x4C, 0x02), on: .white)

let merge = ThreeWayMerge(base: "I ride.", mine: "We ride.", theirs: "I ride on.", by: .words).text()
let price = PriceRule.aflFantasy.next(price: 600_000, latest: [90, 90], magic: 6650)

print(
  """
  \(rules.name): \(hand) against \(CardValue.seven): \(cell.action.name); the league's first: \(best); \(ridden); \
  next try \(next); orange on white \(contrast < 4.5 ? "fails" : "passes"); merged: \(merge); a price of 600,000 becomes \
  \(price)
  """)
