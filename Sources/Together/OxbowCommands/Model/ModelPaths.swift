internal import ArgumentParser

/// The documents that a command is about.
struct ModelPaths: ParsableArguments {
  @Argument(
    help: "An .xcdatamodeld or .xcdatamodel folder, or a file of one; several are merged.",
    completion: .file())
  var paths: [String]
}
