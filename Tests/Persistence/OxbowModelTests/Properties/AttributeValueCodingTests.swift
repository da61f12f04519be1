import Foundation
import OxbowModel
import Testing

struct AttributeValueCodingTests {
  static let values: [(AttributeValue, String)] = [
    (.integer(.min), #"{"integer":-9223372036854775808}"#),
    (.boolean(true), #"{"boolean":true}"#),
    (.double(0.1), #"{"double":0.1}"#),
    (.double(.infinity), #"{"double":"inf"}"#),
    (.double(-.infinity), #"{"double":"-inf"}"#),
    (.double(-0.0), #"{"double":"-0.0"}"#),
    (.date(Date(timeIntervalSinceReferenceDate: 0.25)), #"{"date":0.25}"#),
    (.date(.distantFuture), #"{"date":63113904000}"#),
    (.string("a\u{0}\"b"), #"{"string":"a\u0000\"b"}"#),
    (.data(Data([0, 255])), #"{"data":"AP8="}"#),
    (
      .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
      #"{"uuid":"01020304-0506-0708-090A-0B0C0D0E0F10"}"#
    ),
    (
      .decimal(Decimal(string: "-0.10000000000000000000000001") ?? 0),
      #"{"decimal":"-0.10000000000000000000000001"}"#
    ),
  ]

  @Test(arguments: values)
  func `PS-01 a value is written under its name and read as it was`(
    _ value: AttributeValue, _ text: String
  ) throws {
    let written = try JSONEncoder().encode(value)
    #expect(String(decoding: written, as: UTF8.self) == text)
    let read = try JSONDecoder().decode(AttributeValue.self, from: written)
    #expect(read == value)
    if case .double(let a) = value, case .double(let b) = read { #expect(a.sign == b.sign) }
  }

  @Test func `PS-01 a URL is read as it was written`() throws {
    let url = try #require(URL(string: "https://example.com/%C3%BC?q=1#x"))
    let written = try JSONEncoder().encode(AttributeValue.url(url))
    #expect(try JSONDecoder().decode(AttributeValue.self, from: written) == .url(url))
  }

  @Test(arguments: [
    "{}", "5", #"{"text":"x"}"#, #"{"integer":1,"double":1}"#, #"{"integer":"1"}"#,
    #"{"integer":1.5}"#, #"{"uuid":"x"}"#, #"{"decimal":"x"}"#, #"{"decimal":"1,5"}"#,
    #"{"double":"x"}"#, #"{"boolean":1}"#, #"{"data":"?"}"#,
  ])
  func `PS-01 what is not a value is refused`(_ text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(AttributeValue.self, from: Data(text.utf8))
    }
  }
}
