import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A connection between two processes that carries JSON, a line for each value.
final class Line {
  private let descriptor: Int32
  private let file: FileHandle
  private var rest = Data()

  fileprivate init(_ descriptor: Int32) {
    self.descriptor = descriptor
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Connects to a socket that another process listens at.
  convenience init(connectingTo path: String) throws {
    let descriptor = Exchange.socket()
    guard Exchange.call(path, { connect(descriptor, $0, $1) }) == 0 else {
      throw Divergence("test", "cannot connect to \(path), errno \(errno)")
    }
    self.init(descriptor)
  }

  func write(_ value: some Encodable) throws {
    let bytes = Array(try JSONEncoder().encode(value)) + [10]
    var start = 0
    while start < bytes.count {
      let sent = bytes[start...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Exchange.noSignal)
      }
      guard sent > 0 else { throw Divergence("crash", "the other process has ended") }
      start += sent
    }
  }

  /// Reads a value; `nil` when the other process has ended.
  func read<T: Decodable>() throws -> T? {
    while true {
      if let end = rest.firstIndex(of: 10) {
        let line = rest[rest.startIndex..<end]
        rest = Data(rest[(end + 1)...])
        return try JSONDecoder().decode(T.self, from: line)
      }
      let more = file.availableData
      if more.isEmpty { return nil }
      rest += more
    }
  }
}

/// A socket in a folder at which a process waits for another one.
final class Exchange: Sendable {
  private let listener: Int32

  init(_ path: String) throws {
    listener = Self.socket()
    guard Self.call(path, { [listener] in bind(listener, $0, $1) }) == 0, listen(listener, 8) == 0
    else { throw Divergence("test", "cannot listen at \(path), errno \(errno)") }
  }

  deinit { close(listener) }

  /// Waits for another process.
  func accept() throws -> Line {
    #if canImport(Darwin)
      let descriptor = Darwin.accept(listener, nil, nil)
    #elseif canImport(Glibc)
      let descriptor = Glibc.accept(listener, nil, nil)
    #elseif canImport(Musl)
      let descriptor = Musl.accept(listener, nil, nil)
    #endif
    guard descriptor >= 0 else { throw Divergence("test", "no other process, errno \(errno)") }
    return Line(descriptor)
  }

  fileprivate static func socket() -> Int32 {
    #if canImport(Glibc)
      Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #elseif canImport(Musl)
      Musl.socket(AF_UNIX, SOCK_STREAM, 0)
    #else
      Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
  }

  fileprivate static var noSignal: Int32 {
    #if canImport(Darwin)
      0
    #else
      Int32(MSG_NOSIGNAL)
    #endif
  }

  fileprivate static func call(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: path.utf8.prefix($0.count - 1))
    }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
