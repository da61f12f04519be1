internal import ArgumentParser

/// The program's arguments as the system gave them.
enum ProgramArguments {
  /// Refuses an argument that is not UTF-8: as a text it would be the name of another file.
  static func requireUTF8() throws {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let start = CommandLine.unsafeArgv[index], String(validatingCString: start) == nil
      else { continue }
      throw ValidationError(
        "Argument \(index), '\(escaped(start))', is not UTF-8; rename the file, or go to its folder "
          + "and give a path without these bytes.")
    }
  }

  /// The text with `\xE9` for what is not ASCII.
  private static func escaped(_ start: UnsafePointer<CChar>) -> String {
    UnsafeBufferPointer(start: start, count: length(start)).map { byte in
      let byte = UInt8(bitPattern: byte)
      guard byte >= 0x7F || byte < 0x20 else { return String(Unicode.Scalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "\\x" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }

  private static func length(_ start: UnsafePointer<CChar>) -> Int {
    var count = 0
    while start[count] != 0 { count += 1 }
    return count
  }
}
