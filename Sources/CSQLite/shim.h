/* Sources/CSQLite: what Swift cannot import by itself, and nothing else. */
#pragma once
#include <sqlite3.h>
