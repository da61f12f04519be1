// OxbowStore
