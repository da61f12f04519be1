/// The section record that makes a registry entry known to the program.
///
/// The shape is ABI: the version of the record, and a C function that writes the entry into memory.
func componentRecord(_ entry: String, indentedBy spaces: Int) -> String {
  let text = """
    #if objectFormat(MachO)
    @section("__DATA_CONST,__oxbow") @used
    #elseif objectFormat(ELF)
    @section("oxbow_components") @used
    #endif
    nonisolated private static let _componentRecord: ComponentRecord = (
      version: 1,
      describe: {
        $0.assumingMemoryBound(to: RegistryEntry.self).initialize(to: \(entry))
      }
    )
    """
  let margin = String(repeating: " ", count: spaces)
  return margin + text.indented(by: spaces)
}
