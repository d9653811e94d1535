// SPDX-License-Identifier: GPL-3.0-or-later
internal import ProfileCore
internal import Randomness
internal import Sampling
internal import Scenarios

/// Sessions of a person who edits a profile on two devices, with kills of the app and faults of the network.
struct EditRun: SampledExperiment {
  var events = 50
  var policy = ConflictPolicy.merge
  var trouble = 0.2

  init() {}

  static let kind = "profile.edit"
  static let summary = "Edits a profile on two devices, and counts edits lost or saved twice, and devices that differ."
  static let discussion = """
    Example: assay profile edit
    Example: assay profile edit --policy ask --trouble 40% --samples 1M

    A session is two devices, a server and the network between them, in virtual time: a person types, pauses, switches \
    fields, undoes, goes offline; the app is killed, also before and after a write of its queue; requests are delayed \
    beyond the patience of the app, fail, arrive without an answer, come twice, are limited or refused, and answers \
    are nonsense. At the end the network heals. A key whose write was cut off by a kill counts as cut, not as lost. \
    --only shows what is read of one session.
    """
  static let defaultSamples = 100_000
  static let defaultThresholds = [
    "edit.lost <= 0.0001 at 0.99", "edit.disordered <= 0.0001 at 0.99", "edit.apart <= 0.0001 at 0.99",
    "edit.wrong <= 0.0001 at 0.99",
  ]

  static let parameters: [Parameter<EditRun>] = [
    Parameter("events", \.events, .count(1...1_000), "The number of events in a session.", example: "200"),
    Parameter("policy", \.policy, .choice, "The editor's policy for texts that others changed.", example: "ask"),
    Parameter("trouble", \.trouble, .share, "The share of the events that are kills and faults.", example: "40%"),
  ]

  static let measures: [SampleMeasure<SessionFinding>] = [
    .share("edit.lost", "Sessions in which an edit is lost.") { $0.lost > 0 },
    .share("edit.disordered", "Sessions with a save applied twice or after a later one.") { $0.disordered > 0 },
    .share("edit.apart", "Sessions after which the devices and the server differ.") { $0.apart > 0 },
    .share(
      "edit.wrong",
      "Sessions with an edit that the screen did not show, two saves of a field at once, a save sooner than the server "
        + "allowed, or a conflict of a device with itself."
    ) { $0.unseen + $0.overlapping + $0.early + $0.selfConflicts > 0 },
    .mean("edit.saves", "Requests for each edit.", unit: "saves") {
      $0.edits == 0 ? 0 : Double($0.saves) / Double($0.edits)
    },
    .mean("edit.cut", "Keys whose write was cut off by a kill.", unit: "keys") { Double($0.cut) },
    .mean("edit.kills", "Kills of the app.", unit: "kills") { Double($0.kills) },
    .mean("edit.durable", "The time from a key to the server having it, averaged over a session.", unit: "s") {
      $0.arrived == 0 ? 0 : $0.waited / Double($0.arrived)
    },
    .percentiles(
      "edit.longest", "The longest time of a session from a key to the server having it.", unit: "s", [50, 95, 99]
    ) { $0.longest },
  ]

  func sample(_ random: inout RandomStream) throws -> SessionFinding {
    try EditSession.play(steps(&random), policy: policy, seed: random.word())
  }

  private static let calm: [SessionStep.Act] =
    Array(repeating: .type, count: 22) + [
      .retype, .erase, .erase, .undo, .leave, .leave, .look, .choose, .online, .online,
    ]
  private static let troubles: [SessionStep.Act] = [
    .kill, .cutBefore, .cutAfter, .offline, .slow, .fail, .fail, .lose, .lose, .limit, .double, .nonsense, .refuse,
  ]
  /// Pauses in ms: between the keys of a burst, for thought, and breaks.
  private static let pauses: [Int32] = [90, 120, 150, 180, 220, 300, 450, 900, 1_500, 4_000, 12_000, 40_000]

  private func steps(_ random: inout RandomStream) -> [SessionStep] {
    var steps: [SessionStep] = []
    steps.reserveCapacity(events)
    for _ in 0..<events {
      let word = random.word()
      let acts = random.happens(trouble) ? Self.troubles : Self.calm
      steps.append(
        SessionStep(
          act: acts[random.integer(in: 0..<acts.count)], device: word & 3 == 0 ? 1 : 0, field: word & 12 == 0 ? 1 : 0,
          milliseconds: Self.pauses[random.integer(in: 0..<Self.pauses.count)]))
    }
    return steps
  }
}
