/* Sources/System/CSeccomp: what Swift cannot import by itself, and nothing else. */
#pragma once
#include <errno.h>
#include <seccomp.h>

/* A macro with an argument, and a function with as many arguments as one likes. */
static inline unsigned int baton_seccomp_refuse(void) { return SCMP_ACT_ERRNO(EPERM); }
static inline int baton_seccomp_allow(scmp_filter_ctx filter, int call) { return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0); }
