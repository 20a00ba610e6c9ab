/* Sources/System/CQRencode: nothing but the library's own header. */
#pragma once
#include <qrencode.h>
