/*
 * plan.c - what `tacit scrub` is asked for. Everything that can be refused without a look
 * at the text is refused here.
 *
 * Replacements are drawn with a key: that of --key, or else one of this run alone, which --seed
 * makes repeatable.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/job/files.h"
#include "engine/text/work.h"

const char *const engine_scrub_strategies[TACIT_TEXT_STRATEGIES] = {
    [TACIT_TEXT_MAKE_UP] = "made-up",   [TACIT_TEXT_TAG] = "tag",
    [TACIT_TEXT_SUPPRESS] = "suppress", [TACIT_TEXT_KEEP] = "keep",
    [TACIT_TEXT_LUMP] = "lump",         [TACIT_TEXT_SHIFT] = "shift",
};

const char *const engine_scrub_scopes[TACIT_TEXT_FOREVER + 1] = {
    [TACIT_TEXT_DOCUMENT] = "document",
    [TACIT_TEXT_BATCH] = "batch",
    [TACIT_TEXT_FOREVER] = "key",
};

enum { MAX_FILE_BYTES = 64 << 20 }; /* bytes of --templates and --weights */

/* ---- --replace ---- */

static bool applies(tacit_text_strategy strategy, tacit_text_kind kind)
{
    if (strategy == TACIT_TEXT_SHIFT)
        return kind == TACIT_TEXT_DATE;
    if (strategy == TACIT_TEXT_LUMP)
        return kind == TACIT_TEXT_DATE || kind == TACIT_TEXT_AGE || kind == TACIT_TEXT_ZIP;
    return true;
}

static int strategy_of(tacit_strview name)
{
    for (int i = 0; i < TACIT_TEXT_STRATEGIES; i++)
        if (tacit_strview_equal(name, tacit_strview_of(engine_scrub_strategies[i])))
            return i;
    return -1;
}

static tacit_status no_kind(tacit_strview name, tacit_error *err)
{
    char word[40], names[640] = "all";
    const char *list[TACIT_TEXT_KEPT + 1] = {"all"};
    size_t len = 3;
    for (int kind = TACIT_TEXT_NONE + 1; kind < TACIT_TEXT_KEPT; kind++) {
        list[kind] = tacit_text_kind_name((tacit_text_kind)kind);
        len += (size_t)snprintf(names + len, sizeof names - len, ", %s", list[kind]);
    }
    snprintf(word, sizeof word, "%.*s", name.len < 39 ? (int)name.len : 39, name.bytes);
    const char *nearest = tacit_nearest(word, list, TACIT_TEXT_KEPT, sizeof *list);
    if (nearest)
        return tacit__error(err, TACIT_INVALID,
                            "--replace: there is no kind \"%s\" (did you mean %s?)", word, nearest);
    return tacit__error(err, TACIT_INVALID, "--replace: there is no kind \"%s\"; there are %s",
                        word, names);
}

/* "date=lump". Titles are nobody, and replaced only where they are named. */
static tacit_status replace_one(tacit_scrub_options *options, tacit_strview item, tacit_error *err)
{
    const char *equals = memchr(item.bytes, '=', item.len);
    int shown = item.len < 60 ? (int)item.len : 60;
    tacit_strview name = {item.bytes, equals ? (size_t)(equals - item.bytes) : item.len};
    int strategy = equals ? strategy_of((tacit_strview){equals + 1, item.len - name.len - 1}) : -1;
    bool all = tacit_strview_equal(name, tacit_strview_of("all"));
    tacit_text_kind kind = tacit_text_kind_of(name);
    if (strategy < 0)
        return tacit__error(
            err, TACIT_INVALID,
            "--replace takes KIND=STRATEGY, the strategy made-up, tag, suppress, keep, "
            "lump or shift, not \"%.*s\"",
            shown, item.bytes);
    if (!all && (kind == TACIT_TEXT_NONE || kind >= TACIT_TEXT_KEPT))
        return no_kind(name, err);
    if (!all && !applies((tacit_text_strategy)strategy, kind))
        return tacit__error(err, TACIT_INVALID,
                            "--replace %.*s: only dates are shifted, and only "
                            "dates, ages and zips lumped",
                            shown, item.bytes);
    for (int k = TACIT_TEXT_NONE + 1; k < TACIT_TEXT_KEPT; k++)
        if (((all && k != TACIT_TEXT_TITLE) || k == (int)kind) &&
            applies((tacit_text_strategy)strategy, (tacit_text_kind)k))
            options->strategy[k] = (tacit_text_strategy)strategy;
    return TACIT_OK;
}

