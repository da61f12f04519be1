import OxbowRuntime

// The entities of suite T, written as `@Entity` writes them: a trunk has branches, a branch has
// twigs.

class Growth: ManagedObject {
  var name: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  var number: Int {
    get { _value(1) }
    set { _setValue(1, newValue) }
  }
  static var attributes: [AttributeDescription] {
    [AttributeDescription("name", .string), AttributeDescription("number", .integer64)]
  }
}

final class Trunk: Growth, ModelObject {
  var branches: Set<Branch> {
    get { _objects(2) }
    set { _setObjects(2, newValue) }
  }
  class var entityName: String { "Trunk" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Trunk", className: "Trunk", attributes: attributes,
      relationships: [
        RelationshipDescription(
          "branches", to: "Branch", inverse: "trunk", isToMany: true, deleteRule: .cascade)
      ])
  }
  class var _propertyNames: [String] { ["name", "number", "branches"] }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    [(\Trunk.name, "name"), (\Trunk.number, "number"), (\Trunk.branches, "branches")]
  }
}

final class Branch: Growth, ModelObject {
  var trunk: Trunk? {
    get { _object(2) }
    set { _setObject(2, newValue) }
  }
  var twigs: Set<Twig> {
    get { _objects(3) }
    set { _setObjects(3, newValue) }
  }
  class var entityName: String { "Branch" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Branch", className: "Branch", attributes: attributes,
      relationships: [
        RelationshipDescription("trunk", to: "Trunk", inverse: "branches"),
        RelationshipDescription(
          "twigs", to: "Twig", inverse: "branch", isToMany: true, deleteRule: .cascade),
      ])
  }
  class var _propertyNames: [String] { ["name", "number", "trunk", "twigs"] }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    [
      (\Branch.name, "name"), (\Branch.number, "number"), (\Branch.trunk, "trunk"),
      (\Branch.twigs, "twigs"),
    ]
  }
}

final class Twig: Growth, ModelObject {
  var branch: Branch? {
    get { _object(2) }
    set { _setObject(2, newValue) }
  }
  class var entityName: String { "Twig" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Twig", className: "Twig", attributes: attributes,
      relationships: [RelationshipDescription("branch", to: "Branch", inverse: "twigs")])
  }
  class var _propertyNames: [String] { ["name", "number", "branch"] }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    [(\Twig.name, "name"), (\Twig.number, "number"), (\Twig.branch, "branch")]
  }
}
