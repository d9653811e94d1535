// SPDX-License-Identifier: Apache-2.0
import Foundation
import PropertyTestingHost
import Testing

@Suite("check by the types that the body names")
struct CheckByTypeTests {
  struct Line: Codable, Generable { let article: UUID, count: Int8 }

  @Test("draws values of one type or several, of the standard library, of Foundation and of one's own")
  func types() async throws {
    try await check { (number: Int, text: String) in
      #expect(Int(String(number)) == number && text.utf8.count >= text.count)
    }
    try await check { (numbers: [Int]) in numbers.reversed().reversed() == numbers }
    try await check { (lines: [Line], note: String?, prices: [String: Decimal], days: Range<Int>) in
      #expect(lines.allSatisfy { $0.count >= .min } && days.lowerBound <= days.upperBound)
      #expect(note?.isEmpty != true || prices.values.allSatisfy(\.isFinite))
    }
    try await check { (zone: TimeZone, bit: Bool) in
      await Task.yield()
      #expect(TimeZone(identifier: zone.identifier) != nil || bit || !bit)
    }
    #expect(try search { (number: Int, index: URL) in number == number && index.scheme != nil }.isHeld)
  }

  @Test("shows the shrunk values of a failing case")
  func failing() throws {
    let report = try search { (numbers: [Int], limit: UInt8) in numbers.count < 3 || limit < 7 }
    #expect(report.counterexample?.arguments == ["[0, 0, 0]", "7"])
  }
}
