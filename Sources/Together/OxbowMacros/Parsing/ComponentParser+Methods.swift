internal import SwiftSyntax

extension ComponentParser {
  /// The methods without arguments and result.
  func callbacks(of declaration: ClassDeclSyntax) -> [ComponentClass.Callable] {
    declaration.members(FunctionDeclSyntax.self).filter { function in
      !function.isStatic && function.obstacle == nil && function.returnsNothing
        && function.signature.parameterClause.parameters.isEmpty && function.isNamed
    }.flatMap { callables($0.name.text, $0.signature) }
  }

  /// The methods that `@FactoryMethod` marks, as far as they can be called.
  func factoryMethods(of declaration: ClassDeclSyntax) -> [ComponentClass.Callable] {
    declaration.members(FunctionDeclSyntax.self)
      .filter { !$0.attributes.named("FactoryMethod").isEmpty && $0.factoryObstacle == nil }
      .flatMap { function in
        function.product(in: declaration.name.text)
          .map { callables(function.name.text, function.signature, product: $0) } ?? []
      }
  }
}

extension FunctionDeclSyntax {
  fileprivate var returnsNothing: Bool {
    guard let result = signature.returnClause?.type.trimmedDescription else { return true }
    return ["Void", "()", "Swift.Void"].contains(result)
  }

  /// Why objects cannot make others by it, as the end of a sentence.
  var factoryObstacle: String? {
    if isStatic { return "is static" }
    if returnsNothing { return "returns nothing" }
    guard let result = signature.returnClause?.type else { return obstacle }
    if SpelledType(result).isOptional || result.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return "may return nil"
    }
    if result.as(SomeOrAnyTypeSyntax.self)?.someOrAnySpecifier.text == "some" {
      return "hides the type of what it returns"
    }
    return obstacle
  }

  /// The type of what it returns.
  fileprivate func product(in className: String) -> String? {
    let result = signature.returnClause?.type.trimmedDescription
    return result == "Self" ? className : result
  }
}
