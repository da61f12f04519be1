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
}
