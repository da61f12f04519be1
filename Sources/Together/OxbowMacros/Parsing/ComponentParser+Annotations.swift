internal import SwiftDiagnostics
internal import SwiftSyntax

/// The markers that `@Component` reads.
enum Markers {
  static let injecting = ["Inject", "Autowired"]

  /// The markers on a declaration, in order.
  static func injecting(on attributes: AttributeListSyntax) -> [AttributeSyntax] {
    attributes.compactMap { element in
      element.as(AttributeSyntax.self).flatMap {
        injecting.contains($0.attributeName.lastName) ? $0 : nil
      }
    }
  }
}

extension ComponentParser {
  /// What the traits, and the markers on members, say.
  mutating func annotations(
    of declaration: ClassDeclSyntax, _ attribute: AttributeSyntax,
    describedBy component: ComponentClass
  ) -> ComponentNotes {
    var notes = traits(Arguments(attribute))
    let initializer = annotatedInitializer(of: declaration, in: component)
    let labels = component.initializers.filter { $0.method == nil }
      .flatMap { $0.parameters.map(\.name) }
    notes.assignments = declaration.members(VariableDeclSyntax.self).compactMap {
      assignment(of: $0, in: component, arguments: labels)
    }
    let set = Set(notes.assignments.map(\.name))
    notes.assignments +=
      initializer.map { assignments(of: $0.declaration, $0.marker) }?
      .filter { !set.contains($0.name) } ?? []
    declaration.members(FunctionDeclSyntax.self).forEach { check($0, in: component) }
    return notes
  }
}

// MARK: - Traits

extension ComponentParser {
  private static let scopes = [
    "singleton", "prototype", "objectGraph", "weakSingleton", "thread", "task",
  ]

  private mutating func traits(_ arguments: Arguments) -> ComponentNotes {
    var notes = ComponentNotes()
    for argument in arguments.unlabeled {
      guard let access = argument.as(MemberAccessExprSyntax.self),
        access.base.map({ $0.trimmedDescription.hasSuffix("ComponentTrait") }) ?? true
      else {
        if notes.name == nil { notes.name = name(argument) }
        continue
      }
      add(access.declName.baseName.text, to: &notes, at: argument)
    }
    return notes
  }

  private mutating func add(_ trait: String, to notes: inout ComponentNotes, at node: ExprSyntax) {
    if trait == "lazy" {
      notes.isLazy = true
    } else if trait == "primary" {
      notes.isPrimary = true
    } else if let scope = notes.scope, Self.scopes.contains(trait) {
      report(
        scope == trait
          ? "'.\(scope)' is given twice"
          : "'.\(scope)' and '.\(trait)' contradict each other: an object has one scope", at: node)
    } else {
      notes.scope = trait
    }
    if notes.isLazy, let scope = notes.scope, ["thread", "task"].contains(scope) {
      report(
        "'.lazy' and '.\(scope)' contradict each other: a lazy object is one for all threads, and "
          + "objects of this scope are built by their first use anyway", at: node)
    }
  }

  /// The expression of a name, unless it is an empty text.
  private mutating func name(_ expression: ExprSyntax) -> String? {
    if expression.as(StringLiteralExprSyntax.self)?.segments.description.isEmpty ?? false {
      return refuse(
        "the name of a component is empty", at: expression)
    }
    let text = expression.trimmedDescription
    return text == "nil" ? nil : text
  }
}

// MARK: - Markers

extension ComponentParser {
  /// The marker of a declaration; a second one is refused.
  private mutating func marker(
    _ attributes: AttributeListSyntax, of name: String
  ) -> AttributeSyntax? {
    let markers = Markers.injecting(on: attributes)
    for second in markers.dropFirst() {
      let rest = attributes.filter { Syntax($0).id != Syntax(second).id }
      report(
        "'\(name)' is annotated twice, and is set once",
        at: second, fixIts: [.replace("remove the second annotation", attributes, with: rest)])
    }
    return markers.first
  }

  /// What a marker says that a property or parameter is set to.
  private mutating func content(_ marker: AttributeSyntax, of name: String) -> String? {
    if marker.attributeName.lastName == "Autowired" { return ".byType" }
    let arguments = Arguments(marker)
    if let value = arguments["value"] { return ".text(\(value))" }
    guard let component = arguments.unlabeled.first, component.trimmedDescription != "nil" else {
      return ".reference(\"\(name)\")"
    }
    return self.name(component).map { ".reference(\($0))" }
  }

