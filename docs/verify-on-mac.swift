// Judges a store that Oxbow made, with Apple's framework. For a Mac; not part of the package, and not
// compiled by it:  swift verify-on-mac.swift Notes.momd App.sqlite
// Opens the store read-only and a copy of it for writing, without migrations; counts every entity, reads
// every value, walks every relationship, saves one change, prints the metadata; at last "accepted".
import CoreData

guard CommandLine.arguments.count == 3,
  let model = NSManagedObjectModel(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
else { fatalError("usage: swift verify-on-mac.swift MODEL.momd STORE") }
let original = URL(fileURLWithPath: CommandLine.arguments[2])

func open(_ url: URL, readOnly: Bool) throws -> NSManagedObjectContext {
  let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
  try coordinator.addPersistentStore(
    ofType: NSSQLiteStoreType, configurationName: nil, at: url,
    options: [NSReadOnlyPersistentStoreOption: readOnly])
  let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  context.persistentStoreCoordinator = coordinator
  return context
}

func walk(_ context: NSManagedObjectContext) throws {
  for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
    request.includesSubentities = false
    let objects = try context.fetch(request)
    var (values, links) = (0, 0)
    for object in objects {
      values += entity.attributesByName.keys.filter { object.value(forKey: $0) != nil }.count
      for (name, relationship) in entity.relationshipsByName {
        var others: [Any] = [object.value(forKey: name)].compactMap { $0 }
        if relationship.isToMany {
          others = relationship.isOrdered
            ? object.mutableOrderedSetValue(forKey: name).array
            : object.mutableSetValue(forKey: name).allObjects
        }
        for case let other as NSManagedObject in others {
          _ = try context.existingObject(with: other.objectID)
          links += 1
        }
      }
    }
    print("\(entity.name ?? "?"): \(objects.count) objects, \(values) values, \(links) links")
  }
}

try walk(open(original, readOnly: true))
let files = FileManager.default
let copy = files.temporaryDirectory.appendingPathComponent(UUID().uuidString)
let (folder, name) = (original.deletingLastPathComponent(), original.lastPathComponent)
let support = ".\(original.deletingPathExtension().lastPathComponent)_SUPPORT"
try files.createDirectory(at: copy, withIntermediateDirectories: true)
for file in [name, name + "-wal", support] {
  let path = folder.appendingPathComponent(file)
  guard files.fileExists(atPath: path.path) else { continue }
  try files.copyItem(at: path, to: copy.appendingPathComponent(file))
}
let context = try open(copy.appendingPathComponent(name), readOnly: false)
let entity = model.entities.first { !$0.isAbstract && !$0.attributesByName.isEmpty }!
let request = NSFetchRequest<NSManagedObject>(entityName: entity.name!)
if let object = try context.fetch(request).first, let key = entity.attributesByName.keys.first {
  object.setValue(object.value(forKey: key), forKey: key)  // Marks the object as changed.
}
try context.save()
try walk(context)
print(context.persistentStoreCoordinator!.persistentStores[0].metadata ?? [:])
print("accepted")
