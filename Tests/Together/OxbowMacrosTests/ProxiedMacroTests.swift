import Testing

@Suite struct ProxiedMacroTests {
  @Test func `a protocol gets its forwarding protocol, its proxy and forwarding members`() {
    assertExpansion(
      """
      @Proxied
      public protocol Catalog: Named, Sendable {
        var title: String { get throws }
        @discardableResult
        func add(_ book: Book, at index: Int) async throws -> Bool
        subscript(index: Int) -> Book { get throws }
      }
      """,
      to: """
        public protocol Catalog: Named, Sendable {
          var title: String { get throws }
          @discardableResult
          func add(_ book: Book, at index: Int) async throws -> Bool
          subscript(index: Int) -> Book { get throws }
        }
        /// The forwarding side of `Catalog`: each requirement has a default that asks the target.
        /// Each protocol that `Catalog` refines is marked `@Proxied` too.
        nonisolated public protocol CatalogForwarding: Catalog, CallForwarding, NamedForwarding {
          /// The type of the objects that requirements of `Catalog` are forwarded to.
          typealias _TargetCatalog = any Catalog

          /// Returns the object that requirements of `Catalog` are forwarded to.
          func _targetCatalog() throws -> any Catalog

          /// The same object on loan for one call; nil where `_targetCatalog` is to be asked.
          var _borrowedCatalog: BorrowedTarget<any Catalog>? {
            get
          }
        }

        /// Forwards to the object of `Catalog` that its source supplies at each call.
        nonisolated public final class CatalogProxy: CatalogForwarding, ForwardingProxy {
          /// Where the target comes from.
          public let _source: any ProxySource<any Catalog>

          /// What is notified of each call.
          public let _callObserver: (any CallObserver)?

          /// Gives calls that no observer sees access to targets.
          public let _targetAccess: TargetAccess<any Catalog>?

          /// Creates a proxy for the objects of a source.
          public init(source: any ProxySource<any Catalog>) {
            _source = source
            _callObserver = source.callObserver
            _targetAccess = _callObserver == nil ? source.targetAccess : nil
          }

          /// Returns a proxy for one object, which all threads may use.
          public static func fixed(_ target: any Catalog & Sendable) -> CatalogProxy {
            CatalogProxy(source: FixedSource<any Catalog>.unchecked(target))
          }

          /// Returns a proxy for an object that the first call makes, for all threads.
          public static func lazy(
            _ make: @escaping @Sendable () throws -> any Catalog & Sendable
          ) -> CatalogProxy {
            CatalogProxy(source: LazySource<any Catalog>.unchecked {
                try make()
              })
          }

          /// Returns a proxy that notes its calls, for an object that the first of them makes.
          public static func recording(
            into recorder: CallRecorder,
            _ make: @escaping @Sendable () throws -> any Catalog & Sendable
          ) -> CatalogProxy {
            CatalogProxy(
              source: RecordingSource<any Catalog>.unchecked(into: recorder) {
                try make()
              })
          }

          /// Returns whether objects of a type can be targets.
          public static func accepts(_ type: any Any.Type) -> Bool {
            type is any Catalog.Type
          }

          /// Returns the object that the source supplies now.
          public func _targetCatalog() throws -> any Catalog {
            try _source.target()
          }

          /// The target that a call made now may borrow, if the source keeps one.
          @inline(__always) public var _borrowedCatalog: BorrowedTarget<any Catalog>? {
            _targetAccess?.borrowed
          }

          #if objectFormat(MachO)
          @section("__DATA_CONST,__oxbow") @used
          #elseif objectFormat(ELF)
          @section("oxbow_components") @used
          #endif
          nonisolated private static let _componentRecord: ComponentRecord = (
            version: 1,
            describe: {
              $0.assumingMemoryBound(to: RegistryEntry.self).initialize(to: .proxy(ProxyDescriptor(CatalogProxy.self, name: "Catalog")))
            }
          )
        }

        nonisolated extension CatalogForwarding {
          /// Nothing, unless a class says otherwise.
          public var _borrowedCatalog: BorrowedTarget<_TargetCatalog>? {
            nil
          }

          /// Returns the target as its parent. Where that is ambiguous, add `also: Named.self`.
          public func _targetNamed() throws -> any Named {
            try _targetCatalog()
          }

          /// Forwards to the target. A protocol that has a default for it must declare it again.
          public var title: String {
            get throws {
              if let _borrowed = _borrowedCatalog {
                return try _borrowed.call(for: self) {
                  try $0.title
                }
              }
              _callObserver?.willCall(ForwardedCall("title", of: "Catalog", .read))
              return try _targetCatalog().title
            }
          }

          /// Forwards to the target. A protocol that has a default for it must declare it again.
          @discardableResult
          public func add(_ book: Book, at index: Int) async throws -> Bool {
            _callObserver?.willCall(ForwardedCall("add(_:at:)", of: "Catalog", .call, [.of(book), .of(index)]))
            return try await _targetCatalog().add(book, at: index)
          }

          /// Forwards to the target. A protocol that has a default for it must declare it again.
          public subscript(index: Int) -> Book {
            get throws {
              if let _borrowed = _borrowedCatalog {
                return try _borrowed.call(for: self) {
                  try $0 [index]
                }
              }
              _callObserver?.willCall(ForwardedCall("subscript(_:)", of: "Catalog", .read, [.of(index)]))
              return try _targetCatalog() [index]
            }
          }
        }
        """)
  }

