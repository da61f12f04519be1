// A class may have properties and methods with the names of Core Data that are refused elsewhere.
// expect-ok

import Oxbow

@Entity final class Task: ManagedObject {
  var managedObjectContext: String = ""
  var delegate: String?
  var undoManager: Int = 0
  var viewContext: Bool = false
}

extension Task: AwakeFromInsertHook, ValidationRulesHook {
  static var validationRules: [ValidationRule] { [] }

  func awakeFromInsert() { managedObjectContext = "set" }
  func validateForInsert() throws { undoManager += 1 }
  func value(forKey key: String) -> String { key + managedObjectContext }
  static func fetchRequest() -> FetchRequest<Task> {
    FetchRequest<Task>(where: .isTrue("viewContext"))
  }
}

@Entity class Base: ManagedObject, AwakeFromInsertHook {
  var name: String = ""
  func awakeFromInsert() { name = "base" }
}

@Entity final class Derived: Base {
  override func awakeFromInsert() {
    super.awakeFromInsert()
    name += " derived"
  }
}

extension ManagedObjectContext {
  func perform(_ block: () throws -> Void) rethrows { try block() }
}

func all(_ context: ManagedObjectContext, _ task: Task) throws -> [Task] {
  try context.perform { try task.validateForInsert() }
  print(task.value(forKey: "x"), task.managedObjectContext)
  return try context.fetch(Task.fetchRequest())
}
