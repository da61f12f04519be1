import Oxbow
import Testing

/// `@Preference` (BM-18).
@Suite struct PreferenceAttributeTests {
  struct Point: Codable, Equatable { var x = 0 }

  struct Settings {
    @Preference var theme: String = "light"
    @Preference("recent") var recentFiles: [String] = []
    @Preference var owner: String?
    @Preference var place: Point = Point(x: 3)
    @Preference static var count: Int = 1
  }

  final class Window: Sendable {
    let store: MemoryPreferenceStore
    @Preference(store: \Window.store) var width: Int = 80
    @Preference("w.title", store: \Window.store) var title: String?
    init(store: MemoryPreferenceStore) { self.store = store }
  }

  enum Program {
    static let store = MemoryPreferenceStore()
    @Preference(store: Program.store) static var isNew: Bool = true
  }

  actor Agent {
    let store = MemoryPreferenceStore()
    @Preference(store: \Agent.store) var runs: Int = 0
    func run() -> Int {
      runs += 1
      return runs
    }
  }

  private func withStore<R>(
    _ store: MemoryPreferenceStore = MemoryPreferenceStore(),
    _ body: (MemoryPreferenceStore) throws -> R
  ) rethrows -> R {
    try Preferences.$taskStore.withValue(store) { try body(store) }
  }

  @Test func `BM-18 the default counts until something is stored`() {
    withStore { store in
      let settings = Settings()
      #expect(settings.theme == "light")
      settings.theme = "dark"
      #expect(settings.theme == "dark")
      #expect(Settings().theme == "dark")
      settings.recentFiles.append("a.txt")
      #expect(settings.recentFiles == ["a.txt"])
      settings.place.x += 1
      #expect(settings.place == Point(x: 4))
      Settings.count += 1
      #expect(store.texts["PreferenceAttributeTests.Settings.count"] == "2")
    }
  }

  @Test func `BM-18 the key is the name of type and property, unless one is given`() {
    withStore { store in
      let settings = Settings()
      settings.theme = "dark"
      settings.recentFiles = ["a"]
      #expect(
        store.texts == [
          "PreferenceAttributeTests.Settings.theme": "\"dark\"", "recent": "[\"a\"]",
        ])
      #expect(settings.$recentFiles.key == "recent")
    }
  }

  @Test func `BM-18 nil removes an optional one, and remove any`() throws {
    try withStore { store in
      let settings = Settings()
      #expect(settings.owner == nil)
      settings.owner = "Ada"
      #expect(settings.owner == "Ada")
      settings.owner = nil
      settings.theme = "dark"
      try settings.$theme.remove()
      #expect(store.texts.isEmpty)
      #expect(settings.theme == "light")
    }
  }

  @Test func `BM-18 each object may have a store of its own`() async {
    let window = Window(store: MemoryPreferenceStore(["w.title": "\"Notes\""]))
    let other = Window(store: MemoryPreferenceStore())
    window.width = 120
    #expect((window.width, other.width) == (120, 80))
    #expect(window.title == "Notes")
    window.title = nil
    #expect(window.store.texts == ["PreferenceAttributeTests.Window.width": "120"])
    #expect(Program.isNew)
    Program.isNew = false
    #expect(Program.store.texts == ["PreferenceAttributeTests.Program.isNew": "false"])
    let agent = Agent()
    #expect(await agent.run() == 1)
    #expect(await agent.run() == 2)
  }

  @Test func `BM-18 a value of another type is reported, and the default counts`() throws {
    let store = MemoryPreferenceStore(["PreferenceAttributeTests.Settings.theme": "7"])
    withStore(store) { store in
      #expect(Settings().theme == "light")
      #expect(store.errors.count == 1)
      #expect(throws: PreferenceError.self) { try Settings().$theme.stored() }
    }
  }
}
