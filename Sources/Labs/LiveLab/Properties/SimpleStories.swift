// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// The stories of up to three happenings under round limits: what a counterexample is to be made of where it can be.
/// Why they are tried in an order of their own is said of `SimpleSchedules`.
enum SimpleStories {
  /// In their order, the simplest first: a start and nothing else, one happening, two, three.
  static let all =
    told([[]], everywhere) + told(ones, everywhere) + told(twos, everywhere) + told(threes, [(1, false), (2, false)])

  /// Limits, the narrowest first: room for so many attempts and messages, and whether a stream is to be resumed.
  private typealias Room = (count: Int, resumesStream: Bool)
  private static let everywhere: [Room] = [(1, true), (1, false), (2, true), (2, false)]

  private static let ones = [0, 10_000, 30_000].flatMap { after in
    LiveStory.allHappenings.map { [LiveStory.Step(after: after, happening: $0)] }
  }

  private static let twos = [0, 10_000].flatMap { after in
    common.flatMap { first in
      common.map { [LiveStory.Step(after: 0, happening: first), LiveStory.Step(after: after, happening: $0)] }
    }
  }

  private static let threes = commonest.flatMap { first in
    commonest.flatMap { second in
      commonest.map { third in [first, second, third].map { LiveStory.Step(after: 0, happening: $0) } }
    }
  }

  private static let commonest: [LiveStory.Happening] = [
    .opens, .breaks, .resumes(behind: 0), .sends, .acknowledges, .message(ahead: 0), .retries, .stops,
  ]

  private static let common =
    commonest + [.fails, .refuses(status: 503, retryAfter: 60), .closes(1012), .pong, .network(false), .sleeps]

  /// The stories of one length, each under all of some limits before the next limits.
  private static func told(_ stories: [[LiveStory.Step]], _ rooms: [Room]) -> [ToldStory] {
    rooms.flatMap { room in
      let limits = StoryLimits(
        attempts: room.count, messages: room.count, resumesStream: room.resumesStream, dropsUncertain: false,
        background: .stayConnected)
      return stories.map { ToldStory(story: LiveStory(seed: 0, steps: $0), limits: limits) }
    }
  }
}
