/* Sources/System/CEBUR128: what Swift cannot import by itself, and nothing else. */
#pragma once
#include <ebur128.h>
