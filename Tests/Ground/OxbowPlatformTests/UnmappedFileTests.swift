#if os(Linux) && canImport(Glibc)
  import Foundation
  import Glibc
  import OxbowPlatform
  import Testing

  /// Decision 0264.
  @Suite struct UnmappedFileTests {
    @Test func `a call site is named while other threads map and unmap files (PF-04)`() {
      let path = FileManager.default.temporaryDirectory.appending(path: "oxbow-\(UUID())").path
      #expect(FileManager.default.createFile(atPath: path, contents: Data(count: 32_768)))
      defer { try? FileManager.default.removeItem(atPath: path) }
      let isOver = Lock(false)
      for _ in 0..<2 {
        Thread.detachNewThread { while !isOver.withLock({ $0 }) { mapAndUnmap(path) } }
      }
      defer { isOver.withLock { $0 = true } }
      for _ in 0..<4 {
        let site = CallSite.nearest(outside: ["OxbowPlatform"])
        #expect(site?.description.hasPrefix("UnmappedFileTests.swift:") == true, "\(site as Any)")
      }
    }
  }

  private func mapAndUnmap(_ path: String) {
    let file = open(path, O_RDONLY)
    let parts = (0..<100).map { _ in mmap(nil, 32_768, PROT_READ, MAP_SHARED, file, 0) }
    for part in parts { munmap(part, 32_768) }
    close(file)
  }
#endif
