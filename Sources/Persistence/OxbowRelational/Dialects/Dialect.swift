package import OxbowModel

/// How an engine says what engines say differently, and what it can.
///
/// It is asked while the text of a statement is made, never for a row. A mapping knows its own
/// (``StoreMapping/dialect``).
package protocol Dialect: Sendable {
  var capability: Capability { get }
  var codecs: any CodecSet { get }

  // MARK: Tables

  /// Whether the engine refuses tables of this name.
  func isReserved(table name: String) -> Bool

  /// The names of columns that every table has without being asked.
  var hiddenColumns: [String] { get }

  /// What a column is declared as.
  func name(of type: ColumnType) -> String

  /// What follows the columns of a table.
  func options(of table: TableSchema) -> String

  /// What makes a foreign key wait for the end of the transaction.
  var deferral: String { get }

  // MARK: Changes

  /// The verbs of statements that undo themselves when they fail, and leave their transaction open.
  var insert: String { get }
  var update: String { get }

  /// What an insert does with a row whose key is there: the columns that get new values.
  func upsert(on key: [String], updating columns: [String]) -> String

  // MARK: Parameters

  /// The parameter of a number, counted from 1.
  func parameter(_ number: Int) -> String

  /// The select of many keys that are bound to one parameter, and what is bound to it.
  func keys(in parameter: String) -> String
  func array(of keys: [Int64]) -> SQLValue

  /// What follows `IN (`: any number of values.
  func list(_ values: [SQLValue]) -> SQLFragment

  /// The end of a select of some rows only; nothing for all of them.
  func limit(_ limit: Int?, offset: Int) -> SQLFragment

  // MARK: Conditions

  /// A condition that always holds, or never.
  func truth(_ value: Bool) -> String

  /// The signs of comparisons to which no value is equal to no value.
  var same: String { get }
  var different: String { get }

  /// Searches a text for another one by their UTF-8 bytes.
  func search(_ whole: SQLFragment, _ comparison: TextOperator, _ part: SQLFragment) -> SQLFragment

  /// A condition that a value is not a text; one that is NULL is not.
  func isNotText(_ value: SQLFragment) -> SQLFragment

  /// The join whose left table is to be read first.
  var leadingJoin: String { get }

  /// Whether there are lists without elements behind IN.
  var hasEmptyLists: Bool { get }

  /// Looks at a text of SQL that a program has written.
  func scan(_ text: String) -> SQLScan

  /// Whether a statement that begins with these words reads, as far as words say it.
  func mayRead(_ words: [String]) -> Bool

  // MARK: Values

  func cast(_ value: SQLFragment, to type: ColumnType) -> SQLFragment
  func name(of function: SQLFunction) -> String

  /// What gives a text with a decimal number the order of its value, and what takes it away.
  var decimalOrder: String { get }
  var plainOrder: String { get }

  /// The term of `ORDER BY` for a text.
  func term(_ text: String, in order: TextOrder) -> String

  /// The seconds since 2001.
  var now: String { get }

  // MARK: Migrations

  /// A column's values in a column of another type; where types are not known, as they are.
  func value(
    _ column: String, _ conversion: ValueConversion?, from: ColumnType?, to: ColumnType?
  ) -> String

  /// A value as text of a statement, for a column of a type.
  func literal(_ value: SQLValue, as type: ColumnType?) -> String

  /// A select in place of a table.
  func rows(of select: String) -> String

  /// The condition that a whole number is another one as a floating-point number of 64 bits.
  func isInexact(_ whole: String) -> String

  /// What makes a term of an order begin with rows that have no value.
  var missingFirst: String { get }
}

extension Dialect {
  func cast(_ text: String, to type: ColumnType) -> String {
    cast(SQLFragment(text), to: type).text
  }

  func call(_ function: SQLFunction, _ arguments: SQLFragment...) -> SQLFragment {
    call(function, arguments)
  }

  func call(_ function: SQLFunction, _ arguments: [SQLFragment]) -> SQLFragment {
    "\(name(of: function))(" + .joined(arguments, ", ") + ")"
  }
}

/// How much an engine takes.
package struct Capability: Sendable {
  /// The parameters of a statement.
  package let parameters: Int

  /// The tables that a select joins along paths.
  package let joins: Int

  /// The terms of an order, or of groups.
  package let sortKeys: Int

  /// The texts of one search for words.
  package let searchedTexts: Int

  /// The bytes of the name of a table, a column, an index or a constraint; `nil` for any number.
  package let nameBytes: Int?

  package init(
    parameters: Int, joins: Int, sortKeys: Int, searchedTexts: Int, nameBytes: Int? = nil
  ) {
    self.parameters = parameters
    self.joins = joins
    self.sortKeys = sortKeys
    self.searchedTexts = searchedTexts
    self.nameBytes = nameBytes
  }
}

/// How an engine keeps values.
package protocol CodecSet: Sendable {
  /// The codec for an attribute type, or `nil` when no column can have it.
  ///
  /// `isExternal` says that values may be in files beside the store.
  func codec(of type: AttributeType, isExternal: Bool) -> ColumnCodec?

  /// The column type that a codec writes.
  func type(of codec: ColumnCodec) -> ColumnType

  /// The types of the values that a codec reads.
  func types(of codec: ColumnCodec) -> [ColumnType]

  /// What a reader expects in a column of a codec, for messages.
  func expectation(of codec: ColumnCodec) -> String
}

extension CodecSet {
  package func codec(of type: AttributeType) -> ColumnCodec? { codec(of: type, isExternal: false) }

  package func types(of codec: ColumnCodec) -> [ColumnType] { [type(of: codec)] }

  package func expectation(of codec: ColumnCodec) -> String { codec.expectation }

  /// Whether decimal numbers are numbers in columns, and whole dates INTEGER.
  package var keepsNumbers: Bool { codec(of: .decimal) == .decimalNumber }
}

/// What an engine calls by a name of its own.
package enum SQLFunction: Sendable {
  /// Compares a text with another one, as options say.
  case test(TextOperator)
  /// Compares the words of a text, and of others behind the search, with a search.
  case words
  /// What a search ranks by, of rows of numbers and texts.
  case wordStatistics
  /// How well texts meet a search, by what it ranks by; and how well a row of an index meets it.
  case rank, indexRank
  /// A piece of a text that shows why it meets a search.
  case snippet
  /// A text without what options overlook.
  case folded
  case lowercase, uppercase
  case power, exclusiveOr
  /// A part of a date in a time zone.
  case datePart
  case decimalSum, decimalAverage
  /// A decimal number as text, all of whose digits count.
  case decimalText
  /// A decimal number as text, which a column of numbers has to keep.
  case keptDecimal
  /// A number as one of 32 bits.
  case single
  /// The average of whole numbers, however large their sum is.
  case wholeAverage
  /// The sum of numbers, 0 for none.
  case total
}
