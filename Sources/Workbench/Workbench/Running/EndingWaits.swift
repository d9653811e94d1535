// SPDX-License-Identifier: GPL-3.0-or-later
internal import Dispatch
internal import Foundation
package import MonteCarlo
internal import Reporting

extension Interrupt {
  /// Ends the process, with the exit code of the signal, as soon as it waits for another one for half a second: for the
  /// reader of a pipe, or for input. To be called after a signal.
  package func endWaits() {
    guard let cause else { return }
    if let name = OutsideWait.name(since: .now - .milliseconds(500)) {
      // The message may have to wait, too.
      DispatchQueue.global().async {
        Console.say("interrupted while waiting for \(name)")
        Console.leave()
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { _exit(cause.rawValue) }
    } else {
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { self.endWaits() }
    }
  }
}
