// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

/// The effects of faults, as `assay live timeline` shows them of the client that ships with seed 1.
@Suite("A fault in a timeline")
struct FaultTimelineTests {
  static let lines: [(schedule: String, lines: [String])] = [
    // A quiet day has a ping every thirty seconds. At the end the app closes the connection; each frame takes half a
    // round trip.
    ("for=24h", ["24 h, of which connected and current 99.9996%; 1 outage, 1 attempt, 2879 pings."]),
    (
      "for=10m",
      [
        "10:00.000 app: stop #1 close with 1000", "10:00.025 ~ #1 is gone at the server",
        "10:00.051 #1 closed by us, 1000",
      ]
    ),
    // A reset closes an open connection, which is soon back, and fails one that is being opened.
    (
      "100s reset",
      ["1:40.000 ~ #1 is gone at the server", "1:40.000 #1 closed without good-bye", " 2 1:40.000 reset 0.00"]
    ),
    ("0.1s reset", ["0:00.100 #1 failed: reset"]),
    // An open connection dies; the server learns of nothing and keeps it for two minutes. One that is being opened
    // goes on.
    (
      "100s half-open",
      ["2:10.290 timer abort #1", "4:10.309 ~ #1 is gone at the server", " 2 1:40.000 half-open 30.290 2:10.962"]
    ),
    ("0.1s half-open", ["1 outage, 1 attempt"]),
    // A short black hole is outlived, a long one noticed; the client is back when it ends.
    ("100s black-hole for=3s", [" 2 1:40.000 black-hole never 1:43.000 0.000 0"]),
    ("100s black-hole for=90s", [" 2 1:40.000 black-hole 30.290 3:13.106 3.106 5"]),
    // Garbage is reported at once, an enormous frame after its transfer.
    ("100s garbage code=1007", ["1:40.028 #1 received what breaks the protocol (1007) #1 close with 1007"]),
    ("100s enormous-frame bytes=10000000", ["1:44.028 #1 received what breaks the protocol (1009)"]),
    // Without pongs a connection ends at a pong deadline; pongs within the deadline are harmless.
    ("100s no-pongs for=200s", ["6 outages, 6 attempts", "2:10.290 timer abort #1", " 6 4:52.886 no-pongs"]),
    ("100s late-pongs for=200s delay=8s", ["1 outage, 1 attempt"]),
    ("100s late-pongs for=200s delay=11s", ["6 outages, 6 attempts"]),
    // A proxy cuts an idle connection by a reset or silently, and spares one that pings more often.
    ("100s idle-cut for=200s after=20s", ["1:50.325 #1 closed without good-bye", " 2 1:50.325 idle-cut 0.000"]),
    ("100s idle-cut for=200s after=20s silent=yes", [" 2 1:50.325 idle-cut 19.965 2:10.962"]),
    ("100s idle-cut for=200s after=35s", ["1 outage, 1 attempt"]),
    // A server that restarts closes, resets or is silent.
    (
      "100s restart for=10s how=graceful",
      [
        "1:40.000 ~ the server stopped", "1:40.028 #1 closed by the server, 1012",
        "1:50.000 ~ the server is there again",
        " 2 1:40.000 restart 0.029 1:53.325 3.326",
      ]
    ),
    ("100s restart for=10s how=killed", ["#1 closed without good-bye", " 2 1:40.000 restart 0.02"]),
    ("100s restart for=10s how=vanished", [" 2 1:40.000 restart 20.357 2:01.028"]),
    // The phone reports the beginning and the end of a fault, at the latest when the session ends.
    (
      "500s offline for=50s",
      ["8:20.000 device: no network", "9:10.000 device: network there", " 2 8:20.000 offline 10.000 9:10.666 0.666 1"]
    ),
    ("500s offline for=200s", ["10:00.000 device: network there", "offline 10.000 never not possible"]),
    ("500s background for=50s", ["1 outage", "8:20.000 device: app in background", "9:10.000 device: app in front"]),
    ("500s background for=200s", ["8:20.000 device: app in background", "10:00.000 device: app in front"]),
    // A change of network kills the open connection.
    (
      "100s network-change",
      ["1:40.000 device: another network abort #1", "1:40.671 0.672 1", "3:40.019 ~ #1 is gone at the server"]
    ),
    // Reports during a sleep are delivered when the phone wakes.
    (
      "100s sleep for=200s; 150s network-change; 160s background for=5m",
      [
        "5:00.001 device: another network abort #1", "5:00.001 device: app in background",
        "7:40.000 device: app in front", " 2 1:40.000 sleep 200.001 5:00.615 0.615",
      ]
    ),
    // A server that vanished answers no attempt.
    ("100s restart for=90s how=vanished", ["2:10.608 timer open #2", "2:20.608 timer abort #2", "abort #5"]),
    // A server that lost its history begins a new epoch.
    (
      "for=20m; 15m restart for=5s how=killed history=lost",
      ["#4 received resumed after 2/0 report a gap after 1/0 up to 2/0"]
    ),
    // A refused handshake has its status, Retry-After and target.
    ("1m reset; 1m refusal for=20s status=502 retry-after=7s", ["1:00.564 #2 refused: 502, retry after 7 s"]),
    ("1m reset; 1m shedding for=20s share=1 retry-after=9s", ["1:00.564 #2 refused: 503, retry after 9 s"]),
    ("1m reset; 1m redirect for=20s to=plain", ["1:00.564 #2 refused: 307, redirect to ws closed"]),
    ("1m reset; 1m redirect for=20s to=secure", ["#2 refused: 307, redirect to wss open #3 where the redirect leads"]),
    ("1m reset; 1m refused for=20s", ["#2 failed: connection refused"]),
    ("1m reset; 1m captive-portal for=20s", ["#2 failed: no WebSocket answered"]),
    // A message that waited for two minutes is dropped.
    ("for=10h; 1m offline for=9h", ["drop message 1: too old"]),
    // Fresh credentials take their time, and are delivered after a sleep; without any the client stays closed.
    (
      "0s expired-credentials for=50s",
      ["0:00.290 #1 refused: 401 #2 refresh credentials", "0:00.590 #2 fresh credentials"]
    ),
    ("0s expired-credentials for=5s; 0.3s sleep for=20s", ["0:20.300 #2 fresh credentials"]),
    ("0s expired-credentials for=50s refreshable=no", ["0:00.590 #2 no credentials to be had closed, no credentials"]),
  ]

  @Test("does what its meaning states", arguments: lines)
  func shown(schedule: String, lines: [String]) throws {
    let text = try Outcome(
      "live.timeline", "schedule: 'live/1 \(schedule.hasPrefix("for") ? "" : "for=10m; ")\(schedule)'"
    ).text
    let plain = text.replacing(#/ +/#, with: " ")
    for line in lines { #expect(plain.contains(line), "\(line) in \(plain)") }
  }
}
