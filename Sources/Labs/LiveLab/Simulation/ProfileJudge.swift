// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// What is known of one profile after every wave of its sessions.
package struct ProfileJudge: Sendable {
  /// The share of outages from which the client was back in time, with bounds that hold at all times.
  package private(set) var success: SuccessSequence
  /// The same by cause, by place.
  package private(set) var causes: [SuccessSequence]
  /// Everything so far.
  package private(set) var tally = ProfileTally()
  /// Sessions of the first wave.
  package private(set) var firstWave = 0

  /// A judge who has seen nothing.
  ///
  /// - Parameter mostOutages: No session has more outages than this that are judged.
  package init(mostOutages: Int) {
    success = SuccessSequence(mostTrials: mostOutages)
    causes = Array(repeating: SuccessSequence(mostTrials: mostOutages), count: OutageCause.count)
  }

  /// Takes in the sessions of one wave.
  package mutating func absorb(wave: ProfileTally) {
    if firstWave == 0 { firstWave = wave.sessions }
    success.absorb(wave: wave.success)
    for place in causes.indices { causes[place].absorb(wave: wave.causes[place].success) }
    tally.merge(wave)
  }
}
