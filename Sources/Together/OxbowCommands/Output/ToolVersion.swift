/// The version of Oxbow and of its tool.
enum ToolVersion {
  static let current = "0.1.0"
}
