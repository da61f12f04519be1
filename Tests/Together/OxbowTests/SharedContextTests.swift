import Oxbow
import Testing

@Suite struct SharedContextTests {
  @Test func `E11 a context that would be shared is answered with what to write in the file`()
    throws
  {
    let builder = ContainerBuilder()
    try builder.load(
      text: """
        <container>
          <object id="coordinator" class="StoreCoordinatorFactory">
            <property name="storePath" value=":memory:"/>
          </object>
          <object id="context" class="ContextFactory" singleton="true">
            <property name="coordinator" ref="coordinator"/>
          </object>
        </container>
        """)
    let problem = builder.check().problems.first { $0.code == .sharedNotSendable }
    #expect(
      problem?.nextStep == """
        give the object scope "prototype" (singleton="false"), and let others refer to a \
        ThreadLocalProxyFactory whose factoryObject it is: each thread gets its own
        """)
  }

  @Test func `E9 the address of a file under the name of the Oxen container is a path`() {
    let factory = StoreCoordinatorFactory()
    factory.storeUrl = "file:///var/lib/my%20notes/notes.sqlite"
    #expect(factory.storePath == "/var/lib/my notes/notes.sqlite")
    factory.storeUrl = "notes.sqlite"
    #expect(factory.storePath == "notes.sqlite")
    factory.storeUrl = ":memory:"
    #expect(factory.storeUrl == ":memory:")
  }
}
