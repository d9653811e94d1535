// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import PropertyTesting

/// What happens to a client, in any order in which it could: no network stands between, so that old news, answers that
/// never come and moments that coincide are as likely as anything else.
struct LiveStory: Sendable, CustomStringConvertible {
  /// What happens; what cannot be just then does not.
  enum Happening: Hashable, Sendable {
    case opens, fails, silence
    case refuses(status: UInt16, retryAfter: Int?)
    case redirects(Redirect)
    case credentials(isFresh: Bool)
    case pong, oldPong, ping, message(ahead: Int), repeated, newEpoch, acknowledges, resumes(behind: Int), garbage
    case closes(UInt16), breaks, closeAnswered
    /// Something that an earlier generation or an old timer reports late.
    case oldNews(Int), oldTimer
    case sends, retries, stops
    case front(Bool), network(Bool), changes, sleeps
  }

  /// One thing, so many milliseconds after the one before.
  struct Step: Hashable, Sendable, CustomStringConvertible {
    let after: Int
    let happening: Happening

    var description: String { after == 0 ? "\(happening)" : "+\(after) ms \(happening)" }
  }

  /// What the random words are made of; 0 makes all of them 0.
  let seed: Int
  let steps: [Step]

  var description: String {
    "seed \(seed): " + (steps.isEmpty ? "a start alone" : steps.map(\.description).joined(separator: ", "))
  }

  /// The random bits for the event of that number.
  func word(_ number: UInt64) -> UInt64 {
    guard seed != 0 else { return 0 }
    // Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
    var word = (UInt64(seed) &<< 32 &+ number &+ 1) &* 0x9E37_79B9_7F4A_7C15
    word = (word ^ word &>> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word &>> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word &>> 31
  }

  /// Stories of up to thirty happenings; the simplest is a start and nothing else.
  static func any() -> Gen<LiveStory> {
    let after = Gen<Int>.oneOf(
      .just(0), .integers(in: 0...100), .integers(in: 0...3_000), .elements(of: [5_000, 10_000, 20_000, 30_000]),
      .integers(in: 0...400_000))
    let step = zip(after, happening).map(Step.init)
    return zip(Gen<Int>.integers(in: 0...9), Gen<[Step]>.arrays(of: step, count: 0...30)).map(LiveStory.init)
  }

  private static let answers: [Happening] = [
    .opens, .fails, .silence, .refuses(status: 401, retryAfter: nil), .refuses(status: 503, retryAfter: 60),
    .refuses(status: 429, retryAfter: nil), .refuses(status: 404, retryAfter: nil), .redirects(.secure),
    .redirects(.plain), .credentials(isFresh: true), .credentials(isFresh: false),
  ]

  private static let frames: [Happening] = [
    .pong, .oldPong, .ping, .message(ahead: 0), .message(ahead: 2), .repeated, .newEpoch, .acknowledges,
    .resumes(behind: 0), .resumes(behind: 1), .garbage,
  ]

  private static let ends: [Happening] = [
    .breaks, .closes(1000), .closes(1001), .closes(1012), .closes(3000), .closes(4004), .closeAnswered,
  ]

  private static let device: [Happening] = [
    .sends, .retries, .front(false), .front(true), .network(false), .network(true), .changes, .sleeps,
  ]

  /// Everything that can happen.
  static let allHappenings =
    answers + frames + ends + device + [.stops, .oldTimer] + (0...4).map { Happening.oldNews($0) }

  /// Messages are sent as often as connections are opened: an order of them takes several that waited for one.
  private static let happening: Gen<Happening> = {
    let old = Gen<Happening>.oneOf(Gen<Int>.integers(in: 0...4).map { Happening.oldNews($0) }, .just(.oldTimer))
    return .oneOf(weighted: [
      (8, .just(.opens)), (3, .just(.resumes(behind: 0))), (4, .just(.pong)), (6, .elements(of: answers)),
      (6, .elements(of: frames)), (4, .elements(of: ends)), (3, old), (6, .elements(of: device)), (8, .just(.sends)),
      (1, .just(.stops)),
    ])
  }()
}
