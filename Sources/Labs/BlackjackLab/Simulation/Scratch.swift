public import BlackjackCore
import Foundation
public func scratchKernel(_ rules: Rules, _ gen: String, _ n: Int) throws {
  let t0 = clock()
  let a = try RoundAutomaton(rules: rules, chart: .trainer)
  print("positions", a.next.count / 10, "exits", a.exits.count, "start", a.start, "build ms", Double(clock() - t0) / 1000)
  var k = try RoundKernel(automaton: a, rules: rules, chart: .trainer, generator: gen)
  let t = clock()
  let r = try k.play(rounds: n, seed: 7).result
  let s = Double(clock() - t) / 1e6
  print(r.rounds, r.ev, "+-", r.standardError, "sd", r.standardDeviation, Double(n) / s / 1e6, "M/s")
}
