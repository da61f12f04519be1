internal import CSQLite
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational

// Functions for conditions. Statements name them; no schema object does, so a store stays usable in
// any SQLite tool. They have no effects, so they are possible with an untrusted schema.

extension Connection {
  /// Registers what conditions need and SQL lacks: search of text in Unicode, regular expressions,
  /// powers, exclusive or, and exact sums of decimal numbers.
  func registerConditionFunctions() throws {
    for (number, comparison) in TextOperator.allCases.enumerated() {
      try register(
        "oxbow_\(comparison.rawValue.lowercased())", 3, data: number,
        function: { testText($0, $2) })
    }
    try register("oxbow_words", -1, function: { testWords($0, $1, $2) })
    try registerRankingFunctions()
    try register("oxbow_folded", 2, function: { foldText($0, $2) })
    try register("oxbow_text_order", 2, function: { giveTextOrder($0, $2) })
    try register("oxbow_lowercase", 1, function: { changeText($0, $2) { $0.lowercased() } })
    try register("oxbow_uppercase", 1, function: { changeText($0, $2) { $0.uppercased() } })
    try register("oxbow_power", 2, function: { givePower($0, $2) })
    try register("oxbow_exclusive_or", 2, function: { giveExclusiveOr($0, $2) })
    try register(
      "oxbow_decimal_sum", 1, step: { addDecimal($0, $2) }, final: { giveDecimal($0) { $0.sum } })
    try register(
      "oxbow_decimal_average", 1, step: { addDecimal($0, $2) },
      final: { giveDecimal($0) { $0.average } })
    try register("oxbow_decimal_text", 1, function: { giveDecimalText($0, $2) })
    try register("oxbow_kept_decimal", 1, function: { giveKeptDecimal($0, $2) })
    try register("oxbow_single", 1, function: { giveSingle($0, $2) })
  }

  /// Registers the test whether a number is one of 32 bits; of what is not a number it is true.
  func registerSingleTest() throws {
    try register(
      CoreDataRule.isSingle, 1,
      function: { context, _, arguments in
        let value = arguments?[0]
        let number = sqlite3_value_double(value)
        let isNumber = sqlite3_value_type(value) == SQLITE_FLOAT
        sqlite3_result_int(context, !isNumber || Double(Float(number)) == number ? 1 : 0)
      })
  }

  /// Registers the average of whole numbers, which does not depend on their order.
  func registerWholeAverage() throws {
    try register(
      "oxbow_whole_average", 1, step: { addWhole($0, $2) }, final: { giveWholeAverage($0) })
  }

  /// Registers a function, or with `step` and `final` an aggregate.
  func register(
    _ name: String, _ count: Int32, data: Int = 0,
    function: (@convention(c) (OpaquePointer?, Int32, FunctionArguments?) -> Void)? = nil,
    step: (@convention(c) (OpaquePointer?, Int32, FunctionArguments?) -> Void)? = nil,
    final: (@convention(c) (OpaquePointer?) -> Void)? = nil
  ) throws {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    let code = sqlite3_create_function_v2(
      handle, name, count, flags, UnsafeMutableRawPointer(bitPattern: data), function, step, final,
      nil)
    guard code == SQLITE_OK else { throw error(code) }
  }
}

/// The values that a function is called with.
typealias FunctionArguments = UnsafeMutablePointer<OpaquePointer?>

/// The bytes of an argument, or `nil` when it is NULL; valid until the argument is asked again.
func bytes(_ arguments: FunctionArguments?, _ index: Int) -> UnsafeBufferPointer<UInt8>? {
  guard let value = arguments?[index], sqlite3_value_type(value) != SQLITE_NULL else { return nil }
  let start = sqlite3_value_text(value)
  return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
}

private func options(_ arguments: FunctionArguments?, _ index: Int) -> TextOptions {
  TextOptions(rawValue: UInt8(truncatingIfNeeded: sqlite3_value_int(arguments?[index])))
}

/// Ends a call with NULL.
func giveNothing(_ context: OpaquePointer?) { sqlite3_result_null(context) }

/// Ends a call without a result, though the statement is right.
func giveError(_ context: OpaquePointer?, _ message: String) {
  sqlite3_result_error(context, message, -1)
  sqlite3_result_error_code(context, ResultCode.constraintFunction.rawValue)
}

// MARK: - Numbers

/// Whether one of two arguments is NULL, which is the result then.
private func isMissing(_ context: OpaquePointer?, _ arguments: FunctionArguments?) -> Bool {
  let isMissing = (0..<2).contains { sqlite3_value_type(arguments?[$0]) == SQLITE_NULL }
  if isMissing { sqlite3_result_null(context) }
  return isMissing
}

