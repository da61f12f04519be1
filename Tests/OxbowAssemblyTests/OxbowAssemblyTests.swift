// OxbowAssemblyTests
