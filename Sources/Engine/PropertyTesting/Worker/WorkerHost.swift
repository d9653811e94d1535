// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import MonteCarlo
internal import Synchronization

/// The child's side: it evaluates cases for another process, and any case may end it.
package struct WorkerHost: Sendable {
  private let command: [String]
  private let find: @Sendable (_ id: String, _ mutant: String?) -> Property?

  package init(command: [String], find: @escaping @Sendable (_ id: String, _ mutant: String?) -> Property?) {
    self.command = command
    self.find = find
  }

  package func serve() throws {
    guard fcntl(ChildProcess.Descriptor.journal, F_GETFD) >= 0, fcntl(ChildProcess.Descriptor.answers, F_GETFD) >= 0
    else { throw WorkerError.misunderstood("it is started by 'assay properties check' and not by hand") }
    let journal = try ChoiceJournal(descriptor: ChildProcess.Descriptor.journal)
    Self.settleIn()
    while let asked = try WorkerPipe.read(AddressedRequest.self, from: STDIN_FILENO) {
      let property = find(asked.property, asked.mutant)
      let answer = property.map { self.answer(asked, about: $0, journal) } ?? .unknownProperty
      guard try WorkerPipe.write(answer, to: ChildProcess.Descriptor.answers) else { return }
    }
  }

  private func answer(_ asked: AddressedRequest, about property: Property, _ journal: ChoiceJournal) -> WorkerAnswer {
    do {
      let interrupt = Interrupt()
      let trial = property.trial.journalled(in: journal) { interrupt.raise() }
      var draws = ChoiceSource(seed: 0)
      switch asked.request {
      case .check(let settings):
        let corpus = Mutex(settings.isGuided ? GuidedCorpus(edges: Guidance.edges) : nil)
        let checker = Checker(
          trial: trial, settings: settings,
          environment: CheckEnvironment(
            interrupt: interrupt, guided: { journal.guidance = $0 },
            kept: { one in
              // Each thread keeps the cases that are new to it.
              corpus.withLock { if $0?.add(one) == true { Self.send(.kept(one.choices)) } }
            }),
          argumentNames: property.argumentNames)
        return .report(try checker.run())
      case .replay(let choices): return .replayed(trial.replay(choices, &draws) { Self.send(.noted($0)) })
      case .evaluate(let choices): return .verdict(trial.evaluate(choices, &draws))
      case .describe(let choices):
        draws.begin(reading: choices)
        return .described(trial.describe(&draws))
      case .examine(let choices, let failure, let settings, let casesUntilFound, let caseLimit):
        let evaluate = try RemoteEvaluator(command, like: asked, caseLimit: caseLimit)
        let analysis = FailureAnalysis(
          trial: property.trial.evaluated(by: evaluate).journalled(in: journal) { interrupt.raise() },
          settings: settings, argumentNames: property.argumentNames,
          cutoff: Cutoff(interrupt: interrupt, deadline: settings.timeLimit.map { .now + $0 }))
        let labelled = property.trial.redrawn(choices, &draws)
        return .examined(try analysis.examine(labelled, failure, casesUntilFound: casesUntilFound))
      }
    } catch let error as CheckError {
      return .refused(error)
    } catch {
      return .failed("\(error)")
    }
  }

  private static let sending = Mutex(())

  /// Sends a message that must arrive even if the process ends before its answer.
  private static func send(_ message: WorkerAnswer) {
    sending.withLock { _ in _ = try? WorkerPipe.write(message, to: ChildProcess.Descriptor.answers) }
  }

  /// Leaves the signals of the process group to the parent, ends with it, and writes no core file.
  private static func settleIn() {
    _ = signal(SIGINT, SIG_IGN)
    _ = signal(SIGTERM, SIG_IGN)
    _ = signal(SIGPIPE, SIG_IGN)
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    Thread.detachNewThread {
      var asker = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
      while unsafe poll(&asker, 1, -1) < 1 {}
      _exit(0)
    }
  }
}