private func givePower(_ context: OpaquePointer?, _ arguments: FunctionArguments?) {
  guard !isMissing(context, arguments) else { return }
  sqlite3_result_double(
    context,
    ArithmeticOperator.power(
      sqlite3_value_double(arguments?[0]), sqlite3_value_double(arguments?[1])))
}

private func giveExclusiveOr(_ context: OpaquePointer?, _ arguments: FunctionArguments?) {
  guard !isMissing(context, arguments) else { return }
  sqlite3_result_int64(
    context, sqlite3_value_int64(arguments?[0]) ^ sqlite3_value_int64(arguments?[1]))
}

/// `oxbow_decimal_text(number)`: what a number of a column means, with all its digits; a text as it
/// is.
private func giveDecimalText(_ context: OpaquePointer?, _ arguments: FunctionArguments?) {
  let value = arguments?[0]
  let type = sqlite3_value_type(value)
  guard type == SQLITE_INTEGER || type == SQLITE_FLOAT else {
    return sqlite3_result_value(context, value)
  }
  var text = decimalText(value) ?? beyondDecimals(sqlite3_value_double(value))
  text.withUTF8 { giveText(context, $0) }
}

/// The last decimal number on the side of one that is too large or too small for a `Decimal`.
private func beyondDecimals(_ number: Double) -> String {
  let digits = number.magnitude < 1 ? "1e-128" : String(repeating: "9", count: 38) + "e127"
  return number < 0 ? "-" + digits : digits
}

/// `oxbow_kept_decimal(text)`: a decimal number that a column of numbers can have, or an error.
private func giveKeptDecimal(_ context: OpaquePointer?, _ arguments: FunctionArguments?) {
  guard let bytes = bytes(arguments, 0) else { return sqlite3_result_null(context) }
  let text = String(decoding: bytes, as: UTF8.self)
  guard Decimal(string: text).flatMap(DecimalNumber.written) != nil else {
    return giveError(
      context, "nothing was updated: \(text) has more digits than the store keeps, which are 15")
  }
  sqlite3_result_value(context, arguments?[0])
}

/// `oxbow_single(number)`: the number of 32 bits that is nearest, where there is one.
private func giveSingle(_ context: OpaquePointer?, _ arguments: FunctionArguments?) {
  guard sqlite3_value_type(arguments?[0]) != SQLITE_NULL else {
    return sqlite3_result_null(context)
  }
  let number = sqlite3_value_double(arguments?[0])
  let single = Double(Float(number))
  sqlite3_result_double(context, single.isFinite ? single : number)
}

// MARK: - Text

/// `oxbow_like(text, part, options)` and its relatives: 1, 0, or NULL when one is missing.
private func testText(_ context: OpaquePointer?, _ arguments: FunctionArguments?) {
  guard let text = bytes(arguments, 0), bytes(arguments, 1) != nil else {
    return sqlite3_result_null(context)
  }
  do {
    sqlite3_result_int(context, try test(context, arguments).holds(text) ? 1 : 0)
  } catch {
    giveError(context, error.message)
  }
}

/// `oxbow_words(text, search, more texts…)`: 1 or 0; no text has no words.
private func testWords(
  _ context: OpaquePointer?, _ count: Int32, _ arguments: FunctionArguments?
) {
  guard count > 1, let search = bytes(arguments, 1) else {
    return sqlite3_result_int(context, 0)
  }
  do throws(PersistenceError) {
    let matcher = try kept(context) { () throws(PersistenceError) in
      WordMatcher(try WordQuery(String(decoding: search, as: UTF8.self)))
    }
    let texts = (0..<Int(count)).compactMap { $0 == 1 ? nil : bytes(arguments, $0) }
    sqlite3_result_int(context, matcher.matches(texts.map { TextWords($0) }) ? 1 : 0)
  } catch {
    giveError(context, error.message)
  }
}

/// The prepared comparison, kept by SQLite as long as the part is the same.
private func test(
  _ context: OpaquePointer?, _ arguments: FunctionArguments?
) throws(PersistenceError) -> TextTest {
  try kept(context) { () throws(PersistenceError) in
    let number = Int(bitPattern: sqlite3_user_data(context))
    let part = bytes(arguments, 1).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return try TextTest(TextOperator.allCases[number], part, options(arguments, 2))
  }
}

/// An object that SQLite keeps as long as the second argument stays the same.
func kept<Value: AnyObject, Failure>(
  _ context: OpaquePointer?, _ make: () throws(Failure) -> Value
) throws(Failure) -> Value {
  if let known = sqlite3_get_auxdata(context, 1) {
    return Unmanaged<Value>.fromOpaque(known).takeUnretainedValue()
  }
  let new = try make()
  sqlite3_set_auxdata(
    context, 1, Unmanaged.passRetained(new).toOpaque(),
    { known in known.map { Unmanaged<AnyObject>.fromOpaque($0).release() } })
  return new
}

