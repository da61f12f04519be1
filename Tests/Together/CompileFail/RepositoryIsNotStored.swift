// expect-error: type 'FilmsOfTheContext' does not conform to protocol 'Films'
// expect-error: type 'FilmsOfTheContext' does not conform to protocol 'Repository'
// expect-error: write ', Stored' behind the repository's name: it has this method and those of '@Repository'; or write all of them

import Oxbow

@Entity final class Film: ManagedObject {
  var title: String
}

@Repository protocol Films: Repository<Film> {
  func find(title: String) throws -> [Film]
}

struct FilmsOfTheContext: Films {
  let context: any ObjectContext & Sendable
}
