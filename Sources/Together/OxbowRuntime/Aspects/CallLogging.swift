public import Logging
public import OxbowContainer

/// An aspect that logs calls: what was called, how long it took, and the error that it threw.
///
/// ```swift
/// builder.logging(on: .objects("books"), to: logger)
/// ```
///
/// A call that returns is logged at the level that is given, one that throws at `warning`.
/// Arguments are left out unless they are asked for: they may be secrets.
public final class CallLogging: NonThrowingAspect, AsyncAspect {
  private let logger: Logger
  private let level: Logger.Level
  private let showsArguments: Bool

  /// Creates the aspect.
  ///
  /// - Parameters:
  ///   - logger: Where calls are logged.
  ///   - level: The level of calls that return.
  ///   - showsArguments: Whether the arguments are logged as well.
  public init(logger: Logger, level: Logger.Level = .debug, showsArguments: Bool = false) {
    self.logger = logger
    self.level = level
    self.showsArguments = showsArguments
  }

  /// Logs a call when it has ended.
  public func around(_ call: Invocation, proceed: () throws -> Void) rethrows {
    let start = ContinuousClock.now
    do {
      try proceed()
    } catch {
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
    do {
      try await proceed()
    } catch {
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
  /// - Parameters:
  ///   - name: The name of the aspect, unique in its container; nil for one made of the pointcut.
  ///   - pointcut: Which calls.
  ///   - logger: Where calls are logged.
  ///   - level: The level of calls that return; those that throw are logged as warnings.
  ///   - showsArguments: Whether the arguments are logged as well.
  ///   - order: Aspects with smaller numbers are the outer ones.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
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
