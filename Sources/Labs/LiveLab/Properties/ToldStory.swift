// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// A story and the limits that it is told under, drawn together because they are made smaller together: without a
/// stream to be resumed, for one, a shorter story will do.
struct ToldStory: Sendable, CustomStringConvertible {
  let story: LiveStory
  let limits: StoryLimits

  var description: String { "\(story) under \(limits)" }

  /// Drawn stories under drawn limits, and among them the simple ones, to which all shrink that can.
  static func any() -> Gen<ToldStory> {
    let drawn = zip(LiveStory.any(), StoryLimits.any()).map(ToldStory.init)
    let simple = SimpleStories.all.map { (weight: 1, generator: Gen.just($0)) }
    // One case in twenty is simple.
    return .oneOf(weighted: simple + [(19 * simple.count, drawn)])
  }
}
