// SPDX-License-Identifier: GPL-3.0-or-later
import Archive
import Foundation
import Reporting
import Scenarios
import Testing

@Suite("A full disk")
struct FullDiskTests {
  private static let large = [
    ScenarioResult.File(name: "counts.csv", content: String(repeating: "1\n", count: 400_000))
  ]

  /// Mounts or unmounts; whether that was allowed.
  @discardableResult
  private static func mount(_ program: String, _ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// Whether small file systems can be mounted here, which takes a superuser.
  static let canMount: Bool = {
    guard getuid() == 0, let place = try? Workplace() else { return false }
    defer { place.remove() }
    return mount("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", place.url.path])
      && mount("umount", [place.url.path])
  }()

  @Test(
    "stops a run with an error that says so, and costs nothing that was there",
    .enabled(if: canMount, "only a superuser may mount a file system of a few kilobytes"))
  func smallFileSystem() throws {
    let place = try Workplace()
    defer { place.remove() }
    #expect(Self.mount("mount", ["-t", "tmpfs", "-o", "size=512k", "tmpfs", place.url.path]))
    defer { Self.mount("umount", [place.url.path]) }
    let good = try place.run()
    let before = try place.contents()
    let error = #expect(throws: ArchiveError.self) { try place.run(Workplace.yaml, .init(files: Self.large)) }
    #expect(error?.description.contains("no space left on device") == true, "\(error?.description ?? "")")
    let after = try place.contents()
    for name in before.keys where name != "run.json" { #expect(after[name] == before[name], "\(name)") }
    #expect(after.keys.allSatisfy { !$0.hasPrefix(".") })
    let stored = StoredRun(try place.folder)
    #expect(stored.condition == .failed)
    #expect(stored.completed == good.record)
    // With room again, the next run is as any other.
    try place.run()
    #expect(try StoredRun(place.folder).condition == .complete)
  }

  @Test("stops a run that may not write files of that size, and costs nothing that was there")
  func limitedSize() async throws {
    let place = try Workplace()
    defer { place.remove() }
    let good = try place.run()
    let before = try place.contents()
    await #expect(processExitsWith: .success) { [path = place.url.path as String] in
      // Without this the system would end the process instead of refusing the write.
      _ = signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 300_000, rlim_max: 300_000)
      #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let error = #expect(throws: ArchiveError.self) {
        try Workplace(path).run(Workplace.yaml, .init(files: Self.large))
      }
      #expect(error?.description.contains("counts.csv': file too large") == true, "\(error?.description ?? "")")
    }
    let after = try place.contents()
    for name in before.keys where name != "run.json" { #expect(after[name] == before[name], "\(name)") }
    #expect(try StoredRun(place.folder).condition == .failed)
    #expect(try StoredRun(place.folder).completed == good.record)
  }
}
