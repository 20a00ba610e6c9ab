/* Sources/System/CExpat: what Swift cannot import by itself, and nothing else. */
#pragma once
#include <expat.h>
