// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import LiveLab
internal import Reporting

/// A toxic of toxiproxy: a fault of one way, with attributes in the units of toxiproxy's documentation.
struct Toxic: Sendable {
  struct Kind: Sendable {
    let name: String
    let attributes: [String]
    let fault: @Sendable ([Int64]) -> Fault

    fileprivate init(_ name: String, _ attributes: [String], fault: @escaping @Sendable ([Int64]) -> Fault) {
      (self.name, self.attributes, self.fault) = (name, attributes, fault)
    }
  }

  /// The toxics of toxiproxy 2.12 ("Toxics" in its README). What is not allowed there as a value is limited here.
  static let kinds = [
    // From latency - jitter to latency + jitter.
    Kind("latency", ["latency", "jitter"]) { values in
      let (latency, jitter) = (nanoseconds(values[0]), nanoseconds(values[1]))
      return Fault(.latency, values: FaultValues(latency - jitter, 2 * jitter))
    },
    // KB are 1,000 bytes. A rate of 0 holds all bytes back.
    Kind("bandwidth", ["rate"]) { values in
      let rate = min(values[0], Int64(UInt32.max))
      return rate > 0
        ? Fault(.bandwidth, values: FaultValues(rate * 1_000)) : Fault(.timeout, values: FaultValues(never))
    },
    Kind("slow_close", ["delay"]) { Fault(.slowClose, values: FaultValues(nanoseconds($0[0]))) },
    // 0 closes nothing.
    Kind("timeout", ["timeout"]) { values in
      let time = nanoseconds(values[0])
      return Fault(.timeout, values: FaultValues(time > 0 ? time : never, 1))
    },
    Kind("reset_peer", ["timeout"]) { Fault(.cut, values: FaultValues(nanoseconds($0[0]), 0, 1)) },
    // The delay is in microseconds.
    Kind("slicer", ["average_size", "size_variation", "delay"]) { values in
      let size = min(max(values[0], 1), Int64(UInt32.max))
      let delay = min(max(values[2], 0), never / 1_000) * 1_000
      return Fault(.slicer, values: FaultValues(size, delay, min(max(values[1], 0), size - 1)))
    },
    Kind("limit_data", ["bytes"]) { Fault(.limitData, values: FaultValues(max($0[0], 0), 1)) },
  ]

  static let faults: Set<Fault.Kind> = [.latency, .bandwidth, .slowClose, .timeout, .cut, .slicer, .limitData]

  private static let never = FaultSchedule.longest.nanoseconds

  private static func nanoseconds(_ milliseconds: Int64) -> Int64 {
    min(max(milliseconds, 0), never / 1_000_000) * 1_000_000
  }

  let name: String
  let kind: Kind
  let way: Fault.Direction
  private(set) var toxicity = 1.0
  private(set) var values: [Int64]

  /// Reads a toxic as `POST /proxies/NAME/toxics` sends it.
  init(_ field: JSONField) throws {
    let type = try field.optional("type")?.string() ?? ""
    let stream = try field.optional("stream")?.string() ?? "downstream"
    guard let way = Self.streams.firstIndex(of: stream) else {
      throw ControlRequest.Answer.toxiproxy(400, "stream was invalid, can be either upstream or downstream")
    }
    guard let kind = Self.kinds.first(where: { $0.name == type }) else {
      throw ControlRequest.Answer.toxiproxy(400, "invalid toxic type")
    }
    let name = try field.optional("name")?.string() ?? ""
    self.name = name.isEmpty ? "\(type)_\(stream)" : name
    (self.kind, self.way) = (kind, Fault.Direction.allCases[way])
    values = kind.attributes.map { _ in 0 }
    try update(field)
  }

  private static let streams = ["upstream", "downstream"]

  /// Takes the toxicity and the attributes that are given; others stay.
  mutating func update(_ field: JSONField) throws {
    toxicity = try field.optional("toxicity")?.number(in: 0...1) ?? toxicity
    guard let attributes = try field.optional("attributes") else { return }
    for (index, name) in kind.attributes.enumerated() {
      if let value = try attributes.optional(name)?.integer() { values[index] = Int64(value) }
    }
  }

  var fault: TimedFault {
    var timed = TimedFault(kind.fault(values), at: .zero, lasting: FaultSchedule.longest)
    timed.way = way
    timed.share = toxicity < 1 ? Int64((toxicity * Double(FaultParameter.whole)).rounded()) : nil
    return timed
  }

  var json: JSONValue {
    [
      "attributes": .object(zip(kind.attributes, values).map { JSONMember($0, .integer(Int($1))) }),
      "name": .string(name), "type": .string(kind.name), "stream": .string(Self.streams[Int(way.rawValue)]),
      "toxicity": .number(toxicity),
    ]
  }
}

extension FaultValues {
  fileprivate init(_ values: Int64...) {
    self = .zero
    for (index, value) in values.enumerated() { self[index] = value }
  }
}
