// STOWAGE_COLD marks a function that runs rarely, in a source that is optimised for speed: the
// compiler optimises it for size and keeps it out of its callers.
#pragma once

#ifdef __clang__
#define STOWAGE_COLD [[gnu::cold, clang::minsize]]
#else
#define STOWAGE_COLD [[gnu::cold]]
#endif
