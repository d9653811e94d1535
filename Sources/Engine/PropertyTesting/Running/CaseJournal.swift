// SPDX-License-Identifier: GPL-3.0-or-later

/// Where a case stands in a check: what names it before anything else is known of it.
public struct CasePlace: Sendable, Hashable, Comparable {
  /// The block of cases, from 0.
  public let block: Int
  /// The case in its block, discarded ones counted, from 0.
  public let attempt: Int

  /// Creates a place.
  public init(block: Int, attempt: Int) {
    (self.block, self.attempt) = (block, attempt)
  }

  /// Whether a case comes before another.
  public static func < (left: CasePlace, right: CasePlace) -> Bool {
    (left.block, left.attempt) < (right.block, right.attempt)
  }
}

/// What is told about every case before it happens, so that one that ends the process, or never ends, can be found.
///
/// It is called on the thread that judges the case. While the cases of several blocks are judged at once, their calls
/// interleave; every call names its place.
public protocol CaseJournal: Sendable {
  /// A case is about to be drawn: what happens until `willJudge` happens in a generator.
  func willDraw(at place: CasePlace)
  /// A case has been drawn and is about to be judged.
  func willJudge(_ tape: Tape, at place: CasePlace)
  /// A case was judged or discarded.
  func didEnd(at place: CasePlace)
}
