// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// A client to simulate: what it is, and how it is set.
struct SimulatedClient: Sendable {
  /// The client that ships, or a mutant.
  let variant: LiveVariant
  /// The name of its backoff policy.
  let policy: String
  let settings: ConnectionSettings

  static let recommendedPolicy = "full-jitter"

  init(_ variant: LiveVariant = LiveSubjects.production, policy: String = recommendedPolicy) {
    var settings = ConnectionSettings()
    settings.backoff = Backoff.named(policy) ?? settings.backoff
    (self.variant, self.policy, self.settings) = (variant, policy, settings)
  }

  /// How it waits: the policy's name; of the replaced design, which knows no policy and takes only base, cap and
  /// attempts from one, its own jitter.
  var waits: String {
    guard variant.type == ReplacedDesign.self else { return policy }
    return (policy == Self.recommendedPolicy ? "" : "base, cap and attempts of \(policy), ") + "its own jitter of 10%"
  }

  /// For headings: `production, full-jitter`.
  var title: String { "\(variant.name), \(waits)" }

  /// The command that shows one of its sessions, event by event; the session of a profile that is not built in by its
  /// schedule.
  func command(seed: UInt32, profile: OutageProfile, generator: String = SessionRandom.defaultName) -> String {
    let subject = variant.name == LiveSubjects.production.name ? "" : " --subject \(variant.name)"
    let random = generator == SessionRandom.defaultName ? "" : " --generator \(generator)"
    return "assay live timeline --seed \(seed) \(Self.named(profile, seed: seed, generator: generator))"
      + "\(subject) --policy \(policy)\(random)"
  }

  private static func named(_ profile: OutageProfile, seed: UInt32, generator: String) -> String {
    guard !OutageProfile.all.contains(profile), var random = try? SessionRandom(seed: seed, generator: generator)
    else { return profile.name }
    return "--schedule '\(profile.schedule(using: &random))'"
  }
}
