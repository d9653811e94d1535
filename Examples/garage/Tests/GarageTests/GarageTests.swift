import PropertyTestingHost
import Testing
import Workbench

@testable import garage

struct GarageTests {
  @Test("the declaration is sound") func declaration() {
    #expect(Repairs.runnable.problems() == [])
  }

  @Test("as many machines stand still as the formula of M/M/c//N says", arguments: [(5, 1), (8, 2), (3, 3)])
  func knownAnswer(machines: Int, mechanics: Int) throws {
    var repairs = Repairs()
    (repairs.machines, repairs.mechanics) = (machines, mechanics)
    let broken = try repairs.run(samples: 400, seed: 7)["broken"]
    #expect(broken.interval(at: 0.999).contains(repairs.expected), "\(broken.estimate), not \(repairs.expected)")
  }

  @Test("no machine waits where there are as many mechanics as machines")
  func waits() async throws {
    try await check(
      Gen<Int>.integers(in: 1...6), Gen<Int>.integers(in: 1...6), Gen<Int>.integers(in: 1...1000)
    ) { machines, mechanics, seed in
      var repairs = Repairs()
      (repairs.machines, repairs.mechanics) = (machines, mechanics)
      var random = try RandomStream(seed: UInt32(seed))
      let month = try repairs.sample(&random)
      #expect(month.waiting <= Double(max(0, machines - mechanics)))
      #expect(month.broken <= Double(machines) && month.broken >= month.waiting)
    }
  }
}
