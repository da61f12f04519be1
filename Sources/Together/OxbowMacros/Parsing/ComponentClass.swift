internal import SwiftSyntax

/// A class as `@Component` reads it.
struct ComponentClass {
  /// How many functions `_heritableInitializer` there are, each with its number behind it.
  static let heritableCount = 4

  struct Property {
    /// The name as it is spelled, with back quotes where it has any.
    let spelling: String
    let name: String
    let type: InjectedType
  }

  struct Parameter {
    /// The label where there is one, otherwise the name.
    let name: String
    let type: InjectedType

    /// `label: `, or empty.
    let label: String
    /// Its default, as an expression.
    let fallback: String?

    var hasDefault: Bool { fallback != nil }
  }

  /// An initializer, or a static method that returns the class.
  struct Initializer {
    /// The static method as it is spelled; nil for an initializer.
    let method: String?
    let parameters: [Parameter]
    let canThrow: Bool
  }

  /// An initializer that classes which inherit it describe too.
  struct Heritable {
    /// `public `, or empty.
    let access: String
    let parameters: [Parameter]
    /// The numbers of the parameters that are given, for each choice of those with a default.
    let choices: [[Int]]
    let canThrow: Bool
  }

  /// A method by which an object makes another one.
  struct Method {
    let spelling: String
    let parameters: [Parameter]
    let product: String
    let canThrow: Bool
  }

  /// A method that can be called before or after injection.
  struct Callback {
    let spelling: String
    let canThrow: Bool
  }

  let name: String

  /// `public `, `open `, or empty.
  let access: String
  let isMainActor: Bool

  /// The file and the line of the class as arguments; empty where they are unknown.
  let location: String
  var initializers: [Initializer] = []

  /// What the initializer sets that is written for the class; none where it needs none.
  var madeWith: [Property] = []

  /// Whether other classes may inherit from it.
  var isFinal = false
  /// Those of its own initializers that have parameters.
  var heritable: [Heritable] = []

  /// Whether it declares no initializer and may inherit what a superclass, which is not seen, has.
  var inheritsInitializers = false
  var properties: [Property] = []
  var methods: [Method] = []
  var callbacks: [Callback] = []
  var annotations = ComponentNotes()

  /// The parameters of the initializer that is written.
  var written: [Parameter] {
    madeWith.map {
      Parameter(name: $0.name, type: $0.type, label: "\($0.name): ", fallback: nil)
    }
  }
}

/// What the annotations of a class say about its definition.
struct ComponentNotes {
  /// One property or argument that is set.
  struct Assignment {
    let name: String

    /// `.reference("grail")`, `.text("7")`, `.byType`.
    let content: String

    /// The annotation.
    let node: AttributeSyntax
  }

  /// The name of the object, as an expression.
  var name: String?

  /// The scope that a trait names.
  var scope: String?
  var isLazy = false
  var isPrimary = false
  var assignments: [Assignment] = []

  var isEmpty: Bool {
    name == nil && scope == nil && !isLazy && !isPrimary && assignments.isEmpty
  }
}
