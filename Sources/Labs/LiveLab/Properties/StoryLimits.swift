// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import PropertyTesting

/// Settings that stories are told under: the recommended ones with some limits drawn in, so that few events reach them.
struct StoryLimits: Sendable, CustomStringConvertible {
  let attempts: Int
  let messages: Int
  let resumesStream: Bool
  let dropsUncertain: Bool
  let background: BackgroundPolicy

  var description: String {
    var parts = ["\(attempts) attempts", "\(messages) messages"]
    if !resumesStream { parts.append("no stream") }
    if dropsUncertain { parts.append("uncertain ones dropped") }
    if background != .stayConnected { parts.append("\(background)") }
    return parts.joined(separator: ", ")
  }

  var settings: ConnectionSettings {
    var settings = ConnectionSettings()
    settings.backoff.maximumAttempts = attempts
    settings.outbox.count = messages
    settings.resumesStream = resumesStream
    settings.unacknowledged = dropsUncertain ? .drop : .sendAgain
    settings.background = background
    return settings
  }

  static func any() -> Gen<StoryLimits> {
    zip(
      Gen<Int>.integers(in: 1...10), Gen<Int>.integers(in: 1...5), Gen<Bool>.booleans().map { !$0 },
      Gen<Bool>.booleans(),
      Gen<BackgroundPolicy>.elements(of: [.stayConnected, .makeNoAttempts, .disconnect(after: .seconds(10))])
    ).map(StoryLimits.init)
  }
}
