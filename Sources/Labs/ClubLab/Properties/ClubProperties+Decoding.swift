// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import PropertyTesting

extension ClubProperties {
  static func decoding(of code: ClubOperations) -> [Property] {
    let page = SentPage.mutated()
    return [
      Property(
        "club.23", "Decoding a page gives the activities that were written to it", reference: "decode of encode",
        arguments: ["activities"], SentActivities.any()
      ) { sent in
        let found = try code.decode(code.encode(sent.activities)).get()
        try claim(found == sent.activities, "they come back as \(SentActivities(activities: found))")
        let names = (found.map(\.member.name.description), sent.activities.map(\.member.name.description))
        try claim(names.0 == names.1, "the names come back as \(names.0)")
      },
      Property(
        "club.24", "Whatever a page has become, it is decoded within bounds or refused with a place in it",
        reference: "no input traps", arguments: ["page"], page
      ) { page in
        switch code.decode(page.bytes) {
        case .success(let activities): try checkBounds(activities)
        case .failure(let error): try checkPlace(of: error, in: page)
        }
        let (activities, problems) = code.lenient(page.bytes)
        try checkBounds(activities)
        for problem in problems { try checkPlace(of: problem, in: page) }
      },
      Property(
        "club.25", "What is refused strictly has a problem when read leniently, and nothing else has",
        reference: "one grammar", arguments: ["page"], page
      ) { page in
        let (activities, problems) = code.lenient(page.bytes)
        switch code.decode(page.bytes) {
        case .success(let all): try claim(problems.isEmpty && activities == all, "there are problems: \(problems)")
        case .failure(let error): try claim(problems.first == error, "the first problem is not '\(error)'")
        }
      },
      Property(
        "club.26", "The fast path agrees with the strict one on every damage, wherever chunks are cut",
        reference: "one grammar", arguments: ["page", "chunk"], page, .oneOf(.integers(in: 1...40), .just(1 << 20))
      ) { page, chunk in
        switch (code.decode(page.bytes), code.stream(page.bytes, chunk, false)) {
        case (.success(let activities), .success(let tally)):
          try claim(tally.activities == activities.count, "the fast path has \(tally.activities) activities")
          try claim(tally.week == WeekTally(activities, counting: .all), "the fast path comes to another week")
        case (.failure(let error), .failure(let other)):
          try claim(error == other, "the fast path says '\(other)', not '\(error)'")
        case (.success, .failure(let error)): try claim(false, "only the fast path says '\(error)'")
        case (.failure(let error), .success): try claim(false, "the fast path does not say '\(error)'")
        }
      },
      Property(
        "club.27", "Read leniently, the fast path passes over the same lines", reference: "one grammar",
        arguments: ["page", "chunk"], page, .oneOf(.integers(in: 1...40), .just(1 << 20))
      ) { page, chunk in
        let (activities, problems) = code.lenient(page.bytes)
        switch code.stream(page.bytes, chunk, true) {
        case .success(let tally):
          try claim(tally.week == WeekTally(activities, counting: .all), "the fast path comes to another week")
          try claim(tally.problems == problems, "the fast path has the problems \(tally.problems)")
        case .failure(let error):
          try claim(activities.isEmpty && problems == [error], "only the fast path says '\(error)'")
        }
      },
    ]
  }

  private static func checkBounds(_ activities: [Activity]) throws {
    for activity in activities {
      let times = [activity.movingTime, activity.elapsedTime]
      try claim(
        times.allSatisfy { (0...Activity.mostSeconds).contains($0) }
          && (0...Length.mostDecimetres).contains(activity.distance.decimetres)
          && (0...Length.mostDecimetres).contains(activity.elevation.decimetres),
        "beyond bounds: \(activity.line)")
    }
  }

  private static func checkPlace(of error: ClubError, in page: SentPage) throws {
    let place: FeedPlace?
    switch error {
    case .badFeed(let found, _, _, _): place = found
    case .serviceRefused(let found, _): place = found
    default: place = nil
    }
    try claim(
      place.map { $0.source == "page" && (1...page.lines).contains($0.line) } ?? false,
      "it is told without a place in the page: \(error)")
  }
}
