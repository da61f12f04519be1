// The bounds of the linker section in which `@Component` leaves its records.
//
// ELF linkers define __start_ and __stop_ symbols for every section whose name is a C identifier.
// They are weak here, so that an image without records links, and hidden, so that each image sees
// its own records only.

#ifndef OXBOW_SECTIONS_H
#define OXBOW_SECTIONS_H

static inline const void *oxbow_components_begin(void);
static inline const void *oxbow_components_end(void);

#if defined(__APPLE__)
extern const char oxbow_begin_symbol[] __asm("section$start$__DATA_CONST$__oxbow");
extern const char oxbow_end_symbol[] __asm("section$end$__DATA_CONST$__oxbow");
#else
extern const char oxbow_begin_symbol[] __asm__("__start_oxbow_components")
    __attribute__((weak, visibility("hidden")));
extern const char oxbow_end_symbol[] __asm__("__stop_oxbow_components")
    __attribute__((weak, visibility("hidden")));
#endif

static inline const void *oxbow_components_begin(void) { return oxbow_begin_symbol; }
static inline const void *oxbow_components_end(void) { return oxbow_end_symbol; }

#endif
