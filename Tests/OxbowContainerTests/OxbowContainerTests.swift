// OxbowContainerTests
