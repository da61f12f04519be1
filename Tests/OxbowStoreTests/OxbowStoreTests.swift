// OxbowStoreTests
