// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import ClubLab
import Testing

@Suite("Signs of a club's reports")
struct ClubSignsTests {
  @Test(
    "pictures need a UTF-8 locale, by the variable that counts, and a terminal that is not dumb",
    arguments: [
      ([:], .letters), (["LANG": "C.UTF-8"], .pictures), (["LANG": "de_DE.utf8"], .pictures),
      (["LANG": "en_GB.UTF-8", "LC_ALL": "C"], .letters), (["LANG": "C", "LC_CTYPE": "C.UTF-8"], .pictures),
      (["LANG": "C.UTF-8", "LC_ALL": ""], .pictures), (["LANG": "C.UTF-8", "TERM": "dumb"], .letters),
      (["LANG": "de_DE@euro"], .letters),
    ] as [([String: String], ClubSigns)])
  func environment(variables: [String: String], signs: ClubSigns) {
    #expect(ClubSigns(environment: variables) == signs)
  }

  @Test("bars are as long as the share, to an eighth of a column, and never longer than they may be")
  func bars() {
    let shares = [0, 0.0001, 0.25, 0.5625, 1, 7]
    #expect(shares.map { ClubSigns.pictures.bar($0, width: 4) } == ["", "▏", "█", "██▎", "████", "████"])
    #expect(shares.map { ClubSigns.letters.bar($0, width: 4) } == ["", "#", "#", "##", "####", "####"])
    #expect(ClubSigns.pictures.bar(.nan, width: 4) == "" && ClubSigns.letters.bar(.nan, width: 4) == "")
  }

  @Test("three have medals")
  func medals() {
    #expect((1...4).map(ClubSigns.pictures.rank) == ["🥇 1", "🥈 2", "🥉 3", "4"])
    #expect((1...4).map(ClubSigns.letters.rank) == ["1st", "2nd", "3rd", "4"])
  }

  @Test(
    "a trend says where it goes, and by how much where that can be said",
    arguments: [
      (112, 100, "↑ +12.0%", "up +12.0%"), (50, 100, "↓ -50.0%", "down -50.0%"), (100, 100, "→ +0.0%", "flat +0.0%"),
      (5, 0, "new", "new"), (0, 5, "gone", "gone"), (0, 0, "→", "flat"),
    ])
  func trends(this: Int, last: Int, picture: String, letters: String) {
    let trend = Trend.of(this: Ratio(this), last: Ratio(last))
    #expect(ClubSigns.pictures.trend(trend) == picture)
    #expect(ClubSigns.letters.trend(trend) == letters)
  }
}
