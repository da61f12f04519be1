import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An entity with an attribute of each type that a store keeps, and with links, written by hand as
/// `@Entity` would.
final class Parcel: ManagedObject, ModelObject {
  var title: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  var note: String? {
    get { _optionalValue(1) }
    set { _setValue(1, newValue) }
  }
  var small: Int16 {
    get { _value(2) }
    set { _setValue(2, newValue) }
  }
  var middle: Int32? {
    get { _optionalValue(3) }
    set { _setValue(3, newValue) }
  }
  var large: Int {
    get { _value(4) }
    set { _setValue(4, newValue) }
  }
  var weight: Double {
    get { _value(5) }
    set { _setValue(5, newValue) }
  }
  var ratio: Float? {
    get { _optionalValue(6) }
    set { _setValue(6, newValue) }
  }
  var isFragile: Bool {
    get { _value(7) }
    set { _setValue(7, newValue) }
  }
  var sent: Date? {
    get { _optionalValue(8) }
    set { _setValue(8, newValue) }
  }
  var bytes: Data? {
    get { _optionalValue(9) }
    set { _setValue(9, newValue) }
  }
  var code: UUID? {
    get { _optionalValue(10) }
    set { _setValue(10, newValue) }
  }
  var price: Decimal? {
    get { _optionalValue(11) }
    set { _setValue(11, newValue) }
  }
  var page: URL? {
    get { _optionalValue(12) }
    set { _setValue(12, newValue) }
  }
  var container: Parcel? {
    get { _object(13) }
    set { _setObject(13, newValue) }
  }
  var contents: Set<Parcel> {
    get { _objects(14) }
    set { _setObjects(14, newValue) }
  }

  class var entityName: String { "Parcel" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Parcel", className: "Parcel",
      attributes: [
        AttributeDescription(
          "title", .string, isOptional: false, defaultValue: .string("unlabelled")),
        AttributeDescription("note", .string, isOptional: true),
        AttributeDescription("small", .integer16, isOptional: false, defaultValue: .integer(-1)),
        AttributeDescription("middle", .integer32, isOptional: true),
        AttributeDescription("large", .integer64, isOptional: false, defaultValue: .integer(0)),
        AttributeDescription("weight", .double, isOptional: false, defaultValue: .double(0.5)),
        AttributeDescription("ratio", .float, isOptional: true),
        AttributeDescription(
          "isFragile", .boolean, isOptional: false, defaultValue: .boolean(true)),
        AttributeDescription("sent", .date, isOptional: true),
        AttributeDescription("bytes", .binaryData, isOptional: true),
        AttributeDescription("code", .uuid, isOptional: true),
        AttributeDescription("price", .decimal, isOptional: true),
        AttributeDescription("page", .uri, isOptional: true),
      ],
      relationships: [
        RelationshipDescription("container", to: "Parcel", inverse: "contents"),
        RelationshipDescription("contents", to: "Parcel", inverse: "container", isToMany: true),
      ],
      uniquenessConstraints: [["code"]])
  }
  class var _propertyNames: [String] {
    [
      "title", "note", "small", "middle", "large", "weight", "ratio", "isFragile", "sent", "bytes",
      "code", "price", "page", "container", "contents",
    ]
  }
  class var _propertyCount: Int { 15 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    [
      (\Parcel.title, "title"), (\Parcel.note, "note"), (\Parcel.small, "small"),
      (\Parcel.middle, "middle"), (\Parcel.large, "large"), (\Parcel.weight, "weight"),
      (\Parcel.ratio, "ratio"), (\Parcel.isFragile, "isFragile"), (\Parcel.sent, "sent"),
      (\Parcel.bytes, "bytes"), (\Parcel.code, "code"), (\Parcel.price, "price"),
      (\Parcel.page, "page"), (\Parcel.container, "container"), (\Parcel.contents, "contents"),
    ]
  }
}

/// The values of a parcel, as plain fields.
struct Contents: Equatable {
  var title = "unlabelled"
  var note: String?
  var small: Int16 = -1
  var middle: Int32?
  var large = 0
  var weight = 0.5
  var ratio: Float?
  var isFragile = true
  var sent: Date?
  var bytes: Data?
  var code: UUID?
  var price: Decimal?
  var page: URL?
}

extension Contents {
  init(of parcel: Parcel) {
    (title, note) = (parcel.title, parcel.note)
    (small, middle, large) = (parcel.small, parcel.middle, parcel.large)
    (weight, ratio, isFragile) = (parcel.weight, parcel.ratio, parcel.isFragile)
    (sent, bytes, code) = (parcel.sent, parcel.bytes, parcel.code)
    (price, page) = (parcel.price, parcel.page)
  }

  /// Gives a parcel these values.
  func fill(_ parcel: Parcel) {
    (parcel.title, parcel.note) = (title, note)
    (parcel.small, parcel.middle, parcel.large) = (small, middle, large)
    (parcel.weight, parcel.ratio, parcel.isFragile) = (weight, ratio, isFragile)
    (parcel.sent, parcel.bytes, parcel.code) = (sent, bytes, code)
    (parcel.price, parcel.page) = (price, page)
  }
}

/// A store of parcels in memory.
struct Depot {
  let coordinator: PersistentStoreCoordinator

  init() throws {
    coordinator = try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: [Parcel.self]), classes: [Parcel.self]),
      at: .inMemory)
  }

  func context() -> ManagedObjectContext { ManagedObjectContext(coordinator: coordinator) }
}
