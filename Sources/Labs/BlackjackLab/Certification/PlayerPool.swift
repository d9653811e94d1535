// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Synchronization

/// Players of cells that outlive a wave: their dealer's odds take some milliseconds to make and are worth keeping.
final class PlayerPool: Sendable {
  /// A player on the heap, used by whoever took it out of the pool and by nobody else: that is why it may change
  /// threads.
  fileprivate final class Box: @unchecked Sendable {
    var player: CellPlayer

    init(_ player: consuming CellPlayer) {
      self.player = player
    }
  }

  private let rules: Rules
  private let estimator: Estimator
  private let generator: String
  private let idle = Mutex<[Box]>([])

  init(rules: Rules, estimator: Estimator, generator: String) {
    self.rules = rules
    self.estimator = estimator
    self.generator = generator
  }

  /// A player for the caller alone, given back when the loan ends.
  func borrow() throws -> BorrowedPlayer {
    if let box = idle.withLock({ $0.popLast() }) { return BorrowedPlayer(box: box, pool: self) }
    let player = try CellPlayer(rules: rules, estimator: estimator, generator: generator)
    return BorrowedPlayer(box: Box(player), pool: self)
  }

  fileprivate func takeBack(_ box: Box) { idle.withLock { $0.append(box) } }
}

/// A player on loan from a pool.
struct BorrowedPlayer: ~Copyable {
  private let box: PlayerPool.Box
  private let pool: PlayerPool

  fileprivate init(box: PlayerPool.Box, pool: PlayerPool) {
    self.box = box
    self.pool = pool
  }

  deinit { pool.takeBack(box) }

  /// See `CellPlayer.play`.
  func play(
    _ start: CellStart, actions: [Action], following chart: StrategyChart, samples: Int, seed: UInt32
  ) throws -> CellTally {
    try box.player.play(start, actions: actions, following: chart, samples: samples, seed: seed)
  }
}
