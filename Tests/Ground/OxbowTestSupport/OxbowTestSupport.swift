// OxbowTestSupport
