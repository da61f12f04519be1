internal import OxbowDocuments
internal import OxbowPlatform

extension ComponentDescriptor {
  /// The name of a nested class without its module: `Court.Knight`.
  fileprivate var pathInModule: String? {
    guard let point = qualifiedName.firstIndex(of: ".") else { return nil }
    let path = qualifiedName[qualifiedName.index(after: point)...]
    return path.contains(".") ? String(path) : nil
  }
}

/// The classes that files may name, and the proxy classes of protocols.
///
/// A name is looked up among the aliases, then among the classes that were registered on the
/// builder, then among those that the program's records describe; with or without its module.
package struct ClassRegistry: Sendable {
  private var aliases: [String: ComponentDescriptor] = [:]
  private var components: [ObjectIdentifier: ComponentDescriptor] = [:]
  private var names: [String: Set<ObjectIdentifier>] = [:]
  private var registered: Set<ObjectIdentifier> = []
  package private(set) var proxies: [ProxyDescriptor] = []
  /// What else looks at the definitions of a container.
  private(set) var checks: [DefinitionCheck] = []
  /// The names whose definitions are several.
  private(set) var groups: [DefinitionGroup] = []

  /// Creates a registry of the classes that the program's records describe.
  package init(entries: [RegistryEntry] = RegistryEntry.discovered) {
    insert(ResourceFactory.componentDescriptor)
    for entry in entries {
      switch entry.content {
      case .component(let descriptor): insert(descriptor)
      case .proxy(let descriptor): add(descriptor)
      case .check(let check): checks.append(check)
      case .group(let group): groups.append(group)
      }
    }
  }

  /// Adds a look at the definitions.
  mutating func add(_ check: DefinitionCheck) { checks.append(check) }

  /// Adds a class, in place of an earlier description of the same class.
  package mutating func add(_ descriptor: ComponentDescriptor, alias: String? = nil) {
    insert(descriptor)
    registered.insert(ObjectIdentifier(descriptor.type))
    if let alias { aliases[alias] = descriptor }
  }

  private mutating func insert(_ descriptor: ComponentDescriptor) {
    let id = ObjectIdentifier(descriptor.type)
    components[id] = descriptor
    names[descriptor.name, default: []].insert(id)
    names[descriptor.qualifiedName, default: []].insert(id)
    if let path = descriptor.pathInModule { names[path, default: []].insert(id) }
  }

  mutating func add(_ descriptor: ProxyDescriptor) {
    proxies.removeAll { $0.targetType == descriptor.targetType }
    proxies.append(descriptor)
  }

  /// The class that a definition names; reports when there is none or there are several.
  func component(
    named name: String, of object: String, at location: SourceLocation?,
    report: (ContainerError.Problem) -> Void
  ) -> ComponentDescriptor? {
    if let alias = aliases[name] { return alias }
    let all = names[name, default: []]
    let preferred = all.intersection(registered)
    let found = (preferred.isEmpty ? all : preferred).compactMap { components[$0] }
    if found.count > 1 {
      let choices = found.map(\.qualifiedName).sorted()
      report(.ambiguousClass(name, of: object, choices: choices).at(location))
    } else if found.isEmpty {
      let near = nearNames(to: name, among: knownNames)
      report(.unknownClass(name, of: object, near: near).at(location))
    }
    return found.count == 1 ? found.first : nil
  }

  /// The class of a name, if the name means exactly one.
  package func find(_ name: String) -> ComponentDescriptor? {
    component(named: name, of: "", at: nil, report: { _ in })
  }

  /// All classes, in the order of their full names.
  package var all: [ComponentDescriptor] {
    components.values.sorted { $0.qualifiedName < $1.qualifiedName }
  }

  package func knows(_ name: String) -> Bool { aliases[name] != nil || names[name] != nil }

  /// The bare names and aliases of all classes.
  var knownNames: Set<String> {
    Set(components.values.map(\.name)).union(aliases.keys)
  }

  func component(of type: any Any.Type) -> ComponentDescriptor? {
    components[ObjectIdentifier(type)]
  }

  /// The nearest superclass that is described.
  func superclass(of type: any Any.Type) -> ComponentDescriptor? {
    var current: AnyClass? = (type as? AnyClass).flatMap(OxbowContainer.superclass(of:))
    while let step = current {
      if let found = component(of: step) { return found }
      current = OxbowContainer.superclass(of: step)
    }
    return nil
  }

  /// The proxy classes whose targets may be objects of a type, or the one with a name.
  func proxies(for type: any Any.Type, named name: String?) -> [ProxyDescriptor] {
    proxies.filter { proxy in name.map { $0 == proxy.name } ?? proxy.accepts(type) }
  }
}

