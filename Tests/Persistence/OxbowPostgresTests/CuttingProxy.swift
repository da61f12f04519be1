#if PostgreSQL
  import Foundation
  import OxbowTestSupport
  import Synchronization

  /// A way to a server that cuts a connection when a COMMIT passes, or any message.
  final class CuttingProxy: Sendable {
    enum Cut: String, CaseIterable, Sendable {
      /// The server never gets it.
      case before
      /// The server commits, and its answer is lost.
      case after
      /// The client hears that the connection is lost, and the server gets the bytes later: when
      /// another connection was answered, or waits for what the first one has locked.
      case late
      /// The server commits, and its answer is lost without a sign: nothing is closed.
      case silent

      /// Those that the client hears of.
      static let heard: [Cut] = [.before, .after, .late]
    }

    /// What is cut next.
    private enum Plan {
      case commit(Cut)
      /// So many messages of the protocol still pass.
      case message(Int)
    }

    let folder: String
    private let server: TestServer
    private let plan = Mutex<Plan?>(nil)
    private let refuses = Mutex(false)
    private let watcher = Mutex<(@Sendable (_ chunk: Int) -> Bool)?>(nil)
    private let chunks = Mutex(0)
    private let isPooler = Mutex(false)
    private let answerBytes = Mutex<Int?>(nil)
    private let listener: Int32

    /// Another connection than the one that was cut was answered.
    private let otherAnswer = DispatchSemaphore(value: 0)

    /// The server has ended the connection that was cut.
    private let end = DispatchSemaphore(value: 0)

    init?(to server: TestServer, name: String = "proxy") {
      self.server = server
      folder = server.folder + "/" + name
      mkdir(folder, 0o755)
      listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      unlink(Self.path(folder))
      let bound = Self.withAddress(folder) { bind(listener, $0, $1) }
      guard bound == 0, listen(listener, 16) == 0 else { return nil }
      let (socketOfProxy, serverFolder) = (listener, server.folder)
      Thread.detachNewThread { [weak self] in
        while true {
          let client = accept(socketOfProxy, nil, nil)
          guard client >= 0, let self else { return }
          guard !self.refuses.withLock({ $0 }) else {
            close(client)
            continue
          }
          let target = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
          guard Self.withAddress(serverFolder, { connect(target, $0, $1) }) == 0 else {
            close(client)
            close(target)
            continue
          }
          Passage(self, client, target).start()
        }
      }
    }

    /// How clients reach the server through it.
    var connection: String { "host=\(folder) port=5432 user=oxbow dbname=postgres" }

    /// Cuts the connection by which the next COMMIT comes.
    func cutNext(_ cut: Cut) { plan.withLock { $0 = .commit(cut) } }

    /// Cuts the connection behind so many messages of the protocol: the parts of a statement.
    func cut(behind messages: Int) { plan.withLock { $0 = .message(messages) } }

    /// Cuts the connection on which the server has answered so many bytes, once.
    func cutAnswers(behind bytes: Int) { answerBytes.withLock { $0 = bytes } }

    /// Whether the cut of ``cutAnswers(behind:)`` was made.
    var hasCutAnswers: Bool { answerBytes.withLock { $0 == nil } }

    private func passes(answer bytes: Int) -> Bool {
      answerBytes.withLock { rest in
        guard let left = rest else { return true }
        rest = bytes < left ? left - bytes : nil
        return rest != nil
      }
    }

    /// Whether the cut was made.
    var hasCut: Bool { plan.withLock { $0 == nil } }

    /// Waits until the server has ended the connection that was cut.
    func awaitEnd() { end.wait() }

    /// Asks `body` before each round trip of a client, counted from 1 over all connections, whether
    /// it passes; one that does not is the last of its connection.
    func watch(_ body: (@Sendable (_ chunk: Int) -> Bool)?) {
      chunks.withLock { $0 = 0 }
      watcher.withLock { $0 = body }
    }

    /// Makes up the numbers of connections, as a pooler does.
    func poseAsPooler() { isPooler.withLock { $0 = true } }

    /// Refuses all connections from now on.
    func refuseFurther() { refuses.withLock { $0 = true } }
  }

  // MARK: - One connection

  extension CuttingProxy {
    /// A connection of a client, and its own to the server.
    private final class Passage: Sendable {
      private let proxy: CuttingProxy
      private let client: Int32
      private let target: Int32
      private let isMuted = Shared(false)

      /// What follows is no longer the beginning of a connection.
      private let hasAsked = Shared(false)
      private let answer = DispatchSemaphore(value: 0)
      private let serverEnd = DispatchSemaphore(value: 0)

      init(_ proxy: CuttingProxy, _ client: Int32, _ target: Int32) {
        self.proxy = proxy
        self.client = client
        self.target = target
      }

      func start() {
        Thread.detachNewThread { [self] in
          copy(target, client, passesAnswer)
          shutdown(client, Int32(SHUT_RDWR))
          serverEnd.signal()
        }
        Thread.detachNewThread { [self] in
          var isCut = false
          copy(client, target) { bytes in
            guard proxy.passes() else {
              shutdown(client, Int32(SHUT_RDWR))
              return false
            }
            // The first message of a connection has no letter.
            if bytes.first != 0 { hasAsked.value.withLock { $0 = true } }
            isCut = cuts(bytes)
            return !isCut
          }
          shutdown(target, Int32(SHUT_WR))
          serverEnd.wait()
          close(client)
          close(target)
          if isCut { proxy.end.signal() }
        }
      }

      /// Whether bytes of the server reach the client.
      private func passesAnswer(_ bytes: ArraySlice<UInt8>) -> Bool? {
        guard !isMuted.value.withLock({ $0 }) else {
          answer.signal()
          return nil
        }
        if hasAsked.value.withLock({ $0 }) { proxy.otherAnswer.signal() }
        return proxy.passes(answer: bytes.count)
      }

      /// Copies bytes as long as `passes` lets them pass; `nil` for bytes that are dropped.
      private func copy(
        _ from: Int32, _ to: Int32, _ passes: (ArraySlice<UInt8>) -> Bool?
      ) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
          let count = read(from, &buffer, buffer.count)
          guard count > 0 else { return }
          guard let isPassing = passes(buffer[..<count]) else { continue }
          guard isPassing else { return }
          CuttingProxy.send(proxy.posing(buffer[..<count]), to: to)
        }
      }

      // MARK: Cuts

      /// Makes the cut that is due with these bytes, if one is.
      private func cuts(_ bytes: ArraySlice<UInt8>) -> Bool {
        switch proxy.due(bytes) {
        case nil: return false
        case .commit(let cut): make(cut, bytes)
        case .message(let place):
          CuttingProxy.send(bytes[..<place], to: target)
          shutdown(client, Int32(SHUT_RDWR))
        }
        return true
      }

      private func make(_ cut: Cut, _ bytes: ArraySlice<UInt8>) {
        isMuted.value.withLock { $0 = true }
        switch cut {
        case .before: break
        case .after:
          CuttingProxy.send(bytes, to: target)
          answer.wait()
        case .late:
          shutdown(client, Int32(SHUT_RDWR))
          proxy.awaitOther()
          CuttingProxy.send(bytes, to: target)
        case .silent:
          CuttingProxy.send(bytes, to: target)
          copy(client, target) { _ in nil }
        }
        shutdown(client, Int32(SHUT_RDWR))
      }
    }

    /// Bytes with another number of the connection, if the server says it in them.
    private func posing(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      let key: [UInt8] = [UInt8(ascii: "K"), 0, 0, 0, 12]
      guard isPooler.withLock({ $0 }), let range = bytes.firstRange(of: key) else { return bytes }
      var posing = bytes
      posing[range.upperBound] ^= 0x40
      return posing
    }

    private func passes() -> Bool {
      guard let body = watcher.withLock({ $0 }) else { return true }
      return body(
        chunks.withLock { count in
          count += 1
          return count
        })
    }

    /// The cut that comes with these bytes: a message's is the place where they end.
    private func due(_ bytes: ArraySlice<UInt8>) -> Plan? {
      plan.withLock { plan in
        switch plan {
        case nil: return nil
        case .commit:
          guard bytes.firstRange(of: Array("COMMIT\0".utf8)) != nil else { return nil }
          defer { plan = nil }
          return plan
        case .message(var rest):
          var place = bytes.startIndex
          while rest > 0, place < bytes.endIndex {
            place += Self.size(of: bytes[place...])
            rest -= 1
          }
          plan = rest > 0 || place >= bytes.endIndex ? .message(rest) : nil
          return plan == nil ? .message(place) : nil
        }
      }
    }

    /// The bytes of a message: its first has none of a connection's, which has no letter.
    private static func size(of bytes: ArraySlice<UInt8>) -> Int {
      let letters = bytes.first == 0 ? 0 : 1
      return letters
        + bytes.dropFirst(letters).prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Waits until another connection was answered, or waits itself for a lock.
    private func awaitOther() {
      while otherAnswer.wait(timeout: .now()) == .success {}
      let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
      while otherAnswer.wait(timeout: .now() + 0.02) == .timedOut {
        if server.sql(waiting) != "0" { return }
      }
    }
  }

  // MARK: - Sockets

  extension CuttingProxy {
    private static func send(_ bytes: ArraySlice<UInt8>, to target: Int32) {
      var rest = bytes
      while !rest.isEmpty {
        let sent = rest.withUnsafeBytes {
          Glibc.send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent > 0 else { return }
        rest = rest.dropFirst(sent)
      }
    }

    private static func path(_ folder: String) -> String { folder + "/.s.PGSQL.5432" }

    private static func withAddress(
      _ folder: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path(folder).utf8) }
      return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
  }

  /// Work on a thread of its own: calls of a store block, and tests' tasks have few threads.
  final class Beside<Result: Sendable>: Sendable {
    private let found = Mutex<Result?>(nil)
    private let end = DispatchGroup()

    init(_ body: @escaping @Sendable () -> Result) {
      end.enter()
      Thread.detachNewThread { [self] in
        let result = body()
        found.withLock { $0 = result }
        end.leave()
      }
    }

    /// What it has found, when it has ended.
    @discardableResult
    func result() -> Result? {
      end.wait()
      return found.withLock { $0 }
    }
  }

  /// A value that several threads have.
  final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }
  }
#endif
