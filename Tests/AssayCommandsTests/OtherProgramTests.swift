// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("The help of another program is about that program")
struct OtherProgramTests {
  /// The help of a command of the coffee example, in which it is called `coffee`.
  private struct Help {
    let words: [String]
    let text: String

    /// The help of a command and of all commands below it.
    static func all(_ words: [String] = []) throws -> [Help] {
      let process = try AssayProcess(
        "help", words, environment: ["ASSAY_CALLED_AS": "coffee"],
        executable: AssayProcess.executable("coffee-example"))
      let list = process.output.components(separatedBy: "SUBCOMMANDS:\n").dropFirst().first ?? ""
      let below = try list.matches(of: #/(?:^|\n) {2}(\w+) /#).flatMap { try all(words + [String($0.1)]) }
      return [Help(words: words, text: process.output)] + below
    }

    /// The examples as one types them: whole lines, and each example of an option behind those of the arguments.
    var lines: [(example: String, line: String)] {
      let command = (["coffee"] + words).joined(separator: " ")
      let parts = text.components(separatedBy: "\n\n")
      let whole = parts.filter { $0.hasPrefix("Example") }.flatMap { part in
        part.split(separator: #/(?:^|\n)(?:Examples?:)?\s*coffee /#).map { "coffee " + Self.joined(String($0)) }
          .filter { $0.hasPrefix(command) }
      }
      let entries = parts.filter { $0.contains(#/^[A-Z ]+:\n/#) }.flatMap { $0.split(separator: #/\n {2}(?=[-<])/#) }
      let examples = entries.compactMap { $0.firstMatch(of: #/(?s)Example:(.*)/#).map { Self.joined(String($0.1)) } }
        .map { $0.replacing(#/ \((?:default|values): .*/#, with: "") }
      let arguments = ([command] + examples.filter { !$0.hasPrefix("-") }).joined(separator: " ")
      let options = examples.filter { $0.hasPrefix("--") }
      func option(_ name: String) -> String { options.first { $0.hasPrefix(name + " ") } ?? "" }
      let typed = options.map { one in
        switch (words, one.prefix { $0 != " " }) {
        case (["find"], let name) where name != "--until": (one, "\(arguments) \(option("--until")) \(one)")
        case (["find-best"], let name) where name != "--by": (one, "\(arguments) \(option("--by")) \(one)")
        case (_, "--find"): (one, "\(arguments) \(one) \(option("--until"))")
        case (_, "--best"): (one, "\(arguments) \(one) \(option("--by"))")
        case (_, "--until") where words != ["find"]: (one, "\(arguments) \(option("--find")) \(one)")
        case (_, "--by") where words != ["find-best"]: (one, "\(arguments) \(option("--best")) \(one)")
        case (["new"], "--in"), (["new"], "--template"): (one, "\(arguments) \(one) --assay ~/assay")
        case (["results", "prune"], "--keep"), (["results", "prune"], "--older-than"):
          (one, "\(arguments) \(one) --dry-run")
        case (_, "--baseline"): (one, "\(arguments) \(one) --threshold 'wait >= baseline at 0.9'")
        case (_, "--save"): (one, "rm mine.yaml; \(arguments) \(one)")
        case (_, "--shards"): (one, "PARALLEL_SEQ=2 \(arguments) --shard auto \(one)")
        default: (one, "\(arguments) \(one)")
        }
      }
      let isShort = ["find", "find-best", "new"].contains(words) || arguments == command
      return (whole + (isShort ? [] : [arguments])).map { ($0, $0) } + typed
    }

    private static func joined(_ text: String) -> String {
      text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
  }

  @Test("no help of the coffee example has words of Assay's own experiments")
  func words() throws {
    let all = try Help.all()
    #expect(all.count > 15)
    for help in all {
      // `new` and the table of exit codes name the package that the workbench comes from.
      for word in ["storm", "cores", "idle faults", "blackjack", "assay "] where help.words != ["new"] {
        #expect(!help.text.contains(word), "help \(help.words.joined(separator: " ")) has '\(word)'")
      }
    }
    let find = try #require(all.first { $0.words == ["find"] })
    #expect(find.lines.first?.line == "coffee find coffee.counter arrivals=0.8..0.9 --until 'wait <= 0.5min at 0.9'")
  }

  @Test(
    "--measure draws any measure, with its meaning and its parameter's at the axes; one that is not drawn is refused")
  func measure() throws {
    let folder = try TemporaryFolder()
    func run(_ more: String) throws -> AssayProcess {
      try AssayProcess(
        "counter --samples 640 --customers 20 --no-history -q \(more)", in: folder.url,
        executable: AssayProcess.executable("coffee-example"))
    }
    #expect(try run("--sweep arrivals=0.5..0.9:3 -o rush.svg --measure rush").status == 0)
    let rush = try String(contentsOfFile: folder.path("rush.svg"), encoding: .utf8)
    #expect(rush.contains(">Days on which somebody waits longer than ten<") && rush.contains(">minutes, %<"))
    #expect(rush.contains(">Customers a minute<"))
    #expect(try run("-o longest.svg --measure longest[p95]").status == 0)
    let longest = try String(contentsOfFile: folder.path("longest.svg"), encoding: .utf8)
    #expect(longest.contains(">The longest wait of a day, min<"))
    try run("-o x.svg --measure rsh").expectRefusal("one of wait, rush, longest (did you mean 'rush'?)")
    try run("-o x.svg --measure rush").expectRefusal("expected one that is drawn: wait, longest.")
  }

  @Test("every example that a help of the coffee example prints is accepted by the shell and the program, as printed")
  func examples() throws {
    let folder = try TemporaryFolder()
    // An option that many commands have is tried once. Another round of shards needs a run that depends on its results.
    var seen: Set = ["--after Results/runs/big-1a2b3c4d"]
    let lines = try Help.all().flatMap(\.lines).filter { seen.insert($0.example).inserted }.map(\.line)
    #expect(lines.count > 60)
    try folder.write(lines.joined(separator: "\n") + "\n", as: "lines")
    // Each line in its own copy of a folder with the files and runs that the examples name. Long ones are interrupted:
    // what is refused is refused before anything runs.
    let process = try AssayProcess.bash(
      """
      set -e
      mkdir -p package/Sources package/.build home/work files; ln -s \(packageRoot.path) home/assay
      touch package/Package.swift; echo .build > package/.gitignore
      cp \(AssayProcess.executable("coffee-example").path) package/.build/coffee
      export PATH=$PWD/package/.build:$PATH HOME=$PWD/home ASSAY_CALLED_AS=coffee
      commit() { git -C ../package -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m "$1"; }
      cd files; git init -q ../package; git -C ../package add .; commit 1
      coffee scenario new coffee.counter | sed 's/^samples:.*/samples: 300/' > mine.yaml
      cp mine.yaml quick.yaml; sed 's/^samples:.*/samples: 20000/' mine.yaml > big.yaml
      coffee run -q quick.yaml > out; commit 2; coffee run -q quick.yaml > out
      for n in 1 2; do coffee run -q big.yaml --shard $n/2 > out 2>&1; done
      coffee run -q quick.yaml --set samples=1M --max-samples 100 > out 2>&1 || true
      cd Results/runs; cp -r $(dirname quick-*/checkpoint) quick-1a2b3c4d
      for n in 1 2; do mv big-*-shard-$n-of-2 big-1a2b3c4d-shard-$n-of-2; done; cd ../../..
      while IFS= read -r line; do
        rm -rf one home/work/*; cp -r files one
        status=0; typed=${line//\\/tmp\\//$PWD/one/}
        (cd one; timeout --preserve-status --signal=INT 1 bash -c "$typed" > ../said 2>&1 < /dev/null) || status=$?
        case $status in 0|1|3|130) ;; *) echo "$status: $line"; tail -3 said ;; esac
      done < lines
      """, in: folder.url)
    #expect(process.status == 0 && process.output.isEmpty, "\(process.output) \(process.remarks)")
  }
}