enum WorkerRequest: Codable, Sendable {
  case check(CheckSettings)
  case replay(ChoiceSequence)
  case evaluate(ChoiceSequence)
  case describe(ChoiceSequence)
  /// Requests to confirm, shrink and explain a case that ends the process; the worker evaluates it in another one.
  case examine(ChoiceSequence, Failure, CheckSettings, casesUntilFound: Int, caseLimit: Duration)
}

enum WorkerAnswer: Codable, Sendable {
  case report(CheckReport)
  case replayed(ReplayOutcome)
  case verdict(CaseOutcome)
  case described([String])
  case examined(CheckReport.Outcome)
  /// A case that a guided check keeps, sent before its answer.
  case kept(ChoiceSequence)
  /// A note of the body, sent before the answer to a replay.
  case noted(String)
  case refused(CheckError)
  case unknownProperty
  case failed(String)
}

struct AddressedRequest: Codable, Sendable {
  let property: String
  /// The mutant of the code under test; `nil` for the production code.
  let mutant: String?
  let request: WorkerRequest

  /// Another request about the same property.
  func with(_ request: WorkerRequest) -> AddressedRequest {
    AddressedRequest(property: property, mutant: mutant, request: request)
  }
}

/// Messages on a pipe: four bytes of length, followed by that many bytes of JSON.
enum WorkerPipe {
  /// The largest length of a message, above that of any choice sequence.
  private static let maxBytes = 1 << 28

  static func write(_ message: some Encodable, to descriptor: Int32) throws -> Bool {
    let body = try JSONEncoder.exact.encode(message)
    let bytes = unsafe withUnsafeBytes(of: UInt32(body.count).littleEndian) { unsafe Array($0) } + body
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Reads a message; `nil` if the other side has ended.
  static func read<Message: Decodable>(_ type: Message.Type, from descriptor: Int32) throws -> Message? {
    guard let head = bytes(4, from: descriptor) else { return nil }
    let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= maxBytes else { throw WorkerError.misunderstood("a message of \(length) bytes") }
    guard let body = bytes(length, from: descriptor) else { return nil }
    return try JSONDecoder.exact.decode(Message.self, from: Data(body))
  }

  private static func bytes(_ count: Int, from descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var received = 0
    while received < count {
      let more = unsafe bytes[received...].withUnsafeMutableBytes {
        unsafe Foundation.read(descriptor, $0.baseAddress, $0.count)
      }
      if more < 0 && errno == EINTR { continue }
      guard more > 0 else { return nil }
      received += more
    }
    return bytes
  }
}

/// Evaluates one case after another in a separate process, and starts it again when a case has ended it.
final class RemoteEvaluator: Sendable {
  /// The number of cases that may take too long: a search that meets one is likely to meet many.
  private static let maxHangs = 16

  private struct State {
    let worker: Worker
    /// The verdicts on cases that took too long.
    var hangs: [ChoiceSequence: CaseOutcome] = [:]
  }

  private let asked: AddressedRequest
  private let state: Mutex<State>

  init(_ command: [String], like asked: AddressedRequest, caseLimit: Duration) throws(WorkerError) {
    self.asked = asked
    state = Mutex(State(worker: try Worker(command, threads: 1, caseLimit: caseLimit)))
  }

  func evaluate(_ choices: ChoiceSequence) -> CaseOutcome {
    state.withLock { state in
      if let known = state.hangs[choices] { return known }
      guard state.hangs.count < Self.maxHangs else { return .declined }
      let verdict = (try? state.worker.evaluate(choices, like: asked)) ?? .declined
      if verdict == .declined || verdict == .failed(state.worker.hang) { state.hangs[choices] = verdict }
      return verdict
    }
  }
}

extension Trial {
  /// The same trial, drawn here and evaluated elsewhere.
  func evaluated(by evaluate: RemoteEvaluator) -> Trial {
    var remote = self
    let attempt = attempt
    remote.attempt = { draws, isWanted in
      var isDrawn = false
      let verdict = attempt(&draws) { drawn in
        isDrawn = isWanted(drawn)
        return false
      }
      guard isDrawn else { return verdict }
      draws.adoptRest()
      return evaluate.evaluate(draws.choices)
    }
    return remote
  }
}
