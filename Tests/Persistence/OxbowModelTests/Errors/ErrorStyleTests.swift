import Foundation
import OxbowDocuments
import OxbowModel
import Testing

@Suite struct ErrorStyleTests {
  private func caught(_ error: any Error) -> String {
    do { throw error } catch PersistenceError.Code.validation {
      return "validation"
    } catch PersistenceError.Code.conflict {
      return "conflict"
    } catch {
      return "other"
    }
  }

  @Test func `an error is caught by its code, and by that of any of its problems`() {
    let inner = PersistenceError(.conflict, "changed")
    #expect(caught(inner) == "conflict")
    let outer = PersistenceError(.migration, "two problems", problems: [inner, inner])
    #expect(caught(PersistenceError(.migration, "all", problems: [outer])) == "conflict")
    #expect(caught(PersistenceError(.migration, "none")) == "other")
    #expect(caught(DocumentError(message: "bad", location: nil)) == "other")
  }

  @Test func `the text of a code is its name`() {
    #expect("\(PersistenceError.Code.storeWasMigrated)" == "storeWasMigrated")
    #expect(PersistenceError.Code(rawValue: "invalidSQL") == .invalidSQL)
  }

  @Test func `an error after a look keeps the rule that was broken`() {
    let id = ManagedObjectID(store: UUID(), rootEntityName: "Book", entityName: "Book", key: 1)
    let failure = ValidationFailure(
      objectID: id, property: "isbn", rule: .unique, message: "another book has it")
    let error = PersistenceError.uniqueness(failure).afterLookup(true)
    #expect(error.followsLookup)
    #expect(error.validationFailures == [failure])
  }

  @Test func `near names are a member, and come last in the description`() {
    let error = PersistenceError.unknownEntity("Bok", among: ["Book", "Boat", "Shelf"])
    #expect(error.nearNames == ["Book"])
    #expect(
      error.adding("class", "Novel").description == """
        the model has no entity 'Bok'; it has 'Boat', 'Book', 'Shelf'
          class: Novel
          did you mean: 'Book'?
        """)
    #expect(PersistenceError.unknownEntity("Ship", among: ["Book"]).nearNames.isEmpty)
  }
}
