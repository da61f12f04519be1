/// A line of code whose errors are shown at another place.
///
/// - Parameters:
///   - line: The line.
///   - place: File and line of the place as arguments; empty where they are unknown.
/// - Returns: The line, between directives where the place is known.
func located(_ line: String, at place: String) -> String {
  place.isEmpty ? line : "#sourceLocation(\(place))\n\(line)\n#sourceLocation()"
}
