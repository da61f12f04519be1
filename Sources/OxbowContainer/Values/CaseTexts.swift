internal import OxbowDocuments

/// The raw values of an enumeration as text, all of them or those near a text.
func caseTexts<Cases: CaseIterable>(_ type: Cases.Type, near text: String?) -> [String] {
  let all = Cases.allCases.compactMap { ($0 as? any RawRepresentable).map { rawText($0) } }
  return text.map { nearNames(to: $0, among: all) } ?? all
}

private func rawText(_ value: some RawRepresentable) -> String { "\(value.rawValue)" }
