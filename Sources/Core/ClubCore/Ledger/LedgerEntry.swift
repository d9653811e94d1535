// SPDX-License-Identifier: Apache-2.0

/// An activity that a ledger knows.
public struct LedgerEntry: Hashable, Sendable, Identifiable {
  /// Where an activity was when the service was last asked.
  public enum Standing: Hashable, Sendable {
    /// In the listing.
    case listed
    /// Past the end of the listing, as far as anything tells: it still counts.
    case fallen
    /// Missing from the listing's midst since a fetch: deleted or turned private, and counts no longer.
    case gone(since: Moment)
  }

  /// Its number in the ledger, from 0 by first sight; never used again.
  public let id: Int
  /// What the feed last said about it.
  public internal(set) var activity: Activity
  /// The fetch that showed it first.
  public let firstSeen: Moment
  /// The last fetch before that; nil for the first fetch of all.
  public let unseenAt: Moment?
  /// When it began, and which week it counts for.
  public internal(set) var dating: Dating
  /// Where it is.
  public internal(set) var standing: Standing
  var fingerprint: ActivityFingerprint

  /// Whether it counts for its week.
  public var counts: Bool {
    switch standing {
    case .listed, .fallen: true
    case .gone: false
    }
  }
}
