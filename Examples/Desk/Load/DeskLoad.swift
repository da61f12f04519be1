import AsyncHTTPClient
import Foundation

/// Asks a help desk as much as it can answer: `deskload URL SECONDS CLIENTS`.
@main enum DeskLoad {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let seconds = Int(arguments[2]), seconds > 0,
      let clients = Int(arguments[3]), clients > 0
    else {
      say("usage: deskload URL SECONDS CLIENTS")
      exit(64)
    }
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = clients
    let client = HTTPClient(configuration: configuration)
    let load = Load(client: client, url: arguments[1], time: .seconds(seconds), clients: clients)
    let isWell = try await load.run()
    try await client.shutdown()
    exit(isWell ? 0 : 1)
  }

  static func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}

private struct Load {
  /// How long the requests of one client took, and how many were refused.
  struct Times: Sendable {
    var answered: [Duration] = []
    var refused = 0
  }

  let client: HTTPClient
  let url: String
  let time: Duration
  let clients: Int

  /// Opens tickets, reads one of them, then lists; returns whether all was answered.
  func run() async throws -> Bool {
    let place = try await send("POST", "/tickets", #"{"title": "The first"}"#)
    guard let path = place.headers.first(name: "location") else {
      DeskLoad.say("deskload: POST /tickets was answered with \(place.status), without a place")
      return false
    }
    print("\(clients) clients, each request        requests/s   p50 ms   p99 ms   refused")
    return try await [
      measure("POST /tickets", "POST", "/tickets", #"{"title": "Paper jam", "text": "Again."}"#),
      measure("GET /tickets/ID", "GET", path), measure("GET /tickets", "GET", "/tickets"),
    ].allSatisfy { $0 }
  }

  private func measure(
    _ name: String, _ method: String, _ path: String, _ body: String? = nil
  ) async throws -> Bool {
    let clock = ContinuousClock()
    let start = clock.now
    let times = try await withThrowingTaskGroup(of: Times.self) { group in
      for _ in 0..<clients {
        group.addTask {
          var times = Times()
          while clock.now < start + time {
            let begin = clock.now
            let response = try await send(method, path, body)
            if response.status.code >= 300 { times.refused += 1 }
            times.answered.append(begin.duration(to: clock.now))
          }
          return times
        }
      }
      return try await group.reduce(into: Times()) {
        $0.answered += $1.answered
        $0.refused += $1.refused
      }
    }
    report(name, times, in: start.duration(to: clock.now))
    return times.refused == 0
  }

  private func report(_ name: String, _ times: Times, in time: Duration) {
    let sorted = times.answered.sorted()
    let rate = Int(Double(sorted.count) / (time / .seconds(1)))
    let (half, most) = (sorted[sorted.count / 2], sorted[sorted.count * 99 / 100])
    let figures = [half, most].map { String(format: "%9.2f", $0 / .milliseconds(1)) }
    print(
      name.padding(toLength: 36, withPad: " ", startingAt: 0) + String(format: "%10d", rate)
        + figures.joined() + String(format: "%10d", times.refused))
  }

  private func send(
    _ method: String, _ path: String, _ body: String? = nil
  ) async throws -> HTTPClientResponse {
    var request = HTTPClientRequest(url: url + path)
    request.method = .RAW(value: method)
    if let body { request.body = .bytes(.init(string: body)) }
    let response = try await client.execute(request, timeout: .seconds(30))
    _ = try await response.body.collect(upTo: 1 << 20)
    return response
  }
}
