import OxbowRuntime

// The entity of suite M, written as `@Entity` writes it.

final class Mixed: ManagedObject, ModelObject {
  var name: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  var city: String {
    get { _value(1) }
    set { _setValue(1, newValue) }
  }
  var note: String {
    get { _value(2) }
    set { _setValue(2, newValue) }
  }
  var small: Int {
    get { _value(3) }
    set { _setValue(3, newValue) }
  }
  var large: Int {
    get { _value(4) }
    set { _setValue(4, newValue) }
  }
  var latitude: Double {
    get { _value(5) }
    set { _setValue(5, newValue) }
  }
  var longitude: Double {
    get { _value(6) }
    set { _setValue(6, newValue) }
  }
  var flag: Bool {
    get { _value(7) }
    set { _setValue(7, newValue) }
  }

  class var entityName: String { "Mixed" }

  class var entityDescription: EntityDescription {
    EntityDescription(
      "Mixed", className: "Mixed",
      attributes: [
        AttributeDescription("name", .string), AttributeDescription("city", .string),
        AttributeDescription("note", .string), AttributeDescription("small", .integer64),
        AttributeDescription("large", .integer64), AttributeDescription("latitude", .double),
        AttributeDescription("longitude", .double), AttributeDescription("flag", .boolean),
      ])
  }

  class var _propertyNames: [String] {
    ["name", "city", "note", "small", "large", "latitude", "longitude", "flag"]
  }
  class var _propertyCount: Int { 8 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { _keyPathsOfMixed(Mixed.self) }

  static func _keyPathsOfMixed<R: Mixed>(_: R.Type) -> [(keyPath: AnyKeyPath, name: String)] {
    [
      (\R.name, "name"), (\R.city, "city"), (\R.note, "note"), (\R.small, "small"),
      (\R.large, "large"), (\R.latitude, "latitude"), (\R.longitude, "longitude"),
      (\R.flag, "flag"),
    ]
  }
}
