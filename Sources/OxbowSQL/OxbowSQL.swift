// OxbowSQL
