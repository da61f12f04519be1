import Foundation
import OxbowRuntime
import Testing

@Suite struct WiringTests {
  @Test func `model, coordinator, context and repository are wired in code (OX-28)`() throws {
    let builder = ContainerBuilder()
    let model = builder.singleton("model", { notesModel })
    let coordinator = builder.singleton("coordinator", factory: StoreCoordinatorFactory.init) {
      $0.set(\.storePath, to: ":memory:")
      $0.set(\.model, model)
    }
    let threadContext = builder.prototype("threadContext", factory: ContextFactory.init) {
      $0.set(\.coordinator, coordinator)
    }
    let context = builder.threadLocalProxy(
      "context", of: threadContext, as: ObjectContextProxy.self)
    let notes = builder.singleton("notes", Notes.init(context:), context)
    let container = try builder.build()

    let repository = try container.object(notes)
    try onThreads(8) { thread in
      try repository.add("\(thread)")
      try repository.save()
    }
    try onThreads(1) { _ in
      let count = try repository.texts().count
      #expect(count == 8)
    }
    #expect(try container.object(notes) === repository)
  }

  @Test func `a factory without its model says so`() throws {
    let builder = ContainerBuilder()
    let coordinator = builder.singleton("coordinator", factory: StoreCoordinatorFactory.init) {
      $0.set(\.storePath, to: ":memory:")
    }
    let container = try builder.build()
    let error = #expect(throws: ContainerError.self) { try container.object(coordinator) }
    #expect("\(error!)".contains("model"))
  }
}
