/* Sources/CInih: what Swift cannot import by itself, and nothing else. */
#pragma once
#include <ini.h>
