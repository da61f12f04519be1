internal import OxbowPlatform

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
  package enum Content: Sendable {
    case component(ComponentDescriptor)
    case proxy(ProxyDescriptor)
  }

  package let content: Content

  /// An entry for a class that files can name.
  public static func component(_ descriptor: ComponentDescriptor) -> RegistryEntry {
    RegistryEntry(content: .component(descriptor))
  }

  /// An entry for a proxy class.
  public static func proxy(_ descriptor: ProxyDescriptor) -> RegistryEntry {
    RegistryEntry(content: .proxy(descriptor))
  }
}

extension RegistryEntry {
  /// The entries of this program's records, read once.
  package static let discovered: [RegistryEntry] = entries(in: componentSection())

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
