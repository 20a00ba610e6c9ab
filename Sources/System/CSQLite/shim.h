/* Sources/System/CSQLite: what Swift cannot import by itself, and nothing else. */
#pragma once
#include <sqlite3.h>
#include <stddef.h>

/* A macro with a cast in it. */
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

/* An extension of GNU, which string.h hides here. */
void *memmem(const void *text, size_t length, const void *part, size_t wanted);
