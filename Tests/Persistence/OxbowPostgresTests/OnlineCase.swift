#if PostgreSQL
  import OxbowModel
  import OxbowStoreContract
  import Testing

  /// A change of the library's model that is made while programs have the one before.
  struct OnlineCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let model: ManagedObjectModel

    init(_ name: String, _ model: ManagedObjectModel) {
      (testDescription, self.model) = (name, model)
    }

    init(_ name: String, _ entity: String, _ change: (inout EntityDescription) -> Void) {
      self.init(name, libraryModel().changed(entity, change))
    }

    static let rank = AttributeDescription("rank", .integer32, defaultValue: .integer(7))
    private static let series = RelationshipDescription("series", to: "Series", inverse: "books")

    static let all: [OnlineCase] = [
      .init("an optional attribute", "Book") {
        $0.attributes.append(AttributeDescription("note", .string, isOptional: true))
      },
      .init("a required attribute", "Book") { $0.attributes.append(rank) },
      .init("a required attribute of a sub-entity", "Reader") { $0.attributes.append(rank) },
      .init("an index", "Book", index(["pages"])),
      .init("an index of a new attribute", "Book") {
        $0.attributes.append(rank)
        index(["rank", "title"])(&$0)
      },
      .init("unique values", "Book") { $0.uniquenessConstraints.append(["copies"]) },
      .init("an attribute that becomes required", "Book", required),
      .init("an attribute of another type", "Book", wider),
      .init("an indexed attribute of another type", indexed(wider)),
      .init("an attribute that goes", "Book") { $0.attributes.removeAll { $0.name == "factor" } },
      .init("another name", "Book") {
        $0.attributes[1].name = "sheets"
        $0.attributes[1].renamingIdentifier = "pages"
      },
      .init("an entity", new("Series")),
      .init("a relationship to an entity that is there", related(to: "Shelf")),
      .init("a relationship to a new entity", related(to: "Series", in: new("Series"))),
      .init("all of it", everything),
    ]

    static func index(_ names: [String]) -> (inout EntityDescription) -> Void {
      {
        $0.fetchIndexes.append(
          FetchIndexDescription("byThem", elements: names.map { .init($0) }))
      }
    }

    private static func required(_ entity: inout EntityDescription) {
      let place = entity.attributes.firstIndex { $0.name == "grade" } ?? 0
      entity.attributes[place].isOptional = false
      entity.attributes[place].defaultValue = .integer(3)
    }

    static func wider(_ entity: inout EntityDescription) {
      entity.attributes[1] = AttributeDescription("pages", .integer64)
    }

    private static func indexed(
      _ change: (inout EntityDescription) -> Void
    ) -> ManagedObjectModel {
      libraryModel().changed("Book") {
        change(&$0)
        index(["pages"])(&$0)
      }
    }

    private static func new(_ name: String) -> ManagedObjectModel {
      ManagedObjectModel(
        entities: libraryModel().entities + [
          EntityDescription(name, attributes: [AttributeDescription("name", .string)])
        ])
    }

    private static func related(
      to entity: String, in model: ManagedObjectModel = libraryModel()
    ) -> ManagedObjectModel {
      model.changed("Book") {
        $0.relationships.append(RelationshipDescription("home", to: entity, inverse: "guests"))
      }.changed(entity) {
        $0.relationships.append(
          RelationshipDescription("guests", to: "Book", inverse: "home", isToMany: true))
      }
    }

    static let everything = related(to: "Series", in: new("Series")).changed("Book") {
      $0.attributes.append(rank)
      index(["rank", "title"])(&$0)
      $0.uniquenessConstraints.append(["copies"])
      required(&$0)
      wider(&$0)
    }.changed("Reader") { $0.attributes.append(rank) }
  }

  extension ManagedObjectModel {
    func changed(
      _ entity: String, _ change: (inout EntityDescription) -> Void
    ) -> ManagedObjectModel {
      ManagedObjectModel(
        entities: entities.map {
          var description = $0
          if description.name == entity { change(&description) }
          return description
        })
    }
  }
#endif
