import Foundation
import Oxbow
import OxbowCommands

/// The step of `0004_kinds-of-raw-names.code.xml`: the kind of a file follows from the bytes of its
/// name, by the same rule as when a directory is indexed.
///
/// A row whose kind is right already is not written.
let kindsOfRawNames = CodeStep.batched("kinds-of-raw-names", over: "File") { file, _ in
  guard let bytes = try file.value("rawName", as: Data.self) else { return }
  try file.setValue(RawName(bytes).kind, for: "kind")
}
