/* Sources/CMPV: what Swift cannot import by itself, and nothing else. */
#pragma once
#include <mpv/client.h>
