// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@Suite("assay calibrate, end to end")
struct CalibrateCommandTests {
  @Test("the labs' statements about sessions and cells keep their stated error probability")
  func labs() throws {
    let process = try AssayProcess(
      "calibrate --repeats 500 --methods clustered-share share-verdict return-times certification")
    #expect(process.status == 0, "\(process.output)")
    let methods = ["clustered-share", "share-verdict", "return-times", "certification"]
    #expect(process.remarks.isEmpty, "a command echoes itself in --verbose only")
    let verbose = try AssayProcess("calibrate --repeats 100 --verbose --methods \(methods.joined(separator: " "))")
    let echo = "assay calibrate \(methods.map { "--methods \($0)" }.joined(separator: " ")) --repeats 100"
    #expect(verbose.remarks.contains(echo), "\(verbose.remarks)")
    #expect(process.output.contains("No row is certainly wrong more often than promised."))
  }

  @Test(
    "a mutant of each is caught, and ends with 1",
    arguments: ["trials-alone", "peeking-share", "nearest-percentile", "hasty-certification"])
  func mutants(name: String) throws {
    let process = try AssayProcess("calibrate --repeats 500 --quiet --methods \(name)")
    #expect(process.status == 1 && process.output.contains("wrong too often"))
    #expect(process.remarks.contains("FAILS: 1 of 1 thresholds: calibration.excess == 0"))
  }

  @Test("a threshold can bound the error of one row")
  func threshold() throws {
    let process = try AssayProcess(
      "calibrate --methods proportion --repeats 1000 --threshold",
      ["calibration.error[proportion/boundary/0.99] <= 1% at 0.99"])
    #expect(process.status == 0, "\(process.remarks)")
  }

  @Test(
    "bad input ends with 2, names what was found and expected, and how to fix it",
    arguments: [
      ("--methods bounded-men", "--methods: found 'bounded-men', expected one of "),
      ("--methods bounded-men", "names (did you mean 'bounded-mean'?)."),
      ("--methods cover cover", "each value once"),
      ("--repeats 0", "--repeats: found '0', expected a whole number, 100 to 1,000,000."),
      ("--confidence 0", "--confidence: found '0', expected a number, above 0 and below 1."),
      ("--confidence 1", "--confidence: found '1', expected a number, above 0 and below 1."),
      ("--confidence 1.5", "--confidence: found '1.5', expected a number, above 0 and below 1."),
    ])
  func badInput(typed: String, problem: String) throws {
    try AssayProcess("calibrate " + typed).expectRefusal(problem)
  }
}
