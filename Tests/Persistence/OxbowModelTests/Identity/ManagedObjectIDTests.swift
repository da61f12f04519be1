import Foundation
import OxbowModel
import Testing

@Suite struct ManagedObjectIDTests {
  let store = "x-oxbow://E621E1F8-C36C-495A-93FC-0C247A3E6E5F"

  @Test(arguments: ["/Folder/p1", "/Animal/Dog/p12", "/Folder/p-3", "/Folder/p9223372036854775807"])
  func `the text of an ID is read as it was written`(path: String) throws {
    let id = try #require(ManagedObjectID(store + path))
    #expect(id.description == store + path)
  }

  // Review S-E: other spellings of an ID are none.
  @Test(arguments: [
    "/Folder/p+1", "/Folder/p01", "/Folder/p-0", "/Folder/p", "/Folder/1", "/Folder//p1",
    "//Folder/p1",
    "/Folder/p1/", "//p1", "/p1", "/A/B/C/p1", "/Folder/p1 ", "/Folder/p9223372036854775808",
  ])
  func `what is not spelled as an ID is none`(path: String) {
    #expect(ManagedObjectID(store + path) == nil)
  }

  @Test func `the root is part of an ID, and the entity is not`() throws {
    let dog = try #require(ManagedObjectID(store + "/Animal/Dog/p1"))
    #expect(dog == ManagedObjectID(store + "/Animal/p1"))
    #expect(dog != ManagedObjectID(store + "/Nope/Dog/p1"))
  }
}

@Suite struct AttributeValueTextTests {
  // Review S-E: no calendar has such a day.
  @Test(arguments: [
    (Double.infinity, "the date inf seconds after 2001-01-01"),
    (-Double.infinity, "the date -inf seconds after 2001-01-01"),
    (1e300, "the date 1e+300 seconds after 2001-01-01"),
    (0, "2001-01-01T00:00:00Z"),
  ])
  func `a date without a year is its number of seconds`(seconds: Double, text: String) {
    let value = AttributeValue.date(Date(timeIntervalSinceReferenceDate: seconds))
    #expect(value.description == text)
  }
}
