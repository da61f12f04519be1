#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A value of a binary property list, to be written.
public indirect enum ListValue: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral
{
  case text(String)
  case integer(Int)
  case real(Double)
  case boolean(Bool)
  case data([UInt8])
  case array([ListValue])
  case dictionary([(String, ListValue)])
  /// The number of another object of an archive.
  case reference(Int)

  public init(stringLiteral value: String) { self = .text(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(floatLiteral value: Double) { self = .real(value) }

  /// The list as the bytes of a file.
  public var bytes: [UInt8] {
    var writer = ListWriter()
    let top = writer.add(self)
    return writer.file(top)
  }
}

private struct ListWriter {
  private var objects: [[UInt8]] = []

  mutating func add(_ value: ListValue) -> Int {
    let place = objects.count
    objects.append([])
    objects[place] = content(value)
    return place
  }

  private mutating func content(_ value: ListValue) -> [UInt8] {
    switch value {
    case .text(let text) where text.utf8.allSatisfy { $0 < 128 }:
      return head(5, text.utf8.count) + text.utf8
    case .text(let text): return head(6, text.utf16.count) + text.utf16.flatMap { big($0, 2) }
    case .integer(let number): return [0x13] + big(UInt64(bitPattern: Int64(number)), 8)
    case .real(let number): return [0x23] + big(number.bitPattern, 8)
    case .boolean(let truth): return [truth ? 9 : 8]
    case .data(let bytes): return head(4, bytes.count) + bytes
    case .reference(let number): return [0x83] + big(UInt32(number), 4)
    case .array(let values):
      let places = values.map { add($0) }
      return head(0xA, places.count) + places.flatMap { big(UInt32($0), 4) }
    case .dictionary(let pairs):
      let keys = pairs.map { add(.text($0.0)) }
      let values = pairs.map { add($0.1) }
      return head(0xD, pairs.count) + (keys + values).flatMap { big(UInt32($0), 4) }
    }
  }

  private func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind << 4 | UInt8(count)] : [kind << 4 | 15, 0x13] + big(UInt64(count), 8)
  }

  private func big(_ number: some FixedWidthInteger, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  func file(_ top: Int) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += big(UInt32(bytes.count), 4)
      bytes += object
    }
    let table = bytes.count
    return bytes + offsets + [0, 0, 0, 0, 0, 0, 4, 4] + big(UInt64(objects.count), 8)
      + big(UInt64(top), 8) + big(UInt64(table), 8)
  }
}

/// Makes what `NSKeyedArchiver` writes.
public struct ArchiveMaker: Sendable {
  private var objects: [ListValue] = ["$null"]
  private var classes: [String: Int] = [:]

  public init() {}

  /// Adds an object and returns the reference to it.
  public mutating func add(_ value: ListValue) -> ListValue {
    objects.append(value)
    return .reference(objects.count - 1)
  }

  /// Adds an object of a class; its fields are references or values.
  public mutating func add(
    _ className: String, _ fields: KeyValuePairs<String, ListValue>
  ) -> ListValue {
    add(
      .dictionary(fields.map { ($0.key, $0.value) } + [("$class", reference(toClass: className))]))
  }

  /// Adds an object without fields, to be filled later, as objects that refer to each other need.
  public mutating func reserve() -> ListValue { add("") }

  public mutating func fill(
    _ reference: ListValue, _ className: String, _ fields: KeyValuePairs<String, ListValue>
  ) {
    guard case .reference(let number) = reference else { return }
    objects[number] = .dictionary(
      fields.map { ($0.key, $0.value) } + [("$class", self.reference(toClass: className))])
  }

  public mutating func list(_ values: [ListValue], of className: String = "NSMutableArray")
    -> ListValue
  {
    let members = values.map { boxed($0) }
    return add(className, ["NS.objects": .array(members)])
  }

  public mutating func pairs(_ pairs: KeyValuePairs<String, ListValue>) -> ListValue {
    let keys = pairs.map { add(.text($0.key)) }
    let values = pairs.map { boxed($0.value) }
    return add(
      "NSMutableDictionary", ["NS.keys": .array(keys), "NS.objects": .array(values)])
  }

  private mutating func boxed(_ value: ListValue) -> ListValue {
    if case .reference = value { value } else { add(value) }
  }

  private mutating func reference(toClass name: String) -> ListValue {
    if let known = classes[name] { return .reference(known) }
    objects.append(.dictionary([("$classname", .text(name)), ("$classes", .array([.text(name)]))]))
    classes[name] = objects.count - 1
    return .reference(objects.count - 1)
  }

  /// The archive of an object.
  public func archive(_ root: ListValue) -> ListValue {
    .dictionary([
      ("$version", 100_000), ("$archiver", "NSKeyedArchiver"),
      ("$top", .dictionary([("root", root)])), ("$objects", .array(objects)),
    ])
  }
}
