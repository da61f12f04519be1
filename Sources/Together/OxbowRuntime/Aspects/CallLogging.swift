public import Logging
public import OxbowContainer

/// An aspect that logs calls: what was called, how long it took, and the error that it threw.
///
/// ```swift
/// builder.logging(on: .objects("books"), to: logger)
/// ```
///
/// A call that returns is logged at the level that is given, one that throws at `warning`.
/// Arguments, which may be secrets, are left out unless `showsArguments` is set.
public final class CallLogging: NonThrowingAspect, AsyncAspect {
  private let logger: Logger
  private let level: Logger.Level
  private let showsArguments: Bool

  /// Creates an aspect that logs calls that return at `level`.
  public init(logger: Logger, level: Logger.Level = .debug, showsArguments: Bool = false) {
    self.logger = logger
    self.level = level
    self.showsArguments = showsArguments
  }

  /// Logs a call when it has ended.
  public func around(_ call: Invocation, proceed: () throws -> Void) rethrows {
    let start = ContinuousClock.now
    do { try proceed() } catch {
      log(call, since: start, error)
      throw error
    }
    log(call, since: start)
  }

  /// Logs an async call when it has ended.
  nonisolated(nonsending) public func around(
    _ call: Invocation, proceed: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    let start = ContinuousClock.now
    do { try await proceed() } catch {
      log(call, since: start, error)
      throw error
    }
    log(call, since: start)
  }

  private func log(
    _ call: Invocation, since start: ContinuousClock.Instant, _ error: (any Error)? = nil
  ) {
    let text = "\(call.protocolName).\(showsArguments ? call.description : call.name)"
    var metadata: Logger.Metadata = ["duration": "\(start.duration(to: .now))"]
    if let error { metadata["error"] = "\(error)" }
    logger.log(level: error == nil ? level : .warning, "\(text)", metadata: metadata)
  }
}

extension ContainerBuilder {
  /// Defines an aspect that logs calls; see ``CallLogging``.
  ///
  /// Its name, unique in the container, is made of the pointcut unless one is given. Aspects with a
  /// smaller `order` are the outer ones.
  ///
  /// - Returns: A reference to the aspect.
  @discardableResult
  public func logging(
    named name: String? = nil, on pointcut: Pointcut, to logger: Logger,
    level: Logger.Level = .debug, showsArguments: Bool = false, order: Int = 0,
    file: String = #fileID, line: Int = #line
  ) -> Ref<CallLogging> {
    aspect(
      named: name ?? pointcut.aspectName("logging"), on: pointcut, order: order,
      { CallLogging(logger: logger, level: level, showsArguments: showsArguments) }, file: file,
      line: line)
  }
}
