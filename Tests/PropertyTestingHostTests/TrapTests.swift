// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import PropertyTestingHost
import Testing

@Suite("A case that ends the process")
struct TrapTests {
  private static func run(
    _ property: Property, _ environment: [String: String] = [:], caseLimit: Duration? = nil
  ) throws {
    let environment = try HostEnvironment(environment.merging(["ASSAY_EXAMPLES": ""]) { $1 })
    let settings = CheckSettings(caseLimit: caseLimit)
    _ = try Round(property: property, settings: settings, environment: environment, test: "small").findings()
  }

  private static let trapping = Property("trap.1", "Numbers are small", Gen.integers(in: 0..<1000)) { number in
    precondition(number < 500, "too great")
  }

  /// What a process prints about a case before it ends.
  private static func lines(of result: ExitTest.Result?) throws -> [Substring] {
    let printed = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let lines = printed.split(separator: "\n")
    return Array(lines.drop { !$0.contains("in a case of") && !$0.contains("while a generator of") })
  }

  @Test("is printed with its token, the way to run it again and its arguments, and the token ends it again")
  func trap() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try TrapTests.run(TrapTests.trapping)
    }
    let lines = try Self.lines(of: result)
    #expect(lines.first?.hasSuffix("in a case of 'Numbers are small' (trap.1)") == true)
    let replay = try #require(lines.dropFirst().first)
    #expect(replay.hasPrefix("  replay: ASSAY_REPLAY=trap.1:1:") && replay.hasSuffix(" swift test --filter small"))
    #expect(lines.dropFirst(2).first == "  again: ASSAY_SEED=0 ASSAY_CASES=100 swift test --filter small")
    let argument = try #require(lines.dropFirst(3).first)
    #expect(try #require(Int(argument.drop { !$0.isNumber }.dropFirst(3))) >= 500, "argument 1: NUMBER")

    let token = String(try #require(replay.split(separator: " ").dropFirst().first).dropFirst("ASSAY_REPLAY=".count))
    let again = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [token = token as String] in
      try TrapTests.run(TrapTests.trapping, ["ASSAY_REPLAY": token])
    }
    #expect(try Self.lines(of: again) == lines)
  }

  @Test("is printed with its token when shrinking meets it")
  func shrinking() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try TrapTests.run(
        Property("trap.9", "Numbers are small", Gen.integers(in: 0..<1000).given(995)) { number in
          precondition(number < 300 || number > 990, "neither small nor great")
          try require(number < 300, "too great")
        })
    }
    #expect(try Self.lines(of: result).dropFirst().first?.hasPrefix("  replay: ASSAY_REPLAY=trap.9:1:") == true)
  }

  @Test("is printed after a recursion without end, and after abort")
  func otherEnds() async throws {
    let recursion = await #expect(processExitsWith: .signal(SIGSEGV), observing: [\.standardErrorContent]) {
      try TrapTests.run(
        Property("trap.2", "It ends", Gen<Int>.integers()) { number in
          func endless(_ depth: Int) -> Int { depth < 0 ? depth : endless(depth + 1) &+ endless(depth + 2) }
          try require(endless(0) < number)
        })
    }
    #expect(try Self.lines(of: recursion).first == "SIGSEGV in a case of 'It ends' (trap.2)")
    let abortion = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
      try TrapTests.run(Property("trap.3", "It goes on", Gen<Int>.integers()) { if $0 >= $0 { abort() } })
    }
    #expect(try Self.lines(of: abortion).first == "SIGABRT in a case of 'It goes on' (trap.3)")
  }

  @Test("is printed with its token if it exceeds its time limit, in the body or in a generator")
  func endless() async throws {
    let body = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      let property = Property("trap.6", "It ends", Gen.integers(in: 0..<1000)) { number in
        while number >= 500 && ContinuousClock.now <= .now {}
      }
      try TrapTests.run(property, caseLimit: .seconds(2))
    }
    let lines = try Self.lines(of: body)
    #expect(lines.first == "More than 2.0 seconds in a case of 'It ends' (trap.6)")
    #expect(lines.dropFirst().first?.hasPrefix("  replay: ASSAY_REPLAY=trap.6:1:") == true)
    #expect(
      lines.contains { $0.hasPrefix("  argument 1: ") } && lines.last?.hasPrefix("  The process is ended. ") == true)
    let generator = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      let endless = Gen.integers(in: 0..<1000).map { number in
        while number >= 500 && ContinuousClock.now <= .now {}
        return number
      }
      try TrapTests.run(Property("trap.7", "Anything", endless) { _ in }, caseLimit: .seconds(2))
    }
    #expect(
      try Self.lines(of: generator).first
        == "More than 2.0 seconds while a generator of 'Anything' (trap.7) drew a case")
  }

  @Test("is printed by a search, by expectCaught, by a check of a mutant, and for a body that never returns")
  func otherModes() async throws {
    let searched = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try search(Gen<Int>.integers(in: 0...9)) { number in fatalError("\(number)") }
    }
    let lines = try Self.lines(of: searched)
    let location = "in a case of 'search at PropertyTestingHostTests/TrapTests.swift:"
    #expect(lines.first?.contains(location) == true && lines.first?.hasSuffix("' (search)") == true)
    #expect(lines.dropFirst().first?.hasPrefix("  token: search:1:") == true)
    #expect(lines.dropFirst(2).first?.hasPrefix("  argument 1: ") == true)
    let caught = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try TrapTests.mutant.expectCaught()
    }
    #expect(try Self.lines(of: caught).first?.hasSuffix("in a case of 'Numbers are small' (trap.1)") == true)
    let mutant = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try FaultFinding(TrapTests.mutant)
    }
    let replay = try #require(try Self.lines(of: mutant).dropFirst().first)
    #expect(replay.hasPrefix("  replay: assay properties replay trap.1:1:") && replay.hasSuffix(" --mutant traps"))
  }

  private static var mutant: Mutant {
    get throws {
      let mutation = Mutation<Void>("traps", "It traps.", caughtBy: "trap.1", within: 100) { _ in }
      let catalogue = PropertyCatalogue(core: "Small", production: (), properties: { [trapping] }, mutants: [mutation])
      return try #require(catalogue.mutants.first)
    }
  }

  @Test("is printed when a search meets a case that takes too long")
  func endlessSearch() async throws {
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      _ = try search(Gen.integers(in: 0..<1000), settings: CheckSettings(caseLimit: .seconds(1))) { number in
        while number >= 500 && ContinuousClock.now <= .now {}
      }
    }
    #expect(try Self.lines(of: result).first?.hasPrefix("More than 1.0 seconds in a case of 'search at ") == true)
  }

  @Test("is printed with the body's draws, in its token and in words")
  func drawnInBody() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try TrapTests.run(TrapTests.drawing)
    }
    let line = try #require(try Self.lines(of: result).dropFirst().first)
    let word = try #require(line.split(separator: "=").dropFirst().first?.split(separator: " ").first)
    let token = try ReplayToken(parsing: String(word))
    let calm = Property("trap.8", "Numbers are small", Gen.booleans()) { _ in
      let number = try draw(Gen.integers(in: 0..<1000))
      try require(number < 500, "too great")
    }
    guard case .failed(let failure, _, let notes) = try calm.replay(token) else {
      Issue.record("the token has another case")
      return
    }
    #expect(failure.message == "too great")
    let rest = try Self.lines(of: result).drop { !$0.hasPrefix("  argument 1: ") }
    #expect(rest.dropFirst().first.map(String.init) == notes.first.map { "  \($0)" })
  }

  private static let drawing = Property("trap.8", "Numbers are small", Gen.booleans()) { _ in
    let number = try draw(Gen.integers(in: 0..<1000))
    precondition(number < 500, "too great")
  }

  @Test("is printed with the place of the check, and with its program indented, if a state machine runs it")
  func program() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let machine = StateMachine(model: 0, system: { 0 }) { machine in
        machine.command("count") {
          $0 += 1
        } run: { system in
          system += 1
          precondition(system < 3, "three are too many")
        }
      }
      _ = try machine.check()
    }
    let lines = try Self.lines(of: result)
    #expect(lines.first?.contains("a case of 'search at PropertyTestingHostTests/TrapTests.swift:") == true, "\(lines)")
    let program = lines.drop { $0 != "  argument 1: count()" }
    #expect(Array(program.prefix(3)) == ["  argument 1: count()", "  count()", "  count()"], "\(lines)")
  }

  @Test("is reported with its seed if a generator ends the process")
  func generator() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let odd = Gen.integers(in: 0..<10).map { 10 / ($0 % 2) }
      try TrapTests.run(Property("trap.4", "Numbers are odd", odd) { _ in })
    }
    let lines = try Self.lines(of: result)
    #expect(lines.first?.hasSuffix("while a generator of 'Numbers are odd' (trap.4) drew a case") == true)
    #expect(lines.dropFirst().first == "  again: ASSAY_SEED=0 ASSAY_CASES=100 swift test --filter small")
  }

  @Test("passes a trap outside of any case to the earlier handler")
  func elsewhere() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try TrapTests.run(Property("trap.5", "Anything", Gen<Int>.integers()) { _ in })
      fatalError("unrelated")
    }
    #expect(try Self.lines(of: result).isEmpty)
  }
}
