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
    let initializer = annotatedInitializer(of: declaration)
    let labels = component.initializers.filter { $0.method == nil }
      .flatMap { $0.parameters.map(\.point.name) }
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
      diagnostics.append(ComponentDiagnostics.contradiction(scope, trait).at(node))
    } else {
      notes.scope = trait
    }
    if notes.isLazy, let scope = notes.scope, ["thread", "task"].contains(scope) {
      diagnostics.append(ComponentDiagnostics.lazyAndConfined(scope).at(node))
    }
  }

  /// The expression of a name, unless it is an empty text.
  private mutating func name(_ expression: ExprSyntax) -> String? {
    if expression.as(StringLiteralExprSyntax.self)?.segments.description.isEmpty ?? false {
      diagnostics.append(ComponentDiagnostics.emptyName.at(expression))
      return nil
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
      diagnostics.append(
        ComponentDiagnostics.annotatedTwice(name).at(
          second, fixIts: [.replace("remove the second annotation", attributes, with: rest)]))
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
    if component.isMainActor {
      diagnostics.append(ComponentDiagnostics.ofMainActor(component.name).at(marker))
      return nil
    }
    if let reason = variable.unsettableReason, !arguments.contains(name) {
      diagnostics.append(diagnostic(reason, of: variable, named: name, at: marker))
      return nil
    }
    return content(marker, of: name).map {
      ComponentNotes.Assignment(name: name, content: $0, node: marker)
    }
  }

  private func diagnostic(
    _ reason: UnsettableReason, of variable: VariableDeclSyntax, named name: String,
    at marker: AttributeSyntax
  ) -> Diagnostic {
    let message = ComponentDiagnostics.notSettable(name, reason)
    switch reason {
    case .constant:
      var specifier = variable.bindingSpecifier
      specifier.tokenKind = .keyword(.var)
      return message.at(
        variable.bindingSpecifier,
        fixIts: [.replace("make it a 'var'", variable.bindingSpecifier, with: specifier)])
    case .hidden:
      let rest = variable.modifiers.filter {
        !["private", "fileprivate"].contains($0.name.text)
      }
      let hidden = variable.modifiers.first {
        ["private", "fileprivate"].contains($0.name.text)
      }
      let fixIt = FixIt.replace(
        "remove '\(hidden?.trimmedDescription ?? "private")'", variable.modifiers, with: rest)
      return message.at(hidden.map(Syntax.init) ?? Syntax(marker), fixIts: [fixIt])
    default:
      return message.at(marker)
    }
  }
}

// MARK: - Initializers and methods

extension ComponentParser {
  private mutating func annotatedInitializer(of declaration: ClassDeclSyntax)
    -> (declaration: InitializerDeclSyntax, marker: AttributeSyntax)?
  {
    var found: (declaration: InitializerDeclSyntax, marker: AttributeSyntax)?
    for initializer in declaration.members(InitializerDeclSyntax.self) {
      guard let marker = marker(initializer.attributes, of: "init") else { continue }
      if !declaration.attributes.named("MainActor").isEmpty {
        diagnostics.append(ComponentDiagnostics.ofMainActor(declaration.name.text).at(marker))
      } else if let obstacle = initializer.obstacle {
        diagnostics.append(ComponentDiagnostics.notCallable("the initializer", obstacle).at(marker))
      } else if found == nil {
        found = (initializer, marker)
      } else {
        diagnostics.append(ComponentDiagnostics.secondInitializer.at(marker))
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
      diagnostics.append(ComponentDiagnostics.oneForSeveral(parameters.count).at(marker))
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
    if component.isMainActor {
      diagnostics.append(ComponentDiagnostics.ofMainActor(component.name).at(marker))
    } else if let obstacle = function.factoryObstacle {
      diagnostics.append(
        ComponentDiagnostics.notCallable("'\(function.name.text)'", obstacle).at(marker))
    }
  }
}
