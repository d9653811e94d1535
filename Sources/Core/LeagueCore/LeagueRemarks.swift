// SPDX-License-Identifier: Apache-2.0

extension League {
  /// Sentences that a reader of the ranking should know first: the notes of the reading, and where the service's facts
  /// differ from what its games give.
  public var remarks: [String] {
    [contradictedPoints, unfinishedWeeks, contradictedRecords].compactMap(\.self) + notes
  }

  /// Games that the service decides otherwise than their points.
  private var contradictedPoints: String? {
    guard kind == .points else { return nil }
    let decided = games.filter { $0.counts && $0.decision != nil }
    guard let first = decided.first, let away = first.away, let decision = first.decision else { return nil }
    let verdict =
      switch decision.outcome {
      case .win: "won by \(name(of: first.home.team))"
      case .loss: "won by \(name(of: away.team))"
      case .tie: "a tie"
      }
    let count = decided.count == 1 ? "1 game counts" : "\(decided.count) games count"
    return "\(count) as the service decided, not by points\(decided.count == 1 ? "" : "; the first"): week "
      + "\(first.week), \(name(of: first.home.team)) \(first.home.points) : \(away.points) \(name(of: away.team)), "
      + "\(verdict)."
  }

  /// Weeks with games that are over and games that are not.
  private var unfinishedWeeks: String? {
    let weeks = playedWeeks.compactMap { week -> (week: Int, open: Int, all: Int)? in
      let all = games.filter { $0.week == week && !$0.isPlayoff && $0.away != nil }
      let open = all.count { !$0.isPlayed }
      return open == 0 ? nil : (week, open, all.count)
    }
    guard let first = weeks.first else { return nil }
    return
      "Week \(first.week) is not wholly over: \(first.open) of its \(first.all) games "
      + "\(first.open == 1 ? "is" : "are") "
      + "undecided and left out"
      + (weeks.count == 1 ? "." : ", and \(weeks.count - 1) more \(weeks.count == 2 ? "week is" : "weeks are") so.")
  }

  /// Teams whose records, as the service sent them, are not those of the games.
  private var contradictedRecords: String? {
    let weeks = playedWeeks
    guard recordsAreSent, kind.hasGames, connection != .none, let last = weeks.last,
      weeks == Array(firstWeek...max(firstWeek, last)), let computed = try? teams(afterWeek: last)
    else { return nil }
    let pairs = zip(teams, computed).filter { sent, own in
      let (sent, own) = (sent.season, own.season)
      // Of Sleeper the matchups of later weeks may be missing, so that more games were played than are here.
      guard connection.platform == .espn || sent.games == own.games else { return false }
      return (sent.wins, sent.losses, sent.ties) != (own.wins, own.losses, own.ties)
    }
    guard let (sent, own) = pairs.first else { return nil }
    let count = pairs.count == 1 ? "1 team differs" : "\(pairs.count) teams differ"
    return "The records that the service sent and its games do not agree: \(count)"
      + "\(pairs.count == 1 ? ":" : ", the first") \(sent.name), sent as \(sent.season.standing), "
      + "\(own.season.standing) by the games."
  }

  private func name(of team: Int) -> String { teams.first { $0.id == team }?.name ?? "team \(team)" }
}
