// SPDX-License-Identifier: GPL-3.0-or-later
package import ClubCore

/// A person of an invented club, with everything that a feed does not tell.
package struct ClubMember: Hashable, Sendable {
  /// What tells persons apart, from 0: the truth behind shared names.
  package let number: Int
  /// The number of the name in `NameBook`; several persons may have one.
  package let nameNumber: Int
  /// What the person does.
  package let habits: Habits
  /// The weeks of membership, counted from the club's first week.
  package let membership: Range<Int>
  /// Weeks without activities, likewise, in order and apart.
  package let injuries: [Range<Int>]

  /// The name as the feed gives it.
  package var name: AthleteName { NameBook.name(nameNumber) }

  /// Who the feed says it was.
  ///
  /// - Parameter hasToken: Whether the feed tells persons of one name apart.
  /// - Returns: The member, with the number as token where the feed has tokens.
  package func identity(hasToken: Bool = false) -> MemberIdentity {
    MemberIdentity(name: name, token: hasToken ? AthleteToken("\(number)") : nil)
  }

  /// Whether the person can have activities in a week.
  ///
  /// - Parameter week: Counted from the club's first week.
  /// - Returns: True for a member of that week who is not injured.
  package func isActive(in week: Int) -> Bool {
    membership.contains(week) && !injuries.contains { $0.contains(week) }
  }
}

/// What a person does in an ordinary week.
package struct Habits: Hashable, Sendable {
  /// A way to work: the same one every day.
  package struct Commute: Hashable, Sendable {
    /// Decimetres.
    package let distance: Int
    /// Seconds on a usual day.
    package let movingTime: Int
    /// Decimetres of climbing.
    package let elevation: Int
    /// The share of the person's activities that are commutes.
    package let share: Double
  }

  /// Activities in a week, averaged over the year.
  package let activitiesPerWeek: Double
  /// How much longer than usual the person's activities are: a natural logarithm.
  package let endurance: Double
  /// How much faster: a natural logarithm.
  package let fitness: Double
  /// How much hillier: a natural logarithm.
  package let hilliness: Double
  /// The share of activities that are not cycling.
  package let otherShare: Double
  /// The bicycle that is ridden most.
  package let bike: ClubSport
  /// What is done most beside cycling.
  package let otherSport: ClubSport
  /// The usual hour of the day from Monday to Friday, by UTC.
  package let weekdayHour: Double
  /// The share of activities at weekends.
  package let weekendShare: Double
  /// The way to work, for those who ride it.
  package let commute: Commute?
}
