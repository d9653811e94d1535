// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import MonteCarlo
internal import PropertyTesting
internal import Synchronization
internal import Testing

/// One call of `check` in a running test.
struct Host: Sendable {
  private let test: Test
  private let settings: CheckSettings
  private let environment: HostEnvironment
  private let location: SourceLocation
  /// The number of the call in its test, from 1, in the order of execution.
  private let ordinal: Int

  /// The environment of the process, or that of a test of the host.
  @TaskLocal static var variables = ProcessInfo.processInfo.environment

  private static let indices = Mutex<[Test.ID: [SourceLocation]]>([:])

  init(
    _ settings: CheckSettings, cases: Int?, at location: SourceLocation,
    environment: [String: String] = Self.variables
  ) throws {
    guard let test = Test.current else { throw HostError.outsideTest(fileID: location.fileID, line: location.line) }
    self.test = test
    self.location = location
    ordinal = Self.indices.withLock { indices in
      var known = indices[test.id, default: []]
      if !known.contains(location) { known.append(location) }
      indices[test.id] = known
      return (known.firstIndex(of: location) ?? 0) + 1
    }
    self.environment = try HostEnvironment(environment)
    var settings = settings
    settings.cases = cases ?? settings.cases
    self.settings = self.environment.applied(to: settings)
  }

