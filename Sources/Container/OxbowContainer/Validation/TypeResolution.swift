internal import OxbowDocuments

/// Finds the objects for injection points that ask by type.
struct TypeResolution {
  private let nodes: [AnyBinding]
  private let index: TypeIndex
  /// The names of the objects for each request, by the definition that asks: a reference may be
  /// used by several, and no object gets itself.
  private(set) var names: [String: [String: [String]]] = [:]
  /// What each node needs, by name.
  private(set) var dependencies: [[Dependency]] = []
  private(set) var problems: [ContainerError.Problem] = []
  private(set) var notes: [ContainerError.Note] = []
  /// The candidates for requests whose tests say just what their types say.
  private var known: [Question: Candidates] = [:]
  private var objects = NodesByType([])

  private struct Question: Hashable {
    let type: ObjectIdentifier
    let requiresSendable: Bool
  }

  /// Definitions by number.
  private struct Candidates {
    /// Those whose objects surely fit.
    var sure: [Int] = []
    /// Those of which it cannot be known.
    var unsure: [Int] = []
  }

  init(_ nodes: [AnyBinding], index: TypeIndex) {
    self.nodes = nodes
    self.index = index
    dependencies = nodes.map { $0.dependencies }
    guard nodes.contains(where: { $0.dependencies.contains(where: Self.asksByType) }) else {
      return
    }
    objects = NodesByType(nodes)
    for (number, node) in nodes.enumerated()
    where node.dependencies.contains(where: Self.asksByType) {
      dependencies[number] = node.dependencies.flatMap { resolve($0, of: node) }
    }
  }

  private static func asksByType(_ dependency: Dependency) -> Bool { dependency.request != nil }

  private mutating func resolve(_ dependency: Dependency, of node: AnyBinding) -> [Dependency] {
    guard let request = dependency.request else { return [dependency] }
    guard let candidates = candidates(for: request, dependency) else {
      problems.append(
        .cannotTestType(dependency.typeName, of: dependency.subject(in: node.name))
          .at(dependency.location))
      return []
    }
    let sure = others(candidates.sure, than: node)
    let found = request.wantsAll || sure.count < 2 ? sure : Self.primary(among: sure)
    addNote(on: others(candidates.unsure, than: node), dependency, request, of: node)
    guard request.wantsAll || found.count == 1 || (found.isEmpty && dependency.isOptional) else {
      problems.append(
        .notOneObject(
          dependency.subject(in: node.name), typeName: request.typeName, candidates: found,
          behind: found.isEmpty ? nodes.surrounding(request, index) : nil
        ).at(dependency.location))
      return []
    }
    if found.isEmpty, !request.wantsAll { addNote(onMissing: dependency, request, of: node) }
    names[node.name, default: [:]][request.token] = found.map(\.name)
    return found.map { dependency.directed(to: $0.name) }
  }

  /// The one that is primary, if there is one; else all.
  static func primary(among found: [AnyBinding]) -> [AnyBinding] {
    let primary = found.filter(\.isPrimary)
    return primary.isEmpty ? found : primary
  }

  // MARK: - Candidates

  private func others(_ numbers: [Int], than node: AnyBinding) -> [AnyBinding] {
    numbers.map { nodes[$0] }.filter {
      $0 !== node && HiddenName.behindProxy($0.name) != node.name
        && HiddenName.original($0.name) != node.name
    }
  }

  /// The definitions that fit; nil when that cannot be known of any.
  private mutating func candidates(for request: TypeRequest, _ dependency: Dependency)
    -> Candidates?
  {
    let question = Question(
      type: ObjectIdentifier(request.type), requiresSendable: dependency.requiresSendable)
    if request.isPlain, let found = known[question] { return found }
    let found = look(for: request, dependency)
    if request.isPlain { known[question] = found }
    return found
  }

  private func look(for request: TypeRequest, _ dependency: Dependency) -> Candidates? {
    guard let test = TypeIndex.RequestTest(request, index) else { return nil }
    let isFitting = { (number: Int) in
      let node = nodes[number]
      return !dependency.requiresSendable || node.isSendable || node.scope.sharing == .shared
    }
    let sure = objects.numbers(for: request, test)
    let seen = Set(sure)
    return Candidates(
      sure: sure.filter(isFitting),
      unsure: objects.vague.filter {
        !seen.contains($0) && isFitting($0) && test.isUnsure(nodes[$0].type)
      })
  }

