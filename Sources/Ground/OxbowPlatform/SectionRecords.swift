internal import COxbowSections

/// The memory between the bounds of this image's component section; empty if no record was linked.
package func componentSection() -> UnsafeRawBufferPointer {
  guard let begin = oxbow_components_begin(), let end = oxbow_components_end() else {
    return UnsafeRawBufferPointer(start: nil, count: 0)
  }
  return UnsafeRawBufferPointer(start: begin, count: end - begin)
}