  private mutating func assignment(
    of variable: VariableDeclSyntax, in component: ComponentClass, arguments: [String]
  ) -> ComponentNotes.Assignment? {
    guard let name = variable.plainName, let marker = marker(variable.attributes, of: name) else {
      return nil
    }
    guard accepts(marker, in: component) else { return nil }
    if let reason = variable.unsettableReason, !arguments.contains(name) {
      report(reason, of: variable, named: name, at: marker)
      return nil
    }
    return content(marker, of: name).map {
      ComponentNotes.Assignment(name: name, content: $0, node: marker)
    }
  }

  /// Refuses a marker in a class of the main actor.
  private mutating func accepts(_ marker: AttributeSyntax, in component: ComponentClass) -> Bool {
    guard component.isMainActor else { return true }
    return refuse(
      "'\(component.name)' belongs to the main actor, so a container cannot build it; make it in "
        + "code and hand it what it needs", at: marker)
  }

  private mutating func report(
    _ reason: UnsettableReason, of variable: VariableDeclSyntax, named name: String,
    at marker: AttributeSyntax
  ) {
    let message = "a container cannot set '\(name)': "
    switch reason {
    case .constant:
      var specifier = variable.bindingSpecifier
      specifier.tokenKind = .keyword(.var)
      report(
        message + "it is a constant, and no initializer has a parameter '\(name)'",
        at: variable.bindingSpecifier,
        fixIts: [.replace("make it a 'var'", variable.bindingSpecifier, with: specifier)])
    case .hidden:
      let hidden = variable.modifiers.first(where: \.isPrivate)
      let fixIt = FixIt.replace(
        "remove '\(hidden?.trimmedDescription ?? "private")'", variable.modifiers,
        with: variable.modifiers.filter { !$0.isPrivate })
      report(
        message + "code beside the class cannot, because it is private",
        at: hidden.map(Syntax.init) ?? Syntax(marker), fixIts: [fixIt])
    case .other(let text): report(message + text, at: marker)
    }
  }
}

// MARK: - Initializers and methods

extension ComponentParser {
  private mutating func annotatedInitializer(
    of declaration: ClassDeclSyntax, in component: ComponentClass
  ) -> (declaration: InitializerDeclSyntax, marker: AttributeSyntax)? {
    var found: (declaration: InitializerDeclSyntax, marker: AttributeSyntax)?
    for initializer in declaration.members(InitializerDeclSyntax.self) {
      guard let marker = marker(initializer.attributes, of: "init") else { continue }
      guard accepts(marker, in: component) else { continue }
      if let obstacle = initializer.obstacle {
        report(notCallable: "the initializer", obstacle, at: marker)
      } else if found == nil {
        found = (initializer, marker)
      } else {
        report(
          "another initializer is annotated already, and an object is constructed by one",
          at: marker)
      }
    }
    return found
  }

  /// The arguments that must be given; those with a default keep it.
  private mutating func assignments(
    of initializer: InitializerDeclSyntax, _ marker: AttributeSyntax
  ) -> [ComponentNotes.Assignment] {
    let parameters = initializer.signature.parameterClause.parameters
      .filter { $0.defaultValue == nil }
    if !Arguments(marker).isEmpty, parameters.count != 1 {
      report(
        "one component or value is named, and the initializer needs \(parameters.count) arguments; "
          + "annotate the properties, or name the parameters like their components", at: marker)
      return []
    }
    return parameters.compactMap { parameter in
      content(marker, of: parameter.plainName).map {
        ComponentNotes.Assignment(name: parameter.plainName, content: $0, node: marker)
      }
    }
  }

  private mutating func check(_ function: FunctionDeclSyntax, in component: ComponentClass) {
    guard let marker = function.attributes.named("FactoryMethod").first else { return }
    guard accepts(marker, in: component), let obstacle = function.factoryObstacle else { return }
    report(notCallable: "'\(function.name.text)'", obstacle, at: marker)
  }

  private mutating func report(
    notCallable subject: String, _ obstacle: String, at marker: AttributeSyntax
  ) {
    report("a container cannot call \(subject), because it \(obstacle)", at: marker)
  }
}
