// SPDX-License-Identifier: Apache-2.0

extension Insight.Kind {
  /// What is said, in one word, such as `weekOverWeek`.
  public var name: String {
    switch self {
    case .weekUnknown: "weekUnknown"
    case .inactive: "inactive"
    case .amount: "amount"
    case .longest: "longest"
    case .onlyMember: "onlyMember"
    case .rank: "rank"
    case .noPreviousWeek: "noPreviousWeek"
    case .weekOverWeek: "weekOverWeek"
    case .personalBest: "personalBest"
    case .streak: "streak"
    case .closing: "closing"
    case .nextRide: "nextRide"
    case .lead: "lead"
    case .gap: "gap"
    case .inTopThree: "inTopThree"
    case .noThird: "noThird"
    case .strength: "strength"
    case .ranks: "ranks"
    case .gapToThird: "gapToThird"
    case .againstUsual: "againstUsual"
    case .makingUp: "makingUp"
    case .climbing: "climbing"
    case .constancy: "constancy"
    }
  }
}
