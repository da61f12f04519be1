/// The names of OxbowContainer that the expansion of `@Component` contains.
enum Emitted {
  static let callbackDescriptor = "CallbackDescriptor"
  static let component = "Component"
  static let componentAnnotations = "ComponentAnnotations"
  static let componentDescriptor = "ComponentDescriptor"
  static let componentIsolation = "ComponentIsolation"
  static let componentRecord = "ComponentRecord"
  static let heritableInitializer = "_heritableInitializer"
  /// How many functions of that name there are, each with its number behind it.
  static let heritableInitializers = 4
  static let initializerDescriptor = "InitializerDescriptor"
  static let methodDescriptor = "MethodDescriptor"
  static let initializerSource = "InitializerSource"
  static let initializerOwner = "_InitializerOwner"
  static let noInitializer = "NoInitializer"
  static let parameterDescriptor = "ParameterDescriptor"
  static let registryEntry = "RegistryEntry"
  static let sendability = "Sendability"
  static let upcast = "Upcast"
}
