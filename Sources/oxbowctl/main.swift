import OxbowCommands

OxbowTool.main()
