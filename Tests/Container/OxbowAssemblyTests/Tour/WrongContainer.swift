import Testing
import OxbowAssembly
import OxbowContainer
import OxbowDocuments

/// One stop of the tour: a container with a mistake.
struct WrongContainer: Sendable, CustomTestStringConvertible {
  /// What its text is called.
  let name: String
  /// Makes the mistake; has to throw.
  let make: @Sendable (ContainerBuilder) throws -> Void

  init(_ name: String, _ make: @escaping @Sendable (ContainerBuilder) throws -> Void) {
    self.name = name
    self.make = make
  }

  /// A mistake in one wiring file, found by `build()`.
  init(_ name: String, xml: String) {
    self.init(name) { builder in
      try builder.load(text: xml, file: "wiring.xml")
      _ = try builder.build()
    }
  }

  /// A mistake in definitions whose classes are named by text, found by `build()`.
  init(_ name: String, _ definitions: ObjectDefinition...) {
    self.init(name) { builder in
      for definition in definitions {
        builder.add(definition, file: "Wiring.swift", line: 1)
      }
      _ = try builder.build()
    }
  }

  var testDescription: String { name }

  /// The error of a builder that knows the court's classes.
  func error() throws -> ContainerError? {
    let builder = ContainerBuilder()
    // Only what follows: which other classes the test program has is not part of the texts.
    builder.classes = ClassRegistry(entries: [])
    builder.register(Court.Grail.self)
    builder.register(Court.Dragon.self)
    builder.register(Court.SwordFactory.self)
    builder.register(Court.Smithy.self)
    builder.register(Court.Knight.self)
    builder.register(Court.Window.self)
    builder.registerProxy(HeraldProxy.self)
    do {
      try make(builder)
    } catch let error as ContainerError {
      return error
    }
    return nil
  }
}

/// A place in the wiring file that a definition in code replaces.
func line(_ number: Int, column: Int = 3) -> OxbowDocuments.SourceLocation {
  OxbowDocuments.SourceLocation(file: "wiring.xml", line: number, column: column)
}
