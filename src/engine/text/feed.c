/*
 * feed.c - bytes of a file as they are wanted, and rows cut from them.
 *
 * In CSV a line end between quotes ends no row; quotes that break the rules of RFC 4180 are
 * found later by the reader of tables, so here their number being even is enough. Where a row
 * does not end, twice as much is read, so that looking for its end costs no more than reading.
 *
 * Text that is UTF-16 or no text at all would be copied as it is, with everybody in it: it is
 * refused by the first bytes. A few stray bytes are not reason enough.
 */
#include "engine/text/feed.h"

#include "base/error.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE = 100 /* milliseconds between looks at signals */, LOOK = 1 << 16 };

tacit_status engine_feed_open(engine_feed *feed, const char *path, tacit_error *err)
{
    struct stat about;
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard input" : path;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return tacit__error(err, TACIT_IO, "%s: cannot open: %s", name, strerror(errno));
    feed->fd = fd;
    feed->open = true;
    feed->waits = fstat(fd, &about) != 0 || !S_ISREG(about.st_mode);
    feed->ended = feed->begun = false;
    feed->name = name;
    feed->rest.len = 0;
    feed->line = feed->row = 1;
    return TACIT_OK;
}

void engine_feed_close(engine_feed *feed)
{
    if (feed->open && feed->fd != STDIN_FILENO)
        close(feed->fd);
    feed->open = false;
    engine_text_clear(&feed->rest);
}

static tacit_status wait_for(const engine_feed *feed, engine_session *session, tacit_error *err)
{
    struct pollfd ready = {.fd = feed->fd, .events = POLLIN};
    while (feed->waits) {
        if (engine_session_check(session) != TACIT_OK)
            return tacit__error(err, TACIT_CANCELLED, "stopped on request");
        if (poll(&ready, 1, PATIENCE) > 0)
            break;
    }
    return TACIT_OK;
}

static tacit_status read_some(engine_text *text, size_t most, engine_feed *feed,
                              engine_session *session, tacit_error *err)
{
    tacit_status status = wait_for(feed, session, err);
    if (status == TACIT_OK)
        status = engine_text_reserve(text, most, err);
    if (status != TACIT_OK)
        return status;
    ssize_t got = read(feed->fd, text->bytes + text->len, most);
    if (got < 0 && errno == EINTR)
        return TACIT_OK;
    if (got < 0)
        return tacit__error(err, TACIT_IO, "%s: cannot read: %s", feed->name, strerror(errno));
    feed->ended = got == 0;
    text->len += (size_t)got;
    return TACIT_OK;
}

static bool starts_with(const engine_text *text, const char *bytes, size_t len)
{
    return text->len >= len && memcmp(text->bytes, bytes, len) == 0;
}

/* Bytes that text does not have: control characters, and what is no UTF-8. */
static size_t count_strange(const char *bytes, size_t len)
{
    size_t strange = 0;
    for (size_t i = 0; i < len;) {
        unsigned char c = (unsigned char)bytes[i];
        size_t step = engine_utf8_step(bytes + i, len - i);
        bool control = c < 0x20 && !(c >= '\t' && c <= '\r') && c != 0x1B;
        bool cut = step == 0 && len - i < 4; /* at the end of what was read */
        strange += control || (step == 0 && !cut);
        i += step ? step : 1;
    }
    return strange;
}

static tacit_status look(const engine_text *text, const engine_feed *feed, tacit_error *err)
{
    size_t len = text->len < LOOK ? text->len : LOOK;
    if (starts_with(text, "\xFF\xFE\0\0", 4) || starts_with(text, "\0\0\xFE\xFF", 4))
        return tacit__error(err, TACIT_PARSE,
                            "%s: this is UTF-32; convert the file (iconv -f UTF-32 -t UTF-8)",
                            feed->name);
    if (starts_with(text, "\xFF\xFE", 2) || starts_with(text, "\xFE\xFF", 2))
        return tacit__error(err, TACIT_PARSE,
                            "%s: this is UTF-16; convert the file (iconv -f UTF-16 -t UTF-8)",
                            feed->name);
    if (count_strange(text->bytes, len) > len / 10)
        return tacit__error(err, TACIT_PARSE,
                            "%s: this is not text, or not UTF-8, and nothing would be found in it; "
                            "convert the file (iconv -t UTF-8, pdftotext)",
                            feed->name);
    return TACIT_OK;
}

tacit_status engine_feed_fill(engine_text *text, size_t want, engine_feed *feed,
                              engine_session *session, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && text->len < want && !feed->ended)
        status = read_some(text, want - text->len, feed, session, err);
    if (status == TACIT_OK && !feed->begun)
        status = look(text, feed, err);
    feed->begun = true;
    return status;
}

/* What is whole of the text, and how many lines and rows that is. */
typedef struct whole {
    size_t len;
    int64_t lines, rows;
} whole;

static whole find_lines(const engine_text *text, bool all)
{
    whole w = {0};
    const char *end = text->bytes + text->len;
    for (const char *at = text->bytes; at < end && (at = memchr(at, '\n', (size_t)(end - at)));) {
        at++;
        w.rows++;
        w.len = (size_t)(at - text->bytes);
    }
    if (all && w.len < text->len) {
        w.rows++;
        w.len = text->len;
    }
    w.lines = w.rows;
    return w;
}

static whole find_rows(const engine_text *text, bool all)
{
    whole w = {0};
    bool quoted = false;
    int64_t lines = 0;
    for (size_t i = 0; i < text->len; i++) {
        quoted ^= text->bytes[i] == '"';
        if (text->bytes[i] != '\n')
            continue;
        lines++;
        if (!quoted)
            w = (whole){i + 1, lines, w.rows + 1};
    }
    if (all && w.len < text->len)
        w = (whole){text->len, lines + 1, w.rows + 1};
    return w;
}

static tacit_status too_long(const engine_feed *feed, size_t longest, tacit_error *err)
{
    return tacit__error_at(err, TACIT_LIMIT, feed->name, feed->line, 0,
                           "a row of more than %zu MB; no longer ones are read", longest >> 20);
}

tacit_status engine_feed_rows(engine_text *text, engine_feed *feed, engine_cut cut, size_t want,
                              size_t longest, engine_session *session, tacit_error *err)
{
    whole w = {0};
    text->len = 0;
    engine_text_put(text, feed->rest.bytes, feed->rest.len);
    tacit_status status = engine_text_check(text, err);
    for (;; want *= 2) {
        if (status == TACIT_OK)
            status = engine_feed_fill(text, want, feed, session, err);
        if (status != TACIT_OK)
            return status;
        w = cut == ENGINE_CUT_CSV ? find_rows(text, feed->ended) : find_lines(text, feed->ended);
        if (w.len > 0 || feed->ended)
            break;
        if (text->len >= longest)
            return too_long(feed, longest, err);
    }
    feed->rest.len = 0;
    engine_text_put(&feed->rest, text->bytes + w.len, text->len - w.len);
    text->len = w.len;
    feed->line += w.lines;
    feed->row += w.rows;
    return engine_text_check(&feed->rest, err);
}
