/// What the program is called that has the commands, in its help and its hints.
///
/// A tool of a project's own has classes and steps that `oxbowctl` has not, so what it says can be
/// pasted only under its own name.
enum ToolName {
  static let standard = "oxbowctl"

  /// The name that the program was called by.
  ///
  /// The configurations of the commands have it: they are made when they are first asked for, which
  /// is below ``OxbowTool/main(types:steps:)``.
  @TaskLocal static var current = standard

  /// The name that the arguments of a program begin with.
  static func called(_ arguments: [String]) -> String {
    arguments.first?.split(separator: "/").last.map(String.init) ?? standard
  }

  /// The command that applies a step in Swift, for those who lack the step.
  static var runningSteps: String {
    "swift run \(current == standard ? "TOOL" : current) migrate apply"
  }
}
