import OxbowContainer
import Testing

@Suite struct RecordTests {
  @Test func `records of unknown versions are skipped`() {
    let records: [ComponentRecord] = [
      (
        version: 1,
        describe: {
          $0.assumingMemoryBound(to: RegistryEntry.self)
            .initialize(to: .component(Grail.componentDescriptor))
        }
      ),
      (version: 2, describe: { _ in Issue.record("an unknown version was read") }),
      (
        version: 1,
        describe: {
          $0.assumingMemoryBound(to: RegistryEntry.self)
            .initialize(to: .proxy(ProxyDescriptor(GreeterProxy.self, name: "Greeter")))
        }
      ),
    ]
    let entries = records.withUnsafeBytes { RegistryEntry.entries(in: $0) }
    #expect(entries.count == 2)
    let registry = ClassRegistry(entries: entries)
    #expect(registry.knows("Grail"))
    #expect(registry.proxies.map(\.name) == ["Greeter"])
  }

  @Test func `a record is two words`() {
    #expect(MemoryLayout<ComponentRecord>.size == 2 * MemoryLayout<UInt>.size)
    #expect(MemoryLayout<ComponentRecord>.stride == 2 * MemoryLayout<UInt>.size)
  }
}
