internal import OxbowDocuments

extension ContainerBuilder {
  func define<T>(
    _ name: String, scope: any Scope, isSendable: Bool, isEager: Bool = false,
    isHidden: Bool = false, isPrimary: Bool = false, at location: SourceLocation,
    recipe: Recipe<T>, _ configure: (inout Injections<T>) -> Void
  ) -> Ref<T> {
    var injections = Injections<T>(at: location)
    configure(&injections)
    let binding = Binding(
      name, scope: scope, location: location, isSendable: isSendable, recipe: recipe,
      injections: injections.all)
    binding.isEager = isEager
    binding.isPrimary = isPrimary
    return add(binding, isHidden: isHidden)
  }

  func define<F: FactoryObject>(
    _ name: String, scope: any Scope, isSendable: Bool, isEager: Bool = false,
    isPrimary: Bool = false,
    at location: SourceLocation,
    factory: Recipe<F>, _ configure: (inout Injections<F>) -> Void,
    product: (inout Injections<F.Product>) -> Void
  ) -> Ref<F.Product> {
    var injections = Injections<F>(at: location, noun: "factory property")
    configure(&injections)
    var productInjections = Injections<F.Product>(at: location, noun: "product property")
    product(&productInjections)
    let binding = Binding(
      name, scope: scope, location: location, isSendable: isSendable,
      recipe: .product(of: factory, injections: injections.all), injections: productInjections.all)
    binding.objects = .open
    binding.isEager = isEager
    binding.isPrimary = isPrimary
    return add(binding)
  }
}
