import CoreMetrics
import Synchronization

/// Metrics as a page in the text format of Prometheus.
///
/// It keeps the example without another dependency; a program would rather use swift-prometheus or
/// swift-otel.
final class MetricsPage: MetricsFactory {
  private let values = Mutex<[String: Double]>([:])

  /// The page: a line for each value.
  var text: String {
    values.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
  }

  fileprivate func add(_ amount: Double, to name: String) {
    values.withLock { $0[name, default: 0] += amount }
  }

  fileprivate func set(_ name: String, to value: Double) { values.withLock { $0[name] = value } }

  private func series(_ label: String, _ dimensions: [(String, String)]) -> Series {
    let labels = dimensions.map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }
    let text = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
    return Series(self, Self.name(label), text)
  }

  private static func name(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { text, letter in
      if "\"\\".contains(letter) { text += "\\" }
      text += letter == "\n" ? "\\n" : String(letter)
    }
  }
}

extension MetricsPage {
  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(label, dimensions)
  }

  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler { series(label, dimensions) }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, dimensions)
  }

  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
}

/// One name with its labels.
private final class Series: CounterHandler, RecorderHandler, TimerHandler {
  private let page: MetricsPage
  private let name: String
  private let labels: String

  init(_ page: MetricsPage, _ name: String, _ labels: String) {
    (self.page, self.name, self.labels) = (page, name, labels)
  }

  func increment(by amount: Int64) { page.add(Double(amount), to: "\(name)_total\(labels)") }
  func reset() { page.set("\(name)_total\(labels)", to: 0) }
  func record(_ value: Int64) { record(Double(value)) }
  func record(_ value: Double) { page.set("\(name)\(labels)", to: value) }
  func recordNanoseconds(_ duration: Int64) {
    page.add(1, to: "\(name)_seconds_count\(labels)")
    page.add(Double(duration) / 1e9, to: "\(name)_seconds_sum\(labels)")
  }
}
