import Foundation
import OxbowTestSupport
import Testing

@testable import OxbowAttributes

/// The stores of `@Preference`.
@Suite struct PreferenceStoreTests {
  struct Point: Codable, Equatable {
    var x = 1
    var name: String? = "a"
  }

  private func store(_ name: String, in folder: TemporaryFolder) throws -> any PreferenceStore {
    switch name {
    case "memory": MemoryPreferenceStore()
    case "file": FilePreferenceStore(path: folder.file("more/preferences.json"))
    default:
      #if Defaults
        UserDefaultsStore(try #require(UserDefaults(suiteName: UUID().uuidString)))
      #else
        MemoryPreferenceStore()
      #endif
    }
  }

  @Test(arguments: ["memory", "file", "defaults"])
  func `BM-18 a store keeps any value that can be encoded`(name: String) throws {
    let folder = try TemporaryFolder()
    let store = try store(name, in: folder)
    func expectKept<V: Codable & Equatable>(_ value: V) throws {
      let property = PreferenceProperty<V>(nil, "Tests.\(V.self)", in: store)
      #expect(try property.stored() == nil)
      try property.trySet(value)
      #expect(try property.stored() == value)
      try property.remove()
      #expect(try property.stored() == nil)
    }
    try expectKept("ä \"quoted\" / text")
    try expectKept(42)
    try expectKept(UInt64.max)
    try expectKept(Int64.min)
    try expectKept(0.1)
    try expectKept(true)
    try expectKept(Date(timeIntervalSinceReferenceDate: 12.5))
    try expectKept(Data([0, 255]))
    try expectKept(["a", "b"])
    try expectKept(["k": [1, 2]])
    try expectKept([1, nil, 3])
    try expectKept(Point())
    try expectKept(Point(x: 2, name: nil))
  }

  @Test func `BM-18 another store over the same file sees what was written`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      #"{"other": {"deep": [1, 2.5, null, true]}}"#, to: "preferences.json")
    let first = FilePreferenceStore(path: path)
    let second = FilePreferenceStore(path: path)
    #expect(try second.text(forKey: "a") == nil)
    try first.setText("1", forKey: "a")
    try second.setText("2", forKey: "b")
    #expect(try second.text(forKey: "a") == "1")
    #expect(try first.text(forKey: "b") == "2")
    #expect(try first.text(forKey: "other") == #"{"deep":[1,2.5,null,true]}"#)
  }

  #if Defaults
    @Test func `BM-18 defaults that another program wrote are read as they are`() throws {
      let defaults = try #require(UserDefaults(suiteName: UUID().uuidString))
      let store = UserDefaultsStore(defaults)
      defaults.set("dark", forKey: "theme")
      defaults.set(7, forKey: "count")
      #expect(try PreferenceProperty<String>("theme", "", in: store).stored() == "dark")
      #expect(try PreferenceProperty<Int>("count", "", in: store).stored() == 7)
      try PreferenceProperty<String>("theme", "", in: store).trySet("light")
      #expect(defaults.string(forKey: "theme") == "light")
    }

    @Test(arguments: ["12345678901234.123456", "0.1", "-1.50", "1e-7", "123456789012345678901234"])
    func `BM-18 defaults keep all digits of a decimal number`(text: String) throws {
      let store = UserDefaultsStore(try #require(UserDefaults(suiteName: UUID().uuidString)))
      let price = PreferenceProperty<Decimal>("price", "", in: store)
      let number = try #require(Decimal(string: text))
      try price.trySet(number)
      #expect(try price.stored() == number)
    }
  #endif

  @Test func `BM-18 what a file takes it gives back, however large and deep`() throws {
    let folder = try TemporaryFolder()
    let store = FilePreferenceStore(path: folder.file("preferences.json"))
    let large = "\"" + String(repeating: "a", count: 9 << 20) + "\""
    let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    for (key, text) in [("a", large), ("b", large), ("c", deep)] {
      try store.setText(text, forKey: key)
    }
    let tooDeep = String(repeating: "[", count: 1024) + String(repeating: "]", count: 1024)
    #expect(throws: (any Error).self) { try store.setText(tooDeep, forKey: "d") }
    let again = FilePreferenceStore(path: folder.file("preferences.json"))
    #expect(try again.text(forKey: "b") == large)
    #expect(try again.text(forKey: "c") == deep)
  }

  @Test func `BM-18 a file that is damaged is an error, and not overwritten`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("{ damaged", to: "preferences.json")
    let property = PreferenceProperty<Int>("n", "", in: FilePreferenceStore(path: path))
    #expect(throws: PreferenceError.self) { try property.stored() }
    #expect(throws: PreferenceError.self) { try property.trySet(1) }
    #expect(try folder.text(of: "preferences.json") == "{ damaged")
  }

