// OxbowContext
