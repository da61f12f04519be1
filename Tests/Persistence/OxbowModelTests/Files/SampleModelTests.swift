import OxbowDocuments
import OxbowModel
import OxbowTestSupport
import Testing

/// Every model document of the samples, as Xcode and others wrote them.
@Suite struct SampleModelTests {
  private let paths = ["models", "stores"].flatMap { part in
    Samples.paths(below: part) { $0.hasSuffix(".xcdatamodel") }
  }

  @Test(.enabled(if: Samples.folder != nil, Comment(rawValue: Samples.absence)))
  func `every model document is read and valid`() throws {
    #expect(paths.count > 150)
    for path in paths {
      do throws(PersistenceError) {
        try ModelDocument(contentsOf: path).model.validate()
      } catch {
        // The collection has the diagram of some old models only.
        #expect(error.message.hasSuffix("has no file 'contents'"), "\(error)")
      }
    }
  }

  @Test(.enabled(if: Samples.folder != nil, Comment(rawValue: Samples.absence)))
  func `every versioned model names its current version or says why it cannot`() {
    let folders = ["models", "stores"].flatMap { part in
      Samples.paths(below: part) { $0.hasSuffix(".xcdatamodeld") }
    }
    #expect(folders.count > 50)
    for folder in folders {
      do throws(PersistenceError) {
        let versions = try ModelVersions(of: folder)
        #expect(versions.all.contains(versions.current))
      } catch {
        // The collection does not hold every version of every model.
        let reasons = ["has no version", "does not exist", "no .xccurrentversion"]
        #expect(reasons.contains(where: error.message.contains), "\(error)")
      }
    }
  }

  @Test(.enabled(if: Samples.folder != nil, Comment(rawValue: Samples.absence)))
  func `no attribute or element of any document is unknown`() {
    for path in paths {
      guard let document = try? ModelDocument(contentsOf: path) else { continue }
      for note in document.notes { #expect(!note.text.contains("is not known"), "\(note)") }
    }
  }
}
