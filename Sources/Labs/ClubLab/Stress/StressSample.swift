// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import Randomness

/// Sends a part of the last week through the feed's own format, as pages of bytes, and compares what comes back.
struct StressSample {
  /// Activities of a page, as the service sends them.
  private static let perPage = 200
  /// How many activities are sent, at most.
  private static let most = 20_000

  private let club: ClubGenerator

  init(_ club: ClubGenerator) {
    self.club = club
  }

  /// Takes the sample: the first block of members.
  ///
  /// - Throws: Errors of the generator.
  func taken() throws -> StressResult.Sample {
    var reader = try club.reader()
    let members = try reader.members(inBlock: 0)
    let truth = try reader.activities(inWeek: club.shape.weeks - 1, block: 0, of: members).prefix(Self.most)
    var sums: [Int: TruthSums] = [:]
    for one in truth where one.sport.isCycling { sums[members[Int(one.person)].nameNumber, default: .init()].add(one) }
    var (tally, bytes, wrong) = (WeekTally(), 0, 0)
    for start in stride(from: 0, to: truth.count, by: Self.perPage) {
      let sent = truth[start..<min(start + Self.perPage, truth.count)]
        .map { $0.activity(of: members[Int($0.person)], in: club.shape) }
      let page = Activity.page(sent)
      bytes += page.count
      let received = (try? FeedDecoder(source: "page").activities(in: page)) ?? []
      wrong += zip(sent, received).count { $0 != $1 } + abs(sent.count - received.count)
      tally.merge(WeekTally(received))
    }
    for (name, sum) in sums where !sum.agrees(with: tally[MemberIdentity(name: NameBook.name(name))]) { wrong += 1 }
    wrong += abs(sums.count - tally.memberCount)
    return StressResult.Sample(activities: truth.count, bytes: bytes, wrong: wrong)
  }
}
