/// A line of code whose errors are shown at another line.
///
/// - Parameters:
///   - line: The line.
///   - location: File and line as arguments; empty where they are unknown.
/// - Returns: The line, between directives where the location is known.
func located(_ line: String, at location: String) -> String {
  location.isEmpty ? line : "#sourceLocation(\(location))\n\(line)\n#sourceLocation()"
}
