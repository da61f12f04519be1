/// What the runtime knows of protocols: which other ones they refine.
extension TypeFit {
  /// Whether what is known by one protocol surely has another: `any Animal` takes an `any Pet`
  /// where `Pet` refines `Animal`.
  ///
  /// The compiler answers such a question for types that a program spells. Here both are values,
  /// and the answer is in the descriptions of the protocols (decision 0343).
  ///
  /// - Returns: False also where the runtime does not describe a type in the plain way: a protocol
  ///   with arguments, a composition with a class.
  static func refines(_ type: any Any.Type, _ wanted: any Any.Type) -> Bool {
    guard let type = Existential(type), let wanted = Existential(wanted) else { return false }
    guard type.isClassBound || !wanted.isClassBound else { return false }
    let known = type.protocols.reduce(into: Set()) { $1.addAncestors(to: &$0) }
    return known.isSuperset(of: wanted.protocols)
  }
}

/// The description of `any P` or `any P & Q` in the program's memory, as Swift's ABI has it.
private struct Existential {
  private static let kind = 0x303
  private static let hasSuperclass: UInt32 = 1 << 30
  private static let takesValues: UInt32 = 1 << 31

  let isClassBound: Bool
  let protocols: [ProtocolDescription]

  /// Nil for every other kind of type.
  init?(_ type: any Any.Type) {
    let address = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard address.load(as: Int.self) == Self.kind else { return nil }
    let word = MemoryLayout<Int>.size
    let flags = address.load(fromByteOffset: word, as: UInt32.self)
    guard flags & Self.hasSuperclass == 0 else { return nil }
    isClassBound = flags & Self.takesValues == 0
    let count = address.load(fromByteOffset: word + 4, as: UInt32.self)
    protocols = (0..<Int(count)).compactMap {
      ProtocolDescription(address.load(fromByteOffset: (2 + $0) * word, as: UInt.self))
    }
  }
}

/// The description of a protocol of Swift.
private struct ProtocolDescription: Hashable {
  private let address: UnsafeRawPointer

  /// Nil for a protocol of Objective-C, which the last bit marks.
  init?(_ bits: UInt) {
    guard bits & 1 == 0, let address = UnsafeRawPointer(bitPattern: bits) else { return nil }
    self.address = address
  }

  /// Adds the protocol and all that it refines.
  func addAncestors(to found: inout Set<ProtocolDescription>) {
    guard found.insert(self).inserted else { return }
    for parent in parents { parent.addAncestors(to: &found) }
  }

  /// The protocols that the declaration names for `Self`.
  private var parents: [ProtocolDescription] {
    let count = address.load(fromByteOffset: 12, as: UInt32.self)
    return (0..<Int(count)).compactMap { parent(in: address + 24 + $0 * 12) }
  }

  /// The protocol of one requirement; nil where it is about something else.
  private func parent(in requirement: UnsafeRawPointer) -> ProtocolDescription? {
    let kind = requirement.load(as: UInt32.self) & 0x1F
    guard kind == 0, isSelf(target(of: requirement + 4)) else { return nil }
    let offset = (requirement + 8).load(as: Int32.self)
    // The last two bits say that the address is that of an address, and Objective-C.
    let found = requirement + 8 + Int(offset & ~3)
    guard offset & 2 == 0 else { return nil }
    return ProtocolDescription(
      offset & 1 == 0 ? UInt(bitPattern: found) : found.load(as: UInt.self))
  }

  private func target(of field: UnsafeRawPointer) -> UnsafeRawPointer {
    field + Int(field.load(as: Int32.self))
  }

  /// Whether a mangled name is that of `Self`: `x`.
  private func isSelf(_ name: UnsafeRawPointer) -> Bool {
    name.load(as: UInt8.self) == UInt8(ascii: "x") && (name + 1).load(as: UInt8.self) == 0
  }
}
