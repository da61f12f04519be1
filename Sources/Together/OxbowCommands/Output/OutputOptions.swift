internal import ArgumentParser

struct OutputOptions: ParsableArguments {
  @Flag(name: .long, help: "Write the result as JSON.")
  var json = false

  @Flag(name: [.customShort("q"), .long], help: "Write results and errors only.")
  var quiet = false

  @Flag(name: .customLong("no-color"), help: "Write no colours.")
  var noColor = false
}
