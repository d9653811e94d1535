// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// The code that ships with one operation replaced by a wrong one.
struct BrokenClub: Sendable {
  let name: String
  let fault: String
  let operations: ClubOperations

  init(_ name: String, _ fault: String, _ change: (inout ClubOperations) -> Void) {
    self.name = name
    self.fault = fault
    var operations = ClubOperations.shipping
    change(&operations)
    self.operations = operations
  }

  /// All of them.
  static let all = sums + standings + trends + ledgers + budgets + readers

  /// Faults in what activities come to.
  private static let sums = [
    BrokenClub("doubles-summed", "distances are summed as doubles, in the order in which they come") { code in
      code.sums = LooseTally.sums { $0.sumsDoubles = true }
    },
    BrokenClub("longest-of-last-page", "merging two pages keeps the second one's longest ride") { code in
      code.sums = LooseTally.sums { $0.longest = { _, last in last } }
    },
    BrokenClub("average-of-averages", "the average speed is the mean of the rides' own speeds") { code in
      code.sums = LooseTally.sums { $0.averagesSpeeds = true }
    },
    BrokenClub("set-of-rides", "of identical rides one counts") { code in
      code.sums = LooseTally.sums { $0.isSet = true }
    },
    BrokenClub("names-by-letter", "'sarah' and 'Sarah' are two members") { code in
      code.sums = LooseTally.sums { $0.key = { "\($0.name)#\($0.token?.value ?? "")" } }
    },
    BrokenClub("tokens-ignored", "members of one name are one, whatever their tokens") { code in
      code.sums = LooseTally.sums { $0.key = { $0.name.description.lowercased() } }
    },
    BrokenClub("spaces-halved", "each two spaces of a name become one, once") { code in
      code.cleaned = { $0.replacing("  ", with: " ") }
    },
  ]

  /// Faults in the order of members.
  private static let standings = [
    BrokenClub("members-dense-ranks", "no rank is left out after a shared one: 1, 2, 2, 3") { code in
      code.standings = rearranged { places in
        let ranks = Set(places.compactMap(\.rank)).sorted()
        for index in places.indices {
          places[index].rank = places[index].rank.map { rank in 1 + ranks.count { $0 < rank } }
        }
      }
    },
    BrokenClub("members-ties-not-shared", "members with equal values have ranks of their own") { code in
      code.standings = rearranged { places in
        for index in places.indices where places[index].rank != nil { places[index].rank = index + 1 }
      }
    },
    BrokenClub("ranks-as-shown", "members whose values look alike with one decimal share a rank") { code in
      code.standings = rearranged { places in
        let shown = places.map { place in place.value.map { ($0.value / 1000).rounded() } }
        for index in places.indices where places[index].rank != nil {
          places[index].rank = 1 + shown.count { ($0 ?? -1) > (shown[index] ?? -1) }
        }
      }
    },
    BrokenClub("members-order-of-arrival", "members of one rank stand as they came in") { code in
      code.standings = { rides, metric in
        let places = ClubOperations.shipping.standings(rides, metric)
        let names = rides.activities.map(\.member.name.description)
        return places.enumerated().sorted { left, right in
          let arrivals = [left, right].map { names.firstIndex(of: $0.element.name) ?? 0 }
          return left.element.rank == right.element.rank ? arrivals[0] < arrivals[1] : left.offset < right.offset
        }.map(\.element)
      }
    },
    BrokenClub("share-of-nothing", "where the club has nothing, a share is zero over zero") { code in
      code.standings = rearranged { places in
        for index in places.indices where places[index].value == .zero && places[index].share == nil {
          places[index].share = .nan
        }
      }
    },
  ]

  /// Faults in what weeks are to each other.
  private static let trends = [
    BrokenClub("divided-by-zero", "last week's nothing is divided by") { code in
      code.trend = retold { now, before, _ in
        let percentage = (now - before) / before * 100
        return Moved(direction: percentage > 10 ? .up : percentage < -10 ? .down : .flat, percentage: percentage)
      }
    },
    BrokenClub("percent-of-this-week", "the change is divided by this week's quantity") { code in
      code.trend = retold { now, before, trend in
        guard before > 0, now > 0 else { return trend }
        return Moved(direction: trend.direction, percentage: (now - before) / now * 100)
      }
    },
    BrokenClub("threshold-included", "a change of exactly ten percent goes up or down") { code in
      code.trend = retold { now, before, trend in
        guard trend.direction == .flat, before > 0, abs(now - before) * 10 == before else { return trend }
        return Moved(direction: now > before ? .up : .down, percentage: trend.percentage)
      }
    },
  ]

  /// Faults in which week an activity counts for.
  private static let ledgers = [
    BrokenClub("backlog-in-this-week", "what the first fetch shows counts for the week of the fetch") { code in
      code.ledger = { NaiveLedger(countsBacklog: true) }
    },
    BrokenClub("set-of-fingerprints", "a ride like one that was seen is the one that was seen") { code in
      code.ledger = { NaiveLedger(isSet: true) }
    },
    BrokenClub("rename-is-new", "a ride with another title is another ride") { code in
      code.ledger = { NaiveLedger(knowsTitles: true) }
    },
    BrokenClub("forgotten-in-a-fortnight", "what was first seen a fortnight ago is forgotten and found again") { code in
      code.ledger = { NaiveLedger(forgetsAfterDays: 14) }
    },
  ]

  /// Faults in how many requests are made.
  private static let budgets = [
    BrokenClub("window-since-first-request", "a quarter of an hour begins with the first request in it") { code in
      code.budget = { NaiveBudget($0, startsWithFirst: true) }
    },
    BrokenClub("seam-forgotten", "the service's clock is taken for one's own") { code in
      code.budget = { ShippingBudget(assuming: $0, margin: 0) }
    },
    BrokenClub("day-forgotten", "only the quarter of an hour has a limit") { code in
      code.budget = { NaiveBudget(RequestBudget.Limits(perWindow: $0.perWindow, perDay: 1_000_000)) }
    },
    BrokenClub("lost-requests-free", "a request without an answer is not counted") { code in
      code.budget = { NaiveBudget($0, countsAnswers: true) }
    },
  ]

  /// Faults in what is read.
  private static let readers = [
    BrokenClub("whole-metres", "what stands behind a distance's point is not read") { code in
      code.decode = { bytes in
        ClubOperations.shipping.decode(bytes).map { activities in
          activities.map { $0.with(distance: Length(metres: Double(Int($0.distance.metres))) ?? .zero) }
        }
      }
    },
    BrokenClub("quotes-not-escaped", "a title's quotes are written as they are") { code in
      code.encode = { activities in
        let page = String(decoding: Activity.page(activities), as: UTF8.self)
        return Array(page.replacing("\\\"", with: "\"").utf8)
      }
    },
    BrokenClub("fast-path-forgives", "the fast path passes over what the strict one refuses") { code in
      code.stream = { bytes, chunk, _ in ClubOperations.shipping.stream(bytes, chunk, true) }
    },
    BrokenClub("chunks-read-alone", "what a chunk's end cuts in two is lost") { code in
      code.stream = { bytes, chunk, isLenient in
        let whole = bytes.count > chunk && chunk > 40 ? Array(bytes[..<chunk]) : bytes
        let kept = chunk > 40 ? whole : Array(bytes.prefix(bytes.count / chunk * chunk))
        return ClubOperations.shipping.stream(kept, chunk, isLenient)
      }
    },
  ]
}
