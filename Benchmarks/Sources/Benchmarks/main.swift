// Prints, for each case, a line of: suite, case, ours ns/row, baseline, baseline ns/row, ratio.
// Arguments name suites; without any, all run.

import Foundation

let suites: [String: (URL) throws -> Void] = [
  "M": { try SuiteM(directory: $0).run() }
]

let wanted = CommandLine.arguments.count > 1 ? Array(CommandLine.arguments.dropFirst()) : ["M"]
let directory = FileManager.default.temporaryDirectory
  .appending(path: "oxbow-benchmarks-\(ProcessInfo.processInfo.processIdentifier)")

do {
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  print("suite\tcase\tours ns/row\tbaseline\tbaseline ns/row\tratio")
  for name in wanted {
    guard let suite = suites[name] else {
      throw BenchmarkFailure(
        description: "there is no suite '\(name)'; there are \(suites.keys.sorted())")
    }
    try suite(directory)
  }
} catch {
  FileHandle.standardError.write(Data("benchmarks: \(error)\n".utf8))
  exit(1)
}
