/// Jobs that wait: the more urgent ones first, those of one band in the order of their arrival.
///
/// Every eighth job is the one that has waited longest, so urgent ones cannot keep others waiting
/// for ever.
package struct WorkQueue<Job> {
  private struct Lane {
    var entries: [(number: UInt, job: Job)] = []
    var head = 0

    var first: UInt? { head < entries.count ? entries[head].number : nil }

    mutating func removeFirst() -> Job {
      defer {
        head += 1
        if head == entries.count {
          entries.removeAll(keepingCapacity: head <= 64)
          head = 0
        } else if head >= 64, head * 2 >= entries.count {
          entries.removeFirst(head)
          head = 0
        }
      }
      return entries[head].job
    }
  }

  /// One lane for each band, the most urgent first.
  private var lanes = [Lane](repeating: Lane(), count: 4)
  private var added: UInt = 0
  private var taken: UInt = 0

  package init() {}

  package var count: Int { Int(added - taken) }

  /// Adds a job with the raw value of a `TaskPriority`.
  package mutating func add(_ job: Job, priority: UInt8) {
    lanes[Self.lane(priority)].entries.append((added, job))
    added += 1
  }

  /// Takes the next job out.
  package mutating func take() -> Job? {
    guard count > 0 else { return nil }
    taken += 1
    let lane = taken % 8 == 0 ? oldest : lanes.firstIndex { $0.first != nil }
    return lane.map { lanes[$0].removeFirst() }
  }

  private var oldest: Int? {
    lanes.indices.min { (lanes[$0].first ?? .max) < (lanes[$1].first ?? .max) }
  }

  private static func lane(_ priority: UInt8) -> Int {
    switch priority {
    case 0: 1  // none was given
    case ...TaskPriority.background.rawValue: 3
    case ...TaskPriority.utility.rawValue: 2
    case ...TaskPriority.medium.rawValue: 1
    default: 0
    }
  }
}
