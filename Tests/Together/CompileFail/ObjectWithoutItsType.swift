// expect-error: nothing says the type of the object; write

import Oxbow

func mailer(of container: Container) throws {
  let mailer = try container.object("mailer")
  _ = mailer
}
