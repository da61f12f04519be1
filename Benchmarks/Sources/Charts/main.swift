// Draws the charts of docs/performance.md: an image of a folder `performance` there shows the last
// table before it, with the image's text as title.
//
//   swift run --package-path Benchmarks charts [docs/performance.md]
//
// With `--check`, nothing is written, and charts that are not those of the tables are an error.

import Foundation

struct Failure: Error, CustomStringConvertible {
  let description: String
}

func charts(in text: String) throws -> [(file: String, svg: String)] {
  var result: [(String, String)] = []
  var table: [String] = []
  var isInTable = false
  for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
    defer { isInTable = line.hasPrefix("|") }
    if line.hasPrefix("|") {
      table = (isInTable ? table : []) + [String(line)]
    } else if line.hasPrefix("![") {
      guard let end = line.range(of: "]("), line.hasSuffix(".svg)") else { continue }
      guard let read = Table(table) else {
        throw Failure(
          description: "line \(number + 1): no table with ratios comes before the chart")
      }
      let title = line[line.index(line.startIndex, offsetBy: 2)..<end.lowerBound]
      let chart = Chart(title: String(title), table: read)
      result.append((String(line[end.upperBound...].dropLast()), chart.svg))
    }
  }
  return result
}

do {
  var arguments = Array(CommandLine.arguments.dropFirst())
  let checks = arguments.first == "--check"
  if checks { arguments.removeFirst() }
  let document = URL(filePath: arguments.first ?? "docs/performance.md")
  let folder = document.deletingLastPathComponent()
  let text = String(decoding: try Data(contentsOf: document), as: UTF8.self)
  for (file, svg) in try charts(in: text) {
    let path = folder.appending(path: file)
    let bytes = Data(svg.utf8)
    if checks {
      guard (try? Data(contentsOf: path)) == bytes else {
        throw Failure(description: "\(file) is not the chart of its table; draw it again")
      }
    } else {
      try FileManager.default.createDirectory(
        at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try bytes.write(to: path)
      print(file)
    }
  }
} catch {
  print("charts: \(error)")
  exit(1)
}
