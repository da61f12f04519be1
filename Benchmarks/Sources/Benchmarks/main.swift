// Prints, for each case, a line of: suite, case, ours, baseline, the baseline's, ratio, target. The
// figures are nanoseconds for each row (M, T, A, G, F, C, U, D, L, H, R, S, V) or operation (K, W,
// J, P, N), and bytes for each object (B). Arguments name suites, or a part of one (`M/insert`), or
// one side of that part, run alone for a profiler (`M/insert/ours`); without any, all run.

import Foundation

let suites: [String: (URL, [Substring]) throws -> Void] = [
  "M": { try SuiteM(directory: $0).run($1) },
  "K": { try SuiteK().run($1) },
  "T": { try SuiteT(directory: $0).run($1) },
  "A": { try SuiteA(directory: $0).run($1) },
  "G": { try SuiteG(directory: $0).run($1) },
  "F": { try SuiteF(directory: $0).run($1) },
  "B": { try SuiteB(directory: $0).run($1) },
  "C": { try SuiteC(directory: $0).run($1) },
  "U": { directory, _ in try SuiteU(directory: directory).run() },
  "D": { directory, _ in try SuiteD(directory: directory).run() },
  "L": { directory, _ in try SuiteL(directory: directory).run() },
  "H": { directory, _ in try SuiteH(directory: directory).run() },
  "R": { try SuiteR(directory: $0).run($1) },
  "W": { try SuiteW(directory: $0).run($1) },
  "P": { try SuiteP(directory: $0).run($1) },
  "J": { directory, _ in try SuiteJ(directory: directory).run() },
  "S": { try SuiteS(directory: $0).run($1) },
  "V": { try SuiteV(directory: $0).run($1) },
  "N": { try SuiteN(directory: $0).run($1) },
]

let arguments = Array(CommandLine.arguments.dropFirst())
let all = [
  "M", "K", "T", "A", "G", "F", "B", "C", "U", "D", "L", "H", "R", "W", "J", "P", "S", "V", "N",
]
let wanted = arguments.isEmpty ? all : arguments
let directory = FileManager.default.temporaryDirectory
  .appending(path: "oxbow-benchmarks-\(ProcessInfo.processInfo.processIdentifier)")

do {
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  print("suite\tcase\tours ns\tbaseline\tbaseline ns\tratio\ttarget")
  for name in wanted {
    let parts = name.split(separator: "/")
    guard let suite = parts.first.flatMap({ suites[String($0)] }) else {
      throw BenchmarkFailure(
        description: "there is no suite '\(name)'; there are \(suites.keys.sorted())")
    }
    try suite(directory, Array(parts.dropFirst()))
  }
} catch {
  FileHandle.standardError.write(Data("benchmarks: \(error)\n".utf8))
  exit(1)
}
