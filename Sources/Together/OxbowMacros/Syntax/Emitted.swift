/// The names of OxbowContainer that expansions contain: one that changes there is changed here.
enum Emitted {
  // MARK: Components

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

  // MARK: Proxies

  static let aspectTable = "AspectTable"
  static let borrowedTarget = "BorrowedTarget"
  static let callForwarding = "CallForwarding"
  static let callObserver = "CallObserver"
  static let callRecorder = "CallRecorder"
  static let fixedSource = "FixedSource"
  static let forwardedCall = "ForwardedCall"
  static let forwardedMethod = "ForwardedMethod"
  static let forwardingProxy = "ForwardingProxy"
  static let lazySource = "LazySource"
  static let proxyDescriptor = "ProxyDescriptor"
  static let proxySource = "ProxySource"
  static let recordingSource = "RecordingSource"
  static let requiredTarget = "_requiredTarget"
  static let sent = "_Sent"
  static let targetAccess = "TargetAccess"
  static let typedInvocation = "TypedInvocation"
  static let wovenObject = "WovenObject"
  static let wovenSlot = "WovenSlot"

  /// What the name of a protocol is appended to, for the borrowed target.
  static let borrowed = "_borrowed"

  /// What the name of a protocol is appended to, for its target.
  static let target = "_target"
}
