// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import BlackjackCore
internal import BlackjackLab
internal import Foundation
internal import MonteCarlo
internal import Randomness
internal import Reporting
internal import Scenarios
internal import Workbench

struct BlackjackTrainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Teaches the chart: asks how to play hands, and shows the cost of every mistake.",
    discussion: """
      Example: assay blackjack train
      Example: assay blackjack train --mode dealer --subtype strong --difficulty hard --adaptive
      Example: printf 'h\\ns\\nq\\n' | assay blackjack train --mode quick --seed 7

      Without a mode there is a menu. Keys: h hit, s stand, d double, p split, r surrender, ? the chart with this cell \
      marked, q or Ctrl-C the summary. If the input is not a terminal, the same keys are read from lines.

      Costs are exact: how much less the action earns than the right one when the rest of the hand is played by the \
      chart. The chart is computed for the rules by the exact analyser; another chart is refused if it is wrong for \
      the rules. Easy asks decisions worth at least 0.1 bets, hard those worth less than 0.05. Nothing of a session is \
      stored.
      """)

  @Option(
    "mode", .choice(Self.modes), "quick, dealer, hand or absolutes (default: a menu).", example: "dealer",
    valueName: "mode")
  var mode: String?

  @Option(
    "subtype", .choice(Self.subtypes),
    "With --mode dealer: weak, medium or strong; with --mode hand: hard, soft or pairs.",
    example: "weak")
  var subtype: String?

  @Option("rules", .taught, "The rules of the game.", example: "6d-h17-das-ls") var rules = NamedRules.default

  @Option("chart", .taught, "The chart to learn: exact, trainer, or a .csv file.", example: "trainer")
  var chart = ChartSource.exact

  @Option("difficulty", .choice, "easy, normal or hard.", example: "hard", valueName: "band")
  var difficulty = Difficulty.normal

  @Option(
    "questions", .count(1...TrainingPlan.maxQuestions),
    "The number of questions, 1 to \(TrainingPlan.maxQuestions) (default: 50, of absolutes 20).", example: "20")
  var questions: Int?

  @Flag(help: "Ask a cell again after a wrong answer: after 3, 6 and 12 other questions.")
  var adaptive = false

  @Option("seed", .seed, "The seed of the questions (default: a new one each time).", example: "7", valueName: "seed")
  var seed: UInt64?

  func run() throws {
    let start = seed ?? .random(in: 0...UInt64(UInt32.max))
    let named = try mode.map(chosen)
    if named == nil, let subtype {
      throw CommandError.badValue(option: "--subtype", found: subtype, expected: "none without --mode dealer or hand")
    }
    let lesson = try TrainingChart(of: rules.rules, teaching: chart)
    let numbers = try StreamNumbers(seed: start)
    func plan(_ mode: TrainingMode) throws(TrainingError) -> TrainingPlan {
      try TrainingPlan(mode, of: lesson, difficulty: difficulty, questions: questions, isAdaptive: adaptive)
    }
    if let named { _ = try plan(named) }
    guard let terminal = KeyTerminal() else {
      guard let named else {
        throw CommandError.badValue(
          option: "--mode", found: "", expected: "one of \(Self.modes.joined(separator: ", "))")
      }
      var lines = TrainingLines(try plan(named), title: title(of: named), seed: start, numbers)
      return try lines.run()
    }
    let keys = TrainingKeys(terminal, numbers)
    defer { terminal.leave() }
    guard let chosen = named ?? keys.chooseMode(of: lesson.rules) else { return }
    let session = keys.play(try plan(chosen), title: title(of: chosen))
    terminal.leave()
    try Console.write(TrainingScreen.current.summary(session.summary, title: title(of: chosen), seed: start))
    if keys.wasTerminated { Foundation.exit(ExitStatus.terminated.rawValue) }
  }

  private func title(of mode: TrainingMode) -> String {
    "\(mode.title), \(rules.label)" + (difficulty == .normal ? "" : ", \(difficulty.rawValue)")
  }

  /// The words of the modes' names.
  private static let words = TrainingMode.all.map { $0.name.split(separator: " ").map(String.init) }
  private static let modes = words.map { $0[0] }.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
  private static let subtypes = words.flatMap { $0.dropFirst() }

  /// The mode of a name, with the subtype if it has subtypes.
  private func chosen(_ mode: String) throws -> TrainingMode {
    let subtypes = Self.words.filter { $0[0] == mode }.flatMap { $0.dropFirst() }
    let name = [mode, subtype].compactMap(\.self).joined(separator: " ")
    guard let chosen = TrainingMode.all.first(where: { $0.name == name }) else {
      throw CommandError.badValue(
        option: "--subtype", found: subtype ?? "",
        expected: subtypes.isEmpty
          ? "none: the mode \(mode) has no subtypes" : "one of \(subtypes.joined(separator: ", "))")
    }
    return chosen
  }
}

