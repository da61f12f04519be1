internal import OxbowModel

struct CompositeSource {
  let name: String
  let elements: [AttributeDescription]
  let types: AttributeTypes

  /// `public `, or nothing.
  let access: String

  /// The name of the type, without back quotes.
  var typeName: String { types[name] }

  var needsFoundation: Bool { elements.contains { $0.type.isOfFoundation } }

  /// The declaration, without an end of line behind it.
  func text() -> String {
    let type = SwiftName.spelled(typeName)
    let properties = elements.map { "  \(access)var \(property($0))" }
    let parts = elements.map { "    CompositePart(\(arguments(of: $0).joined(separator: ", ")))," }
    let named =
      type == name ? [] : ["", "  \(access)static let compositeName = \(name.swiftLiteral)"]
    let made = access.isEmpty ? [] : ["", "  \(access)init() {}"]
    return
      (["\(access)struct \(type): CompositeAttribute {"] + properties + made + named
      + ["", "  \(access)static let parts: [CompositePart<\(type)>] = ["] + parts + ["  ]", "}"])
      .joined(separator: "\n")
  }

  private func property(_ part: AttributeDescription) -> String {
    let type = types.swiftType(of: part) ?? ""
    let name = SwiftName.spelled(part.name)
    if part.isOptional { return "\(name): \(type)?" }
    return part.type == .composite
      ? "\(name) = \(type)()" : "\(name) = \(type).attributePlaceholder"
  }

  private func arguments(of part: AttributeDescription) -> [String] {
    [
      part.name.swiftLiteral, "\\\(SwiftName.spelled(typeName)).\(SwiftName.spelled(part.name))",
      part.initialValue.map { "defaultValue: \($0)" },
      part.renamingIdentifier.map { "renamedFrom: \($0.swiftLiteral)" },
      part.rules.swiftLiteral.map { "rules: \($0)" },
      part.versionHashModifier.map { "hashModifier: \($0.swiftLiteral)" },
      part.userInfo.isEmpty ? nil : "userInfo: \(swiftLiteral(part.userInfo))",
    ].compactMap(\.self)
  }
}

/// The types of a model's attributes, which for composite ones are types of their own.
struct AttributeTypes {
  private let names: [String: String]
  let elements: [String: [AttributeDescription]]

  /// Whether numbers have the types that they have in Core Data's classes.
  let scalars: Bool

  /// Gives each composite type a name of its own that no class has.
  init(_ model: ManagedObjectModel, _ classes: ClassNames, scalars: Bool) {
    var elements: [String: [AttributeDescription]] = [:]
    for attribute in model.entities.flatMap(\.attributes) { attribute.collect(&elements) }
    var taken = Set(model.entities.map { classes[$0.name].filter { $0 != "`" } })
    var names: [String: String] = [:]
    for composite in elements.keys.sorted() {
      var name = composite
      while taken.contains(name) || !SwiftName.isPossible(forClass: name) {
        name = SwiftName.isPossible(name) ? name + "Value" : "Composite" + ClassNames.legal(name)
      }
      names[composite] = name
      taken.insert(name)
    }
    (self.names, self.elements, self.scalars) = (names, elements, scalars)
  }

  /// The name of a composite type in Swift, without back quotes.
  subscript(composite: String) -> String { names[composite] ?? composite }

  /// The Swift type of an attribute's values, or `nil` where no class can declare it.
  func swiftType(of attribute: AttributeDescription) -> String? {
    guard attribute.type == .composite, !attribute.isTransient else {
      return scalars && attribute.type == .integer64 ? "Int64" : attribute.type.swiftType
    }
    return attribute.compositeName.map { SwiftName.spelled(self[$0]) }
  }
}

extension AttributeDescription {
  /// The composite types of the attribute, with those of its parts.
  func collect(_ elements: inout [String: [AttributeDescription]]) {
    guard type == .composite, let compositeName else { return }
    elements[compositeName] = self.elements
    for part in self.elements { part.collect(&elements) }
  }
}
