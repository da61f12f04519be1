public import Logging
package import OxbowPlatform
public import OxbowStore

/// How a SQLite store is opened.
public struct SQLiteStoreOptions: Sendable {
  /// How soon a save is on the medium: at once, unless said otherwise.
  public var synchronous: Synchronous

  /// Whether the store is only read: the file must exist, and may be on read-only media.
  ///
  /// What a killed writer left unfinished is undone all the same, by one that may write; without
  /// that permission such a store cannot be opened (`storeUnreachable`).
  public var isReadOnly: Bool

  /// Whether a store is created when there is none.
  public var createsStore: Bool

  /// How long to wait for other connections and processes, in milliseconds.
  public var busyMilliseconds: Int

  /// The largest number of fetches that read at once.
  public var maximumReaders: Int

  /// The largest number of threads on which asynchronous callers use the store at once: 16, unless
  /// said otherwise, and at least one.
  ///
  /// `await perform { … }` and streams of values run there, so that callers which wait for the disk
  /// or for a lock keep no other task of the program waiting, and saves that wait together share a
  /// commit. Threads begin when they are needed and end after ten seconds without work. More than
  /// twice ``maximumReaders`` are of use only for saves. Of several stores of one coordinator, the
  /// largest number counts.
  public var workThreads: Int

  /// The largest number of contexts that read a moment of the store at once, each of its own.
  public var maximumPinnedViews: Int

  /// The size that the database must not exceed, or `nil` for no limit.
  public var maximumBytes: Int?

  /// From how many bytes on a value is in a file beside the store rather than in its row, where
  /// the attribute allows external storage: 100 KiB, unless said otherwise.
  ///
  /// Smaller ones are read faster from the database, larger ones from a file
  /// (https://sqlite.org/intern-v-extern-blob.html). A store in memory keeps all in rows.
  public var externalStorageThreshold: Int

  /// Whether values in files are mapped into memory rather than read: no, unless said otherwise.
  ///
  /// A fetch of large values is as cheap as one of small values then, and bytes take memory when
  /// they are touched.
  ///
  /// As with SQLite's `mmap_size`, an error of the disk under such bytes, or a program that makes
  /// the file shorter, ends the process by a signal, where reading throws an error. It is meant for
  /// disks of the machine's own. Of one process, up to 16,384 values are mapped at a time, and
  /// further ones are read. Fetches of rows and of SQL always read. Stores of one process that have
  /// the same file open do as the first of them.
  public var mapsExternalStorage: Bool

  /// Whether a write-ahead log is used where the file system allows it.
  ///
  /// Without it, one connection does everything, and readers wait for writers.
  public var usesWriteAheadLog: Bool

  /// What the store notes of each save for its history: nothing, unless said otherwise.
  ///
  /// It counts for the saves of this opening. The store gets the tables of a history when it is
  /// first opened with one; versions of Oxbow before they came refuse it from then on
  /// (`storeNewer`). A store of the program's own (`StoreLocation.atomic`) has none.
  public var history: HistoryRecording

  /// Whether the saves of other processes are announced like those of this one: no, unless said
  /// otherwise.
  ///
  /// Contexts that merge the saves of others, fetched results and `didSaveEvents()` hear of them.
  /// It needs ``history`` here and in the programs that save. They wake this one within
  /// milliseconds by the lock file beside the store; where the system reports no writes, as on
  /// network file systems, this one looks from time to time. What a program saves without a
  /// history, or by SQL, and saves of more than 100,000 objects are noticed as "anything may have
  /// changed". A context that reads one moment goes on reading it.
  public var followsOtherProcesses: Bool

  /// How much of the history is kept.
  public var historyLimits: HistoryLimits

  /// Whether error messages and logged statements may show bound values, which are user data.
  public var showsValues: Bool

