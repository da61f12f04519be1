internal import OxbowFoundation
internal import OxbowRuntime

/// What differs between the objects that were saved and those that came back.
struct ContentsDifference {
  /// So many differences say enough; the others are counted.
  private static let shown = 5

  private(set) var texts: [String] = []
  private var count = 0

  var description: String? {
    guard count > 0 else { return nil }
    let more = count > texts.count ? "; and \(count - texts.count) more" : ""
    return texts.joined(separator: "; ") + more
  }

  init(
    _ saved: [AtomicStoreObject], _ loaded: [AtomicStoreObject], comparesVersions: Bool
  ) {
    let found = Dictionary(loaded.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for object in saved {
      guard let other = found[object.id] else {
        add("\(Self.title(object.id)) was saved and did not come back")
        continue
      }
      compare(object, other, comparesVersions)
    }
    let known = Set(saved.map(\.id))
    for object in loaded where !known.contains(object.id) {
      add("\(Self.title(object.id)) came back and is not in the store any more")
    }
  }

  private mutating func compare(
    _ a: AtomicStoreObject, _ b: AtomicStoreObject, _ comparesVersions: Bool
  ) {
    let title = Self.title(a.id)
    for name in Set(a.attributes.keys).union(b.attributes.keys).sorted() {
      let (saved, loaded) = (a.attributes[name], b.attributes[name])
      if !Self.isSame(saved, loaded) {
        add(
          "the '\(name)' of \(title) was saved as \(Self.text(saved)) and came back as "
            + Self.text(loaded))
      }
    }
    for name in Set(a.relationships.keys).union(b.relationships.keys).sorted() {
      let (saved, loaded) = (a.relationships[name] ?? [], b.relationships[name] ?? [])
      let isSame =
        ContractModel.isOrdered(name) ? saved == loaded : saved.sorted() == loaded.sorted()
      if !isSame { add("the '\(name)' of \(title) led to \(saved), and leads to \(loaded)") }
    }
    if comparesVersions, a.version != b.version {
      add("\(title) had version \(a.version), and has \(b.version)")
    }
  }

  private mutating func add(_ text: String) {
    count += 1
    if texts.count < Self.shown { texts.append(text) }
  }

  private static func title(_ id: AtomicStoreObject.ID) -> String { "\(id.entity)/p\(id.key)" }

  private static func text(_ value: AttributeValue?) -> String {
    guard let value else { return "no value" }
    let text = "\(value)"
    return "'\(text.prefix(80))'" + (text.count > 80 ? " and more" : "")
  }

  /// Whether two values are the same in every bit: texts that look the same can differ.
  static func isSame(_ a: AttributeValue?, _ b: AttributeValue?) -> Bool {
    switch (a, b) {
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.date(let a), .date(let b)):
      a.timeIntervalSinceReferenceDate.bitPattern == b.timeIntervalSinceReferenceDate.bitPattern
    case (.url(let a), .url(let b)): a.absoluteString == b.absoluteString
    default: a == b
    }
  }
}
