// OxbowContainer
