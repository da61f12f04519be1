try await kindsOfProxies()
try proxiesOfParents()
