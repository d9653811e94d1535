// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Randomness
internal import Scenarios
internal import Synchronization

/// The samples that workers are drawing, so that one that traps or does not end is named with the command that draws
/// it alone.
final class RunningSamples: TrapWitness {
  final class Slot: Sendable {
    fileprivate let thread = TrapReporter.thisThread
    /// The number of the sample; below 0 between samples.
    private let number = Atomic(-1)

    fileprivate var sample: Int? {
      let number = number.load(ordering: .relaxed)
      return number < 0 ? nil : number
    }

    func begin(_ sample: Int) { number.store(sample, ordering: .relaxed) }
    func end() { number.store(-1, ordering: .relaxed) }
  }

  private struct Worker {
    let slot: Slot
    /// The sample of the worker at the last look, and how long it has been the same.
    var sample: Int?
    var seen = Duration.zero
  }

  private let workers = Mutex<[Worker]>([])
  private let handling: SampleHandling
  /// The draws of the one sample that is drawn alone.
  private let record: DrawRecord?
  /// Saves finished blocks before the process is ended.
  private let save: @Sendable () -> Void
  let waits = false

  init(
    _ handling: SampleHandling, record: DrawRecord? = nil, save: @escaping @Sendable () -> Void = {}
  ) {
    (self.handling, self.record, self.save) = (handling, record, save)
  }

  /// A slot for the calling thread.
  func slot() -> Slot {
    let slot = Slot()
    workers.withLock { $0.append(Worker(slot: slot)) }
    return slot
  }

  var threads: [UInt64] { workers.withLock { $0.filter { $0.slot.sample != nil }.map(\.slot.thread) } }

  func reportStuck(after tick: Duration, write: (String) -> Void) -> Bool {
    guard let limit = handling.limit else { return false }
    let stuck = workers.withLock { workers in
      for index in workers.indices {
        let sample = workers[index].slot.sample
        workers[index].seen = sample == workers[index].sample ? workers[index].seen + tick : .zero
        workers[index].sample = sample
      }
      return workers.first { $0.sample != nil && $0.seen > limit }?.sample
    }
    guard let stuck else { return false }
    save()
    report("\nMore than \(limit)", of: stuck, write)
    return true
  }

  func report(_ signal: String, of thread: UInt64, write: (String) -> Void) {
    // A thread that has ended may have had the same number as one that runs.
    let sample = workers.withLock { $0.last { $0.slot.thread == thread && $0.slot.sample != nil }?.slot.sample }
    if let sample { report(signal, of: sample, write) }
  }

  private func report(_ event: String, of sample: Int, _ write: (String) -> Void) {
    write("\(event) in sample \(sample)\n  to draw it alone: \(handling.again(sample))\n")
    guard let record else { return }
    let first = record.first.map { "\($0.kind) \($0.value)" }.joined(separator: ", ")
    write("  it has drawn \(record.count) values\(first.isEmpty ? "" : ", first \(first)")\n")
  }
}
