// SPDX-License-Identifier: GPL-3.0-or-later
// An app on BlackjackCore alone, which asks it a trainer's question. Built and run by scripts/check-core-alone.

import BlackjackCore

let rules = try Rules(name: "6d-s17-das")
let hand = Hand(.ten, .six)
let cell = try StrategyChart.trainer.cell(for: hand, against: .seven)
print("\(rules.name): \(hand) against \(CardValue.seven): \(cell.action.name)")
