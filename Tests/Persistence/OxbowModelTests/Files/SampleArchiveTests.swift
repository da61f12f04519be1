import OxbowCoreData
import OxbowModel
import OxbowTestSupport
import Testing

/// Every compiled model of the samples, and every one of Xcode before version 4.
@Suite struct SampleArchiveTests {
  @Test(.enabled(if: Samples.folder != nil, Comment(rawValue: Samples.absence)))
  func `CD-30 every model in an archive is read and valid, and is the same when it is written`()
    throws
  {
    let paths = Samples.paths(below: "models") {
      $0.hasSuffix(".mom") || $0.hasSuffix("/elements")
    }
    #expect(paths.count >= 18)
    let folder = try TemporaryFolder()
    for (number, path) in paths.enumerated() {
      let document = try ModelDocument(contentsOf: path)
      try document.model.validate()
      #expect(!document.model.entities.isEmpty, "\(path)")
      let copy = folder.file("\(number).xcdatamodel")
      try document.write(to: copy)
      #expect(try ModelDocument(contentsOf: copy).model == document.model, "\(path)")
    }
  }

  @Test(.enabled(if: Samples.folder != nil, Comment(rawValue: Samples.absence)))
  func `CD-30 computed hashes are those that compiled models were delivered with`() throws {
    var (equal, unknown) = (0, 0)
    for path in Samples.paths(below: "models", where: { $0.hasSuffix(".mom") }) {
      let document = try ModelDocument(contentsOf: path)
      let recorded = try document.recordedHashes()
      guard !recorded.isEmpty else { continue }
      let comparison = CoreDataComparison(try CoreDataHashes(of: document), stored: recorded)
      #expect(comparison.texts == [], "\(path)")
      equal += comparison.equal.count
      unknown += comparison.unknown.count
    }
    #expect(equal >= 27)
    #expect(unknown == 1)
  }
}
