#if PostgreSQL
  import Foundation
  import OxbowTestSupport
  import Synchronization

  /// A way to a server that cuts a connection when a COMMIT passes.
  final class CuttingProxy: Sendable {
    enum Cut: String, CaseIterable, Sendable {
      /// The server never gets it.
      case before
      /// The server commits, and its answer is lost.
      case after
      /// The client hears that the connection is lost, and the server gets the bytes later.
      case late
    }

    let folder: String
    private let server: String
    private let armed = Mutex<Cut?>(nil)
    private let refuses = Mutex(false)
    private let watcher = Mutex<(@Sendable (_ message: Int) -> Bool)?>(nil)
    private let messages = Mutex(0)
    private let listener: Int32

    init?(to server: TestServer, name: String = "proxy") {
      self.server = server.folder
      folder = server.folder + "/" + name
      mkdir(folder, 0o755)
      listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      unlink(Self.path(folder))
      let bound = Self.withAddress(folder) { bind(listener, $0, $1) }
      guard bound == 0, listen(listener, 16) == 0 else { return nil }
      let (socketOfProxy, serverFolder) = (listener, self.server)
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
          self.pass(client, target)
        }
      }
    }

    /// Cuts the connection by which the next COMMIT comes.
    func cutNext(_ cut: Cut) { armed.withLock { $0 = cut } }

    /// Asks `body` before each message of a client, counted from 1 over all connections, whether it
    /// passes; one that does not is the last of its connection.
    func watch(_ body: (@Sendable (_ message: Int) -> Bool)?) {
      messages.withLock { $0 = 0 }
      watcher.withLock { $0 = body }
    }

    private func passes() -> Bool {
      guard let body = watcher.withLock({ $0 }) else { return true }
      return body(
        messages.withLock { count in
          count += 1
          return count
        })
    }

    /// Refuses all connections from now on.
    func refuseFurther() { refuses.withLock { $0 = true } }

    /// Whether the cut was made.
    var hasCut: Bool { armed.withLock { $0 == nil } }

    private func pass(_ client: Int32, _ target: Int32) {
      let isMuted = Shared(false)
      Thread.detachNewThread {
        Self.copy(target, client) { _ in !isMuted.value.withLock { $0 } }
        shutdown(client, Int32(SHUT_RDWR))
      }
      Thread.detachNewThread { [self] in
        Self.copy(client, target) { bytes in
          guard passes() else {
            shutdown(client, Int32(SHUT_RDWR))
            return false
          }
          guard bytes.firstRange(of: Array("COMMIT\0".utf8)) != nil,
            let cut = armed.withLock({ cut in
              defer { cut = nil }
              return cut
            })
          else { return true }
          isMuted.value.withLock { $0 = true }
          make(cut, bytes, client, target)
          return false
        }
        shutdown(target, Int32(SHUT_RDWR))
      }
    }

    private func make(_ cut: Cut, _ bytes: ArraySlice<UInt8>, _ client: Int32, _ target: Int32) {
      if cut == .late {
        shutdown(client, Int32(SHUT_RDWR))
        usleep(700_000)
      }
      if cut != .before { Self.send(bytes, to: target) }
      if cut != .before { usleep(300_000) }
      shutdown(client, Int32(SHUT_RDWR))
      shutdown(target, Int32(SHUT_RDWR))
    }

    /// Copies bytes as long as `isPassing` lets them pass.
    private static func copy(
      _ from: Int32, _ to: Int32, _ isPassing: (ArraySlice<UInt8>) -> Bool
    ) {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(from, &buffer, buffer.count)
        guard count > 0, isPassing(buffer[..<count]) else { return }
        send(buffer[..<count], to: to)
      }
    }

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

  /// A value that several threads have.
  final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }
  }
#endif
