// SPDX-License-Identifier: Apache-2.0

/// A policy that can be asked for by name.
package struct NamedBackoff: Hashable, Sendable {
  /// Its name: `full-jitter`.
  package let name: String
  /// Its short name, in tables: `full`.
  package let shortName: String
  /// What it does, in one sentence.
  package let meaning: String
  /// The policy.
  package let policy: Backoff
}

extension Backoff {
  /// The policy of that name or short name; nil when none has it.
  package static func named(_ name: String) -> Backoff? {
    catalogue.first { $0.name == name || $0.shortName == name }?.policy
  }

  /// The names of all policies, in the catalogue's order.
  package static var names: [String] { catalogue.map(\.name) }

  /// Every policy that has a name: our own first, with a floor of 100 ms; then those of well-known clients, as they are
  /// there, without a floor, for comparison.
  package static let catalogue = own + others

  private static let own = [
    entry("none", "none", "Always 1 s: it neither grows nor spreads.") {
      ($0.factor, $0.jitter) = (1, .none)
    },
    entry("exponential", "expo", "1 s, 2 s, 4 s … 30 s, without any spread.") { $0.jitter = .none },
    entry("equal-jitter", "equal", "Evenly between half of 1 s, 2 s, 4 s … 30 s and all of it.") { $0.jitter = .equal },
    entry("full-jitter", "full", "Evenly between nothing and 1 s, 2 s, 4 s … 30 s.") { _ in },
    entry("decorrelated-jitter", "decorr", "Evenly between 1 s and three times the last wait, at most 30 s.") {
      $0.jitter = .decorrelated
    },
    entry("grpc", "grpc", "1 s, 1.6 times as long each time up to 120 s, and 20% to either side.") {
      ($0.factor, $0.cap, $0.jitter) = (1.6, .seconds(120), .proportional(0.2))
    },
  ]

  private static let others = [
    entry("phoenix", "phoenix", "Phoenix: 10 ms to 2 s in nine steps, then 5 s, without any spread.") {
      ($0.growth, $0.jitter, $0.floor) = (.phoenix, .none, .zero)
      ($0.base, $0.cap) = (.milliseconds(10), .seconds(5))
    },
    entry("socket.io", "socketio", "Socket.IO: 1 s, 2 s, 4 s …, 50% to either side, at most 5 s.") {
      ($0.cap, $0.jitter, $0.floor) = (.seconds(5), .cappedProportional(0.5), .zero)
    },
    entry("reconnecting-websocket", "rws", "reconnecting-websocket: none, then 1 to 5 s, growing by 1.3 up to 10 s.") {
      ($0.growth, $0.factor, $0.cap) = (.drawnBase(upTo: .seconds(5)), 1.3, .seconds(10))
      ($0.jitter, $0.floor) = (.none, .zero)
    },
    entry("centrifuge", "centrifuge", "Centrifuge: 0.5 s and evenly up to 0.5 s, 1 s, 2 s … more, at most 20 s.") {
      ($0.base, $0.cap, $0.jitter) = (.milliseconds(500), .seconds(20), .fullAboveBase)
      $0.floor = .zero
    },
    entry("graphql-ws", "graphqlws", "graphql-ws: 1 s, 2 s, 4 s, 8 s, 16 s, each and 0.3 to 3 s more; five attempts.") {
      ($0.jitter, $0.maximumAttempts) = (.added(.milliseconds(300), .seconds(3)), 5)
      $0.floor = .zero
    },
    entry("ably", "ably15", "Ably: always 15 s.") {
      ($0.base, $0.factor, $0.cap) = (.seconds(15), 1, .seconds(15))
      ($0.jitter, $0.floor) = (.none, .zero)
    },
  ]

  private static func entry(
    _ name: String, _ shortName: String, _ meaning: String, _ change: (inout Backoff) -> Void
  ) -> NamedBackoff {
    var policy = Backoff()
    change(&policy)
    return NamedBackoff(name: name, shortName: shortName, meaning: meaning, policy: policy)
  }
}
