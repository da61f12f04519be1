#if PostgreSQL
  public import Logging
  public import OxbowStore

  /// How a store on a PostgreSQL server is opened.
  public struct PostgresStoreOptions: Sendable {
    /// Whether the store is only read, as on a replica.
    public var isReadOnly: Bool

    /// Whether the schema and its tables are made when there are none.
    public var createsStore: Bool

    /// The largest number of connections, and of threads on which asynchronous callers wait for
    /// them.
    ///
    /// A server has about a hundred for all programs. With a history there are some more: one while
    /// the program saves, one while it waits for the saves of others, and one for each consumer
    /// that works.
    public var connections: Int

    /// The largest number of contexts that read one moment of the store each
    /// (`ManagedObjectContext(pinning:)`), and have a connection to themselves beside
    /// ``connections``.
    public var maximumPinnedViews: Int

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

    /// What the store notes of each save for its history: nothing, unless said otherwise.
    ///
    /// The store gets the tables of a history when it is first opened with one. From then on all
    /// programs note their saves, those as well that have it open already: what this opening says
    /// is for its own saves, and for programs that open the store with `off` later.
    public var history: HistoryRecording

    /// Whether the saves of other programs are announced like those of this one: no, unless said
    /// otherwise.
    ///
    /// Contexts that merge the saves of others, fetched results and `didSaveEvents()` hear of them.
    /// The store needs a history, in which they are read. It takes one more connection while some
    /// wait for events, beside ``connections``, on which the server says within milliseconds that
    /// something was saved. The history is also looked at each second, for what was not said: by a
    /// program that has ended at once, or through a pooler.
    public var followsOtherProcesses: Bool

    /// How much of the history is kept; a program that saves looks after it each minute.
    public var historyLimits: HistoryLimits

    /// How replicas of the server are reached, as ``PostgresLocation/connection``, for contexts
    /// that read there (``ReadPlace``); `nil` if there are none.
    ///
    /// Of several hosts, the first that answers is read. There are as many connections as
    /// ``connections`` to it, beside those to the primary server, which is read while no replica
    /// can be used.
    public var replica: String?

    /// How long a read waits for a replica that lacks what the program has saved, in milliseconds,
    /// before the primary server is read.
    public var replicaMilliseconds: Int

    /// Where contexts log; `nil` for reports on standard error only.
    public var logger: Logger?

    /// Creates options.
    public init(
      isReadOnly: Bool = false, createsStore: Bool = true, connections: Int = 8,
      maximumPinnedViews: Int = 4, waitMilliseconds: Int = 5000, connectSeconds: Int = 10,
      outcomeMilliseconds: Int = 30_000,
      answerMilliseconds: Int = 300_000,
      preparesStatements: Bool = true, history: HistoryRecording = .off,
      followsOtherProcesses: Bool = false, historyLimits: HistoryLimits = HistoryLimits(),
      replica: String? = nil, replicaMilliseconds: Int = 100,
      logger: Logger? = nil
    ) {
      self.isReadOnly = isReadOnly
      self.createsStore = createsStore
      self.connections = connections
      self.maximumPinnedViews = maximumPinnedViews
      self.waitMilliseconds = waitMilliseconds
      self.connectSeconds = connectSeconds
      self.outcomeMilliseconds = outcomeMilliseconds
      self.answerMilliseconds = answerMilliseconds
      self.preparesStatements = preparesStatements
      self.history = history
      self.followsOtherProcesses = followsOtherProcesses
      self.historyLimits = historyLimits
      self.replica = replica
      self.replicaMilliseconds = replicaMilliseconds
      self.logger = logger
    }
  }
#endif
