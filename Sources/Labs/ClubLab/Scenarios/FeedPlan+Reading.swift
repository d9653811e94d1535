// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// Reads what a ledger is tried under; a value that nothing has is refused in its own place.
struct FeedSettingReader {
  private let map: ScenarioMapping

  init(_ map: ScenarioMapping) {
    self.map = map
  }

  func setting() throws(ReportingError) -> FeedSetting {
    let (club, service, faults) = (try club(), try service(), try faults())
    let fetch = try map["fetch"]?.mapping(keys: ["every", "page", "pages"])
    let every = try fetch?["every"]?.integer(in: 0...Int.max)
    let (page, pages) = (try fetch?["page"]?.integer(in: 0...Int.max), try fetch?["pages"]?.integer(in: 0...Int.max))
    do {
      return try FeedSetting(
        club: club, service: service, faults: faults, interval: every ?? 3600, perPage: page ?? 60, pages: pages)
    } catch {
      throw try refusal(
        error,
        at: [
          "interval": ("fetch", "every"), "per page": ("fetch", "page"), "pages": ("fetch", "pages"),
          "weeks": ("club", "weeks"),
        ])
    }
  }

  private func club() throws(ReportingError) -> ClubShape {
    let club = try map["club"]?.mapping(keys: ["members", "weeks", "rides"])
    let sizes = (try club?["members"]?.integer(in: 0...Int.max), try club?["weeks"]?.integer(in: 0...Int.max))
    let rides = try club?["rides"]?.number()
    do {
      return try ClubShape(members: sizes.0 ?? 30, weeks: sizes.1 ?? 6, activitiesPerWeek: rides ?? 2.5)
    } catch {
      throw try refusal(
        error,
        at: [
          "members": ("club", "members"), "weeks": ("club", "weeks"), "activities per week": ("club", "rides"),
        ])
    }
  }

  private func service() throws(ReportingError) -> ServiceShape {
    let service = try map["service"]?.mapping(keys: ["order", "depth", "window", "day", "latency"])
    let word = try service?["order"]?.choice(among: ServiceShape.Order.allCases.map(\.rawValue))
    let depth = try service?["depth"]?.integer(in: 0...Int.max)
    let window = try service?["window"]?.integer(in: 0...Int.max)
    let (day, latency) = (
      try service?["day"]?.integer(in: 0...Int.max), try service?["latency"]?.integer(in: 0...Int.max)
    )
    do {
      return try ServiceShape(
        order: word.flatMap(ServiceShape.Order.init) ?? .uploadInPages, depth: depth ?? 90,
        perQuarterHour: window ?? 100, perDay: day ?? 1000, latency: latency ?? 400)
    } catch {
      throw try refusal(
        error,
        at: [
          "depth": ("service", "depth"), "quarter hour": ("service", "window"), "day": ("service", "day"),
          "latency": ("service", "latency"),
        ])
    }
  }

  /// `usual`, `none`, or the faults by their names, each `usual` or with its rate and size.
  private func faults() throws(ReportingError) -> FaultMix {
    guard let field = map["faults"] else { return .usual }
    guard field.isMapping else {
      return try field.choice(among: ["usual", "none"]) == "usual" ? .usual : .none
    }
    let map = try field.mapping(keys: FeedFault.Kind.allCases.map(\.rawValue))
    var faults: [FeedFault] = []
    for kind in FeedFault.Kind.allCases {
      if let field = map[kind.rawValue] { faults.append(try fault(kind, field)) }
    }
    do {
      return try FaultMix(faults)
    } catch {
      throw Self.refused(error, at: field)
    }
  }

  private func fault(_ kind: FeedFault.Kind, _ field: ScenarioField) throws(ReportingError) -> FeedFault {
    var (rate, size): (ScenarioField?, ScenarioField?)
    if field.isMapping {
      let map = try field.mapping(keys: ["rate", kind.unit])
      (rate, size) = (map["rate"], map[kind.unit])
    } else {
      _ = try field.choice(among: ["usual"])
    }
    let values = (try rate?.number(), try size?.number())
    do {
      return try FeedFault(kind, rate: values.0, size: values.1)
    } catch {
      switch error {
      case .badShape(let name, _, let expected):
        throw ((name.hasSuffix(".rate") ? rate : size) ?? field).bad(expected: expected)
      }
    }
  }

  /// The error of a value in its own place; in that of what stands around it where a value is wrong beside others that
  /// is not written itself.
  private func refusal(
    _ error: ClubLabError, at places: [String: (mapping: String, key: String)]
  ) throws(ReportingError) -> ReportingError {
    switch error {
    case .badShape(let name, let found, let expected):
      let (mapping, key) = places[name] ?? (name, name)
      let around = try map.required(mapping, expected: "\(key): \(expected); it is \(found)")
      guard let place = try around.member(key) else { return Self.refused(error, at: around, named: key) }
      return .badValue(file: place.file, line: place.line, field: place.path, found: found, expected: expected)
    }
  }

  private static func refused(
    _ error: ClubLabError, at field: ScenarioField, named key: String? = nil
  ) -> ReportingError {
    switch error {
    case .badShape(let name, let found, let expected):
      .badValue(
        file: field.file, line: field.line, field: field.path, found: "\(key ?? name): \(found)", expected: expected)
    }
  }
}
