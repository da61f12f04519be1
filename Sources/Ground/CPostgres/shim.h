// The system's libpq. Only programs with the trait PostgreSQL need it.

#ifndef OXBOW_CPOSTGRES_SHIM_H
#define OXBOW_CPOSTGRES_SHIM_H

#include <libpq-fe.h>

#endif
