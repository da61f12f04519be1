internal import CSQLite
internal import OxbowModel
internal import OxbowRelational

// What ranks rows by a search for words, and cuts pieces out of their texts. The function that
// ranks rows of an index is one of FTS5, which gives it the words of the row; the others are
// ordinary. Numbers of a damaged store wrap around and rank wrongly, but never trap.

extension Connection {
  /// Registers the functions of ranked searches.
  func registerRankingFunctions() throws {
    try register(
      "oxbow_word_statistics", -1, step: { addNumbers($0, $1, $2) },
      final: { giveStatistics($0) })
    try register("oxbow_rank", -1, function: { giveRank($0, $1, $2) })
    try register("oxbow_snippet", 6, function: { giveSnippet($0, $2) })
  }

  /// Registers the function of FTS5 that ranks, when a statement first names it.
  ///
  /// Registering takes a statement too. Where the library lacks FTS5, no index is read.
  func registerIndexRank(for sql: String) throws {
    let name = "oxbow_index_rank"
    guard sql.mentions(name), let api = searchAPI() else { return }
    let code = api.pointee.xCreateFunction(
      api, name, nil, { giveIndexRank($0, $1, $2, $4) }, nil)
    guard code == SQLITE_OK else { throw error(code) }
    ranksByIndex = true
  }

  /// Where FTS5 registers functions, which it writes to the place that a parameter points to.
  private func searchAPI() -> UnsafeMutablePointer<fts5_api>? {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, "SELECT fts5(?)", -1, &statement, nil) == SQLITE_OK else {
      return nil
    }
    defer { sqlite3_finalize(statement) }
    var api: UnsafeMutablePointer<fts5_api>?
    withUnsafeMutablePointer(to: &api) { place in
      let kind: StaticString = "fts5_api_ptr"
      let name = UnsafeRawPointer(kind.utf8Start).assumingMemoryBound(to: CChar.self)
      sqlite3_bind_pointer(statement, 1, place, name, nil)
      sqlite3_step(statement)
    }
    return api
  }
}

/// The argument as text.
private func text(_ arguments: FunctionArguments?, _ index: Int) -> String {
  bytes(arguments, index).map { String(decoding: $0, as: UTF8.self) } ?? ""
}

/// The argument as numbers with blanks between them.
private func numbers(_ arguments: FunctionArguments?, _ index: Int) -> [Int] {
  text(arguments, index).split(separator: " ").compactMap { Int($0) }
}

/// The words of the arguments behind the first two.
private func words(_ arguments: FunctionArguments?, _ count: Int32) -> [TextWords] {
  (2..<max(2, Int(count))).compactMap { bytes(arguments, $0).map { TextWords($0) } }
}

// MARK: - Numbers of all texts

/// The numbers of all texts, while they are counted.
private struct RankNumbers {
  private let matcher: WordMatcher
  private(set) var statistics: WordStatistics

  init(_ search: String) {
    // The statement was made for a search that can be read.
    matcher = WordMatcher((try? WordQuery(search)) ?? .nothing)
    statistics = WordStatistics(matcher)
  }

  /// Adds a row, whose second value says what it is: 0, texts of an object; 1, totals of an index
  /// and the columns that count; 2, sizes of a row of an index, the columns, and whether they are
  /// added (1) or taken away (-1); 3, the number of a phrase, and how many rows have it.
  mutating func add(_ arguments: FunctionArguments?, _ count: Int32) {
    switch sqlite3_value_int64(arguments?[1]) {
    case 0: statistics.add(words(arguments, count), matcher)
    case 1:
      let totals = indexNumbers(arguments, 2)
      statistics.texts &+= totals.first ?? 0
      statistics.words &+= sum(totals.dropFirst(), numbers(arguments, 3))
    case 2:
      let length = sum(indexNumbers(arguments, 2)[...], numbers(arguments, 3))
      let sign = Int(sqlite3_value_int(arguments?[4]))
      statistics.texts &+= length > 0 ? sign : 0
      statistics.words &+= length &* sign
    default:
      let phrase = Int(sqlite3_value_int(arguments?[2]))
      guard statistics.hits.indices.contains(phrase) else { return }
      statistics.hits[phrase] &+= Int(sqlite3_value_int64(arguments?[3]))
    }
  }

  private func sum(_ sizes: ArraySlice<Int>, _ columns: [Int]) -> Int {
    columns.filter { 0..<sizes.count ~= $0 }
      .reduce(0) { $0 &+ sizes[sizes.startIndex + $1] }
  }
}

/// The numbers of a cell of FTS5, each seven bits a byte, the highest first, and all eight of the
/// ninth byte.
private func indexNumbers(_ arguments: FunctionArguments?, _ index: Int) -> [Int] {
  let cell = UnsafeRawBufferPointer(
    start: sqlite3_value_blob(arguments?[index]),
    count: Int(sqlite3_value_bytes(arguments?[index])))
  var result: [Int] = []
  var (number, length) = (0, 0)
  for byte in cell {
    length += 1
    number = length == 9 ? number << 8 | Int(byte) : number << 7 | Int(byte & 0x7F)
    guard byte < 0x80 || length == 9 else { continue }
    result.append(number)
    (number, length) = (0, 0)
  }
  return result
}

