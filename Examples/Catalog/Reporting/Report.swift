/// What `catalog report` prints.
struct Report: Codable, Sendable {
  let volumes: [String]
  let totals: Totals
  let kinds: [KindTotal]
  let largestFiles: [FileEntry]
  let fullestFolder: FolderTotal?
  let likelyDuplicates: [DuplicateGroup]
  let labels: [LabelTotal]

  /// How many of the largest files are looked at for duplicates.
  static let duplicatesAmong = 10_000

  /// Asks all questions.
  init(_ statistics: any CatalogStatistics, limit: Int) throws {
    volumes = try statistics.volumes()
    totals = try statistics.totals()
    kinds = try statistics.largestKinds(limit: limit)
    largestFiles = try statistics.largestFiles(limit: limit)
    fullestFolder = try statistics.fullestFolder()
    likelyDuplicates = try statistics.likelyDuplicates(limit: limit, among: Self.duplicatesAmong)
    labels = try statistics.labels()
  }
}

extension Report {
  /// The report for people.
  var text: String {
    var lines = volumes.isEmpty ? ["nothing was indexed yet"] : ["indexed: " + listed(volumes)]
    lines.append(
      "\(totals.files.of("file")) in \(totals.folders.of("folder")), "
        + "\(ByteCount(totals.bytes)), \(totals.kinds.of("kind"))")
    lines += section("kinds by size", kinds) {
      "\(pad(ByteCount($0.bytes)))  \(printable($0.kind.isEmpty ? "(none)" : $0.kind)), "
        + $0.files.of("file")
    }
    lines += section("largest files", largestFiles) {
      "\(pad(ByteCount($0.bytes)))  \(printable($0.path))"
    }
    lines += section("folder with most bytes", fullestFolder.map { [$0] } ?? []) {
      "\(pad(ByteCount($0.bytes)))  \(printable($0.path)), \($0.files.of("file")) of its own"
    }
    lines += section(
      "likely duplicates (same name and size, among the \(Self.duplicatesAmong) largest files)",
      likelyDuplicates
    ) {
      "\(pad(ByteCount($0.bytes)))  \(printable($0.name)) in \(listed($0.folders))"
    }
    lines += section("labels", labels) { "\(printable($0.label)): \($0.files.of("file"))" }
    return lines.joined(separator: "\n")
  }

  private func section<Item>(
    _ title: String, _ items: [Item], _ line: (Item) -> String
  ) -> [String] {
    items.isEmpty ? [] : ["", title] + items.map { "  " + line($0) }
  }

  private func listed(_ paths: [String]) -> String {
    let shown = paths.prefix(3).map(printable).joined(separator: ", ")
    return paths.count > 3 ? shown + " and \(paths.count - 3) more" : shown
  }

  private func pad(_ size: ByteCount) -> String {
    let text = size.description
    return String(repeating: " ", count: max(0, 9 - text.count)) + text
  }

  /// A name without what would disturb a terminal.
  private func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      return text
    }
    return text.unicodeScalars.map {
      $0.properties.generalCategory == .control
        ? "\\u{\(String($0.value, radix: 16))}" : String($0)
    }.joined()
  }
}
