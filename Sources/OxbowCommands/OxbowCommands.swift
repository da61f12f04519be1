// OxbowCommands
