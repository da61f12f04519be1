import Oxbow
import OxbowCommands

/// The step of `0004_split-name.code.xml`: the last word of a name is the last name.
let splitName = CodeStep.batched("split-name", over: "Person") { person, _ in
  let words = try person.value("name", as: String.self)?.split(separator: " ") ?? []
  let first = words.dropLast().joined(separator: " ")
  try person.setValue(first.isEmpty ? nil : first, for: "firstName")
  try person.setValue(words.last.map(String.init), for: "lastName")
}
