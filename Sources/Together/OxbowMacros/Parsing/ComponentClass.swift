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

  /// An initializer or a method that generated code can call.
  struct Callable {
    /// The method as it is spelled; nil for an initializer.
    let method: String?
    var parameters: [Parameter] = []
    /// The type of the object that a factory method makes.
    var product: String?
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

  let name: String

  /// `public `, `open `, or empty.
  let access: String
  let isMainActor: Bool

  /// The file and the line of the class as arguments; empty where they are unknown.
  let location: String

  /// The initializers, and the static methods that return the class.
  var initializers: [Callable] = []

  /// What the initializer sets that is written for the class; none where it needs none.
  var madeWith: [Property] = []

  /// Whether other classes may inherit from it.
  var isFinal = false
  /// Those of its own initializers that have parameters.
  var heritable: [Heritable] = []

  /// Whether it declares no initializer and may inherit what a superclass, which is not seen, has.
  var inheritsInitializers = false
  var properties: [Property] = []

  /// The methods by which an object makes another one.
  var methods: [Callable] = []

  /// The methods that can be called before or after injection.
  var callbacks: [Callable] = []
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
