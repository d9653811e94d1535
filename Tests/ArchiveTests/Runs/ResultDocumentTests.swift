// SPDX-License-Identifier: GPL-3.0-or-later
import Archive
import Foundation
import Reporting
import Scenarios
import Testing

@Suite("A result as a document")
struct ResultDocumentTests {
  private func read(_ text: String) throws -> ResultDocument {
    try ResultDocument(json: JSONValue(parsing: text), file: "result.json")
  }

  private static func fixture() throws -> URL {
    try #require(Bundle.module.url(forResource: "Fixtures/result-1", withExtension: "json"))
  }

  @Test("of schema 1 opens for ever")
  func firstSchema() throws {
    let document = try ResultDocument(contentsOf: Self.fixture().path)
    #expect(document.version == "0.1.0")
    #expect(document.slug == "every-nature")
    #expect(document.name == "Every nature of measurement, “quoted”")
    #expect(document.kind == "example")
    #expect(document.digest == "0123abcd")
    #expect(document.isComplete)
    #expect(document.judgement == .fails)
    #expect(document.thresholds.map(\.judgement) == [.holds, .undecided, .fails])
    #expect(document.thresholds[0].text == "ev[6d] in -0.0041..-0.0040 at 0.999")
    #expect(document.thresholds[0].source == "Griffin 1999")
    #expect(document.thresholds[0].errorProbability == 0.001)
    #expect(document.thresholds[1].remedy == "about 12,000 more samples")
    #expect(
      document.measurements.map(\.value) == [
        .exact(-0.00405), .count(3, undecided: 2), .proportion(successes: 95, trials: 100),
        .mean(1.25, standardDeviation: 0.5, samples: 10_000),
        .interval(-0.004, low: -0.0041, high: -0.0039, confidence: 0.999, samples: 1_000_000),
      ])
    #expect(document.measurements[0].measure.fullName == "ev[6d]")
    #expect(document.measurements[0].measure.unit == "bets")
    #expect(
      document.data == ["seed": .unsigned(.max), "cells": .array([.array([1, 2]), .array([])]), "nothing": .null])
  }

  @Test("reads back as it was written, byte by byte")
  func roundTrip() throws {
    let document = try ResultDocument(contentsOf: Self.fixture().path)
    #expect(document.text == (try TextFile.read(Self.fixture().path)))
    #expect(try read(document.text) == document)
    let partial = ResultDocument(
      slug: "a", name: "b", kind: "c", digest: "d", thresholds: [], measurements: [], data: .null, isComplete: false)
    #expect(try read(partial.text) == partial)
  }

  @Test("may have members that this version does not know")
  func unknownMembers() throws {
    let document = try ResultDocument(contentsOf: Self.fixture().path)
    let text = document.text
      .replacing("\"complete\": true,", with: "\"complete\": true, \"mood\": [\"blue\"],")
      .replacing("\"nature\": \"exact\",", with: "\"nature\": \"exact\", \"colour\": 7,")
    #expect(text.contains("mood") && text.contains("colour"))
    #expect(try read(text) == document)
  }

  @Test(
    "of a newer schema, of something else, or damaged, is refused with the place and the cure",
    arguments: [
      (
        "assay.result/1", "assay.result/2",
        "result.json: schema: found assay.result/2, made by Assay 0.1.0; this is Assay \(Version.current), which knows "
          + "assay.result/1; update it, or choose another folder with --out."
      ),
      ("assay.result/1", "assay.run/1", "result.json: schema: found assay.run/1, expected assay.result/1."),
      ("assay.result/1", "assay.result/0", "result.json: schema: found assay.result/0, expected assay.result/1."),
      ("\"schema\"", "\"scheme\"", "result.json: schema: found nothing, expected a value."),
      (
        "\"undecided\",", "\"perhaps\",",
        "result.json: thresholds[2].judgement: found 'perhaps', expected one of holds, fails, undecided."
      ),
      ("\"trials\": 100", "\"trials\": -1", "result.json: measurements[3].trials: found -1, expected"),
      ("\"data\"", "\"date\"", "result.json: data: found nothing, expected a value."),
    ])
  func refused(old: String, new: String, message: String) throws {
    let text = try TextFile.read(Self.fixture().path)
    #expect(text.contains(old))
    let error = #expect(throws: ArchiveError.self) { try read(text.replacing(old, with: new)) }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }

  @Test("that is not there, or no JSON, is named")
  func unreadable() throws {
    let place = try Workplace()
    defer { place.remove() }
    let path = place.path("result.json")
    let missing = #expect(throws: ArchiveError.self) { try ResultDocument(contentsOf: path) }
    #expect(missing?.description == "cannot read '\(path)': no such file; check the name.")
    try AtomicFile.write("{\n  oops", to: path)
    let broken = #expect(throws: ArchiveError.self) { try ResultDocument(contentsOf: path) }
    #expect(broken?.description.hasPrefix("\(path):2:3: not JSON: ") == true)
  }
}