/* Those of every --replace, in their order: the last word on a kind counts. */
static tacit_status read_replace(engine_scrub *scrub)
{
    const engine_settings *settings = scrub->session->settings;
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < settings->given_count; i++) {
        if (strcmp(settings->given[i].setting->name, "replace") != 0)
            continue;
        for (const char *at = settings->given[i].value; status == TACIT_OK;) {
            size_t len = strcspn(at, ",");
            status = replace_one(&scrub->options, (tacit_strview){at, len}, &scrub->session->error);
            if (!at[len])
                break;
            at += len + 1;
        }
    }
    return status;
}

static tacit_status read_shift(engine_scrub *scrub)
{
    tacit_text_strategy strategy = scrub->options.strategy[TACIT_TEXT_DATE];
    scrub->shift_by = engine_value(scrub->session->settings, "shift-by");
    if (!scrub->shift_by || strategy == TACIT_TEXT_SHIFT || strategy == TACIT_TEXT_MAKE_UP)
        return TACIT_OK;
    return tacit__error(
        &scrub->session->error, TACIT_INVALID,
        "--shift-by says how far dates move, and --replace date=%s moves none; leave "
        "one of them out",
        engine_scrub_strategies[strategy]);
}

/* ---- the form of the text ---- */

static tacit_status add_text_column(engine_scrub *scrub, const char *name, tacit_error *err)
{
    if (scrub->column_count == ENGINE_SCRUB_COLUMNS)
        return tacit__error(err, TACIT_INVALID, "--column can be given %d times",
                            ENGINE_SCRUB_COLUMNS);
    for (size_t i = 0; i < scrub->column_count; i++)
        if (strcmp(scrub->columns[i], name) == 0)
            return tacit__error(err, TACIT_INVALID, "--column %.80s is given twice", name);
    scrub->columns[scrub->column_count++] = name;
    return TACIT_OK;
}

static tacit_status read_form(engine_scrub *scrub)
{
    const engine_settings *settings = scrub->session->settings;
    tacit_error *err = &scrub->session->error;
    tacit_status status = TACIT_OK;
    scrub->field = engine_value(settings, "jsonl");
    for (size_t i = 0; i < settings->given_count && status == TACIT_OK; i++)
        if (strcmp(settings->given[i].setting->name, "column") == 0)
            status = add_text_column(scrub, settings->given[i].value, err);
    if (status == TACIT_OK && scrub->field && scrub->column_count > 0)
        status = tacit__error(err, TACIT_INVALID,
                              "--jsonl is for JSON lines and --column for CSV; give one of them");
    if (scrub->field)
        scrub->form = ENGINE_FORM_JSONL;
    else if (scrub->column_count > 0)
        scrub->form = ENGINE_FORM_CSV;
    return status;
}

/* ---- files that are read ---- */

static tacit_status read_named(char **out, tacit_strview *view, const char *option,
                               engine_session *session)
{
    const char *path = engine_value(session->settings, option);
    tacit_error *err = &session->error;
    size_t len = 0;
    if (!path)
        return TACIT_OK;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return tacit__error(err, TACIT_IO, "%s: cannot open: %s", path, strerror(errno));
    off_t size = lseek(fd, 0, SEEK_END);
    tacit_status status =
        size <= MAX_FILE_BYTES
            ? engine_read_all(out, &len, fd, path, err)
            : tacit__error(err, TACIT_LIMIT, "%s: longer than %d MB", path, MAX_FILE_BYTES >> 20);
    close(fd);
    *view = (tacit_strview){*out, len};
    return status;
}