  /// The described classes that are asked for and that nothing defines, each with who asks.
  static func undefinedClasses(
    _ nodes: [AnyBinding], index: TypeIndex, _ classes: ClassRegistry
  ) -> [(component: ComponentDescriptor, dependency: Dependency)] {
    var found: [(component: ComponentDescriptor, dependency: Dependency)] = []
    var looked: Set<ObjectIdentifier> = []
    for (owner, dependency) in nodes.lazy.flatMap({ node in
      node.dependencies.lazy.map { (node, $0) }
    }) {
      guard let request = dependency.request, !request.wantsAll,
        !looked.contains(ObjectIdentifier(request.type)),
        let component = classes.component(of: request.type), component.asksByType,
        !found.contains(where: { $0.component.type == component.type }),
        let test = TypeIndex.RequestTest(request, index)
      else { continue }
      let fitting = nodes.lazy.filter { test.isSure($0.type) }
      if fitting.allSatisfy({ $0 === owner }) {
        found.append((component, dependency))
      } else if request.isPlain, fitting.prefix(2).count > 1 {
        looked.insert(ObjectIdentifier(request.type))
      }
    }
    return found
  }

  // MARK: - Notes

  private mutating func addNote(
    on unsure: [AnyBinding], _ dependency: Dependency, _ request: TypeRequest, of node: AnyBinding
  ) {
    guard !unsure.isEmpty else { return }
    let shown = unsure.prefix(5).map { "\"\($0.name)\", \(withArticle("\($0.type)"))" }
    let rest = unsure.count - shown.count
    notes.append(
      ContainerError.Note(
        "object \"\(node.name)\", \(dependency.role): it is not known whether "
          + shown.joined(separator: ", or ") + (rest > 0 ? ", or \(rest) more" : "")
          + ", is \(withArticle(request.typeName)), so it is left out", at: dependency.location))
  }

  private mutating func addNote(
    onMissing dependency: Dependency, _ request: TypeRequest, of node: AnyBinding
  ) {
    notes.append(
      ContainerError.Note(
        "object \"\(node.name)\", \(dependency.role): no object is "
          + "\(withArticle(request.typeName)), so it stays empty", at: dependency.location))
  }
}

extension TypeResolution {
  /// The definitions that can be found by type, by their types.
  private struct NodesByType {
    /// Each class has those of its subclasses, too.
    private var numbers: [ObjectIdentifier: [Int]] = [:]
    private var types: [(type: any Any.Type, numbers: [Int])] = []
    /// Those whose types say little of their objects: protocols and optionals.
    private(set) var vague: [Int] = []

    init(_ nodes: [AnyBinding]) {
      var indices: [ObjectIdentifier: Int] = [:]
      for (number, node) in nodes.enumerated() where !node.isHidden {
        let id = ObjectIdentifier(node.type)
        if let index = indices[id] {
          types[index].numbers.append(number)
        } else {
          indices[id] = types.count
          types.append((node.type, [number]))
        }
      }
      for (type, numbers) in types { add(type, numbers) }
      for id in self.numbers.keys { self.numbers[id]?.sort() }
      vague.sort()
    }

    private mutating func add(_ type: any Any.Type, _ found: [Int]) {
      numbers[ObjectIdentifier(type), default: []] += found
      var parent: AnyClass? = (type as? AnyClass).flatMap { superclass(of: $0) }
      while let step = parent {
        numbers[ObjectIdentifier(step), default: []] += found
        parent = superclass(of: step)
      }
      if type is any OptionalType.Type || TypeFit.isOpen(type) { vague += found }
    }

    /// The definitions whose objects surely are what a request wants, in order.
    func numbers(for request: TypeRequest, _ test: TypeIndex.RequestTest) -> [Int] {
      if request.isPlain, !TypeFit.isOpen(request.type) {
        return numbers[ObjectIdentifier(request.type)] ?? []
      }
      return types.filter { test.isSure($0.type) }.flatMap(\.numbers).sorted()
    }
  }
}

extension ComponentDescriptor {
  /// Whether the annotations of the class mark properties or arguments to be filled by type.
  fileprivate var asksByType: Bool {
    annotations.assignments.contains { if case .byType = $0.content { true } else { false } }
  }
}

extension [AnyBinding] {
  /// The first whose object a request would find if no aspects ran around it.
  func surrounding(_ request: TypeRequest, _ index: TypeIndex) -> AnyBinding? {
    guard let test = TypeIndex.RequestTest(request, index) else { return nil }
    return surrounding(test.isSure)
  }

  /// The first whose object fits if no aspects ran around it.
  func surrounding(_ fits: (any Any.Type) -> Bool) -> AnyBinding? {
    first { $0.surrounded.map { fits($0.type) } ?? false }
  }
}