/// Random numbers from a stream.
private final class StreamNumbers: RandomNumberGenerator {
  private var stream: RandomStream

  init(seed: UInt64) throws(RandomnessError) {
    stream = try RandomStream(seed: StreamFamily(rootSeed: seed, experiments: ["train"]).seed(ordinal: 0, block: 0))
  }

  func next() -> UInt64 { UInt64(stream.word()) << 32 | UInt64(stream.word()) }
}

extension TrainingScreen {
  /// The screen for the terminal in its present state.
  fileprivate static var current: TrainingScreen {
    let environment = ProcessInfo.processInfo.environment
    let columns = KeyTerminal.size?.columns ?? environment["COLUMNS"].flatMap { Int($0) } ?? 80
    return TrainingScreen(
      width: min(100, max(20, columns)),
      style: TerminalStyle(isTerminal: TerminalStyle.isTerminal(STDOUT_FILENO), environment: environment),
      hasSigns: hasSigns(environment))
  }
}

/// A session by keys, on a full screen.
private final class TrainingKeys {
  private let terminal: KeyTerminal
  private var numbers: StreamNumbers
  private(set) var wasTerminated = false

  init(_ terminal: KeyTerminal, _ numbers: StreamNumbers) { (self.terminal, self.numbers) = (terminal, numbers) }

  /// The next key, with the screen drawn again whenever needed; `nil` to leave.
  private func key(over lines: () -> [String]) -> Character? {
    while true {
      terminal.draw(lines())
      switch terminal.next() {
      case .key(let key): return key.lowercased() == "q" ? nil : key
      case .redraw: continue
      case .leave: return nil
      case .terminated:
        wasTerminated = true
        return nil
      }
    }
  }

  func chooseMode(of rules: Rules) -> TrainingMode? {
    while let key = key(over: { TrainingScreen.current.menu(TrainingMode.all, rules: rules) }) {
      if let number = key.wholeNumberValue, TrainingMode.all.indices.contains(number - 1) {
        return TrainingMode.all[number - 1]
      }
    }
    return nil
  }

  func play(_ plan: TrainingPlan, title: String) -> TrainingSession {
    var session = TrainingSession(plan)
    let clock = ContinuousClock()
    let began = clock.now
    var hint = ""
    while true {
      do {
        if case .active = session.state {} else { try session.next(at: clock.now - began, using: &numbers) }
        guard case .active(let question) = session.state else { break }
        guard let key = key(over: { TrainingScreen.current.session(session, title: title, hint: hint) }) else { break }
        hint = ""
        if key == "?" {
          guard chart(plan.chart, question.cell) else { break }
        } else if let action = Action.allCases.first(where: { $0.key == Character(key.lowercased()) }) {
          try session.answer(action, at: clock.now - began)
          guard waits(after: question, session, title) else { break }
        } else if !key.isWhitespace {
          hint = "There is no key '\(TerminalText.harmless(String(key)))' here."
        }
      } catch {
        // The rules forbid the action, so the question stays open.
        hint = "\(error)"
      }
    }
    _ = session.leave()
    return session
  }

