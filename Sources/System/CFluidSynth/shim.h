/* Sources/System/CFluidSynth: what Swift cannot import by itself, and nothing else. */
#pragma once
#include <fluidsynth.h>

/* A function pointer that Swift would have to spell out: libfluidsynth says nothing on its own, our sentences do. */
static inline void cfluidsynth_be_quiet(void) {
    for (int level = FLUID_PANIC; level < LAST_LOG_LEVEL; level++) fluid_set_log_function(level, 0, 0);
}
