// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import MonteCarlo
import Testing

@testable import BlackjackLab

@Suite("Charts for a cut card")
struct CutCardTests {
  @Test("timing", arguments: ["6d-s17-das-cut75", "1d-h17-ls-cut50"])
  func timing(_ name: String) throws {
    let rules = try Rules(name: name)
    let clock = ContinuousClock()
    var made: CutCardChart?
    let time = try clock.measure {
      made = try CutCardMaker(
        rules: rules, cut: rules.cardsToCut ?? 0, simulation: Provenance.Simulation(), workers: 2, wave: 1024, waves: 1
      ).make()
    }
    guard let made else { return }
    print(name, time, made.rounds ?? 0, made.shoes, made.effect as Any, made.fresh.chartValue as Any)
    for one in made.differences { print(one) }
    print(made.result.evidence)
    for cell in made.result.closest.prefix(20) { print(cell.sentence, made.fresh.cells[cell.key.index].margin, cell.marginHigh - cell.marginLow) }
    let widths = made.result.cells.map { $0.marginHigh - $0.marginLow }.sorted()
    print(widths[0], widths[165], widths[329])
  }
}