static tacit_status read_known(engine_scrub *scrub)
{
    const engine_settings *settings = scrub->session->settings;
    const char *path = engine_value(settings, "known");
    const char *columns = engine_value(settings, "known-columns");
    if (columns && !path)
        return tacit__error(&scrub->session->error, TACIT_INVALID,
                            "--known-columns speaks of the file of --known, which is missing");
    if (!path)
        return TACIT_OK;
    tacit_status status = engine_known_read(&scrub->known, path, columns, scrub->session);
    scrub->options.known = scrub->known.values;
    scrub->options.known_kinds = scrub->known.kinds;
    scrub->options.known_count = scrub->known.count;
    return status;
}

static tacit_status read_scope(engine_scrub *scrub)
{
    const engine_settings *settings = scrub->session->settings;
    tacit_error *err = &scrub->session->error;
    const char *key = engine_value(settings, "key");
    int scope = -1;
    tacit_status status = engine_choice(&scope, settings, "consistent", engine_scrub_scopes,
                                        TACIT_TEXT_FOREVER + 1, err);
    if (status != TACIT_OK)
        return status;
    if (scope >= 0)
        scrub->options.scope = (tacit_text_scope)scope;
    else if (key)
        scrub->options.scope = TACIT_TEXT_FOREVER;
    if (scope == TACIT_TEXT_FOREVER && !key)
        return tacit__error(
            err, TACIT_INVALID,
            "--consistent key needs --key FILE; tacit scrub --new-key FILE makes one");
    if (key && engine_has(settings, "seed"))
        return tacit__error(err, TACIT_INVALID,
                            "--key and --seed both say how values are made up; give one of them");
    memcpy(scrub->options.key, scrub->session->run.seed, sizeof scrub->options.key);
    return key ? engine_scrub_key_read(scrub->options.key, key, err) : TACIT_OK;
}

_Static_assert((int)TACIT_TEXT_KEY_BYTES == (int)TACIT_SEED_BYTES, "a run's seed is a key");

static tacit_status read_threshold(engine_scrub *scrub)
{
    const engine_settings *settings = scrub->session->settings;
    double threshold = engine_real(settings, "threshold", 0);
    if (threshold > 1)
        return tacit__error(&scrub->session->error, TACIT_INVALID,
                            "--threshold takes a number from 0 to 1, not \"%.40s\"",
                            engine_value(settings, "threshold"));
    if (engine_has(settings, "threshold"))
        scrub->options.threshold = (int)(threshold * 100 + 0.5);
    scrub->options.special = !engine_has(settings, "no-special");
    scrub->options.accept_unread = engine_has(settings, "accept-unread");
    return TACIT_OK;
}

/* ---- files that are written ---- */

static tacit_status check_sides(engine_scrub *scrub)
{
    const engine_settings *settings = scrub->session->settings;
    const engine_scrub_files *files = &scrub->files;
    const engine_file all[] = {
        {files->count == 1 ? files->items[0].path : NULL, "FILE", false},
        {engine_value(settings, "known"), "--known", false},
        {engine_value(settings, "templates"), "--templates", false},
        {engine_value(settings, "weights"), "--weights", false},
        {engine_value(settings, "key"), "--key", false},
        {files->count == 1 ? files->items[0].target : NULL, "-o", true},
        {scrub->spans.path, "--spans", true},
        {scrub->explain.path, "--explain", true},
        {engine_value(settings, "report"), "--report", true},
        {engine_value(settings, "html"), "--html", true},
    };
    const size_t count = sizeof all / sizeof *all;
    tacit_status status = engine_files_check(all, count, &scrub->session->error);
    if (status == TACIT_OK && files->count > 1)
        status = engine_scrub_files_apart(files, all, count, &scrub->session->error);
    return status;
}

static bool is_json(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".jsonl") == 0 || strcmp(dot, ".json") == 0);
}