  /// The name of the property of this call: the given one, or one made of the module, the suites (the file, without a
  /// suite), the test and, from the second call on, the call's number.
  func id(_ name: String?) -> String {
    let file = String(location.fileID.replacing(/.*\//, with: "").replacing(/\.swift$/, with: ""))
    let suites = test.id.nameComponents.dropLast()
    let path = [test.id.moduleName] + (suites.isEmpty ? [file] : Array(suites)) + [test.plainName]
    return name ?? path.joined(separator: ".").replacing("`", with: "") + (ordinal == 1 ? "" : ".\(ordinal)")
  }

  private var sentence: String { test.displayName ?? test.name }

  /// Returns a function that throws for results that mean failure. Other results than a Bool are ignored, as those of
  /// `#expect(throws:)` and `#require` may be.
  private func evaluate<Result>(of type: Result.Type) throws -> @Sendable (Result) throws -> Void {
    if type == Bool?.self { throw HostError.badResult(type: "\(type)", fileID: location.fileID, line: location.line) }
    guard type == Bool.self else { return { _ in } }
    let origin = "\(location.fileID):\(location.line)"
    return { result in
      if result as? Bool != true { throw Failure("the condition is false", origin: origin) }
    }
  }

  func check<each Value, Result>(
    named name: String?, _ generators: repeat Gen<each Value>, waits: Bool = false, isolation: (any Actor)? = nil,
    body: @escaping @Sendable (repeat each Value) throws -> Result
  ) async throws {
    let evaluate = try evaluate(of: Result.self)
    let property = Property(id(name), sentence, of: repeat each generators, waits: waits) {
      (values: repeat each Value) in
      try evaluate(body(repeat each values))
    }
    try await check(property, isolation: isolation)
  }

  /// Checks a property on the executor of an actor.
  func check(_ property: Property, isolation: (any Actor)? = nil) async throws {
    let property = property.showingParts
    let ownName = id(nil)
    var settings = settings
    settings.pinned += test.pinned(for: property.id, ownName: ownName, isFirst: ordinal == 1)
    let caught = CaughtIssues(file: location.fileID)
    let round = Round(
      property: property, settings: settings, environment: environment, test: test.id.filter, ownName: ownName,
      interrupt: caught.interrupt)
    let findings = Mutex<Findings?>(nil)
    // Entered once for all cases, because each entry takes longer than most cases.
    try await caught.handling.provideScope(for: test, testCase: Test.Case.current) {
      let found = try await Self.findings(of: round, caught, on: isolation)
      findings.withLock { $0 = found }
    }
    try Task.checkCancellation()
    guard var findings = findings.withLock({ $0 }) else { return }
    findings.strays = caught.strays
    if environment.reports, let report = findings.report, report.isHeld {
      Self.print(report.text(for: property))
    }
    if let text = findings.text(about: property, in: round) {
      if let workspace = environment.workspace {
        Self.print(Self.annotation(text, titled: sentence, at: location, in: workspace))
      }
      Issue.record(Comment(rawValue: text), sourceLocation: location)
    } else if !findings.remarks.isEmpty {
      let remarks = Comment(rawValue: findings.remarks.joined(separator: "\n"))
      Issue.record(remarks, severity: .warning, sourceLocation: location)
    }
  }

  /// The findings of a round on the executor of an actor, which stays there unless the body waits.
  private static func findings(
    of round: Round, _ caught: CaughtIssues, on isolation: isolated (any Actor)?
  ) async throws -> Findings {
    guard round.property.waits else { return try caught.catching { try round.findings() } }
    return try await round.property.perform { try caught.catching { try round.findings() } }
  }

  private static func print(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

  /// An annotation of the line of the call, as GitHub reads it from the output.
  static func annotation(
    _ text: String, titled title: String, at location: SourceLocation, in workspace: String
  ) -> String {
    func escaped(_ text: String) -> String {
      text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }
    func property(_ text: String) -> String { escaped(text).replacing(":", with: "%3A").replacing(",", with: "%2C") }
    let path = location.filePath
    let file = path.hasPrefix(workspace + "/") ? String(path.dropFirst(workspace.count + 1)) : path
    return "\n::error file=\(property(file)),line=\(location.line),title=\(property(title))::"
      + escaped(text)
  }
}

/// The issues that the test library records while cases run.
private final class CaughtIssues: Sendable {
  /// The file of the check.
  private let file: String
  /// The threads on which an issue is being recorded that is the failure of a case.
  private let catching = Mutex<Set<ObjectIdentifier>>([])
  private let outside = Mutex<[String]>([])
  /// Raised by the first of `strays`: the test library records each one by itself, again in every further case.
  let interrupt = Interrupt()

  init(file: String) { self.file = file }

  /// Each expectation of this file that failed outside of every test while cases ran.
  var strays: [String] { outside.withLock { $0 } }

  /// Makes the issues of a case its failure. The innermost matcher is asked first: a body's own known issues are not
  /// its failures, and `withKnownIssue` around the check applies to the report alone.
  func catching<Value>(_ work: () throws -> Value) throws -> Value {
    var result: Result<Value, any Error>?
    withKnownIssue(isIntermittent: true) {
      result = Result(catching: work)
    } matching: { issue in
      guard issue.isFailure, recordFailure(Failure(issue)) else { return false }
      self.catching.withLock { _ = $0.insert(Self.thread) }
      return true
    }
    guard let result else { throw CancellationError() }
    return try result.get()
  }

  /// Hides what `catching` has caught: the library reports it as a known issue at once, on the same thread.
  var handling: IssueHandlingTrait {
    .compactMapIssues { issue in
      if self.catching.withLock({ $0.remove(Self.thread) }) != nil { return nil }
      guard issue.isFailure, Test.current == nil else { return issue }
      // An issue without a test is sent to every scope; the outermost one reports it.
      if let location = issue.sourceLocation, location.fileID == self.file {
        let remark =
          "\(location.fileID):\(location.line): an expectation failed outside of the case, in a detached task, which "
          + "belongs to no test; await it in a child task of the body"
        self.outside.withLock { if !$0.contains(remark) { $0.append(remark) } }
        self.interrupt.raise()
      }
      return nil
    }
  }

  private static var thread: ObjectIdentifier { ObjectIdentifier(Thread.current) }
}
extension Test {
  /// The name without its parameters; that of a raw identifier may have parentheses.
  fileprivate var plainName: String { name.replacing(name.hasPrefix("`") ? /[^`]*$/ : /\(.*/, with: "") }
}

extension Test.ID {
  /// A regular expression that matches this test alone, quoted for a shell. The library appends the place of the test.
  var filter: String {
    let name = "\(moduleName).\(nameComponents.joined(separator: "/"))/"
    let escaped = name.map { #"\^$.|?*+()[]{}"#.contains($0) ? "\\\($0)" : String($0) }.joined()
    return "'^\(escaped.replacing("'", with: #"'\''"#))'"
  }
}

extension Failure {
  fileprivate init(_ issue: Issue) {
    let comments = issue.comments.map { "\n\($0.rawValue)" }.joined()
    let index = issue.sourceLocation.map { "\($0.fileID):\($0.line)" }
    self.init("\(issue.kind)" + comments, origin: index ?? "unknown place")
  }
}

struct Findings: Sendable {
  /// The result of the cases; `nil` when a replayed case passed.
  var report: CheckReport?
  /// The reason why a case was not replayed.
  var staleness: CheckError?
  /// Warnings, which do not fail the test.
  var remarks: [String] = []
  /// Failures that belong to no case.
  var strays: [String] = []

  /// The issue of a property that does not hold; `nil` when it holds.
  func text(about property: Property, in round: Round) -> String? {
    // A property that belongs to this test is titled by its sentence alone.
    let title = property.id == round.ownName ? property.sentence : "\(property.id): \(property.sentence)"
    if let staleness { return "\(title): \(staleness)" }
    guard let report, !report.isHeld, strays.isEmpty || report.counterexample != nil else {
      return strays.isEmpty ? nil : "\(title): \(strays.joined(separator: "; "))"
    }
    let text = report.text { round.replay(ReplayToken(property: property.id, choices: $0)) }
    let lines = ["\(title): \(text)", "  \(round.again)"]
    return (lines + (strays + remarks).map { "  \($0)" }).joined(separator: "\n")
  }
}

/// One check of a property: first the stored cases, then new ones.
struct Round: Sendable {
  let property: Property
  let settings: CheckSettings
  let environment: HostEnvironment
  /// The test as an argument of `--filter`.
  let test: String
  /// The name of a property without one in this call.
  var ownName = ""
  /// Ends the search early.
  var interrupt: Interrupt?

  /// The command that replays a case.
  func replay(_ token: ReplayToken) -> String { "ASSAY_REPLAY=\(token) swift test --filter \(test)" }

  /// The command that repeats all cases.
  var again: String { "again: ASSAY_SEED=\(settings.seed) ASSAY_CASES=\(settings.cases) swift test --filter \(test)" }

  /// Runs the requested case, or the stored ones and then new ones until enough fail.
  func findings() throws -> Findings {
    // On a busy machine, the code that a body awaits may get no thread.
    let caseLimit = settings.caseLimit ?? (property.waits ? nil : .seconds(60))
    return try property.reportingTraps(caseLimit: caseLimit) { token in
      (token.map { ["replay: \(replay($0))"] } ?? []) + [again]
    } _: {
      try findings(of: $0)
    }
  }

  private func findings(of property: Property) throws -> Findings {
    if let token = environment.replay, token.property == property.id { return try replayed(token, of: property) }
    var findings = Findings()
    // A case that passes with one argument of a parameterised test may fail with another.
    let report = try property.check(
      with: environment.examples, retries: true, keepsPassing: Test.Case.current?.isParameterized ?? false,
      settings: settings, stored: "stored, to be tried first from now on", remarks: &findings.remarks
    ) { _ in
      try property.check(
        settings, in: CheckEnvironment(interrupt: interrupt, countsCommands: environment.reports))
    }
    if report.isHeld, report.passed < settings.cases { findings.remarks.append(report.summary) }
    findings.report = report
    return findings
  }

  private func replayed(_ token: ReplayToken, of property: Property) throws -> Findings {
    let outcome = try property.replay(token)
    if case .stale = outcome { return Findings(staleness: .staleChoices(property: property.id)) }
    guard let report = CheckReport(replaying: property, outcome, of: token, settings: settings) else {
      return Findings(remarks: ["the replayed case of '\(property.id)' passes now"])
    }
    return Findings(report: report)
  }
}

/// The reason why a property could not be tested in a test.
public enum HostError: Error, Sendable, Hashable, CustomStringConvertible {
  /// `check` was called outside of a test, for example in a detached task.
  case outsideTest(fileID: String, line: Int)
  /// The body of a `check` returns a condition that may be `nil`.
  case badResult(type: String, fileID: String, line: Int)
  /// An environment variable has an invalid value.
  case badVariable(_ name: String, found: String, expected: String)

  /// The error, its place, and how to correct it.
  public var description: String {
    switch self {
    case .outsideTest(let fileID, let line):
      """
      \(fileID):\(line): check was called outside of a test; call it from the task of a @Test function. \
      Elsewhere, as in a script or an XCTestCase, use search, which returns a report.
      """
    case .badResult(let type, let fileID, let line):
      """
      \(fileID):\(line): the body of check returns \(type); expected nothing, or a Bool that says whether the case \
      passes. Say which of the two nil is, as by `== true`.
      """
    case .badVariable(let name, let found, let expected):
      "the environment variable \(name) is \"\(found)\"; expected \(expected)."
    }
  }
}

/// The settings of a kind of test run, for every check.
enum HostProfile: String, Sendable, CaseIterable {
  /// The same cases in every run; endless cases are found early, and several faults are reported at once.
  case ci
  /// A hundred times as many cases, different every day, for at most ten minutes a property.
  case nightly

  func applied(to settings: CheckSettings, on day: Int) -> CheckSettings {
    var settings = settings
    switch self {
    case .ci:
      settings.caseLimit = settings.caseLimit ?? .seconds(10)
      settings.failures = max(settings.failures, 3)
    case .nightly:
      settings.cases = max(settings.cases, 100 * min(settings.cases, 10_000_000))
      settings.seed &+= UInt64(max(0, day))
      settings.timeLimit = settings.timeLimit ?? .seconds(600)
      settings.failures = max(settings.failures, 10)
      settings.shrinkLimit = max(settings.shrinkLimit, 50_000)
    }
    return settings
  }
}

/// The settings of every check of a test run, from environment variables.
struct HostEnvironment: Sendable, Hashable {
  /// `ASSAY_SEED`: the seed of every check, instead of its own.
  var seed: UInt64?
  /// `ASSAY_CASES`: the number of cases of every property, instead of its own.
  var cases: Int?
  /// `ASSAY_PROFILE`: the kind of test run; explicit seeds and cases take precedence.
  var profile: HostProfile?
  /// `ASSAY_REPORT`: whether to report the cases of properties that hold.
  var reports = false
  /// The day, which determines the cases of a nightly run.
  private let day: Int
  /// `ASSAY_REPLAY`: a case to replay; its property is not tested otherwise.
  var replay: ReplayToken?
  /// `ASSAY_EXAMPLES`: the folder of stored failing cases, empty for none; by default `.assay/examples`, which the
  /// first failing case creates.
  var examples: ExampleStore?
  /// `GITHUB_ACTIONS`: the folder of the sources, `GITHUB_WORKSPACE`, if failures are annotated; otherwise `nil`.
  var workspace: String?

  init(
    _ environment: [String: String], today: Date = Date()
  ) throws(HostError) {
    day = Int(today.timeIntervalSince1970 / 86_400)
    if let text = environment["ASSAY_PROFILE"] {
      guard let profile = HostProfile(rawValue: text) else {
        let known = HostProfile.allCases.map(\.rawValue).joined(separator: " or ")
        throw .badVariable("ASSAY_PROFILE", found: text, expected: known)
      }
      self.profile = profile
    }
    if let text = environment["ASSAY_REPORT"] {
      guard ["0", "1"].contains(text) else { throw .badVariable("ASSAY_REPORT", found: text, expected: "1 or 0") }
      reports = text == "1"
    }
    if let text = environment["ASSAY_SEED"] {
      guard let seed = UInt64(text) else {
        throw .badVariable("ASSAY_SEED", found: text, expected: "a whole number from 0 to \(UInt64.max)")
      }
      self.seed = seed
    }
    if let text = environment["ASSAY_CASES"] {
      guard let cases = Int(text), cases > 0 else {
        throw .badVariable("ASSAY_CASES", found: text, expected: "a whole number of at least 1")
      }
      self.cases = cases
    }
    if let text = environment["ASSAY_REPLAY"] {
      do throws(ReplayError) {
        replay = try ReplayToken(parsing: text)
      } catch {
        throw .badVariable("ASSAY_REPLAY", found: text, expected: "what a failure printed (\(error))")
      }
    }
    switch environment["ASSAY_EXAMPLES"] {
    case nil: examples = ExampleStore()
    case "": examples = nil
    case let folder?: examples = ExampleStore(folder: folder)
    }
    if environment["GITHUB_ACTIONS"] == "true" { workspace = environment["GITHUB_WORKSPACE"] ?? "" }
  }

  func applied(to settings: CheckSettings) -> CheckSettings {
    var settings = profile?.applied(to: settings, on: day) ?? settings
    settings.seed = seed ?? settings.seed
    settings.cases = cases ?? settings.cases
    // The test library sees expectations only on the thread of the test.
    settings.jobs = 1
    return settings
  }
}