  @Test func `BM-18 the program's file is in the user's folder for configurations`() {
    func path(_ environment: [String: String]) -> String {
      FilePreferenceStore.path(ofProgram: "/usr/bin/notes", environment, home: "/home/ada")
    }
    #expect(path([:]) == "/home/ada/.config/notes/preferences.json")
    #expect(path(["XDG_CONFIG_HOME": "/etc/ada"]) == "/etc/ada/notes/preferences.json")
    #expect(path(["XDG_CONFIG_HOME": "relative"]) == "/home/ada/.config/notes/preferences.json")
  }

  @Test func `BM-18 an error names the key and what was tried`() {
    let store = MemoryPreferenceStore(["n": "\"text\""])
    let property = PreferenceProperty<Int>("n", "", in: store)
    #expect(property._value == nil)
    #expect("\(store.errors)".contains("preference 'n' could not be read"))
  }

  // MARK: - Several at once

  @Test func `D2 processes that store keys of their own lose no other key`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("preferences.json")
    await withTaskGroup { group in
      for process in 0..<4 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [path = path as String, process = process as Int] in
            let store = FilePreferenceStore(path: path)
            for number in 0..<40 { try store.setText("\(number)", forKey: "\(process).\(number)") }
          }
        }
      }
    }
    let store = FilePreferenceStore(path: path)
    for process in 0..<4 {
      for number in 0..<40 {
        #expect(try store.text(forKey: "\(process).\(number)") == "\(number)")
      }
    }
  }

  @Test func `D2 stores on one path lose no key, one of them through a link`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("{}", to: "preferences.json")
    let link = folder.file("link.json")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try await withThrowingTaskGroup { group in
      for (name, path) in [("a", path), ("b", path), ("c", link)] {
        group.addTask {
          let store = FilePreferenceStore(path: path)
          for number in 0..<50 { try store.setText("\(number)", forKey: "\(name).\(number)") }
        }
      }
      try await group.waitForAll()
    }
    let text = try folder.text(of: "preferences.json")
    let values = try JSONDecoder().decode([String: Int].self, from: Data(text.utf8))
    #expect(values.count == 150)
    let type = try FileManager.default.attributesOfItem(atPath: link)[.type] as? FileAttributeType
    #expect(type == .typeSymbolicLink)
  }

  @Test func `W3 a store sees each change of another one`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("preferences.json")
    let reader = FilePreferenceStore(path: path)
    let writer = FilePreferenceStore(path: path)
    #expect(try reader.text(forKey: "n") == nil)
    for number in 0..<100 {
      try writer.setText("\(number)", forKey: "n")
      #expect(try reader.text(forKey: "n") == "\(number)")
    }
    try FileManager.default.removeItem(atPath: path)
    #expect(try reader.text(forKey: "n") == nil)
  }

  @Test(arguments: ["memory", "file", "defaults"])
  func `W3 no update of several threads is lost`(name: String) async throws {
    let folder = try TemporaryFolder()
    let store = try store(name, in: folder)
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          let property = PreferenceProperty<Int>("n", "", in: store, initial: { 100 })
          for _ in 0..<25 { try property.update { $0 += 1 } }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.text(forKey: "n") == "300")
  }

  @Test(arguments: ["memory", "file", "defaults"])
  func `W3 an update has the stored value, else the initial one, and may remove it`(name: String)
    throws
  {
    let folder = try TemporaryFolder()
    let store = try store(name, in: folder)
    let number = PreferenceProperty<Int>("n", "", in: store, initial: { 5 })
    #expect(
      try number.update {
        $0 += 1; return $0
      } == 6)
    #expect(try number.stored() == 6)
    #expect(throws: PreferenceError.self) { try number.update { _ in throw CancellationError() } }
    #expect(try number.stored() == 6)
    try number.updateStored { $0 = nil }
    #expect(try number.stored() == nil)
    let text = PreferenceProperty<String>("t", "", in: store)
    let error = #expect(throws: PreferenceError.self) { try text.update { $0 += "!" } }
    #expect("\(try #require(error))".contains("use updateStored"))
    try text.updateStored { $0 = ($0 ?? "a") + "!" }
    #expect(try text.stored() == "a!")
  }

  @Test func `W3 a change inside of a change of the same file is refused, and a look is not`()
    throws
  {
    let folder = try TemporaryFolder()
    let store = FilePreferenceStore(path: folder.file("preferences.json"))
    let other = PreferenceProperty<Int>("other", "", in: store, initial: { 2 })
    try other.trySet(2)
    let number = PreferenceProperty<Int>("n", "", in: store, initial: { 0 })
    try number.update { $0 += try other.stored() ?? 0 }
    #expect(try number.stored() == 2)
    let error = #expect(throws: PreferenceError.self) {
      try number.update { _ in try other.trySet(3) }
    }
    #expect("\(try #require(error))".contains("one after the other"))
    #expect(try other.stored() == 2)
  }
}
