// SPDX-License-Identifier: Apache-2.0

/// What an observation told a ledger.
public struct LedgerChanges: Hashable, Sendable {
  /// Two states of one activity.
  public struct Edit: Hashable, Sendable {
    /// What the feed said before.
    public let before: Activity
    /// What the ledger knows now.
    public let after: LedgerEntry
  }

  /// Why an observation was not made.
  public enum Refusal: Hashable, Sendable {
    /// A clock went back: the ledger saw a listing at this later moment.
    case earlierThan(Moment)
    /// The moment lies outside the years 1 to 9999.
    case beyondCalendar
  }

  /// A gap in what the ledger saw.
  public struct Gap: Hashable, Sendable {
    /// The last fetch before it.
    public let from: Moment
    /// The fetch that found it.
    public let to: Moment
  }

  /// Why nothing was observed; nil where something was.
  public internal(set) var refusal: Refusal?
  /// The entry that each listed activity is, in the listing's order.
  public internal(set) var entries: [LedgerEntry.ID] = []
  /// How many of the listed activities the ledger knew.
  public internal(set) var known = 0
  /// What it did not know, in the listing's order: always as many as were listed less those that were known.
  public internal(set) var new: [LedgerEntry] = []
  /// What has another title, and otherwise says the same.
  public internal(set) var renamed: [Edit] = []
  /// What says anything else beside its title.
  public internal(set) var edited: [Edit] = []
  /// What had been gone and is listed again: it counts again, for the week it had.
  public internal(set) var returned: [LedgerEntry] = []
  /// What is missing from the listing's midst and counts no longer.
  public internal(set) var gone: [LedgerEntry] = []
  /// What left the listing at its end and still counts.
  public internal(set) var fallen: [LedgerEntry] = []
  /// Set where nothing listed was known although something had been: more activities may have come than the listing
  /// holds, and those that fell off its end in between were never seen.
  public internal(set) var possibleLoss: Gap?

  /// Whether the ledger's entries are what they were before.
  public var isEmpty: Bool {
    new.isEmpty && renamed.isEmpty && edited.isEmpty && returned.isEmpty && gone.isEmpty && fallen.isEmpty
  }
}
