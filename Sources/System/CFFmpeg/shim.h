/* Sources/System/CFFmpeg: what Swift cannot import by itself, and nothing else. */
#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/frame.h>
#include <libavutil/imgutils.h>
#include <libavutil/murmur3.h>
#include <libavutil/opt.h>
#include <libavutil/replaygain.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

/* Macros with casts in them. */
static inline int64_t cffmpeg_no_time(void) { return AV_NOPTS_VALUE; }
static inline int cffmpeg_end_of_file(void) { return AVERROR_EOF; }
static inline int cffmpeg_no_memory(void) { return AVERROR(ENOMEM); }
