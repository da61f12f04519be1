import OxbowRuntime
import OxbowTestSupport
import Testing

@Suite struct SQLitePreferenceStoreTests {
  @Test func `BM-18 a value is in the database, for other connections too`() throws {
    let folder = try TemporaryFolder()
    let store = try SQLitePreferenceStore(path: folder.file("preferences.sqlite"))
    let other = try SQLitePreferenceStore(path: folder.file("preferences.sqlite"))
    let property = PreferenceProperty<[String]>(nil, "Settings.recent", in: store)
    #expect(try property.stored() == nil)
    try property.trySet(["ä", "\"b\""])
    #expect(try other.text(forKey: "Settings.recent") == "[\"ä\",\"\\\"b\\\"\"]")
    try property.trySet([])
    #expect(try property.stored() == [])
    try property.remove()
    #expect(try other.text(forKey: "Settings.recent") == nil)
  }

  @Test func `BM-18 a folder that is not there is an error`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: (any Error).self) {
      try SQLitePreferenceStore(path: folder.file("no/preferences.sqlite"))
    }
  }

  @Test(.timeLimit(.minutes(30)))
  func `BM-18 a change may read other values, and not change them`() throws {
    let folder = try TemporaryFolder()
    let store = try SQLitePreferenceStore(path: folder.file("preferences.sqlite"))
    let (a, b) = (
      PreferenceProperty<Int>("a", "", in: store, initial: { 1 }),
      PreferenceProperty<Int>("b", "", in: store)
    )
    try b.trySet(2)
    try a.update { $0 += try b.stored() ?? 0 }
    #expect(try a.stored() == 3)
    for change in [{ try b.trySet(9) }, { try a.remove() }, { try b.update { $0 += 1 } }] {
      let error = #expect(throws: PreferenceError.self) {
        try a.update {
          $0 = 4
          try change()
        }
      }
      #expect("\(error, default: "")".contains("change them one after the other"))
    }
    #expect(try (a.stored(), b.stored()) == (3, 2))
  }
}
