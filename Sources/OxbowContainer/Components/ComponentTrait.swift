/// What `@Component` says about the definition that is made from the class itself.
public struct ComponentTrait: Sendable, Hashable {
  private let name: String

  /// One object for the whole container; its class must be `Sendable`.
  public static let singleton = ComponentTrait(name: "singleton")
  /// A new object for each request, as without any trait.
  public static let prototype = ComponentTrait(name: "prototype")
  /// One object for each request from outside, shared by all that is built for it.
  public static let objectGraph = ComponentTrait(name: "objectGraph")
  /// One object for as long as somebody holds it; its class must be `Sendable`.
  public static let weakSingleton = ComponentTrait(name: "weakSingleton")
  /// One object for each thread.
  public static let thread = ComponentTrait(name: "thread")
  /// One object for each task scope.
  public static let task = ComponentTrait(name: "task")
  /// Built by its first use, behind a proxy.
  public static let lazy = ComponentTrait(name: "lazy")
  /// The one that counts where several objects fit a type.
  public static let primary = ComponentTrait(name: "primary")
}