  @Test func `an associated type with several constraints is one generic parameter`() {
    let found = diagnostics(
      of: "@Proxied package protocol P<Key> { associatedtype Key: Hashable, Sendable }")
    #expect(found.expansion.contains("class PProxy<Key: Hashable & Sendable>: PForwarding"))
  }

  @Test func `a primary associated type makes a generic proxy`() {
    assertExpansion(
      """
      @Proxied
      package protocol Shelf<Key>: Base.Named {
        associatedtype Key: Hashable & Sendable
        func book(_ key: Key) throws -> String
      }
      """,
      to: """
        package protocol Shelf<Key>: Base.Named {
          associatedtype Key: Hashable & Sendable
          func book(_ key: Key) throws -> String
        }
        /// The forwarding side of `Shelf`: each requirement has a default that asks the target.
        /// Each protocol that `Shelf` refines is marked `@Proxied` too.
        nonisolated package protocol ShelfForwarding<Key>: Shelf, CallForwarding, Base.NamedForwarding {
          /// The type of the objects that requirements of `Shelf` are forwarded to.
          typealias _TargetShelf = any Shelf<Key>

          /// Returns the object that requirements of `Shelf` are forwarded to.
          func _targetShelf() throws -> any Shelf<Key>

          /// The same object on loan for one call; nil where `_targetShelf` is to be asked.
          var _borrowedShelf: BorrowedTarget<any Shelf<Key>>? {
            get
          }
        }

        /// Forwards to the object of `Shelf` that its source supplies at each call.
        nonisolated package final class ShelfProxy<Key: Hashable & Sendable>: ShelfForwarding, ForwardingProxy {
          /// Where the target comes from.
          package let _source: any ProxySource<any Shelf<Key>>

          /// What is notified of each call.
          package let _callObserver: (any CallObserver)?

          /// Gives calls that no observer sees access to targets.
          package let _targetAccess: TargetAccess<any Shelf<Key>>?

          /// Creates a proxy for the objects of a source.
          package init(source: any ProxySource<any Shelf<Key>>) {
            _source = source
            _callObserver = source.callObserver
            _targetAccess = _callObserver == nil ? source.targetAccess : nil
          }

          /// Returns a proxy for one object, which all threads may use.
          package static func fixed(_ target: any Shelf<Key> & Sendable) -> ShelfProxy {
            ShelfProxy(source: FixedSource<any Shelf<Key>>.unchecked(target))
          }

          /// Returns a proxy for an object that the first call makes, for all threads.
          package static func lazy(
            _ make: @escaping @Sendable () throws -> any Shelf<Key> & Sendable
          ) -> ShelfProxy {
            ShelfProxy(source: LazySource<any Shelf<Key>>.unchecked {
                try make()
              })
          }

          /// Returns a proxy that notes its calls, for an object that the first of them makes.
          package static func recording(
            into recorder: CallRecorder,
            _ make: @escaping @Sendable () throws -> any Shelf<Key> & Sendable
          ) -> ShelfProxy {
            ShelfProxy(
              source: RecordingSource<any Shelf<Key>>.unchecked(into: recorder) {
                try make()
              })
          }

          /// Returns whether objects of a type can be targets.
          package static func accepts(_ type: any Any.Type) -> Bool {
            type is any Shelf<Key>.Type
          }

          /// Returns the object that the source supplies now.
          package func _targetShelf() throws -> any Shelf<Key> {
            try _source.target()
          }

          /// The target that a call made now may borrow, if the source keeps one.
          @inline(__always) package var _borrowedShelf: BorrowedTarget<any Shelf<Key>>? {
            _targetAccess?.borrowed
          }
        }

        nonisolated extension ShelfForwarding {
          /// Nothing, unless a class says otherwise.
          package var _borrowedShelf: BorrowedTarget<_TargetShelf>? {
            nil
          }

          /// Returns the target as its parent. Where that is ambiguous, add `also: Named.self`.
          package func _targetNamed() throws -> _TargetNamed {
            func opened(_ target: some Shelf<Key>) -> _TargetNamed {
              target
            }
            return opened(try _targetShelf())
          }

          /// Forwards to the target. A protocol that has a default for it must declare it again.
          package func book(_ key: Key) throws -> String {
            if let _borrowed = _borrowedShelf {
              return try _borrowed.call(for: self) {
                try $0.book(key)
              }
            }
            _callObserver?.willCall(ForwardedCall("book(_:)", of: "Shelf", .call, [.of(key)]))
            return try _targetShelf().book(key)
          }
        }
        """)
  }
}
