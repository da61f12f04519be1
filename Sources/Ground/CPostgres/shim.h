// The system's libpq. Only programs with the trait PostgreSQL need it.

#ifndef OXBOW_CPOSTGRES_SHIM_H
#define OXBOW_CPOSTGRES_SHIM_H

#if !__has_include(<libpq-fe.h>)
#error "the header of libpq was not found: install libpq-dev and pkg-config, or leave the trait PostgreSQL out"
#endif

#include <libpq-fe.h>

#endif
