import Oxbow
import OxbowCommands

// oxbowctl with this program's classes and steps.
OxbowTool.main(types: [Person.self], steps: [splitName])
