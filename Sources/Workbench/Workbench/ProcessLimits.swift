// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// The needs of the process, tested before work begins.
///
/// If threads, files or memory run out later, libraries hang or end the process instead of throwing an error.
enum ProcessLimits {
  /// Threads other than the workers: those of Dispatch, of Foundation for other programs, and such a program itself.
  private static let threads = 8
  /// Files open at the same time, of which a run of a scenario has about 25.
  private static let files = 40
  /// Address space in bytes: several times the need of a storm of a million clients.
  private static let memory = 512 << 20
  /// Bytes of a stack, of which the deepest work here takes a third.
  private static let stack: rlim_t = 512 << 10

  /// Sets up signals and the three streams: writing to a closed pipe or beyond the allowed file size fails instead of
  /// ending the process, and a file opened later never gets the number of a closed stream.
  static func prepareStreams() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
    for stream in 0...2 where fcntl(Int32(stream), F_GETFD) < 0 { _ = unsafe open("/dev/null", O_RDWR) }
  }

  /// Checks that the stacks of threads, this one's included, may grow as large as the work needs.
  static func checkStack() throws(LimitError) {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit) == 0, limit.rlim_cur < stack else {
      return
    }
    throw .stack(found: Int(limit.rlim_cur), needed: Int(stack))
  }

  /// Tests whether the limits allow this number of workers.
  static func check(workers: Int = 1) throws(LimitError) {
    let needed = threads + workers
    let found = possibleThreads(upTo: needed)
    if found < needed { throw .threads(found: found, needed: needed, workers: workers) }
    let free = possibleFiles(upTo: files)
    if free < files { throw .files(found: free, needed: files) }
    let room = unsafe mmap(nil, memory, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard unsafe room != MAP_FAILED else { throw .memory(needed: memory) }
    unsafe munmap(room, memory)
  }

  /// The gate at which the test threads wait.
  private static let gate = DispatchSemaphore(value: 0)

  private static func possibleThreads(upTo maximum: Int) -> Int {
    var threads: [pthread_t] = []
    while threads.count < maximum {
      var thread = pthread_t()
      let code = unsafe pthread_create(
        &thread, nil,
        { _ in
          ProcessLimits.gate.wait()
          return nil
        }, nil)
      guard code == 0 else { break }
      threads.append(thread)
    }
    for _ in threads { gate.signal() }
    for thread in threads { pthread_join(thread, nil) }
    return threads.count
  }

  private static func possibleFiles(upTo maximum: Int) -> Int {
    var files: [Int32] = []
    while files.count < maximum, case let file = dup(STDERR_FILENO), file >= 0 { files.append(file) }
    for file in files { close(file) }
    return files.count
  }
}

/// The limit of the system that is too low.
enum LimitError: InputError, Hashable {
  case threads(found: Int, needed: Int, workers: Int)
  case files(found: Int, needed: Int)
  case memory(needed: Int)
  case stack(found: Int, needed: Int)

  var description: String {
    switch self {
    case .threads(let found, let needed, let workers):
      "cannot start: found room for \(found) more threads, expected \(needed); raise the limit of processes "
        + "('ulimit -u', a container's --pids-limit) or of memory ('ulimit -v')"
        + (workers > 1 ? ", or run fewer workers than \(workers), for example --jobs 1." : ".")
    case .files(let found, let needed):
      "cannot start: found room for \(found) more open files, expected \(needed); raise the limit, for example by "
        + "'ulimit -n 1024'."
    case .memory(let needed):
      "cannot start: found less than \(needed >> 20) MiB of address space, expected at least as much; raise the limit "
        + "('ulimit -v')."
    case .stack(let found, let needed):
      "cannot start: found a limit of \(found >> 10) KiB for stacks, expected at least \(needed >> 10); raise it, for "
        + "example by 'ulimit -s 8192'."
    }
  }
}
