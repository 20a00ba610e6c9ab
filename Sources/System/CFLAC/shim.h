/* Sources/System/CFLAC: what Swift cannot import by itself, and nothing else. */
#pragma once
#include <FLAC/stream_decoder.h>
#include <FLAC/stream_encoder.h>
#include <FLAC/metadata.h>
#include <stdio.h>
