internal import OxbowContainer
internal import OxbowDocuments

/// Finds the label of each argument of a call, by name or by number, and what is missing.
struct ArgumentLabels {
  let method: MethodName
  /// The attribute that names the label in this dialect; `index` gives its number from 0.
  let nameAttribute: String
  private var given: Set<String> = []

  init(_ method: MethodName, nameAttribute: String) {
    self.method = method
    self.nameAttribute = nameAttribute
  }

  /// The label of one argument; nil when that is a problem.
  mutating func label(of element: XMLElement, _ report: inout MarkupReport) -> String? {
    guard let label = find(element, &report) else { return nil }
    if given.insert(label).inserted { return label }
    report.report(.repeatedArgument(label, element, of: method))
    return nil
  }

  private func find(_ element: XMLElement, _ report: inout MarkupReport) -> String? {
    switch (element.attribute(nameAttribute)?.value, element.attribute("index")?.value) {
    case (let name?, nil):
      if method.labels.contains(name) { return name }
      report.report(.unknownArgument(name, element, of: method))
    case (nil, let text?):
      if let index = Int(text), method.labels.indices.contains(index) {
        return method.labels[index]
      }
      report.report(.wrongIndex(text, element, of: method))
    case (_?, _?): report.report(.labelTwice(element, nameAttribute))
    case (nil, nil): report.report(.noLabel(element, nameAttribute, of: method))
    }
    return nil
  }

  /// Reports the labels that no argument has.
  ///
  /// Not asked when an argument was faulty: its label would seem to be missing.
  func finish(_ element: XMLElement, _ report: inout MarkupReport) {
    let missing = method.labels.filter { !given.contains($0) }
    if !missing.isEmpty { report.report(.missingArguments(missing, element, of: method)) }
  }
}
