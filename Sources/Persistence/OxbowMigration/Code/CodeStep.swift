/// A step of a migration in Swift: what a stub in the folder (`0003_split-name.code.xml`)
/// names.
///
/// A plain step runs in one transaction with its entry in the history, and may change anything that
/// a script may. A batched one goes through the objects of an entity in many transactions; killed
/// in between, it continues behind the last batch. It leaves the model as it is: put a model step
/// before it that adds what it fills, and one behind it that removes what it read.
///
/// What a closure does outside of the store it may do twice: a transaction that finds references to
/// nothing is rolled back and runs again with what was known before.
///
/// ```swift
/// let steps: [CodeStep] = [
///   .batched("split-name", over: "Person") { person, _ in
///     let parts = try person.value("name", as: String.self)?.split(separator: " ") ?? []
///     try person.setValue(parts.first.map(String.init), for: "firstName")
///     try person.setValue(parts.last.map(String.init), for: "lastName")
///   }
/// ]
/// ```
public struct CodeStep: Sendable {
  /// Changes a store's rows.
  public typealias Body = @Sendable (MigrationRows) throws -> Void

  /// Changes one row; what it changed is written afterwards.
  public typealias RowBody = @Sendable (inout MigrationRow, MigrationRows) throws -> Void

  enum Work: Sendable {
    case plain(Body)
    case batched(entity: String, size: Int, RowBody)
  }

  /// The name that the stub has.
  public let name: String

  /// The version that the stub has; a step that does something else gets another one.
  public let version: String

  let work: Work

  /// What takes the step back; `nil` when nothing can.
  let undo: Body?

  /// A step in one transaction.
  public static func plain(
    _ name: String, version: String = "1", undo: Body? = nil, _ body: @escaping Body
  ) -> CodeStep {
    CodeStep(name: name, version: version, work: .plain(body), undo: undo)
  }

  /// A step over all objects of an entity and of those below it, `size` in one transaction.
  ///
  /// The objects come in the order of their keys, each as it is at that moment: what `body` wrote
  /// to objects that come later is seen when they come, objects that it deleted do not come, and
  /// neither do objects that were added since the step began. After a kill those of the last
  /// transaction that was not finished come again, unchanged.
  public static func batched(
    _ name: String, version: String = "1", over entity: String, size: Int = 5000,
    undo: Body? = nil, _ body: @escaping RowBody
  ) -> CodeStep {
    CodeStep(
      name: name, version: version, work: .batched(entity: entity, size: max(1, size), body),
      undo: undo)
  }
}
