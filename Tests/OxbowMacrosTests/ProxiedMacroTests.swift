import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
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

        /// The forwarding side of `Catalog`: adopting it gives every requirement a default that asks the target.
        /// Each protocol that `Catalog` refines is marked `@Proxied` too.
        nonisolated public protocol CatalogForwarding: Catalog, CallForwarding, NamedForwarding {
          /// The type of the objects that requirements of `Catalog` are forwarded to.
          typealias _TargetCatalog = any Catalog

          /// Returns the object that requirements of `Catalog` are forwarded to.
          func _targetCatalog() throws -> any Catalog

          /// The same object on loan for one call; nil where `_targetCatalog` is to be asked.
          var _lentCatalog: LentTarget<any Catalog>? {
            get
          }
        }

        /// Stands for an object of `Catalog` that its source supplies at each call.
        nonisolated public final class CatalogProxy: CatalogForwarding, ForwardingProxy {
          /// Where the target comes from.
          public let _source: any ProxySource<any Catalog>

          /// What is told of each call.
          public let _callObserver: (any CallObserver)?

          /// What lends targets to calls of which no observer is told.
          public let _lender: TargetLender<any Catalog>?

          /// Creates a proxy for the objects of a source.
          public init(source: any ProxySource<any Catalog>) {
            _source = source
            _callObserver = source.callObserver
            _lender = _callObserver == nil ? source.lender : nil
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

          /// The object that the source lends to a call that is made now, if it lends any.
          @inline(__always) public var _lentCatalog: LentTarget<any Catalog>? {
            _lender?.lent
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

        nonisolated extension Catalog where Self: CatalogForwarding {
          /// Nothing, unless a class says otherwise.
          public var _lentCatalog: LentTarget<_TargetCatalog>? {
            nil
          }

          /// Returns the target as its parent; one that is reached twice needs `@Proxied(also: Named.self)`.
          public func _targetNamed() throws -> any Named {
            try _targetCatalog()
          }

          /// Forwards to the target.
          public var title: String {
            get throws {
              if let _lent = _lentCatalog {
                return try _lent.call(for: self) {
                  try $0.title
                }
              }
              _callObserver?.willCall(ForwardedCall("title", of: "Catalog", .read))
              return try _targetCatalog().title
            }
          }

          /// Forwards to the target.
          @discardableResult
          public func add(_ book: Book, at index: Int) async throws -> Bool {
            _callObserver?.willCall(ForwardedCall("add(_:at:)", of: "Catalog", .call, [.of(book), .of(index)]))
            return try await _targetCatalog().add(book, at: index)
          }

          /// Forwards to the target.
          public subscript(index: Int) -> Book {
            get throws {
              if let _lent = _lentCatalog {
                return try _lent.call(for: self) {
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

  @Test func `generics, inout, autoclosures and escaped names are passed on`() {
    assertExpansion(
      """
      @Proxied
      protocol Catalog {
        func fetch<T: Book>(_ request: Request<T>, `in` shelf: Shelf) throws -> [T] where T: Sendable
        func take(_ count: inout Int, or other: @autoclosure () -> Int) throws
      }
      """,
      to: """
        protocol Catalog {
          func fetch<T: Book>(_ request: Request<T>, `in` shelf: Shelf) throws -> [T] where T: Sendable
          func take(_ count: inout Int, or other: @autoclosure () -> Int) throws
        }

        /// The forwarding side of `Catalog`: adopting it gives every requirement a default that asks the target.
        nonisolated protocol CatalogForwarding: Catalog, CallForwarding {
          /// The type of the objects that requirements of `Catalog` are forwarded to.
          typealias _TargetCatalog = any Catalog

          /// Returns the object that requirements of `Catalog` are forwarded to.
          func _targetCatalog() throws -> any Catalog

          /// The same object on loan for one call; nil where `_targetCatalog` is to be asked.
          var _lentCatalog: LentTarget<any Catalog>? {
            get
          }
        }

        /// Stands for an object of `Catalog` that its source supplies at each call.
        nonisolated final class CatalogProxy: ForwardingProxy {
          /// Where the target comes from.
          let _source: any ProxySource<any Catalog>

          /// What is told of each call.
          let _callObserver: (any CallObserver)?

          /// What lends targets to calls of which no observer is told.
          let _lender: TargetLender<any Catalog>?

          /// Creates a proxy for the objects of a source.
          init(source: any ProxySource<any Catalog>) {
            _source = source
            _callObserver = source.callObserver
            _lender = _callObserver == nil ? source.lender : nil
          }

          /// Returns a proxy for one object, which all threads may use.
          static func fixed(_ target: any Catalog & Sendable) -> CatalogProxy {
            CatalogProxy(source: FixedSource<any Catalog>.unchecked(target))
          }

          /// Returns a proxy for an object that the first call makes, for all threads.
          static func lazy(
            _ make: @escaping @Sendable () throws -> any Catalog & Sendable
          ) -> CatalogProxy {
            CatalogProxy(source: LazySource<any Catalog>.unchecked {
                try make()
              })
          }

          /// Returns a proxy that notes its calls, for an object that the first of them makes.
          static func recording(
            into recorder: CallRecorder,
            _ make: @escaping @Sendable () throws -> any Catalog & Sendable
          ) -> CatalogProxy {
            CatalogProxy(
              source: RecordingSource<any Catalog>.unchecked(into: recorder) {
                try make()
              })
          }

          /// Returns whether objects of a type can be targets.
          static func accepts(_ type: any Any.Type) -> Bool {
            type is any Catalog.Type
          }

          /// Returns the object that the source supplies now.
          func _targetCatalog() throws -> any Catalog {
            try _source.target()
          }

          /// The object that the source lends to a call that is made now, if it lends any.
          @inline(__always) var _lentCatalog: LentTarget<any Catalog>? {
            _lender?.lent
          }

          /// Compiles where the sources state the conformance, because the optimizer must see it there.
          private func _demandConformance() {
            #sourceLocation(file: "test.swift", line: 2)
            _conformance(self)
            #sourceLocation()
          }

          private func _conformance(_ proxy: any CatalogForwarding) {
          }

          @_disfavoredOverload
          @available(*, unavailable, message: "a proxy of a protocol that only its module sees needs a conformance in the sources, because optimized builds go by those alone; write 'extension CatalogProxy: CatalogForwarding {}' below the protocol")
          private func _conformance(_ proxy: Any) {
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

        nonisolated extension Catalog where Self: CatalogForwarding {
          /// Nothing, unless a class says otherwise.
          var _lentCatalog: LentTarget<_TargetCatalog>? {
            nil
          }

          /// Forwards to the target.
          func fetch<T: Book>(_ request: Request<T>, `in` shelf: Shelf) throws -> [T] where T: Sendable {
            if let _lent = _lentCatalog {
              return try _lent.call(for: self) {
                try $0.fetch(request, `in`: shelf)
              }
            }
            _callObserver?.willCall(ForwardedCall("fetch(_:in:)", of: "Catalog", .call, [.of(request), .of(shelf)]))
            return try _targetCatalog().fetch(request, `in`: shelf)
          }

          /// Forwards to the target.
          func take(_ count: inout Int, or other: @autoclosure () -> Int) throws {
            if let _lent = _lentCatalog {
              return try _lent.call(for: self) {
                try $0.take(&count, or: other())
              }
            }
            _callObserver?.willCall(ForwardedCall("take(_:or:)", of: "Catalog", .call, [.of(count), .unseen("function")]))
            return try _targetCatalog().take(&count, or: other())
          }
        }
        """)
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

        /// The forwarding side of `Shelf`: adopting it gives every requirement a default that asks the target.
        /// Each protocol that `Shelf` refines is marked `@Proxied` too.
        nonisolated package protocol ShelfForwarding<Key>: Shelf, CallForwarding, Base.NamedForwarding {
          /// The type of the objects that requirements of `Shelf` are forwarded to.
          typealias _TargetShelf = any Shelf<Key>

          /// Returns the object that requirements of `Shelf` are forwarded to.
          func _targetShelf() throws -> any Shelf<Key>

          /// The same object on loan for one call; nil where `_targetShelf` is to be asked.
          var _lentShelf: LentTarget<any Shelf<Key>>? {
            get
          }
        }

        /// Stands for an object of `Shelf` that its source supplies at each call.
        nonisolated package final class ShelfProxy<Key: Hashable & Sendable>: ShelfForwarding, ForwardingProxy {
          /// Where the target comes from.
          package let _source: any ProxySource<any Shelf<Key>>

          /// What is told of each call.
          package let _callObserver: (any CallObserver)?

          /// What lends targets to calls of which no observer is told.
          package let _lender: TargetLender<any Shelf<Key>>?

          /// Creates a proxy for the objects of a source.
          package init(source: any ProxySource<any Shelf<Key>>) {
            _source = source
            _callObserver = source.callObserver
            _lender = _callObserver == nil ? source.lender : nil
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

          /// The object that the source lends to a call that is made now, if it lends any.
          @inline(__always) package var _lentShelf: LentTarget<any Shelf<Key>>? {
            _lender?.lent
          }
        }

        nonisolated extension Shelf where Self: ShelfForwarding {
          /// Nothing, unless a class says otherwise.
          package var _lentShelf: LentTarget<_TargetShelf>? {
            nil
          }

          /// Returns the target as its parent; one that is reached twice needs `@Proxied(also: Named.self)`.
          package func _targetNamed() throws -> _TargetNamed {
            func opened(_ target: some Shelf<Key>) -> _TargetNamed {
              target
            }
            return opened(try _targetShelf())
          }

          /// Forwards to the target.
          package func book(_ key: Key) throws -> String {
            if let _lent = _lentShelf {
              return try _lent.call(for: self) {
                try $0.book(key)
              }
            }
            _callObserver?.willCall(ForwardedCall("book(_:)", of: "Shelf", .call, [.of(key)]))
            return try _targetShelf().book(key)
          }
        }
        """)
  }

  @Test func `a protocol that refines a generic one binds its types or hands them on`() {
    let bound = diagnostics(
      of: "@Proxied protocol Numbers: Shelf<Int> where Self: Named, Value == String {}")
    #expect(bound.messages.isEmpty)
    #expect(
      bound.expansion.contains(
        "protocol NumbersForwarding: Numbers, CallForwarding, ShelfForwarding<Int>, "
          + "NamedForwarding {"))
    #expect(bound.expansion.contains("func _targetShelf() throws -> _TargetShelf {"))
    #expect(bound.expansion.contains("func opened(_ target: some Numbers) -> _TargetShelf {"))
    #expect(bound.expansion.contains("func _targetNamed() throws -> _TargetNamed {"))

    let open = diagnostics(
      of: "@Proxied protocol Big<Key>: Shelf where Key: Hashable, Other == Key {}")
    #expect(open.messages.isEmpty)
    #expect(
      open.expansion.contains(
        "protocol BigForwarding<Key>: Big, CallForwarding, ShelfForwarding {"))
    #expect(
      open.expansion.contains("class BigProxy<Key>: ForwardingProxy where Key: Hashable {"))
    #expect(!open.expansion.contains("associatedtype"))
  }

  @Test func `what a closure cannot pass on or throw is asked of the target itself`() {
    let found = diagnostics(
      of: """
        @Proxied protocol P {
          func a(_ x: inout Int, _ y: @autoclosure () -> Int) throws(any Error)
          func b() async throws
          func c(_ x: consuming Int) throws
          func d(_ x: sending Int) throws
          func e<each T>(_ x: repeat each T) throws
          func f() throws(Closed)
          func g(_ body: () throws -> Void) rethrows
          subscript(x: borrowing Int) -> Int { get throws }
          var h: Int { get async throws }
          var i: Int { get }
        }
        """)
    let calls = found.expansion.split(separator: "\n").map { $0.drop { $0 == " " } }
      .filter { $0.contains("$0") && !$0.contains("assumingMemoryBound") }
    #expect(calls == ["try $0.a(&x, y())", "$0.i"])
  }

  @Test func `what cannot be copied or called is not shown to observers`() {
    let found = diagnostics(
      of: """
        @Proxied protocol P: AnyObject, ~Copyable {
          func f(
            _ a: @escaping () -> Void, b: borrowing Int, c: consuming [Int], d: sending Int,
            e: (() -> Void)?, rest: repeat each T
          ) throws
        }
        """)
    #expect(found.messages.isEmpty)
    #expect(
      found.expansion.contains(
        """
        [.unseen("function"), .unseen("Int"), .unseen("[Int]"), .of(d), .of(e), .unseen("pack")]
        """))
  }

  @Test func `a protocol that several parents refine is reached directly`() {
    assertExpansion(
      """
      @Proxied(also: Named.self)
      protocol Both: Left, Right {}
      """,
      to: """
        protocol Both: Left, Right {}

        /// The forwarding side of `Both`: adopting it gives every requirement a default that asks the target.
        /// Each protocol that `Both` refines is marked `@Proxied` too.
        nonisolated protocol BothForwarding: Both, CallForwarding, LeftForwarding, RightForwarding, NamedForwarding {
          /// The type of the objects that requirements of `Both` are forwarded to.
          typealias _TargetBoth = any Both

          /// Returns the object that requirements of `Both` are forwarded to.
          func _targetBoth() throws -> any Both

          /// The same object on loan for one call; nil where `_targetBoth` is to be asked.
          var _lentBoth: LentTarget<any Both>? {
            get
          }
        }

        /// Stands for an object of `Both` that its source supplies at each call.
        nonisolated final class BothProxy: ForwardingProxy {
          /// Where the target comes from.
          let _source: any ProxySource<any Both>

          /// What is told of each call.
          let _callObserver: (any CallObserver)?

          /// What lends targets to calls of which no observer is told.
          let _lender: TargetLender<any Both>?

          /// Creates a proxy for the objects of a source.
          init(source: any ProxySource<any Both>) {
            _source = source
            _callObserver = source.callObserver
            _lender = _callObserver == nil ? source.lender : nil
          }

          /// Returns a proxy for one object, which all threads may use.
          static func fixed(_ target: any Both & Sendable) -> BothProxy {
            BothProxy(source: FixedSource<any Both>.unchecked(target))
          }

          /// Returns a proxy for an object that the first call makes, for all threads.
          static func lazy(
            _ make: @escaping @Sendable () throws -> any Both & Sendable
          ) -> BothProxy {
            BothProxy(source: LazySource<any Both>.unchecked {
                try make()
              })
          }

          /// Returns a proxy that notes its calls, for an object that the first of them makes.
          static func recording(
            into recorder: CallRecorder,
            _ make: @escaping @Sendable () throws -> any Both & Sendable
          ) -> BothProxy {
            BothProxy(
              source: RecordingSource<any Both>.unchecked(into: recorder) {
                try make()
              })
          }

          /// Returns whether objects of a type can be targets.
          static func accepts(_ type: any Any.Type) -> Bool {
            type is any Both.Type
          }

          /// Returns the object that the source supplies now.
          func _targetBoth() throws -> any Both {
            try _source.target()
          }

          /// The object that the source lends to a call that is made now, if it lends any.
          @inline(__always) var _lentBoth: LentTarget<any Both>? {
            _lender?.lent
          }

          /// Compiles where the sources state the conformance, because the optimizer must see it there.
          private func _demandConformance() {
            #sourceLocation(file: "test.swift", line: 2)
            _conformance(self)
            #sourceLocation()
          }

          private func _conformance(_ proxy: any BothForwarding) {
          }

          @_disfavoredOverload
          @available(*, unavailable, message: "a proxy of a protocol that only its module sees needs a conformance in the sources, because optimized builds go by those alone; write 'extension BothProxy: BothForwarding {}' below the protocol")
          private func _conformance(_ proxy: Any) {
          }

          #if objectFormat(MachO)
          @section("__DATA_CONST,__oxbow") @used
          #elseif objectFormat(ELF)
          @section("oxbow_components") @used
          #endif
          nonisolated private static let _componentRecord: ComponentRecord = (
            version: 1,
            describe: {
              $0.assumingMemoryBound(to: RegistryEntry.self).initialize(to: .proxy(ProxyDescriptor(BothProxy.self, name: "Both")))
            }
          )
        }

        nonisolated extension Both where Self: BothForwarding {
          /// Nothing, unless a class says otherwise.
          var _lentBoth: LentTarget<_TargetBoth>? {
            nil
          }

          /// Returns the target as its parent; one that is reached twice needs `@Proxied(also: Left.self)`.
          func _targetLeft() throws -> any Left {
            try _targetBoth()
          }

          /// Returns the target as its parent; one that is reached twice needs `@Proxied(also: Right.self)`.
          func _targetRight() throws -> any Right {
            try _targetBoth()
          }

          /// Returns the target as its parent; one that is reached twice needs `@Proxied(also: Named.self)`.
          func _targetNamed() throws -> any Named {
            try _targetBoth()
          }
        }
        """)
  }

  @Test func `the extension of a nested protocol names the surroundings`() {
    assertExpansion(
      """
      enum Library {
        @Proxied
        protocol Shelf {}
      }
      """,
      to: """
        enum Library {
          protocol Shelf {}

          /// The forwarding side of `Shelf`: adopting it gives every requirement a default that asks the target.
          nonisolated protocol ShelfForwarding: Shelf, CallForwarding {
            /// The type of the objects that requirements of `Shelf` are forwarded to.
            typealias _TargetShelf = any Shelf

            /// Returns the object that requirements of `Shelf` are forwarded to.
            func _targetShelf() throws -> any Shelf

            /// The same object on loan for one call; nil where `_targetShelf` is to be asked.
            var _lentShelf: LentTarget<any Shelf>? {
              get
            }
          }

          /// Stands for an object of `Shelf` that its source supplies at each call.
          nonisolated final class ShelfProxy: ForwardingProxy {
            /// Where the target comes from.
            let _source: any ProxySource<any Shelf>

            /// What is told of each call.
            let _callObserver: (any CallObserver)?

            /// What lends targets to calls of which no observer is told.
            let _lender: TargetLender<any Shelf>?

            /// Creates a proxy for the objects of a source.
            init(source: any ProxySource<any Shelf>) {
              _source = source
              _callObserver = source.callObserver
              _lender = _callObserver == nil ? source.lender : nil
            }

            /// Returns a proxy for one object, which all threads may use.
            static func fixed(_ target: any Shelf & Sendable) -> ShelfProxy {
              ShelfProxy(source: FixedSource<any Shelf>.unchecked(target))
            }

            /// Returns a proxy for an object that the first call makes, for all threads.
            static func lazy(
              _ make: @escaping @Sendable () throws -> any Shelf & Sendable
            ) -> ShelfProxy {
              ShelfProxy(source: LazySource<any Shelf>.unchecked {
                  try make()
                })
            }

            /// Returns a proxy that notes its calls, for an object that the first of them makes.
            static func recording(
              into recorder: CallRecorder,
              _ make: @escaping @Sendable () throws -> any Shelf & Sendable
            ) -> ShelfProxy {
              ShelfProxy(
                source: RecordingSource<any Shelf>.unchecked(into: recorder) {
                  try make()
                })
            }

            /// Returns whether objects of a type can be targets.
            static func accepts(_ type: any Any.Type) -> Bool {
              type is any Shelf.Type
            }

            /// Returns the object that the source supplies now.
            func _targetShelf() throws -> any Shelf {
              try _source.target()
            }

            /// The object that the source lends to a call that is made now, if it lends any.
            @inline(__always) var _lentShelf: LentTarget<any Shelf>? {
              _lender?.lent
            }

            /// Compiles where the sources state the conformance, because the optimizer must see it there.
            private func _demandConformance() {
              #sourceLocation(file: "test.swift", line: 3)
              _conformance(self)
              #sourceLocation()
            }

            private func _conformance(_ proxy: any ShelfForwarding) {
            }

            @_disfavoredOverload
            @available(*, unavailable, message: "a proxy of a protocol that only its module sees needs a conformance in the sources, because optimized builds go by those alone; write 'extension Library.ShelfProxy: Library.ShelfForwarding {}' below the protocol")
            private func _conformance(_ proxy: Any) {
            }

            #if objectFormat(MachO)
            @section("__DATA_CONST,__oxbow") @used
            #elseif objectFormat(ELF)
            @section("oxbow_components") @used
            #endif
            nonisolated private static let _componentRecord: ComponentRecord = (
              version: 1,
              describe: {
                $0.assumingMemoryBound(to: RegistryEntry.self).initialize(to: .proxy(ProxyDescriptor(ShelfProxy.self, name: "Shelf")))
              }
            )
          }
        }

        nonisolated extension Library.Shelf where Self: Library.ShelfForwarding {
          /// Nothing, unless a class says otherwise.
          var _lentShelf: LentTarget<_TargetShelf>? {
            nil
          }
        }
        """)
  }

  @Test func `settable properties of a class-bound protocol are written through`() {
    assertExpansion(
      """
      @Proxied
      protocol Mutable: AnyObject {
        var title: String { get set }
      }
      """,
      to: """
        protocol Mutable: AnyObject {
          var title: String { get set }
        }

        /// The forwarding side of `Mutable`: adopting it gives every requirement a default that asks the target.
        nonisolated protocol MutableForwarding: Mutable, CallForwarding {
          /// The type of the objects that requirements of `Mutable` are forwarded to.
          typealias _TargetMutable = any Mutable

          /// Returns the object that requirements of `Mutable` are forwarded to.
          func _targetMutable() throws -> any Mutable

          /// The same object on loan for one call; nil where `_targetMutable` is to be asked.
          var _lentMutable: LentTarget<any Mutable>? {
            get
          }
        }

        /// Stands for an object of `Mutable` that its source supplies at each call.
        nonisolated final class MutableProxy: ForwardingProxy {
          /// Where the target comes from.
          let _source: any ProxySource<any Mutable>

          /// What is told of each call.
          let _callObserver: (any CallObserver)?

          /// What lends targets to calls of which no observer is told.
          let _lender: TargetLender<any Mutable>?

          /// Creates a proxy for the objects of a source.
          init(source: any ProxySource<any Mutable>) {
            _source = source
            _callObserver = source.callObserver
            _lender = _callObserver == nil ? source.lender : nil
          }

          /// Returns a proxy for one object, which all threads may use.
          static func fixed(_ target: any Mutable & Sendable) -> MutableProxy {
            MutableProxy(source: FixedSource<any Mutable>.unchecked(target))
          }

          /// Returns a proxy for an object that the first call makes, for all threads.
          static func lazy(
            _ make: @escaping @Sendable () throws -> any Mutable & Sendable
          ) -> MutableProxy {
            MutableProxy(source: LazySource<any Mutable>.unchecked {
                try make()
              })
          }

          /// Returns a proxy that notes its calls, for an object that the first of them makes.
          static func recording(
            into recorder: CallRecorder,
            _ make: @escaping @Sendable () throws -> any Mutable & Sendable
          ) -> MutableProxy {
            MutableProxy(
              source: RecordingSource<any Mutable>.unchecked(into: recorder) {
                try make()
              })
          }

          /// Returns whether objects of a type can be targets.
          static func accepts(_ type: any Any.Type) -> Bool {
            type is any Mutable.Type
          }

          /// Returns the object that the source supplies now.
          func _targetMutable() throws -> any Mutable {
            try _source.target()
          }

          /// The object that the source lends to a call that is made now, if it lends any.
          @inline(__always) var _lentMutable: LentTarget<any Mutable>? {
            _lender?.lent
          }

          /// Compiles where the sources state the conformance, because the optimizer must see it there.
          private func _demandConformance() {
            #sourceLocation(file: "test.swift", line: 2)
            _conformance(self)
            #sourceLocation()
          }

          private func _conformance(_ proxy: any MutableForwarding) {
          }

          @_disfavoredOverload
          @available(*, unavailable, message: "a proxy of a protocol that only its module sees needs a conformance in the sources, because optimized builds go by those alone; write 'extension MutableProxy: MutableForwarding {}' below the protocol")
          private func _conformance(_ proxy: Any) {
          }

          #if objectFormat(MachO)
          @section("__DATA_CONST,__oxbow") @used
          #elseif objectFormat(ELF)
          @section("oxbow_components") @used
          #endif
          nonisolated private static let _componentRecord: ComponentRecord = (
            version: 1,
            describe: {
              $0.assumingMemoryBound(to: RegistryEntry.self).initialize(to: .proxy(ProxyDescriptor(MutableProxy.self, name: "Mutable")))
            }
          )
        }

        nonisolated extension Mutable where Self: MutableForwarding {
          /// Nothing, unless a class says otherwise.
          var _lentMutable: LentTarget<_TargetMutable>? {
            nil
          }

          /// Forwards to the target.
          var title: String {
            get {
              if let _lent = _lentMutable {
                return _lent.call(for: self) {
                  $0.title
                }
              }
              _callObserver?.willCall(ForwardedCall("title", of: "Mutable", .read))
              return _requiredTarget("Mutable", _targetMutable).title
            }
            set {
              if let _lent = _lentMutable {
                return _lent.call(for: self) {
                  $0.title = newValue
                }
              }
              _callObserver?.willCall(ForwardedCall("title", of: "Mutable", .write, [.of(newValue)]))
              let target = _requiredTarget("Mutable", _targetMutable)
              target.title = newValue
            }
          }
        }
        """,
      diagnostics: [
        DiagnosticSpec(
          message:
            "'title' is settable, and a setter cannot throw, so a proxy whose target is missing or "
            + "failed to build would stop the process; use 'get throws' and a throwing method",
          line: 3, column: 7, severity: .warning)
      ])
  }
}

// MARK: - Diagnostics

extension ProxiedMacroTests {
  @Test func `a requirement that does not throw is warned about, with a fix-it`() {
    assertExpansion(
      """
      @Proxied
      protocol P {
        func plain(_ x: Int) -> Int
        func waits() async
        var count: Int { get }
      }
      """,
      to: """
        protocol P {
          func plain(_ x: Int) -> Int
          func waits() async
          var count: Int { get }
        }

        /// The forwarding side of `P`: adopting it gives every requirement a default that asks the target.
        nonisolated protocol PForwarding: P, CallForwarding {
          /// The type of the objects that requirements of `P` are forwarded to.
          typealias _TargetP = any P

          /// Returns the object that requirements of `P` are forwarded to.
          func _targetP() throws -> any P

          /// The same object on loan for one call; nil where `_targetP` is to be asked.
          var _lentP: LentTarget<any P>? {
            get
          }
        }

        /// Stands for an object of `P` that its source supplies at each call.
        nonisolated final class PProxy: ForwardingProxy {
          /// Where the target comes from.
          let _source: any ProxySource<any P>

          /// What is told of each call.
          let _callObserver: (any CallObserver)?

          /// What lends targets to calls of which no observer is told.
          let _lender: TargetLender<any P>?

          /// Creates a proxy for the objects of a source.
          init(source: any ProxySource<any P>) {
            _source = source
            _callObserver = source.callObserver
            _lender = _callObserver == nil ? source.lender : nil
          }

          /// Returns a proxy for one object, which all threads may use.
          static func fixed(_ target: any P & Sendable) -> PProxy {
            PProxy(source: FixedSource<any P>.unchecked(target))
          }

          /// Returns a proxy for an object that the first call makes, for all threads.
          static func lazy(
            _ make: @escaping @Sendable () throws -> any P & Sendable
          ) -> PProxy {
            PProxy(source: LazySource<any P>.unchecked {
                try make()
              })
          }

          /// Returns a proxy that notes its calls, for an object that the first of them makes.
          static func recording(
            into recorder: CallRecorder,
            _ make: @escaping @Sendable () throws -> any P & Sendable
          ) -> PProxy {
            PProxy(
              source: RecordingSource<any P>.unchecked(into: recorder) {
                try make()
              })
          }

          /// Returns whether objects of a type can be targets.
          static func accepts(_ type: any Any.Type) -> Bool {
            type is any P.Type
          }

          /// Returns the object that the source supplies now.
          func _targetP() throws -> any P {
            try _source.target()
          }

          /// The object that the source lends to a call that is made now, if it lends any.
          @inline(__always) var _lentP: LentTarget<any P>? {
            _lender?.lent
          }

          /// Compiles where the sources state the conformance, because the optimizer must see it there.
          private func _demandConformance() {
            #sourceLocation(file: "test.swift", line: 2)
            _conformance(self)
            #sourceLocation()
          }

          private func _conformance(_ proxy: any PForwarding) {
          }

          @_disfavoredOverload
          @available(*, unavailable, message: "a proxy of a protocol that only its module sees needs a conformance in the sources, because optimized builds go by those alone; write 'extension PProxy: PForwarding {}' below the protocol")
          private func _conformance(_ proxy: Any) {
          }

          #if objectFormat(MachO)
          @section("__DATA_CONST,__oxbow") @used
          #elseif objectFormat(ELF)
          @section("oxbow_components") @used
          #endif
          nonisolated private static let _componentRecord: ComponentRecord = (
            version: 1,
            describe: {
              $0.assumingMemoryBound(to: RegistryEntry.self).initialize(to: .proxy(ProxyDescriptor(PProxy.self, name: "P")))
            }
          )
        }

        nonisolated extension P where Self: PForwarding {
          /// Nothing, unless a class says otherwise.
          var _lentP: LentTarget<_TargetP>? {
            nil
          }

          /// Forwards to the target.
          func plain(_ x: Int) -> Int {
            if let _lent = _lentP {
              return _lent.call(for: self) {
                $0.plain(x)
              }
            }
            _callObserver?.willCall(ForwardedCall("plain(_:)", of: "P", .call, [.of(x)]))
            return _requiredTarget("P", _targetP).plain(x)
          }

          /// Forwards to the target.
          func waits() async {
            _callObserver?.willCall(ForwardedCall("waits()", of: "P", .call))
            return await _requiredTarget("P", _targetP).waits()
          }

          /// Forwards to the target.
          var count: Int {
            get {
              if let _lent = _lentP {
                return _lent.call(for: self) {
                  $0.count
                }
              }
              _callObserver?.willCall(ForwardedCall("count", of: "P", .read))
              return _requiredTarget("P", _targetP).count
            }
          }
        }
        """,
      diagnostics: [
        notThrowing("plain", line: 3, column: 8), notThrowing("waits", line: 4, column: 8),
        notThrowing("count", line: 5, column: 7),
      ],
      fixIts: ["add 'throws'"],
      fixedSource: """
        @Proxied
        protocol P {
          func plain(_ x: Int) throws -> Int
          func waits() async throws
          var count: Int { get throws }
        }
        """)
  }

  @Test func `a requirement with limited errors is warned about, with a fix-it`() {
    assertExpansion(
      """
      @Proxied
      protocol P {
        func limited() throws(Problem) -> Int
        func each(_ body: () throws -> Void) rethrows
      }
      """,
      to: """
        protocol P {
          func limited() throws(Problem) -> Int
          func each(_ body: () throws -> Void) rethrows
        }

        /// The forwarding side of `P`: adopting it gives every requirement a default that asks the target.
        nonisolated protocol PForwarding: P, CallForwarding {
          /// The type of the objects that requirements of `P` are forwarded to.
          typealias _TargetP = any P

          /// Returns the object that requirements of `P` are forwarded to.
          func _targetP() throws -> any P

          /// The same object on loan for one call; nil where `_targetP` is to be asked.
          var _lentP: LentTarget<any P>? {
            get
          }
        }

        /// Stands for an object of `P` that its source supplies at each call.
        nonisolated final class PProxy: ForwardingProxy {
          /// Where the target comes from.
          let _source: any ProxySource<any P>

          /// What is told of each call.
          let _callObserver: (any CallObserver)?

          /// What lends targets to calls of which no observer is told.
          let _lender: TargetLender<any P>?

          /// Creates a proxy for the objects of a source.
          init(source: any ProxySource<any P>) {
            _source = source
            _callObserver = source.callObserver
            _lender = _callObserver == nil ? source.lender : nil
          }

          /// Returns a proxy for one object, which all threads may use.
          static func fixed(_ target: any P & Sendable) -> PProxy {
            PProxy(source: FixedSource<any P>.unchecked(target))
          }

          /// Returns a proxy for an object that the first call makes, for all threads.
          static func lazy(
            _ make: @escaping @Sendable () throws -> any P & Sendable
          ) -> PProxy {
            PProxy(source: LazySource<any P>.unchecked {
                try make()
              })
          }

          /// Returns a proxy that notes its calls, for an object that the first of them makes.
          static func recording(
            into recorder: CallRecorder,
            _ make: @escaping @Sendable () throws -> any P & Sendable
          ) -> PProxy {
            PProxy(
              source: RecordingSource<any P>.unchecked(into: recorder) {
                try make()
              })
          }

          /// Returns whether objects of a type can be targets.
          static func accepts(_ type: any Any.Type) -> Bool {
            type is any P.Type
          }

          /// Returns the object that the source supplies now.
          func _targetP() throws -> any P {
            try _source.target()
          }

          /// The object that the source lends to a call that is made now, if it lends any.
          @inline(__always) var _lentP: LentTarget<any P>? {
            _lender?.lent
          }

          /// Compiles where the sources state the conformance, because the optimizer must see it there.
          private func _demandConformance() {
            #sourceLocation(file: "test.swift", line: 2)
            _conformance(self)
            #sourceLocation()
          }

          private func _conformance(_ proxy: any PForwarding) {
          }

          @_disfavoredOverload
          @available(*, unavailable, message: "a proxy of a protocol that only its module sees needs a conformance in the sources, because optimized builds go by those alone; write 'extension PProxy: PForwarding {}' below the protocol")
          private func _conformance(_ proxy: Any) {
          }

          #if objectFormat(MachO)
          @section("__DATA_CONST,__oxbow") @used
          #elseif objectFormat(ELF)
          @section("oxbow_components") @used
          #endif
          nonisolated private static let _componentRecord: ComponentRecord = (
            version: 1,
            describe: {
              $0.assumingMemoryBound(to: RegistryEntry.self).initialize(to: .proxy(ProxyDescriptor(PProxy.self, name: "P")))
            }
          )
        }

        nonisolated extension P where Self: PForwarding {
          /// Nothing, unless a class says otherwise.
          var _lentP: LentTarget<_TargetP>? {
            nil
          }

          /// Forwards to the target.
          func limited() throws(Problem) -> Int {
            _callObserver?.willCall(ForwardedCall("limited()", of: "P", .call))
            return try _requiredTarget("P", _targetP).limited()
          }

          /// Forwards to the target.
          func each(_ body: () throws -> Void) rethrows {
            _callObserver?.willCall(ForwardedCall("each(_:)", of: "P", .call, [.unseen("function")]))
            return try _requiredTarget("P", _targetP).each(body)
          }
        }
        """,
      diagnostics: [
        limited("limited", "throws(Problem)", line: 3), limited("each", "rethrows", line: 4),
      ],
      fixIts: ["throw any error"],
      fixedSource: """
        @Proxied
        protocol P {
          func limited() throws -> Int
          func each(_ body: () throws -> Void) throws
        }
        """)
  }

  private func notThrowing(_ name: String, line: Int, column: Int) -> DiagnosticSpec {
    DiagnosticSpec(
      message:
        "'\(name)' does not throw, so a proxy cannot report that its target is missing or failed "
        + "to build and would stop the process; make it throwing",
      line: line, column: column, severity: .warning,
      fixIts: [FixItSpec(message: "add 'throws'")])
  }

  private func limited(_ name: String, _ clause: String, line: Int) -> DiagnosticSpec {
    DiagnosticSpec(
      message:
        "'\(name)' is declared '\(clause)', so a proxy cannot report that its target is missing or "
        + "failed to build and would stop the process; make it plainly throwing",
      line: line, column: 8, severity: .warning,
      fixIts: [FixItSpec(message: "throw any error")])
  }

  /// A protocol with one member (or a whole declaration), refused with one message.
  @Test(arguments: refusals)
  func `what a proxy cannot stand for is refused`(_ refusal: Refusal) {
    let source = refusal.source.replacing(#/@Proxied(\(.*\))? ?/#, with: "", maxReplacements: 1)
    // So that the line with the conformance is no second error.
    let standIns = "\n\nprotocol PForwarding {\n}\n\nfinal class PProxy {\n}"
    assertExpansion(
      refusal.source, to: source.contains("protocol P") ? source + standIns : source,
      diagnostics: [
        DiagnosticSpec(message: refusal.message, line: refusal.line, column: refusal.column)
      ])
  }

  struct Refusal: Sendable {
    let source: String
    let message: String
    var line = 1
    var column = 1
  }

  static let refusals: [Refusal] = [
    Refusal(
      source: "@Proxied class C {}",
      message: "'@Proxied' generates a proxy for a protocol, and 'C' is a class; "
        + "declare a protocol for what callers need and attach it there", column: 1),
    Refusal(
      source: "@Proxied @MainActor protocol P {}",
      message: "a proxy of 'P' would be called from any thread, but the protocol is isolated to "
        + "'MainActor'; declare it 'nonisolated'", column: 10),
    Refusal(
      source: "@Proxied protocol P: Hashable {}",
      message: "a proxy cannot forward 'Hashable', because that protocol is not '@Proxied'; "
        + "declare the requirements that callers need in this protocol instead", column: 22),
    Refusal(
      source: "@Proxied protocol P {\n  associatedtype Key\n}",
      message: "a proxy reaches its target through 'any', which leaves the associated type 'Key' "
        + "open; make it a primary associated type of the protocol", line: 2, column: 3),
    Refusal(
      source: "@Proxied(also: 1) protocol P {}",
      message: "'also:' takes protocols spelled as 'Name.self'", column: 16),
    Refusal(
      source: "@Proxied(also: Named.self) protocol P: Named {}",
      message:
        "'Named' is a direct parent and is forwarded already; 'also:' is for a protocol that "
        + "several parents refine", column: 16),
    Refusal(
      source: "@Proxied protocol P {\n  init()\n}",
      message: "a proxy cannot forward an initializer: its target exists already or is built "
        + "elsewhere", line: 2, column: 3),
    Refusal(
      source: "@Proxied protocol P {\n  static func make() throws\n}",
      message: "a proxy stands for an object and cannot forward the static 'make'", line: 2,
      column: 3),
    Refusal(
      source: "@Proxied protocol P {\n  mutating func clear() throws\n}",
      message: "'clear' would change a copy of the proxy's target, and the change would be lost; "
        + "make the protocol refine 'AnyObject' and drop 'mutating'", line: 2, column: 3),
    Refusal(
      source: "@Proxied protocol P {\n  var name: String { get set }\n}",
      message: "setting 'name' would change a copy of the proxy's target, and the change would be "
        + "lost; make the protocol refine 'AnyObject', or drop the setter", line: 2, column: 7),
    Refusal(
      source: "@Proxied protocol P {\n  func add(_ x: Int...) throws\n}",
      message: "Swift cannot pass variadic arguments on, so 'add' cannot be forwarded; "
        + "take an array", line: 2, column: 12),
    Refusal(
      source: "@Proxied protocol P {\n  func copy() throws -> Self\n}",
      message: "'copy' mentions 'Self', which is the proxy here and the target there; "
        + "spell the protocol's type instead", line: 2, column: 25),
    Refusal(
      source: """
        @Proxied
        protocol P {
          #if DEBUG
          func check() throws
          #endif
        }
        """,
      message: "'@Proxied' cannot see which branch of '#if' is compiled; declare two protocols "
        + "instead", line: 3, column: 3),
  ]
}
