/*
 * version.c - the version, given by the build.
 */
#include <tacit/base.h>

const char *tacit_version(void)
{
    return TACIT_VERSION;
}
