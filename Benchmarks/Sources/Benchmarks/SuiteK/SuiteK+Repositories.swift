import Oxbow

extension SuiteK {
  /// Methods of a repository against the same fetches by hand, of one context.
  static func repositoryCases() throws -> [Case] {
    let builder = ContainerBuilder()
    let context = builder.persistentStore(at: .temporary, types: [Tome.self])
    let tomes = builder.singleton(named: "tomes", { StoredTomes(context: $0) }, context)
    let container = try builder.build()
    let repository = try container.object(tomes)
    let store = try container.object(context)
    for number in 0..<1000 {
      try repository.insert { ($0.title, $0.code) = ("Volume \(number % 100)", "\(number)") }
    }
    try repository.save()
    let limit = "≤ 1.05"
    return [
      Case("repository-first", against: "fetch", target: limit) { count in
        for number in 0..<count { consume(try repository.first(code: "\(number % 1000)")) }
      } theirs: { count in
        for number in 0..<count {
          consume(
            try store.fetch(Tome.self, where: .equal("code", "\(number % 1000)"), limit: 1).first)
        }
      },
      Case("repository-find", against: "fetch", target: limit) { count in
        for number in 0..<count {
          consume(try repository.find(titleContains: " \(number % 90)", limit: 10))
        }
      } theirs: { count in
        for number in 0..<count {
          consume(
            try store.fetch(Tome.self, where: .contains("title", " \(number % 90)"), limit: 10))
        }
      },
      Case("repository-query", against: "fetch", target: "") { count in
        for number in 0..<count { consume(try repository.named("\(number % 1000)")) }
      } theirs: { count in
        for number in 0..<count {
          consume(try store.fetch(Tome.self, where: .equal("code", "\(number % 1000)")))
        }
      },
    ]
  }
}

@Entity(unique: [["code"]]) final class Tome: ManagedObject {
  var code: String
  var title: String
}

@Repository protocol Tomes: Repository<Tome> {
  func first(code: String) throws -> Tome?
  func find(titleContains: String, limit: Int) throws -> [Tome]
  @Query("code == $code") func named(_ code: String) throws -> [Tome]
}

private struct StoredTomes: Tomes, Stored {
  let context: any ObjectContext & Sendable
}
