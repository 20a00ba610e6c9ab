/* Sources/System/CZlib: what Swift cannot import by itself, and nothing else. */
#pragma once
#include <zlib.h>

/* A macro with arguments. 31 is the largest window with a gzip header around it. */
static inline int czlib_begin_gzip(z_stream *stream) {
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY);
}
