// OxbowModel