extension ClassRegistry {
  /// A class and the described ones that it inherits from, nearest first.
  package func line(of type: any Any.Type) -> [ComponentDescriptor] {
    var line = component(of: type).map { [$0] } ?? []
    var parent = superclass(of: type)
    while let step = parent {
      line.append(step)
      parent = superclass(of: step.type)
    }
    return line
  }

  /// The nearest superclass that is not described, so that nothing is known of what it has.
  func undescribedBase(of type: any Any.Type) -> AnyClass? {
    var current: AnyClass? = type as? AnyClass
    while let step = current {
      if component(of: step) == nil { return step }
      current = OxbowContainer.superclass(of: step)
    }
    return nil
  }

  /// The properties of a class, inherited ones included.
  func propertyNames(of component: ComponentDescriptor) -> [String] {
    var seen: Set<String> = []
    return line(of: component.type).flatMap(\.propertyNames).filter { seen.insert($0).inserted }
  }

  func callbackNames(of type: any Any.Type) -> [String] {
    var seen: Set<String> = []
    return line(of: type).flatMap(\.callbackNames).filter { seen.insert($0).inserted }
  }

  /// The callback of a name, the nearest class's.
  func callback(_ name: String, of type: any Any.Type) -> ConstructionPlan.Member? {
    for described in line(of: type) {
      if let number = described.callbackNames.firstIndex(of: name) {
        return ConstructionPlan.Member(component: described.body, number: number)
      }
    }
    return nil
  }
}

/// What `@Component` and `@Proxied` leave in a linker section, so that a program finds its classes
/// by name without registering them.
///
/// The layout is ABI between programs and this library: two words, forever. The first is the
/// version of what the second does; a reader skips versions that it does not know. In version 1,
/// `describe` initializes a ``RegistryEntry`` in the memory that it is given.
///
/// The section is `oxbow_components` on ELF and `__DATA_CONST,__oxbow` on Mach-O. Only the records
/// of the image that holds this library are seen: a class in a dynamic library is registered by
/// hand.
public typealias ComponentRecord = (
  version: UInt, describe: @convention(c) (UnsafeMutableRawPointer) -> Void
)

/// What a record describes.
public struct RegistryEntry: Sendable {
  enum Content: Sendable {
    case component(ComponentDescriptor)
    case proxy(ProxyDescriptor)
    case check(DefinitionCheck)
    case group(DefinitionGroup)
  }

  let content: Content

  /// An entry for a class that files can name.
  public static func component(_ descriptor: ComponentDescriptor) -> RegistryEntry {
    RegistryEntry(content: .component(descriptor))
  }

  /// An entry for a proxy class.
  public static func proxy(_ descriptor: ProxyDescriptor) -> RegistryEntry {
    RegistryEntry(content: .proxy(descriptor))
  }

  /// An entry for a check of definitions.
  public static func check(_ check: DefinitionCheck) -> RegistryEntry {
    RegistryEntry(content: .check(check))
  }

  /// An entry for a name whose definitions are several.
  package static func group(_ group: DefinitionGroup) -> RegistryEntry {
    RegistryEntry(content: .group(group))
  }
}

extension RegistryEntry {
  /// The entries of this program's records, read once.
  static let discovered: [RegistryEntry] = entries(in: componentSection())

  package static func entries(in section: UnsafeRawBufferPointer) -> [RegistryEntry] {
    let stride = MemoryLayout<ComponentRecord>.stride
    return (0..<section.count / stride).compactMap { index in
      let word = section.load(fromByteOffset: index * stride, as: UInt.self)
      guard word == 1 else { return nil }
      return entry(section.load(fromByteOffset: index * stride, as: ComponentRecord.self))
    }
  }

  private static func entry(_ record: ComponentRecord) -> RegistryEntry {
    withUnsafeTemporaryAllocation(of: RegistryEntry.self, capacity: 1) { memory in
      guard let pointer = memory.baseAddress else { preconditionFailure("empty allocation") }
      record.describe(UnsafeMutableRawPointer(pointer))
      return pointer.move()
    }
  }
}
