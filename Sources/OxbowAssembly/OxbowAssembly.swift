// OxbowAssembly
