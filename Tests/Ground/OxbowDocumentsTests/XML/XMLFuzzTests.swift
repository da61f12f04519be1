import OxbowDocuments
import OxbowTestSupport
import Testing

@Suite struct XMLFuzzTests {
  private let documents = [
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
      + "<model a='é&amp;&#x41;' b=\"\">\n"
      + " <!-- c --><entity name=\"A\"><![CDATA[<x>]]></entity>\r\n<?pi x?><b:c/> text 𝄞 "
      + "&lt;</model>",
    "<?xml version=\"1.0\"?><!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://x\">"
      + "<plist version=\"1.0\"><dict><key>a</key><array><integer>-1</integer><real>1e3</real>"
      + "<true/><date>2001-01-01T00:00:00Z</date><data>AAEC</data></array></dict></plist>",
  ]

  /// What a damaged document must still give: a tree or an error with a place inside the document.
  private func check(_ bytes: [UInt8], _ comment: Comment) {
    for property in [false, true] {
      do throws(DocumentError) {
        if property {
          _ = try PropertyListDocument.parse(bytes, file: "fuzz")
        } else {
          _ = try XMLDocument.parse(bytes, file: "fuzz")
        }
      } catch {
        guard let location = error.location else { continue }
        #expect((1...bytes.count + 1).contains(location.line), comment)
        #expect((1...bytes.count + 1).contains(location.column), comment)
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4, UInt64.random(in: 5...UInt64.max)])
  func `damaged documents give a tree or an error`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for round in 0..<1500 {
      var bytes = Array(documents[round % documents.count].utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
        default: bytes.removeSubrange(index..<min(index + 9, bytes.count))
        }
      }
      check(bytes, "seed \(seed), round \(round)")
    }
  }

  @Test func `every prefix of a document gives an error`() {
    let bytes = Array(documents[0].utf8)
    for length in 0..<bytes.count {
      #expect(throws: DocumentError.self, "prefix of \(length) bytes") {
        _ = try XMLDocument.parse(Array(bytes[..<length]), file: "fuzz")
      }
    }
  }
}
