// SPDX-License-Identifier: GPL-3.0-or-later

/// When a run ends, as a value that a command line or a scenario can hold.
///
/// `rounds`, `halfWidth` and `certification` stop after the same block at any number of workers. A rule that looks at
/// results does so only at the ends of waves, which the plan fixes in advance, and must judge by a bound that may be
/// looked at any number of times: stopping on an ordinary interval once it looks narrow would void its confidence.
public enum StoppingRule: Hashable, Sendable {
  /// After exactly so many rounds; above 0.
  case rounds(Int)
  /// When the interval's half-width, in the unit of the quantity, is at most the target at that confidence, or after
  /// `atMost` rounds. The run's judge decides; see `HalfWidthJudge`.
  case halfWidth(Double, confidence: Double, atMost: Int)
  /// At the end of the block during which that much time has passed; at least one block is played. How many blocks that
  /// is cannot be reproduced, but they are always the first ones, so `rounds` with the same number gives the same bits.
  case deadline(Duration)
  /// When the run's judge has certified what it wants to know, or after `atMost` rounds.
  case certification(atMost: Int)
}

/// Why a run ended.
public enum StopReason: String, Hashable, Sendable, Codable {
  /// Every planned block was played.
  case completed
  /// The judge was satisfied at the end of a wave.
  case settled
  /// The time was up; the blocks played are the first ones of the plan.
  case deadline
  /// Somebody interrupted; the blocks played are the first ones of the plan.
  case interrupted
}
