// SPDX-License-Identifier: Apache-2.0

/// An action of a player on a hand.
@frozen public enum Action: UInt8, CaseIterable, Codable, Hashable, Sendable {
  case stand, hit, double, split, surrender

  /// The letter in charts and files: `S`, `H`, `D`, `P`, `R`.
  public var letter: Character { ["S", "H", "D", "P", "R"][Int(rawValue)] }

  /// The word for the action, in lower case.
  public var name: String { ["stand", "hit", "double", "split", "surrender"][Int(rawValue)] }

  /// The action with this chart letter, in either case; `nil` for another letter.
  public init?(letter: some StringProtocol) {
    guard let match = Self.allCases.first(where: { letter.uppercased() == String($0.letter) }) else { return nil }
    self = match
  }
}

/// A set of actions, such as those that the rules allow a hand.
@frozen public struct ActionSet: OptionSet, Hashable, Sendable {
  /// One bit for each action, at the position of the action's raw value.
  public let rawValue: UInt8

  /// The set with these bits.
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The set of one action.
  @inlinable public init(_ action: Action) { rawValue = 1 &<< action.rawValue }

  /// Returns true if the action is in the set.
  @inlinable public func contains(_ action: Action) -> Bool { rawValue & (1 &<< action.rawValue) != 0 }

  /// The set of `stand`.
  @inlinable public static var stand: Self { Self(.stand) }
  /// The set of `hit`.
  @inlinable public static var hit: Self { Self(.hit) }
  /// The set of `double`.
  @inlinable public static var double: Self { Self(.double) }
  /// The set of `split`.
  @inlinable public static var split: Self { Self(.split) }
  /// The set of `surrender`.
  @inlinable public static var surrender: Self { Self(.surrender) }

  /// The actions of the set, in the order stand, hit, double, split, surrender.
  public var actions: [Action] { Action.allCases.filter(contains) }
}
