internal import OxbowDocuments

/// Puts proxies around the objects whose methods have aspects.
///
/// The binding of such an object gets a hidden name, and a binding of a proxy takes its name and
/// scope. An object of a `@Woven` class stays where it is, and is given its aspects before its
/// properties. Nothing else of a container knows of aspects.
struct AspectWeaver {
  private let aspects: [AspectBinding]
  private let classes: ClassRegistry
  private let types: TypeIndex
  private(set) var bindings: [AnyBinding]
  private let aliases: [String: String]
  /// The numbers of the bindings by their names.
  private var numbers: [String: Int]
  private(set) var problems: [ContainerError.Problem] = []
  private(set) var notes: [ContainerError.Note] = []
  /// The numbers of the bindings whose objects have another type now.
  private(set) var replaced: Set<Int> = []

  init(
    _ aspects: [AspectBinding], _ bindings: [AnyBinding], _ classes: ClassRegistry,
    aliases: [String: String]
  ) {
    // Of one order, those that were defined first are the outer ones.
    self.aspects = aspects.enumerated().sorted {
      ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
    }.map(\.element)
    self.bindings = bindings
    numbers = Dictionary(
      bindings.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    self.classes = classes
    self.aliases = aliases
    types = TypeIndex(classes)
  }

  mutating func weave() {
    let usable = aspects.filter { isAspect($0) }
    let names = Set(aspects.map(\.name))
    var used = MatchLog()
    let count = bindings.count
    for number in 0..<count where !names.contains(bindings[number].name) {
      weave(number, usable, &used)
    }
    for aspect in usable { note(aspect, used) }
  }

  private func binding(named name: String) -> AnyBinding? { numbers[name].map { bindings[$0] } }

  private mutating func isAspect(_ aspect: AspectBinding) -> Bool {
    guard let binding = binding(named: aspect.name) else { return false }
    guard binding.type is any Advice.Type else {
      problems.append(.noAspect(aspect.name, typeName: "\(binding.type)").at(aspect.location))
      return false
    }
    guard binding.scope.sharing != .confined else {
      problems.append(.confinedAspect(aspect.name, scope: binding.scope.name).at(aspect.location))
      return false
    }
    return true
  }

  // MARK: - One object

  private mutating func weave(_ number: Int, _ aspects: [AspectBinding], _ used: inout MatchLog) {
    let binding = bindings[number]
    let candidates = aspects.filter { aspect in
      aspect.pointcuts.contains { selects($0, binding) }
    }
    guard !candidates.isEmpty, !(binding.type is any Advice.Type) else { return }
    for aspect in candidates { used.objects[aspect.name, default: []].append(binding.shownName) }
    let isNamed = candidates.contains { $0.pointcuts.contains { $0.isSpecific } }
    guard let (methods, replacement) = way(for: binding, reporting: isNamed) else { return }
    for aspect in candidates { reportUnwoven(binding, aspect) }
    var woven: [WovenMethod] = []
    for method in methods {
      let around = candidates.filter { aspect in
        aspect.pointcuts.contains { selects($0, binding) && $0.means(method) }
      }
      guard !around.isEmpty else { continue }
      for aspect in around { used.methods.insert(aspect.name) }
      let fitting = fitting(around, method, binding)
      if !fitting.isEmpty {
        woven.append(WovenMethod(method: method, aspects: fitting.map(\.name)))
      }
    }
    for aspect in candidates { used.known[aspect.name, default: []] += methods.map(\.name) }
    guard !woven.isEmpty else { return }
    if let replacement {
      replace(number, by: replacement, woven)
    } else {
      bindings[number] = binding.woven(woven)
    }
  }

  /// The methods around which aspects can run, and what takes the place of the object, if anything.
  private mutating func way(
    for binding: AnyBinding, reporting isNamed: Bool
  ) -> (methods: [ForwardedMethod], replacement: ProxyDescriptor?)? {
    if let type = binding.type as? any WovenObject.Type { return (type._wovenMethods, nil) }
    guard let proxy = proxy(for: binding, reporting: isNamed) else { return nil }
    let methods = methods(of: proxy)
    if methods.isEmpty, isNamed {
      problems.append(
        .closedProxy(binding.shownName, binding.type, proxy.name).at(binding.location))
      return nil
    }
    return (methods, proxy)
  }

  private mutating func replace(
    _ number: Int, by proxy: ProxyDescriptor, _ methods: [WovenMethod]
  ) {
    let old = bindings[number]
    var name = HiddenName.original(old.name)
    while numbers[name] != nil { name = HiddenName.original(name) }
    let new = proxy.woven(old, original: name, methods)
    new.isEager = old.isEager
    new.isPrimary = old.isPrimary
    let running = Set(methods.flatMap(\.aspects))
    new.surrounded = SurroundedObject(
      type: old.type, aspects: aspects.map(\.name).filter(running.contains),
      protocolName: proxy.name)
    bindings[number] = new
    numbers[name] = bindings.count
    bindings.append(old.renamed(name))
    if new.type != old.type { replaced.insert(number) }
  }

  // MARK: - Selecting

  private func selects(_ pointcut: Pointcut, _ binding: AnyBinding) -> Bool {
    switch pointcut.targets {
    case .all: !binding.isHidden
    case .objects(let names):
      !binding.isHidden && names.contains { (aliases[$0] ?? $0) == binding.name }
    case .classes(let names): names.contains { isNamed($0, binding.type) }
    case .type(let wanted): !binding.isHidden && fits(binding.type, wanted)
    }
  }

  private func fits(_ type: any Any.Type, _ wanted: any Any.Type) -> Bool {
    type == wanted || types.test(for: wanted)?(type) == true
  }

  private func isNamed(_ name: String, _ type: any Any.Type) -> Bool {
    if let found = classes.find(name) { return found.objectType == type }
    return "\(type)" == name || String(reflecting: type) == name
  }

  /// The proxy class of an object: its own, or that of the one protocol with aspects that has all
  /// others.
  private mutating func proxy(
    for binding: AnyBinding, reporting isNamed: Bool
  ) -> ProxyDescriptor? {
    if let own = classes.proxies.first(where: { $0.proxyType == binding.type }) { return own }
    let all = classes.proxies(for: binding.type, named: nil)
    let open = all.filter { !methods(of: $0).isEmpty }
    let found = open.isEmpty ? all : open
    let wide = found.filter { proxy in
      found.allSatisfy { $0.proxyType == proxy.proxyType || $0.accepts(proxy.proxyType) }
    }
    if wide.count == 1 { return wide.first }
    if isNamed {
      problems.append(
        .notWoven(binding.shownName, binding.type, found.map(\.name)).at(binding.location))
    }
    return nil
  }

  /// The methods of a protocol and of those that it refines.
  private func methods(of proxy: ProxyDescriptor) -> [ForwardedMethod] {
    let methods = classes.proxies.filter {
      $0.proxyType == proxy.proxyType || $0.accepts(proxy.proxyType)
    }.flatMap(\.methods)
    guard !methods.isEmpty, let type = proxy.proxyType as? any CallForwarding.Type else {
      return methods
    }
    return methods + type._unseenMethods.map { ForwardedMethod($0, key: 0, .closed) }
  }

  // MARK: - Fitting

  /// The aspects that can run around a method; reports those that cannot.
  private mutating func fitting(
    _ around: [AspectBinding], _ method: ForwardedMethod, _ binding: AnyBinding
  ) -> [AspectBinding] {
    around.filter { aspect in
      guard let type = self.binding(named: aspect.name)?.type else { return true }
      let wanted: String? =
        switch method.kind {
        case .throwing: type is any Aspect.Type ? nil : "Aspect"
        case .nonThrowing: type is any NonThrowingAspect.Type ? nil : "NonThrowingAspect"
        case .async: type is any AsyncAspect.Type ? nil : "AsyncAspect"
        case .closed: ""
        }
      guard let wanted else { return true }
      // All methods of an object may be meant where only some can have the aspect.
      let isNamed = aspect.pointcuts.contains { selects($0, binding) && $0.names(method) }
      if method.isProperty, !isNamed { return false }
      if method.kind == .closed, !isNamed {
        leaveOut(
          .closedMethod(method.name, of: binding.shownName, aspect.name).at(aspect.location),
          aspect, binding)
        return false
      }
      problems.append(
        wanted.isEmpty
          ? .closedMethod(method.name, of: binding.shownName, aspect.name).at(aspect.location)
          : .misfitAspect(
            aspect.name, typeName: "\(type)", wanted: wanted, method.name, of: binding.shownName
          ).at(aspect.location))
      return false
    }
  }

  // MARK: - What is left out

  /// Says that an aspect does not run where its pointcut means it to: an error where a method needs
  /// the aspect, a note for others.
  private mutating func leaveOut(
    _ problem: ContainerError.Problem, _ aspect: AspectBinding, _ binding: AnyBinding
  ) {
    let isMeant = aspect.pointcuts.contains { $0.isSpecific && selects($0, binding) }
    if isMeant, self.binding(named: aspect.name)?.type is any EssentialAdvice.Type {
      problems.append(problem)
    } else {
      notes.append(ContainerError.Note(problem.omission, at: problem.location))
    }
  }

  /// A class that inherits from a woven one and is not woven has methods that no aspect sees.
  private mutating func reportUnwoven(_ binding: AnyBinding, _ aspect: AspectBinding) {
    guard let type = binding.type as? any WovenObject.Type,
      ObjectIdentifier(type._wovenClass) != ObjectIdentifier(type)
    else { return }
    leaveOut(
      .unwovenClass(
        "\(binding.type)", inheriting: "\(type._wovenClass)", of: binding.shownName, aspect.name
      ).at(aspect.location), aspect, binding)
  }

  // MARK: - Notes

  /// What was matched, for notes of what was not.
  private struct MatchLog {
    var objects: [String: [String]] = [:]
    var methods: Set<String> = []
    var known: [String: [String]] = [:]
  }

  private mutating func note(_ aspect: AspectBinding, _ used: MatchLog) {
    let noted = notes.count
    noteNames(aspect, used)
    // A name that does not exist, or an object without proxy, is the reason and was reported.
    guard notes.count == noted, problems.isEmpty, !used.methods.contains(aspect.name) else {
      return
    }
    notes.append(
      ContainerError.Note(
        "aspect \"\(aspect.name)\" runs around nothing: no object that its pointcut selects has such "
          + "methods in a protocol marked @Proxied(aspects: true) or in a @Woven class",
        at: aspect.location))
  }

  private mutating func noteNames(_ aspect: AspectBinding, _ used: MatchLog) {
    let visible = bindings.filter { !$0.isHidden }
    for pointcut in aspect.pointcuts {
      switch pointcut.targets {
      case .objects(let names):
        let known = visible.map(\.name) + aliases.keys
        for name in names where !known.contains(name) {
          note(aspect, pointcut, "there is no object named \"\(name)\"", name, known)
        }
      case .classes(let names):
        for name in names where !bindings.contains(where: { isNamed(name, $0.type) }) {
          let known = Set(bindings.map { "\($0.type)" }).sorted()
          note(aspect, pointcut, "no object is of class \"\(name)\"", name, known)
        }
      case .type(let wanted):
        if !bindings.contains(where: { fits($0.type, wanted) }) {
          note(aspect, pointcut, "no object is of type '\(wanted)'", "\(wanted)", [])
        }
      case .all: break
      }
      noteMethods(aspect, pointcut, used)
    }
  }

  private mutating func noteMethods(
    _ aspect: AspectBinding, _ pointcut: Pointcut, _ used: MatchLog
  ) {
    guard let known = used.known[aspect.name], let names = pointcut.methodNames else { return }
    for name in names
    where name != Pointcut.all && !known.contains(where: { Pointcut.name(name, means: $0) }) {
      let bases = Set(known.flatMap { [$0, String($0.prefix { $0 != "(" })] }).sorted()
      note(aspect, pointcut, "no method is called \"\(name)\"", name, bases)
    }
  }

  private mutating func note(
    _ aspect: AspectBinding, _ pointcut: Pointcut, _ what: String, _ name: String,
    _ known: [String]
  ) {
    let near = nearNames(to: name, among: known)
    let hint =
      near.isEmpty
      ? "" : "; did you mean " + quoted(near) + "?"
    notes.append(
      ContainerError.Note(
        "aspect \"\(aspect.name)\": \(what)\(hint)", at: pointcut.location ?? aspect.location))
  }
}

extension Pointcut {
  /// Whether it names objects, so that one that cannot have aspects is a mistake.
  fileprivate var isSpecific: Bool {
    switch targets {
    case .all: false
    case .objects, .classes, .type: true
    }
  }
}
