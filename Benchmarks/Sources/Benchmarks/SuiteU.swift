import CBaseline
import Foundation
import OxbowRuntime

/// Suite U of the checklist: 100,000 rows of two columns are inserted and saved; and 50,000 rows of
/// ten whole numbers.
struct SuiteU {
  let directory: URL

  func run() throws {
    try pairs()
    try numbers()
  }

  private func pairs() throws {
    let rows = 100_000
    let scratch = Scratch(directory: directory, types: [Pair.self])
    let names = (0..<rows).map { "name number \($0)" }
    try emit("two columns, one save", target: "1.8", rows) {
      let store = try scratch.emptyStore("pairs-ours")
      defer { store.close() }
      return try nanoseconds {
        let context = store.makeContext()
        for row in 0..<rows {
          let pair = try context.insert(Pair.self)
          pair.name = names[row]
          pair.number = row
        }
        try context.save()
      }
    } theirs: {
      baseline_repeat(
        try scratch.emptyFile("pairs-c"),
        "INSERT INTO Pair (_id, _version, number, name) VALUES (?1, 1, ?2, ?3)", Int64(rows), nil,
        1, 1)
    }
  }

  private func numbers() throws {
    let rows = 50_000
    let scratch = Scratch(directory: directory, types: [Numbers.self])
    let parameters = (1...11).map { "?\($0)" }
    try emit("ten integers, one save", target: "1.7", rows) {
      let store = try scratch.emptyStore("numbers-ours")
      defer { store.close() }
      return try nanoseconds {
        let context = store.makeContext()
        for row in 0..<rows {
          let numbers = try context.insert(Numbers.self)
          for index in 0..<10 { numbers.setNumber(index, row + index) }
        }
        try context.save()
      }
    } theirs: {
      baseline_repeat(
        try scratch.emptyFile("numbers-c"),
        "INSERT INTO Numbers (_id, _version, \(Numbers.names.joined(separator: ", "))) "
          + "VALUES (?1, 1, \(parameters.dropFirst().joined(separator: ", ")))", Int64(rows), nil,
        10, 0)
    }
  }

  private func emit(
    _ name: String, target: String, _ rows: Int, ours: @escaping () throws -> Double,
    theirs: @escaping () throws -> Int64
  ) throws {
    let medians = try interleaved([
      { try ours() / Double(rows) }, { try baseline(try theirs(), for: rows) },
    ])
    print(
      Measurement(
        suite: "U", name: name, ours: medians[0], baseline: "C", theirs: medians[1],
        target: target
      ).line)
  }
}

/// An entity of a text and a number.
final class Pair: ManagedObject, ModelObject {
  var name: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  var number: Int {
    get { _value(1) }
    set { _setValue(1, newValue) }
  }
  class var entityName: String { "Pair" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Pair", className: "Pair",
      attributes: [
        AttributeDescription("name", .string), AttributeDescription("number", .integer64),
      ])
  }
  class var _propertyNames: [String] { ["name", "number"] }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    [(\Pair.name, "name"), (\Pair.number, "number")]
  }
}
