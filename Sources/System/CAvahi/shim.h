/* Sources/System/CAvahi: what Swift cannot import by itself, and nothing else.
 * It imports all of Avahi that we use; the variadic calls have `_strlst` forms. */
#pragma once
#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/address.h>
#include <avahi-common/alternative.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/strlst.h>
#include <avahi-common/watch.h>
