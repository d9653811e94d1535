// SPDX-License-Identifier: GPL-3.0-or-later
internal import Scenarios

/// A measure of a club under load: counts, all of them, that the scenario and its seed determine.
enum StressMeasure: String, CaseIterable {
  case activities, counted, identities, personsMisplaced, membersWrong, weeksWrong, sampleActivities, sampleWrong
  case sharedNames, suspectedNames, suspectedRightly

  var measure: Measure {
    Measure("stress.\(rawValue)", meaning: meaning, unit: unit, nature: .count)
  }

  /// What was found of it.
  func count(in result: StressResult) -> Int {
    switch self {
    case .activities: result.activities
    case .counted: result.counted
    case .identities: result.identities
    case .personsMisplaced: result.personsMisplaced
    case .membersWrong: result.membersWrong
    case .weeksWrong: result.weeksWrong
    case .sampleActivities: result.sample.activities
    case .sampleWrong: result.sample.wrong
    case .sharedNames: result.collisions.real
    case .suspectedNames: result.collisions.suspected
    case .suspectedRightly: result.collisions.suspectedRightly
    }
  }

  private var meaning: String {
    switch self {
    case .activities: "Activities of all sports and weeks"
    case .counted: "Activities that count as cycling"
    case .identities: "Members as the feed tells them apart, by name"
    case .personsMisplaced: "Persons whom the core's roster merges with others, or splits, unlike their names"
    case .membersWrong: "Members whose tally is not the truth in any week"
    case .weeksWrong: "Weeks in which a member's tally or the club's total is not the truth"
    case .sampleActivities: "Activities of the last week that went through the feed's own format"
    case .sampleWrong: "Activities among them that came back otherwise, and members whose tally is not the truth"
    case .sharedNames: "Names behind which several persons had activities in the last week"
    case .suspectedNames: "Names of the last week that the core suspects to be several persons"
    case .suspectedRightly: "Suspected names that are several persons indeed"
    }
  }

  private var unit: String {
    switch self {
    case .activities, .counted, .sampleActivities: "activities"
    case .identities, .membersWrong: "members"
    case .personsMisplaced: "persons"
    case .weeksWrong: "weeks"
    case .sampleWrong: ""
    case .sharedNames, .suspectedNames, .suspectedRightly: "names"
    }
  }
}