  /// Shows the answer until a key is pressed. Returns whether the session continues.
  private func waits(after question: TrainingQuestion, _ session: TrainingSession, _ title: String) -> Bool {
    while let key = key(over: { TrainingScreen.current.session(session, title: title) }) {
      guard key == "?" else { return true }
      guard chart(session.plan.chart, question.cell) else { return false }
    }
    return false
  }

  private func chart(_ chart: TrainingChart, _ cell: ChartCellKey) -> Bool {
    key(over: { TrainingScreen.current.chart(chart, marking: cell) }) != nil
  }
}

/// A session by lines, for scripts.
private struct TrainingLines {
  private let plan: TrainingPlan
  private let title: String
  private let seed: UInt64
  private var numbers: StreamNumbers

  init(_ plan: TrainingPlan, title: String, seed: UInt64, _ numbers: StreamNumbers) {
    (self.plan, self.title, self.seed, self.numbers) = (plan, title, seed, numbers)
  }

  mutating func run() throws {
    let (screen, clock) = (TrainingScreen.current, ContinuousClock())
    let began = clock.now
    var (session, line) = (TrainingSession(plan), 0)
    try session.next(at: .zero, using: &numbers)
    while case .active(let question) = session.state {
      try Console.write(screen.line(question, number: session.asked, of: plan.questions) + "\n")
      guard let text = readLine() else { break }
      line += 1
      let key = text.trimmingCharacters(in: .whitespaces).lowercased()
      if key == "q" { break }
      if key == "?" {
        try Console.write(screen.chart(plan.chart, marking: question.cell).dropLast(2).joined(separator: "\n") + "\n")
        continue
      }
      guard let action = Action.allCases.first(where: { key == String($0.key) || key == $0.name }) else {
        throw CommandError.badValue(
          option: "the standard input, line \(line)", found: text, expected: "h, s, d, p, r, ? or q")
      }
      do {
        try Console.write(screen.line(session.answer(action, at: clock.now - began)) + "\n")
        try session.next(at: clock.now - began, using: &numbers)
      } catch TrainingError.notAllowed(let action, let question) {
        try Console.write("\(TrainingError.notAllowed(action, question))\n")
      }
    }
    try Console.write("\n" + screen.summary(session.leave(), title: title, seed: seed))
  }
}

struct BlackjackCardsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cards",
    abstract: "Writes a page with the strategy cards of all common rules that works offline.",
    discussion: """
      Example: assay blackjack cards -o cards.html

      All cards are computed exactly first, which takes about a minute. The page marks what changed since the last \
      choice, prints a card at wallet size, and reads rules from its address: cards.html#8d-h17-das-ls.
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write; - is the standard output. Example: --output cards.html", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var output: String

  @OptionGroup var jobs: JobsOption

  @Flag(name: .shortAndLong, help: "Write nothing but errors to the standard error.")
  var quiet = false

  mutating func validate() { WrittenFiles.note([output], of: "--output") }

  func run() throws {
    let (file, workers) = (try OutputFile(output), try jobs.workers())
    let interrupt = Interrupt()
    let signal = InterruptSignal(raises: interrupt) { if $0 == .stop { interrupt.endWaits() } }
    let isQuiet = quiet
    let context = RunContext(workers: workers, interrupt: interrupt) { maximum, unit in
      isQuiet ? nil : Console.meter(maximum: maximum, unit: unit, isAnimated: true)
    }
    guard let page = try CardsPage(on: context) else {
      Foundation.exit((ExitStatus(interrupt) ?? .interrupted).rawValue)
    }
    try file.put(Data(page.html.utf8), saying: quiet ? nil : "wrote \(file.path): \(page.count) cards")
    withExtendedLifetime(signal) {}
  }
}
