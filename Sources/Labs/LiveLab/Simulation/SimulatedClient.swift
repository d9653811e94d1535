// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore
internal import Reporting

/// A client to simulate: what it is, and how it is set.
package struct SimulatedClient: Sendable {
  /// The client that ships, or a mutant.
  package let variant: LiveVariant
  /// The name of its backoff policy; nil for the recommended one.
  let policy: String?
  package let settings: ConnectionSettings

  static let recommendedPolicy = "full-jitter"

  /// - Throws: `LiveLabError` for an unknown policy, with the closest match.
  package init(_ variant: LiveVariant = LiveSubjects.production, policy: String? = nil) throws(LiveLabError) {
    var settings = ConnectionSettings()
    if let policy {
      guard let found = Backoff.catalogue.first(where: { $0.name == policy || $0.shortName == policy }) else {
        throw Self.unknown(policy)
      }
      settings.backoff = found.policy
      self.policy = found.name
    } else {
      self.policy = nil
    }
    (self.variant, self.settings) = (variant, settings)
  }

  private static func unknown(_ policy: String) -> LiveLabError {
    let nearest = Spelling.nearest(to: policy, among: Backoff.names).map { " (did you mean '\($0)'?)" } ?? ""
    return .badValue(
      field: "policy", found: "'\(policy)'", expected: "one of \(Backoff.names.joined(separator: ", "))\(nearest)")
  }

  /// How it waits: the policy's name; of the replaced design, which knows no policy and takes only base, cap and
  /// attempts from one, its own jitter.
  package var waits: String {
    guard variant.type == ReplacedDesign.self else { return policy ?? Self.recommendedPolicy }
    return (policy.map { "base, cap and attempts of \($0), " } ?? "") + "its own jitter of 10%"
  }

  /// For headings: `production, full-jitter`.
  var title: String { "\(variant.name), \(waits)" }

  /// The command that shows one of its sessions, event by event; the session of a profile that is not built in by its
  /// schedule.
  func command(seed: UInt32, profile: OutageProfile, generator: String = SessionRandom.defaultName) -> String {
    let subject = variant.name == LiveSubjects.production.name ? "" : " --subject \(variant.name)"
    let random = generator == SessionRandom.defaultName ? "" : " --generator \(generator)"
    return "assay live timeline --seed \(seed) \(Self.named(profile, seed: seed, generator: generator))"
      + subject + (policy.map { " --policy \($0)" } ?? "") + random
  }

  private static func named(_ profile: OutageProfile, seed: UInt32, generator: String) -> String {
    guard !OutageProfile.all.contains(profile), var random = try? SessionRandom(seed: seed, generator: generator)
    else { return profile.name }
    return "--schedule '\(profile.schedule(using: &random))'"
  }
}
