/* Sources/System/CZlib: what Swift cannot import by itself, and nothing else. */
#pragma once
#include <zlib.h>

/* A macro with arguments. 31 is the largest window with a gzip header around it. */
static inline int czlib_begin_gzip(z_stream *stream) {
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY);
}

/* The whole of `from`, which is what `compress` writes, into `to`: 0, or what zlib says of it. `count` is the room before and what was
   written after. The function itself is called with types of zlib's own. */
static inline int czlib_inflate(unsigned char *to, unsigned long *count, const unsigned char *from, unsigned long length) {
    return uncompress(to, count, from, length);
}
