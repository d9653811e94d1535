// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import Testing

@testable import ClubLab

@Suite("Names by number")
struct NameBookTests {
  @Test("three hundred thousand numbers have as many names, as the core tells names apart")
  func distinct() {
    let names = Set((0..<300_000).map(NameBook.name))
    #expect(names.count == 300_000)
  }

  @Test("a name is a listed one first, and two with a hyphen once the list is used up")
  func spelling() {
    #expect(NameBook.name(0).description == "Tom A.")
    #expect(NameBook.name(27).description == "Anna B.")
    let beyond = NameBook.listed * NameBook.initials
    #expect(NameBook.name(beyond - 1).description == "Zara Z.")
    #expect(NameBook.name(beyond).description == "Tom-Tom A.")
    #expect(NameBook.name(beyond + 26).description == "Tom-Anna A.")
    #expect(NameBook.firstName(NameBook.listed * (NameBook.listed + 1)) == "Tom-Tom-Tom")
  }
}