/// `oxbow_folded(text, options)`: the text without what the options overlook.
private func foldText(_ context: OpaquePointer?, _ arguments: FunctionArguments?) {
  guard let text = bytes(arguments, 0) else { return sqlite3_result_null(context) }
  TextFolding.withFolded(text, options(arguments, 1)) { folded in
    giveText(context, folded)
  }
}

/// `oxbow_lowercase(text)`, `oxbow_uppercase(text)`: the text in another case, in every script.
private func changeText(
  _ context: OpaquePointer?, _ arguments: FunctionArguments?, _ change: (String) -> String
) {
  guard let text = bytes(arguments, 0) else { return sqlite3_result_null(context) }
  var changed = change(String(decoding: text, as: UTF8.self))
  changed.withUTF8 { giveText(context, $0) }
}

/// `oxbow_text_order(text, options)`: the bytes whose order is that of the texts.
private func giveTextOrder(_ context: OpaquePointer?, _ arguments: FunctionArguments?) {
  guard let text = bytes(arguments, 0) else { return sqlite3_result_null(context) }
  let options = TextOrder(
    rawValue: UInt8(truncatingIfNeeded: sqlite3_value_int(arguments?[1])))
  options.key(of: text).withUnsafeBytes { giveBytes(context, $0) }
}

/// A copy for SQLite, which frees it.
private func copied(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer? {
  let copy = sqlite3_malloc64(UInt64(bytes.count + 1))
  if let start = bytes.baseAddress { copy?.copyMemory(from: start, byteCount: bytes.count) }
  return copy
}

/// Gives bytes as the result of a function.
func giveBytes(_ context: OpaquePointer?, _ bytes: UnsafeRawBufferPointer) {
  guard let copy = copied(bytes) else { return sqlite3_result_error_nomem(context) }
  sqlite3_result_blob64(context, copy, UInt64(bytes.count), { sqlite3_free($0) })
}

/// Gives a text as the result of a function.
func giveText(_ context: OpaquePointer?, _ bytes: UnsafeBufferPointer<UInt8>) {
  guard let copy = copied(UnsafeRawBufferPointer(bytes)) else {
    return sqlite3_result_error_nomem(context)
  }
  sqlite3_result_text64(
    context, copy.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), { sqlite3_free($0) },
    UInt8(SQLITE_UTF8))
}

// MARK: - Sums

/// SQLite's memory for the present group, which has room for a pointer; `nil` where it has none.
@inline(__always)
private func group<Sum>(
  _ context: OpaquePointer?, byteCount: Int
) -> UnsafeMutablePointer<UnsafeMutablePointer<Sum>?>? {
  sqlite3_aggregate_context(context, Int32(byteCount))?
    .assumingMemoryBound(to: UnsafeMutablePointer<Sum>?.self)
}

/// Adds to the sum of the present group, which begins with `new`.
@inline(__always)
func add<Sum>(
  _ context: OpaquePointer?, _ new: @autoclosure () -> Sum, _ add: (inout Sum) -> Void
) {
  guard
    let group: UnsafeMutablePointer<UnsafeMutablePointer<Sum>?> = group(
      context, byteCount: MemoryLayout<UnsafeRawPointer?>.size)
  else { return sqlite3_result_error_nomem(context) }
  if let known = group.pointee { return add(&known.pointee) }
  let sum = UnsafeMutablePointer<Sum>.allocate(capacity: 1)
  sum.initialize(to: new())
  add(&sum.pointee)
  group.pointee = sum
}

/// Ends a group; `nil` when it had no number.
func take<Sum>(_ context: OpaquePointer?) -> Sum? {
  let group: UnsafeMutablePointer<UnsafeMutablePointer<Sum>?>? = group(context, byteCount: 0)
  guard let known = group?.pointee else { return nil }
  defer { known.deallocate() }
  return known.move()
}

private func addWhole(_ context: OpaquePointer?, _ arguments: FunctionArguments?) {
  guard let value = arguments?[0], sqlite3_value_type(value) != SQLITE_NULL else { return }
  add(context, WholeSum()) { $0.add(sqlite3_value_int64(value)) }
}

private func giveWholeAverage(_ context: OpaquePointer?) {
  let sum: WholeSum? = take(context)
  guard let average = sum?.average else { return sqlite3_result_null(context) }
  sqlite3_result_double(context, average)
}

private func addDecimal(_ context: OpaquePointer?, _ arguments: FunctionArguments?) {
  guard let text = bytes(arguments, 0) else { return }
  add(context, DecimalSum()) { $0.add(text) }
}

private func giveDecimal(_ context: OpaquePointer?, _ result: (DecimalSum) -> String?) {
  guard let sum: DecimalSum = take(context) else { return sqlite3_result_null(context) }
  guard !sum.hasFailed, var text = result(sum) else {
    return giveError(context, DecimalSum.failure)
  }
  text.withUTF8 { giveText(context, $0) }
}
