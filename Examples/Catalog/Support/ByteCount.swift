/// A number of bytes, written for people.
struct ByteCount: CustomStringConvertible {
  let count: Int

  init(_ count: Int) { self.count = count }

  var description: String {
    if abs(count) < 1000 { return count == 1 ? "1 byte" : "\(count) bytes" }
    var tenths = Int((Double(count) / 100).rounded())
    var units = ["kB", "MB", "GB", "TB", "PB", "EB"][...]
    while abs(tenths) >= 10_000, units.count > 1 {
      tenths = Int((Double(tenths) / 1000).rounded())
      units.removeFirst()
    }
    return
      "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10) \(units[units.startIndex])"
  }
}
