// Many tenants, few stores open, and a process that is killed while its threads save: nothing that
// was acknowledged is lost, and the system lets it open no more files than the limit needs.
//
//   tenants [TENANTS THREADS LIMIT KILLS]     without arguments: 120 16 12 3
//
// How long a cold open takes goes to the standard error where arguments are given.

import Foundation
import OxbowRuntime

let model = ManagedObjectModel(entities: [
  EntityDescription("Note", attributes: [AttributeDescription("text", .string)]),
  EntityDescription("Label", attributes: [AttributeDescription("name", .string)]),
  EntityDescription("Place", attributes: [AttributeDescription("name", .string)]),
])

struct Scale {
  var (tenants, threads, limit, kills) = (120, 16, 12, 3)

  init(_ words: some Collection<String>) {
    let numbers = words.compactMap { Int($0) }
    if numbers.count >= 4 {
      (tenants, threads, limit, kills) = (numbers[0], numbers[1], numbers[2], numbers[3])
    }
  }

  var words: [String] { [tenants, threads, limit, kills].map(String.init) }

  func open(_ folder: String) throws -> TenantStores {
    try TenantStores(in: folder, model: model, limit: limit, createsStores: true)
  }

  /// A tenant; a few are asked for often, most of them seldom.
  func tenant() -> String {
    let chance = Double.random(in: 0..<1)
    return "t\(Int(chance * chance * chance * Double(tenants)))"
  }
}

/// Lets the process open so many more files; another one is an error of the system's.
func allow(moreFiles count: Int) throws {
  let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
    Int($0)
  }
  let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  var limit = rlimit()
  getrlimit(kind, &limit)
  limit.rlim_cur = rlim_t((open.max() ?? 0) + 1 + count)
  setrlimit(kind, &limit)
}

/// Saves until it is killed; each thread notes in a file what has been saved.
func work(_ folder: String, _ scale: Scale, round: String) throws -> Never {
  let tenants = try scale.open(folder + "/stores")
  try allow(moreFiles: scale.threads + 8 * scale.limit)
  for thread in 0..<scale.threads {
    let path = "\(folder)/log-\(round)-\(thread)"
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let log = FileHandle(forWritingAtPath: path)
    else { exit(4) }
    Thread {
      for number in 0... {
        let (tenant, text) = (scale.tenant(), "\(round)-\(thread)-\(number)")
        do {
          try tenants.perform(tenant) { context in
            try context.insert(entityNamed: "Note").setValue(text, for: "text")
            try context.save()
          }
          try log.write(contentsOf: Data("\(tenant) \(text)\n".utf8))
        } catch {
          print(error)
          exit(2)
        }
      }
    }.start()
  }
  while true { sleep(1) }
}

/// What the threads of all rounds have noted, by tenant.
func acknowledged(_ folder: String) throws -> [String: Set<String>] {
  var texts: [String: Set<String>] = [:]
  for file in try FileManager.default.contentsOfDirectory(atPath: folder)
  where file.hasPrefix("log-") {
    let log = try String(contentsOf: URL(filePath: "\(folder)/\(file)"), encoding: .utf8)
    for line in log.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if words.count == 2 { texts[words[0], default: []].insert(words[1]) }
    }
  }
  return texts
}

/// Starts this program as the one that works, and kills it when it has saved for a while.
func killWorker(_ folder: String, _ scale: Scale, round: Int) throws {
  let worker = Process()
  worker.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
  worker.arguments = ["work", folder, "\(round)"] + scale.words
  try worker.run()
  let before = try acknowledged(folder).values.reduce(0) { $0 + $1.count }
  while worker.isRunning {
    Thread.sleep(forTimeInterval: 0.05)
    let now = try acknowledged(folder).values.reduce(0) { $0 + $1.count }
    if now - before > scale.threads * 40 { kill(worker.processIdentifier, SIGKILL) }
  }
  worker.waitUntilExit()
  if worker.terminationReason != .uncaughtSignal { exit(1) }
}

/// How long calls took that had to open a store, in milliseconds.
func report(_ title: String, _ milliseconds: [Double]) {
  let sorted = milliseconds.sorted()
  func share(_ part: Double) -> String {
    String(format: "%.2f", sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))])
  }
  FileHandle.standardError.write(
    Data(
      "\(title): \(sorted.count) cold opens, p50 \(share(0.5)) ms, p90 \(share(0.9)), p99 \(share(0.99)), most \(share(1))\n"
        .utf8))
}

func measure(_ folder: String, _ scale: Scale) throws {
  let clock = ContinuousClock()
  let names = (0..<scale.tenants).map { "t\($0)" }
  do {
    let making = try scale.open(folder + "/stores")
    for name in names { try making.create(name) }
    making.close()
  }
  @Sendable func cold(_ tenants: TenantStores, _ name: String) throws -> Double {
    let time = try clock.measure {
      _ = try tenants.perform(name) {
        try $0.count(FetchRequest<ManagedObject>(entityNamed: "Label"))
      }
    }
    return Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1000
  }
  let alone = try scale.open(folder + "/stores")
  report("one thread", try names.shuffled().map { try cold(alone, $0) })
  alone.close()
  let tenants = try scale.open(folder + "/stores")
  let (lock, group) = (NSLock(), DispatchGroup())
  nonisolated(unsafe) var times: [Double] = []
  let shuffled = names.shuffled()
  for thread in 0..<scale.threads {
    group.enter()
    Thread {
      for index in stride(from: thread, to: shuffled.count, by: scale.threads) {
        guard let time = try? cold(tenants, shuffled[index]) else { exit(5) }
        lock.withLock { times.append(time) }
      }
      group.leave()
    }.start()
  }
  group.wait()
  report("\(scale.threads) threads", times)
  let statistics = tenants.statistics
  tenants.close()
  guard statistics.opened == scale.tenants else { exit(6) }
}

let arguments = CommandLine.arguments
if arguments.count > 3, arguments[1] == "work" {
  try work(arguments[2], Scale(arguments[4...]), round: arguments[3])
}
let scale = Scale(arguments.dropFirst())
let folder =
  FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
  + "/tenants-\(UUID().uuidString)"
try FileManager.default.createDirectory(
  atPath: folder + "/stores", withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(atPath: folder) }
for round in 0..<scale.kills { try killWorker(folder, scale, round: round) }
let expected = try acknowledged(folder)
let tenants = try scale.open(folder + "/stores")
var lost = 0
for (tenant, texts) in expected {
  let found = try tenants.perform(tenant) { context in
    let notes = try context.fetch(FetchRequest<ManagedObject>(entityNamed: "Note"))
    return Set(try notes.map { try $0.value("text", as: String.self) ?? "" })
  }
  lost += texts.subtracting(found).count
}
tenants.close()
let saved = expected.values.reduce(0) { $0 + $1.count }
guard saved > scale.kills * scale.threads * 40 else { exit(7) }
print(
  "\(scale.tenants) tenants, \(scale.threads) threads, \(scale.kills) kills: \(lost) saves lost")
print("never more than 8 files open for each of \(scale.limit) stores")
if arguments.count > 4 { try measure(folder, scale) }
