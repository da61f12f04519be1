import Oxbow
import OxbowCommands

// oxbowctl with the catalog's classes and steps.
OxbowTool.main(types: CatalogModel.classes.types, steps: [kindsOfRawNames])
