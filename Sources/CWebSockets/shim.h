/* Sources/CWebSockets: what Swift cannot import by itself, and nothing else. */
#pragma once
#include <libwebsockets.h>
#include <ev.h>