/// `oxbow_word_statistics(search, kind, values…)`: the numbers of all rows together.
private func addNumbers(
  _ context: OpaquePointer?, _ count: Int32, _ arguments: FunctionArguments?
) {
  guard count > 4 else { return }
  add(context, RankNumbers(text(arguments, 0))) { $0.add(arguments, count) }
}

private func giveStatistics(_ context: OpaquePointer?) {
  guard let numbers: RankNumbers = take(context) else { return sqlite3_result_null(context) }
  var text = "\(numbers.statistics)"
  text.withUTF8 { giveText(context, $0) }
}

// MARK: - Ranks

/// A search, and the numbers by which it ranks, kept from row to row.
private final class PreparedRanking {
  let matcher: WordMatcher
  private var text: [UInt8] = []
  private var known: WordStatistics

  /// For a function of FTS5: the columns that count, and room for the counts of phrases.
  var columns: [Int32] = []
  var counts: [Int]

  init(_ search: String) {
    matcher = WordMatcher((try? WordQuery(search)) ?? .nothing)
    known = WordStatistics(matcher)
    counts = known.hits
  }

  /// The numbers that an argument has; it is the same for all rows of a statement.
  func statistics(_ arguments: FunctionArguments?, _ index: Int) -> WordStatistics {
    let bytes = bytes(arguments, index) ?? UnsafeBufferPointer(start: nil, count: 0)
    if !text.elementsEqual(bytes) {
      text = Array(bytes)
      known = WordStatistics(String(decoding: text, as: UTF8.self), matcher)
    }
    return known
  }
}

/// `oxbow_rank(numbers, search, texts…)`: the rank of the texts, NULL where they do not meet the
/// search.
private func giveRank(_ context: OpaquePointer?, _ count: Int32, _ arguments: FunctionArguments?) {
  guard count > 2 else { return sqlite3_result_null(context) }
  let ranking = kept(context) { PreparedRanking(text(arguments, 1)) }
  let rank = ranking.matcher.rank(
    words(arguments, count), among: ranking.statistics(arguments, 0))
  guard let rank else { return sqlite3_result_null(context) }
  sqlite3_result_double(context, rank)
}

/// `oxbow_index_rank(table, numbers, search, columns)`: the rank of a row of an index of words.
private func giveIndexRank(
  _ api: UnsafePointer<Fts5ExtensionApi>?, _ row: OpaquePointer?, _ context: OpaquePointer?,
  _ arguments: FunctionArguments?
) {
  guard let api = api?.pointee else { return sqlite3_result_null(context) }
  let ranking: PreparedRanking
  if let known = api.xGetAuxdata(row, 0) {
    ranking = Unmanaged<PreparedRanking>.fromOpaque(known).takeUnretainedValue()
  } else {
    ranking = PreparedRanking(text(arguments, 1))
    ranking.columns = numbers(arguments, 2).map { Int32(clamping: $0) }
    // The pointer is released at once where it cannot be kept.
    _ = api.xSetAuxdata(
      row, Unmanaged.passRetained(ranking).toOpaque(),
      { known in known.map { Unmanaged<PreparedRanking>.fromOpaque($0).release() } })
  }
  for phrase in ranking.matcher.phrases {
    ranking.counts[phrase.number] = countPlaces(api, row, phrase.number)
  }
  let length = ranking.columns.reduce(0) { length, column in
    var size: Int32 = 0
    return api.xColumnSize(row, column, &size) == SQLITE_OK ? length + Int(size) : length
  }
  let rank = ranking.matcher.rank(
    ranking.counts, length: length, among: ranking.statistics(arguments, 0))
  sqlite3_result_double(context, rank ?? 0)
}

/// How often a row has a phrase of its search.
private func countPlaces(_ api: Fts5ExtensionApi, _ row: OpaquePointer?, _ phrase: Int) -> Int {
  var (place, column, offset, count) = (Fts5PhraseIter(), Int32(0), Int32(0), 0)
  // A statement of a program's own may have another search than the one in its arguments.
  guard phrase < Int(api.xPhraseCount(row)) else { return 0 }
  guard api.xPhraseFirst(row, Int32(phrase), &place, &column, &offset) == SQLITE_OK else {
    return 0
  }
  while column >= 0 {
    count += 1
    api.xPhraseNext(row, &place, &column, &offset)
  }
  return count
}

// MARK: - Snippets

/// `oxbow_snippet(text, search, before, after, ellipsis, words)`: a piece of the text.
private func giveSnippet(_ context: OpaquePointer?, _ arguments: FunctionArguments?) {
  guard bytes(arguments, 0) != nil else { return sqlite3_result_null(context) }
  let ranking = kept(context) { PreparedRanking(text(arguments, 1)) }
  let style = SnippetStyle(
    words: Int(clamping: sqlite3_value_int64(arguments?[5])), before: text(arguments, 2),
    after: text(arguments, 3), ellipsis: text(arguments, 4))
  var piece = ranking.matcher.snippet(of: text(arguments, 0), style)
  piece.withUTF8 { giveText(context, $0) }
}
