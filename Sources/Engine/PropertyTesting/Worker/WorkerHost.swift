// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import MonteCarlo

/// The side of the process that judges cases for another one, and may end over any of them.
public struct WorkerHost: Sendable {
  private let command: [String]
  private let find: @Sendable (_ id: String, _ subject: String?) -> Property?

  /// Creates a host.
  ///
  /// - Parameters:
  ///   - command: The executable and the arguments by which this process was started, to start others like it.
  ///   - find: The property of an id, of the code that ships or of a broken variant by name.
  public init(command: [String], find: @escaping @Sendable (_ id: String, _ subject: String?) -> Property?) {
    self.command = command
    self.find = find
  }

  /// Answers requests until the process that asks is gone.
  ///
  /// - Throws: `WorkerError` when the process was not started by one that asks.
  public func serve() throws {
    guard fcntl(ChildProcess.Descriptor.journal, F_GETFD) >= 0, fcntl(ChildProcess.Descriptor.answers, F_GETFD) >= 0
    else { throw WorkerError.misunderstood("it is started by 'assay properties check' and not by hand") }
    let journal = try TapeJournal(descriptor: ChildProcess.Descriptor.journal)
    Self.settleIn()
    while let asked = try WorkerPipe.read(AddressedRequest.self, from: STDIN_FILENO) {
      let property = find(asked.property, asked.subject)
      let answer = property.map { self.answer(asked, about: $0, journal) } ?? .unknownProperty
      guard try WorkerPipe.write(answer, to: ChildProcess.Descriptor.answers) else { return }
    }
  }

  private func answer(_ asked: AddressedRequest, about property: Property, _ journal: TapeJournal) -> WorkerAnswer {
    do {
      var environment = CheckEnvironment()
      let interrupt = Interrupt()
      environment.interrupt = interrupt
      let trial = property.trial.journalled(in: journal) { interrupt.raise() }
      switch asked.request {
      case .check(let settings):
        return .report(try Checker(trial, settings, environment, argumentNames: property.argumentNames).run())
      case .replay(let tape):
        var draws = try Draws(seed: 0)
        return .replayed(trial.replay(tape, &draws))
      case .judge(let tape):
        return .verdict(try Self.judge(trial, tape))
      case .describe(let tape):
        var draws = try Draws(seed: 0)
        draws.begin(reading: tape)
        return .described(trial.describe(&draws))
      case .examine(let tape, let failure, let settings, let casesUntilFound, let caseLimit):
        let judge = try RemoteJudge(command, property: asked.property, subject: asked.subject, caseLimit: caseLimit)
        let examination = Examination(
          property.trial.judged(by: judge).journalled(in: journal), settings, argumentNames: property.argumentNames)
        var draws = try Draws(seed: 0)
        let labelled = property.trial.redrawn(tape, &draws)
        return .examined(try examination.examine(labelled, failure, casesUntilFound: casesUntilFound))
      }
    } catch let error as CheckError {
      return .refused(error)
    } catch {
      return .failed("\(error)")
    }
  }

  private static func judge(_ trial: Trial, _ tape: Tape) throws -> Verdict {
    let context = CaseContext()
    var draws = try Draws(seed: 0)
    draws.begin(reading: tape)
    return CaseContext.$current.withValue(context) { trial.heard(by: context).attempt(&draws) { _ in true } }
  }

  /// Leaves signals that the whole group gets to the process that asks, ends with it, and leaves no core behind.
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
