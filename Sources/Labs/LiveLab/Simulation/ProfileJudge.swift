// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// What is known of one profile after every wave of its sessions.
public struct ProfileJudge: Sendable {
  /// The share of outages from which the client was back in time, with bounds that hold at all times.
  public private(set) var success: SuccessSequence
  /// The same by cause, by place.
  public private(set) var causes: [SuccessSequence]
  /// Everything so far.
  public private(set) var tally = ProfileTally()
  /// Sessions of the first wave.
  public private(set) var firstWave = 0

  /// A judge who has seen nothing.
  ///
  /// - Parameter mostOutages: No session has more outages than this that are judged.
  public init(mostOutages: Int) {
    success = SuccessSequence(mostTrials: mostOutages)
    causes = Array(repeating: SuccessSequence(mostTrials: mostOutages), count: OutageCause.count)
  }

  /// Takes in the sessions of one wave.
  public mutating func absorb(wave: ProfileTally) {
    if firstWave == 0 { firstWave = wave.sessions }
    success.absorb(wave: wave.success)
    for place in causes.indices { causes[place].absorb(wave: wave.causes[place].success) }
    tally.merge(wave)
  }
}
