import Oxbow

// One row of 5,000, asked for by its unique text as often as the argument says, 200 times without
// one. `Scripts/instructions` runs it under a counter of instructions.

@Entity(unique: [["code"]]) final class Volume: ManagedObject {
  var code: String
  var title: String
  var year: Int = 0
}

let rows = 5000
let store = try PersistentContainer(.temporary, types: [Volume.self])
try store.perform { context in
  for number in 0..<rows {
    try context.insert(Volume.self) { volume in
      (volume.code, volume.title) = ("code\(number)", "a title of some length \(number)")
      volume.year = number
    }
  }
  try context.save()
}

let questions = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 200
var right = 0
for question in 0..<questions {
  let number = question &* 7919 % rows
  let code = "code\(number)"
  let year = try store.perform { context in
    try context.fetch(Volume.self, where: .equal("code", code), limit: 1).first?.year
  }
  if year == number { right += 1 }
}
print("\(right) of \(questions) questions were answered")
store.close()
