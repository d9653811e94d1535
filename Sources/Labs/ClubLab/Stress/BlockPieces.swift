// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo

/// What blocks made, kept apart by block, so that who made it, and when, leaves no trace.
struct BlockPieces<Piece: Sendable>: MergeableTally {
  private var pieces: [Int: Piece] = [:]

  /// Nothing yet.
  init() {}

  /// What one block made.
  init(_ piece: Piece, of block: Int) {
    pieces = [block: piece]
  }

  mutating func merge(_ other: BlockPieces) {
    pieces.merge(other.pieces) { _, newer in newer }
  }

  /// What was made, block after block.
  var ordered: [Piece] { pieces.sorted { $0.key < $1.key }.map(\.value) }
}
