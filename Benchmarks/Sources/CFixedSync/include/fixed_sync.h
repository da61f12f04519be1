// Lets each fsync and fdatasync of a process take a fixed time, so that stores can be compared on a
// disk that others use as well. In a server it is preloaded, and FIXED_SYNC says how many microseconds.

#ifndef OXBOW_FIXED_SYNC_H
#define OXBOW_FIXED_SYNC_H

// How long it takes in this process, in microseconds; -1 for as long as the disk takes.
void fixed_sync_set(long microseconds);

#endif
