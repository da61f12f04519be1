// expect-error: a context makes its objects; write 'try context.insert(Type.self)'

import Oxbow

@Entity final class Book: ManagedObject {
  var title: String
}

func book(in context: ManagedObjectContext) -> Book { Book(context: context) }