/* Options that say something only with one of others, and would else be passed over in silence. */
static const struct {
    const char *option, *others[3], *said;
} ADDITIONS[] = {
    {"offsets", {"learn"}, "--learn, which is not given"},
    {"precision", {"learn"}, "--learn, which is not given"},
    {"words",
     {"spans", "explain", "html"},
     "--spans, --explain and --html, and none of them is given"},
    {"delimiter", {"column", "known"}, "--column and --known, and none of them is given"},
    {"no-header", {"column", "known"}, "--column and --known, and none of them is given"},
    {"shift-by", {"jsonl", "column"}, "--jsonl and --column, and none of them is given"},
};

static tacit_status check_alone(const engine_settings *settings, tacit_error *err)
{
    for (size_t i = 0; i < sizeof ADDITIONS / sizeof *ADDITIONS; i++) {
        bool adds = !engine_has(settings, ADDITIONS[i].option);
        for (size_t k = 0; k < 3 && ADDITIONS[i].others[k]; k++)
            adds = adds || engine_has(settings, ADDITIONS[i].others[k]);
        if (!adds)
            return tacit__error(err, TACIT_INVALID, "--%s adds to %s", ADDITIONS[i].option,
                                ADDITIONS[i].said);
    }
    return TACIT_OK;
}

static tacit_status read_sides(engine_scrub *scrub)
{
    const engine_settings *settings = scrub->session->settings;
    scrub->spans.path = engine_value(settings, "spans");
    scrub->explain.path = engine_value(settings, "explain");
    scrub->options.explain = scrub->explain.path != NULL;
    if (engine_has(settings, "words"))
        scrub->how |= ENGINE_SCRUB_WORDS;
    if (scrub->explain.path && !is_json(scrub->explain.path))
        scrub->how |= ENGINE_SCRUB_PEOPLE;
    tacit_status status = check_alone(settings, &scrub->session->error);
    return status == TACIT_OK ? check_sides(scrub) : status;
}

/* What finding goes by, beside the shipped. */
static tacit_status read_knowledge(engine_scrub *scrub)
{
    engine_session *session = scrub->session;
    tacit_status status =
        read_named(&scrub->templates, &scrub->options.templates, "templates", session);
    if (status == TACIT_OK)
        status = read_named(&scrub->weights, &scrub->options.weights, "weights", session);
    return status == TACIT_OK ? read_known(scrub) : status;
}

tacit_status engine_scrub_plan(engine_scrub *scrub)
{
    engine_session *session = scrub->session;
    tacit_scrub_options_init(&scrub->options);
    tacit_status status = read_form(scrub);
    if (status == TACIT_OK)
        status = read_threshold(scrub);
    if (status == TACIT_OK)
        status = read_replace(scrub);
    if (status == TACIT_OK)
        status = read_shift(scrub);
    if (status == TACIT_OK)
        status = engine_scrub_files_find(&scrub->files, session);
    if (status == TACIT_OK)
        status = read_sides(scrub);
    if (status == TACIT_OK)
        status = read_scope(scrub);
    return status == TACIT_OK ? read_knowledge(scrub) : status;
}

void engine_scrub_name_file(engine_session *session)
{
    tacit_error *err = &session->error;
    if (strcmp(err->file, "weights") != 0 && strcmp(err->file, "templates") != 0)
        return;
    const char *path = engine_value(session->settings, err->file);
    if (path)
        snprintf(err->file, sizeof err->file, "%s", path);
}

tacit_status engine_scrub_learn_plan(engine_scrub *scrub)
{
    tacit_scrub_options_init(&scrub->options);
    tacit_status status = read_threshold(scrub);
    return status == TACIT_OK ? read_knowledge(scrub) : status;
}

void engine_scrub_plan_clear(engine_scrub *scrub)
{
    engine_known_clear(&scrub->known);
    engine_scrub_files_clear(&scrub->files);
    tacit__free(scrub->templates);
    tacit__free(scrub->weights);
    explicit_bzero(scrub->options.key, sizeof scrub->options.key);
}
