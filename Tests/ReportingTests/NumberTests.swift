// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Testing

@Suite("Numbers read and print the same everywhere")
struct NumberTests {
  @Test(
    "a whole number may be written with an exponent, a fraction that leaves nothing, and underscores",
    arguments: [
      ("0", 0), ("1,000", 1_000), ("-12,345,678", -12_345_678), ("1e9", 1_000_000_000), ("2.5e6", 2_500_000),
      ("1_000_000", 1_000_000), ("-3", -3), ("+7", 7),
      ("1.50e1", 15), ("9223372036854775807", Int.max), ("1E+3", 1000), ("-9223372036854775808", Int.min),
    ])
  func whole(text: String, value: Int) {
    #expect(WholeNumber.parse(text) == value)
  }

  @Test(
    "k, M and G stand for thousands, millions and thousands of millions",
    arguments: [("10k", 10_000), ("1M", 1_000_000), ("2.5m", 2_500_000), ("1G", 1_000_000_000), ("-1_0K", -10_000)])
  func units(text: String, value: Int) {
    #expect(WholeNumber.parse(text) == value)
  }

  @Test(
    "what is no whole number, or does not fit, is nothing",
    arguments: [
      "", "-", "e9", "1e", "1.5", "1.25e1", "1e-3", "9223372036854775808", "1e19", "1e99", "1e100", "0x10", " 1", "1 ",
      "1,00", "1,0000", ",000", "1000,000", "1,000,", "1,_00", "_1", "1_", "1__0", "1.", ".5e1", "--1", "ten", "1e9e9",
      "١",
      "k", "1e3k", "1kk", "1.2345k", "M1", "1 M",
    ])
  func notWhole(text: String) {
    #expect(WholeNumber.parse(text) == nil)
  }

  @Test("fixed decimals have no negative zero and no locale")
  func fixed() {
    #expect(NumberFormat.fixed(-0.000000001, decimals: 4) == "0.0000")
    #expect(NumberFormat.fixed(-1234567.891, decimals: 2) == "-1234567.89")
    #expect(NumberFormat.fixed(2.0 / 3, decimals: 12) == "0.666666666667")
    #expect(NumberFormat.signed(0.5, decimals: 1) == "+0.5")
    #expect(NumberFormat.signed(-0.5, decimals: 1) == "-0.5")
  }

  @Test(
    "a share reads as nothing or as all only where it is",
    arguments: [
      (0.5, 1.0, "0.50"), (0, 1, "0.00"), (1, 1, "1.00"), (0.996, 1, "0.996"), (0.99997, 1, "0.99997"),
      (0.999_999_999_999_999_9, 1, "0.9999999999999999"), (0.004, 1, "0.004"), (0.006, 1, "0.01"),
      (1e-300, 1, "1e-300"), (1.954e-14, 1, "1.95e-14"), (0.000_001, 1, "0.000001"),
      (99.999_6, 100, "99.9996"), (1.5, 100, "1.50"), (-0.001, 1, "0.00"), (1.001, 1, "1.00"), (.nan, 1, "nan"),
    ])
  func share(value: Double, whole: Double, text: String) {
    #expect(NumberFormat.share(value, decimals: 2, of: whole) == text)
  }

  @Test("a percentage below 100 never prints as 100, nor one above 0 as 0")
  func percent() {
    #expect(NumberFormat.percent(0.9999999, decimals: 3) == "99.99999%")
    #expect(NumberFormat.percent(0.0000001, decimals: 3) == "0.00001%")
    #expect(NumberFormat.percent(1, decimals: 3) == "100.000%" && NumberFormat.percent(0.5, decimals: 1) == "50.0%")
  }

  @Test("the shortest decimal reads back as the same number")
  func shortest() {
    var word: UInt64 = 1
    for _ in 0..<1000 {
      // Knuth's MMIX generator: every bit pattern is a double to try, and a failure can be repeated.
      word = word &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let value = Double(bitPattern: word)
      if value.isFinite { #expect(Double(NumberFormat.shortest(value)) == value) }
    }
    #expect(NumberFormat.shortest(-1) == "-1")
    #expect(NumberFormat.shortest(1.5) == "1.5")
    #expect(NumberFormat.shortest(-0.0) == "0")
  }

  @Test("counts for people have grouped thousands")
  func grouped() {
    #expect([0, 999, 1000, -1_234_567].map(NumberFormat.grouped) == ["0", "999", "1,000", "-1,234,567"])
  }
}
