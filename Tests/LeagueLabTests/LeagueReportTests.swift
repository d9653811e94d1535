// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Testing

@testable import LeagueLab

@Suite("The report of simulated leagues")
struct LeagueReportTests {
  private func report() throws -> LeagueReport {
    let simulator = try LeagueSimulator(
      shape: LeagueShape(teams: 4, weeks: 3), seed: 1, generator: "mt19937", workers: 1)
    return LeagueReport(try #require(try simulator.play(seasons: 100, confidence: 0.99)))
  }

  @Test("text and Markdown name the league, the seasons, the confidence and the seed, and have a row a week")
  func text() throws {
    let report = try report()
    for text in [report.rendered(as: .text), report.rendered(as: .markdown)] {
      let text = try #require(text)
      #expect(text.contains("The power ranking of 4 teams over 3 weeks"))
      #expect(text.contains("from 100 seasons, with the half-width of a 99% interval of its own"))
      #expect(text.contains("mean 110, deviation 25 around the team's strength, which deviates by 10; ties 0.5%."))
      #expect(text.contains("Played with mt19937, seed 1."))
      #expect(text.split(separator: "\n").count { $0.contains("±") } == 3 + 3 + 3 + 3)
    }
    #expect(report.rendered(as: .svg) == nil)
  }

  @Test("CSV and JSON hold every estimate with its interval and its sample count")
  func data() throws {
    let report = try report()
    let lines = try #require(report.rendered(as: .csv)).split(separator: "\n")
    #expect(lines.first == "week,ranking,quantity,value,low,high,confidence,samples")
    #expect(lines.count == 1 + 3 * 14 + 6)
    for line in lines.dropFirst() {
      let fields = line.split(separator: ",")
      let numbers = fields[3...5].compactMap { Double($0) }
      #expect(numbers.count == 3 && numbers[1] <= numbers[0] && numbers[0] <= numbers[2], "\(line)")
      #expect(fields[6...] == ["0.99", "100"])
    }
    let json = try #require(report.rendered(as: .json))
    let document = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect((document["estimates"] as? [Any])?.count == lines.count - 1)
    #expect(document["seasons"] as? Int == 100)
    #expect((document["provenance"] as? [String: Any])?["teams"] as? Int == 4)
  }
}
