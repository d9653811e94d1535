// SPDX-License-Identifier: GPL-3.0-or-later

/// Several things that are wrong with the input, found before anything ran.
struct InputProblems: Error {
  /// What is wrong, and with which file.
  struct Problem {
    let error: any Error
    let file: String?
  }

  let problems: [Problem]
}
