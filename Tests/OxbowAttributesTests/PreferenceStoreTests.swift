import Foundation
import OxbowDefaults
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
    default: UserDefaultsStore(try #require(UserDefaults(suiteName: UUID().uuidString)))
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
    #expect(try first.text(forKey: "b") == nil)
    first.reload()
    #expect(try first.text(forKey: "b") == "2")
    #expect(try first.text(forKey: "other") == #"{"deep":[1,2.5,null,true]}"#)
  }

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
}
