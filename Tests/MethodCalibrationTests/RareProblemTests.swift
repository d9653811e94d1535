// SPDX-License-Identifier: GPL-3.0-or-later
import Sampling
import Scenarios
import Testing

@testable import MethodCalibration

@Suite("The rare events of the calibration")
struct RareProblemTests {
  @Test("a network of ten links that fails once in a billion times has its exact probability in the interval")
  func network() throws {
    let network = NetworkFailure(failure: 0.00375, steps: 40)
    let exact = network.exact
    #expect(abs(exact / 1e-9 - 1) < 0.02, "\(exact)")
    let interval = try network.run(samples: 150, replicas: 150)["probability"].interval(at: 0.999)
    #expect(interval.contains(exact) && interval.upperBound < 1.5 * exact, "\(interval), exact \(exact)")
  }

  @Test("the network's probability is the sum over the sets of links, by the recursion of Gilbert (1959)")
  func exact() {
    let failure = 0.1
    func power(_ count: Int) -> Double { (0..<count).reduce(1) { product, _ in product * failure } }
    // The probability that k nodes are connected, less the cases in which the first is in a smaller connected part.
    var connected = [0, 1.0]
    let choose = [[1.0], [1, 1], [1, 2, 1], [1, 3, 3, 1], [1, 4, 6, 4, 1]]
    for nodes in 2...5 {
      connected.append(
        1
          - (1..<nodes).reduce(0) { sum, part in
            sum + choose[nodes - 1][part - 1] * connected[part] * power(part * (nodes - part))
          })
    }
    #expect(abs(NetworkFailure().exact - (1 - connected[5])) < 1e-12)
  }

  @Test("a walk's maximum of once in a million times has its exact probability in the interval")
  func walk() throws {
    let walk = WalkMaximum(height: 25)
    let interval = try walk.run(samples: 300, replicas: 150)["probability"].interval(at: 0.999)
    #expect(interval.contains(walk.exact) && interval.upperBound < 2 * walk.exact, "\(interval), \(walk.exact)")
  }
}
