/* Sources/System/CInih: what Swift cannot import by itself, and nothing else. */
#pragma once
#include <ini.h>

/* inih's options are global variables, which Swift 6 does not let anyone touch. A line is at most
   `longest` bytes; an indented line is a line like any other and not the end of the one before. */
static inline void cinih_configure(int longest) {
    ini_allow_multiline = false;
    ini_use_stack = false;
    ini_max_line = longest + 3;
    ini_initial_alloc = longest + 3;
}
