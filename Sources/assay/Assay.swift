// SPDX-License-Identifier: GPL-3.0-or-later
internal import AssayCommands

/// The program without real sockets, whose libraries would double its first build.
@main
enum Assay {
  static func main() { AssayProgram.main() }
}
