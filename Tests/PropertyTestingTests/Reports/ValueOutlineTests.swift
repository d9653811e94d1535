// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import PropertyTesting

@Suite("A value is shown")
struct ValueOutlineTests {
  struct Team: Sendable {
    var name: String
    var points: Double
    var streak: Streak?
  }

  enum Streak: Sendable {
    case none
    case wins(Int)
    case mixed(wins: Int, losses: Int)
  }

  struct Points: CustomStringConvertible {
    let thousandths: Int
    var description: String { "\(thousandths / 1000) points" }
  }

  class Animal { let legs = 4 }
  final class Dog: Animal { let name = "Rex" }
  final class Loop { var next: Loop? }

  private func shown(_ value: Any) -> String { ValueOutline(value).text() }

  @Test("in Swift's notation, without the names of modules")
  func notation() {
    #expect(shown(3) == "3")
    #expect(shown(-0.5) == "-0.5")
    #expect(shown(true) == "true")
    #expect(shown([1, 2]) == "[1, 2]")
    #expect(shown([Int]()) == "[]")
    #expect(shown((1, name: "a")) == "(1, name: \"a\")")
    #expect(shown(0..<3) == "0..<3")
    #expect(shown([1, 2, 3][1...]) == "[2, 3]")
    #expect(shown(Team(name: "a", points: 1.5, streak: nil)) == "Team(name: \"a\", points: 1.5, streak: nil)")
    #expect(shown(Streak.none) == ".none")
    #expect(shown(Streak.wins(2)) == ".wins(2)")
    #expect(shown(Streak.mixed(wins: 2, losses: 1)) == ".mixed(wins: 2, losses: 1)")
    #expect(shown(Int?.some(4) as Any) == "4")
    #expect(shown([Int?.none, 2]) == "[nil, 2]")
    #expect(shown(Dog()) == "Dog(legs: 4, name: \"Rex\")")
  }

  @Test("as it describes itself, if it does")
  func own() {
    #expect(shown(Points(thousandths: 2000)) == "2 points")
    #expect(shown([Points(thousandths: 2000)]) == "[2 points]")
  }

  @Test("in an order that does not depend on hashing")
  func unordered() {
    #expect(shown(Set(["b", "a", "c"])) == "Set([\"a\", \"b\", \"c\"])")
    #expect(shown(["b": 1, "a": 2]) == "[\"a\": 2, \"b\": 1]")
    #expect(shown([String: Int]()) == "[:]")
  }

  @Test("as text in quotes, with what cannot be seen written out")
  func text() {
    #expect(shown("a\"b\\c\n\t\r\0") == #""a\"b\\c\n\t\r\0""#)
    #expect(shown("\u{200B}\u{202E}\u{7F}\u{A0}\u{301}e") == #""\u{200B}\u{202E}\u{7F}\u{A0}\u{301}e""#)
    #expect(shown("e\u{301} or é") == #""e\u{301} or é""#)
    #expect(shown("😀 ß 字") == "\"😀 ß 字\"")
    #expect(shown(Character("x")) == "\"x\"")
    #expect(shown("abc".dropFirst()) == "\"bc\"")
    #expect(shown(Unicode.Scalar(UInt8(7))) == #""\u{7}""#)
  }

  @Test("one element a line when it does not fit on one")
  func lines() {
    let teams = [
      Team(name: "Lions", points: 101.25, streak: .wins(3)),
      Team(name: "Tigers and other cats", points: 99, streak: nil),
    ]
    #expect(
      shown(teams) == """
        [
          Team(name: "Lions", points: 101.25, streak: .wins(3)),
          Team(name: "Tigers and other cats", points: 99.0, streak: nil)
        ]
        """)
  }

  @Test("only so far when it contains itself or is huge")
  func limits() {
    let loop = Loop()
    loop.next = loop
    #expect(shown(loop).contains("…"))
    #expect(shown(Array(0..<5000)).hasSuffix("  … 4000 more\n]"))
    loop.next = nil
  }

  @Test("so that two of them can be told apart by the smallest part that differs")
  func difference() {
    let first = [Team(name: "a", points: 1, streak: nil), Team(name: "b", points: 2, streak: nil)]
    var second = first
    #expect(ValueOutline(first).difference(from: ValueOutline(second)) == nil)
    second[1].name = "c"
    #expect(ValueOutline(first).difference(from: ValueOutline(second)) == ["[1]", ".name"])
    second[1].points = 3
    #expect(ValueOutline(first).difference(from: ValueOutline(second)) == ["[1]"])
    second.removeLast()
    #expect(ValueOutline(first).difference(from: ValueOutline(second)) == [])
  }
}
