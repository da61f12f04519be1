#if PostgreSQL
  public import Logging

  /// How a store on a PostgreSQL server is opened.
  public struct PostgresStoreOptions: Sendable {
    /// Whether the store is only read, as on a replica.
    public var isReadOnly: Bool

    /// Whether the schema and its tables are made when there are none.
    public var createsStore: Bool

    /// The largest number of connections, and of threads on which asynchronous callers wait for
    /// them.
    ///
    /// A server has about a hundred for all programs.
    public var connections: Int

    /// How long a call waits for a connection, and a save for the locks of others, in milliseconds.
    public var waitMilliseconds: Int

    /// How long a connection may take to be made, in seconds; at least 2.
    public var connectSeconds: Int

    /// How long to ask, in milliseconds, whether a save is there whose connection was lost in its
    /// commit.
    ///
    /// Afterwards the save is `commitUnknown`.
    public var outcomeMilliseconds: Int

    /// How long the server may be silent, in milliseconds, while a call waits for it.
    ///
    /// Afterwards a read is ended on the server, and throws `storeLocked`. Where the server does
    /// not hear that either, and for a save, the connection counts as lost.
    public var answerMilliseconds: Int

    /// Whether the server keeps the plans of statements that come again: yes, unless said
    /// otherwise.
    ///
    /// Behind a pooler that gives each transaction another connection, it must not.
    public var preparesStatements: Bool

    /// Where contexts log; `nil` for reports on standard error only.
    public var logger: Logger?

    /// Creates options.
    public init(
      isReadOnly: Bool = false, createsStore: Bool = true, connections: Int = 8,
      waitMilliseconds: Int = 5000, connectSeconds: Int = 10, outcomeMilliseconds: Int = 30_000,
      answerMilliseconds: Int = 300_000, preparesStatements: Bool = true, logger: Logger? = nil
    ) {
      self.isReadOnly = isReadOnly
      self.createsStore = createsStore
      self.connections = connections
      self.waitMilliseconds = waitMilliseconds
      self.connectSeconds = connectSeconds
      self.outcomeMilliseconds = outcomeMilliseconds
      self.answerMilliseconds = answerMilliseconds
      self.preparesStatements = preparesStatements
      self.logger = logger
    }
  }
#endif
