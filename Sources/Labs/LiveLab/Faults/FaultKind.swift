// SPDX-License-Identifier: GPL-3.0-or-later

extension Fault {
  /// Which fault it is, without its parameters. The raw value is its name in scenarios, schedules and reports.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case halfOpen = "half-open"
    case reset
    case close
    case garbage
    case enormousFrame = "enormous-frame"
    case blackHole = "black-hole"
    case partition
    case latency
    case bandwidth
    case loss
    case burstLoss = "burst-loss"
    case idleCut = "idle-cut"
    case nameNotFound = "name-not-found"
    case captivePortal = "captive-portal"
    case insecure
    case refused
    case refusal
    case redirect
    case restart
    case shedding
    case acceptThenClose = "accept-then-close"
    case latePongs = "late-pongs"
    case noPongs = "no-pongs"
    case sleep
    case networkChange = "network-change"
    case offline
    case background
    case clockSkew = "clock-skew"
    case expiredCredentials = "expired-credentials"
  }
}

extension Fault.Kind {
  /// Whether it happens at one moment and does not last.
  package var isMoment: Bool {
    switch self {
    case .halfOpen, .reset, .close, .garbage, .enormousFrame, .networkChange: true
    default: false
    }
  }

  /// What happens, in a few words.
  package var meaning: String {
    switch self {
    case .halfOpen: "the open connection dies and nobody is told"
    case .reset: "the open connection is reset"
    case .close: "the server closes the open connection, and the client learns of it late"
    case .garbage: "the server sends a frame that breaks the protocol"
    case .enormousFrame: "the server sends a frame beyond all bounds"
    case .blackHole: "every packet is lost both ways"
    case .partition: "every packet is lost one way"
    case .latency: "every packet takes longer"
    case .bandwidth: "the way carries little"
    case .loss: "packets are lost, each on its own"
    case .burstLoss: "packets are lost in bursts"
    case .idleCut: "a proxy cuts connections that are idle"
    case .nameNotFound: "the server's name is not found"
    case .captivePortal: "a captive portal answers in the server's place"
    case .insecure: "the secure handshake fails"
    case .refused: "nobody listens"
    case .refusal: "the handshake is answered by an HTTP status"
    case .redirect: "the handshake is redirected"
    case .restart: "the server restarts"
    case .shedding: "the server turns some of the attempts away"
    case .acceptThenClose: "connections are accepted and closed at once"
    case .latePongs: "pings are answered late"
    case .noPongs: "pings are not answered"
    case .sleep: "the phone sleeps"
    case .networkChange: "the phone is on another network"
    case .offline: "the phone has no network, and knows"
    case .background: "the app is not in front"
    case .clockSkew: "the phone's clock is fast or slow"
    case .expiredCredentials: "the credentials are no longer good"
    }
  }
}

extension Fault {
  /// Which fault it is.
  package var kind: Kind {
    switch self {
    case .halfOpen: .halfOpen
    case .reset: .reset
    case .close: .close
    case .garbage: .garbage
    case .enormousFrame: .enormousFrame
    case .blackHole: .blackHole
    case .partition: .partition
    case .latency: .latency
    case .bandwidth: .bandwidth
    case .loss: .loss
    case .burstLoss: .burstLoss
    case .idleCut: .idleCut
    case .nameNotFound: .nameNotFound
    case .captivePortal: .captivePortal
    case .insecure: .insecure
    case .refused: .refused
    case .refusal: .refusal
    case .redirect: .redirect
    case .restart: .restart
    case .shedding: .shedding
    case .acceptThenClose: .acceptThenClose
    case .latePongs: .latePongs
    case .noPongs: .noPongs
    case .sleep: .sleep
    case .networkChange: .networkChange
    case .offline: .offline
    case .background: .background
    case .clockSkew: .clockSkew
    case .expiredCredentials: .expiredCredentials
    }
  }
}