  /// Where the store, its migrations and its contexts log; `nil` for reports on standard error
  /// only.
  ///
  /// - `debug`: each statement with its duration. The level is looked at once, when the store is
  ///   opened; stores of one process that have the same file open share the connections of the
  ///   first.
  /// - `notice`: each migration that was applied.
  /// - `warning`: statements that took ``slowStatementMilliseconds`` or longer; and what contexts
  ///   report: uses off their owner, work that was never saved, and unplanned faults where the
  ///   policy is `log`.
  ///
  /// The entry of a statement has the metadata `store`, `connection`, `microseconds`, from its
  /// first step to its last, and `scannedRows`: those that SQLite looked at one after the other,
  /// because no index led to them.
  public var logger: Logger?

  /// From how many milliseconds on a statement is logged as slow; `nil` for never, 0 for always.
  ///
  /// SQLite measures each statement then, whatever the logger's level is.
  public var slowStatementMilliseconds: Int?

  /// Whether a store of Core Data that is mirrored to CloudKit may be written: no, unless said
  /// otherwise.
  ///
  /// Saves of this program are not mirrored; in a copy that nothing synchronizes, that is right.
  public var isUnsynchronizedCopy = false

  /// How a store that is made keeps its objects: as Oxbow does, unless said otherwise.
  ///
  /// A store that exists says itself which layout it has. A new one of Core Data's is a file; it
  /// gets the version hashes of the model's document, or of the model, if it was made in code. Its
  /// model must not have what is not known of that layout (`unsupported`), which the error names.
  public var layout = StoreLayout.plain

  /// The threads of asynchronous callers, where several stores share them.
  package var sharedThreads: WorkThreads?

  /// Whether the store gets the search indexes that its model asks for.
  var makesSearchIndexes = true

  /// Whether a store that is only read has the same files beside it afterwards.
  package var leavesNoTrace = false

  /// Whether these catch up in the background after saves; tests switch it off.
  package var catchesUpSearch = true

  /// Creates options.
  public init(
    synchronous: Synchronous = .full, isReadOnly: Bool = false, createsStore: Bool = true,
    busyMilliseconds: Int = 5000, maximumReaders: Int = 8,
    workThreads: Int = 16, maximumPinnedViews: Int = 4, maximumBytes: Int? = nil,
    usesWriteAheadLog: Bool = true,
    externalStorageThreshold: Int = 100 << 10, mapsExternalStorage: Bool = false,
    history: HistoryRecording = .off, followsOtherProcesses: Bool = false,
    historyLimits: HistoryLimits = HistoryLimits(),
    showsValues: Bool = false, logger: Logger? = nil, slowStatementMilliseconds: Int? = nil
  ) {
    self.synchronous = synchronous
    self.isReadOnly = isReadOnly
    self.createsStore = createsStore
    self.busyMilliseconds = busyMilliseconds
    self.maximumReaders = maximumReaders
    self.workThreads = workThreads
    self.maximumPinnedViews = maximumPinnedViews
    self.maximumBytes = maximumBytes
    self.externalStorageThreshold = externalStorageThreshold
    self.mapsExternalStorage = mapsExternalStorage
    self.usesWriteAheadLog = usesWriteAheadLog
    self.history = history
    self.followsOtherProcesses = followsOtherProcesses
    self.historyLimits = historyLimits
    self.showsValues = showsValues
    self.logger = logger
    self.slowStatementMilliseconds = slowStatementMilliseconds
  }

  /// The options for the memory of a store that something else keeps.
  var ofMemory: Self {
    var options = self
    (options.isReadOnly, options.createsStore, options.makesSearchIndexes) = (false, true, false)
    return options
  }

  var configuration: Database.Configuration {
    var configuration = Database.Configuration()
    configuration.isReadOnly = isReadOnly
    configuration.synchronous = synchronous
    configuration.busyMilliseconds = busyMilliseconds
    configuration.maximumReaders = max(1, maximumReaders)
    configuration.maximumPinnedReaders = maximumPinnedViews
    configuration.maximumBytes = maximumBytes
    configuration.usesWriteAheadLog = usesWriteAheadLog
    configuration.mapsFiles = mapsExternalStorage
    configuration.showsValues = showsValues
    configuration.logger = logger
    configuration.slowStatementMilliseconds = slowStatementMilliseconds
    return configuration
  }
}
