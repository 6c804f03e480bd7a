/*
 * ledger.c - a ledger opened, and releases announced and confirmed.
 *
 * Opening takes the lock first and keeps it, so that what is read stays true until the release
 * of this run has its entry. Every entry is read and its checksum compared each time: a release
 * that is not known to be harmless beside all earlier ones must not leave. Entries are kept without
 * their summaries, which are read again one at a time when they are recalled.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "base/vector.h"
#include "ledger/ledger.h"
#include "ledger/sketch.h"

#define MAX_ENTRY_BYTES ((size_t)1 << 34)

/* ---- opening ---- */

static tacit_status no_entry(const char *path, int64_t highest, tacit_error *err)
{
    return tacit__error_at(err, TACIT_IO, path, 0, 0,
                           "this entry of the ledger is missing, and there have been %lld; put a "
                           "copy of the file in its place: what was released stays released, and "
                           "nothing else is while the ledger does not know all of it",
                           (long long)highest);
}

static tacit_status open_entry(tacit__input *input, char **path, const tacit_ledger *ledger,
                               int64_t number, tacit_error *err)
{
    *path = tacit__entry_path(ledger->folder, number);
    if (!*path)
        return tacit__nomem(err);
    if (access(*path, F_OK) != 0 && errno == ENOENT)
        return no_entry(*path, ledger->highest, err);
    return tacit__input_open(input, *path, MAX_ENTRY_BYTES, NULL, err);
}

tacit_status tacit__entry_load(tacit_ledger_entry *entry, tacit__summary *summary,
                               const tacit_ledger *ledger, int64_t number, tacit_error *err)
{
    tacit__input input = {0};
    char *path = NULL;
    tacit_ledger_entry read = {0};
    tacit_status status = open_entry(&input, &path, ledger, number, err);
    if (status == TACIT_OK)
        status = tacit__entry_parse(&read, summary, (tacit_strview){input.bytes, input.len}, path,
                                    ledger->key, err);
    if (status == TACIT_OK && read.number != number) {
        status = tacit__error_at(err, TACIT_PARSE, path, 0, 0,
                                 "this entry of the ledger is that of release %lld; give each "
                                 "entry its own name back",
                                 (long long)read.number);
        if (summary)
            tacit__summary_clear(summary);
    }
    if (status == TACIT_OK)
        *entry = read;
    else
        tacit__entry_clear(&read);
    tacit__input_close(&input);
    tacit__free(path);
    return status;
}

static tacit_status add_entry(tacit_ledger *ledger, tacit_ledger_entry *entry, tacit_error *err)
{
    if (!TACIT__PUSH(ledger->entries, ledger->room, ledger->count, *entry))
        return tacit__nomem(err);
    *entry = (tacit_ledger_entry){0};
    return TACIT_OK;
}

static tacit_status load_entries(tacit_ledger *ledger, int64_t highest, const tacit_run *run,
                                 tacit_error *err)
{
    int64_t mark = tacit__lock_mark(ledger->lock);
    tacit_status status = TACIT_OK;
    ledger->highest = mark > highest ? mark : highest;
    for (int64_t i = 1; i <= highest && status == TACIT_OK; i++) {
        tacit_ledger_entry entry = {0};
        status = tacit__entry_load(&entry, NULL, ledger, i, err);
        if (status == TACIT_OK)
            status = add_entry(ledger, &entry, err);
        if (status == TACIT_OK)
            status = tacit__progress(run, "reading the ledger", i, highest, err);
        tacit__entry_clear(&entry);
    }
    if (status == TACIT_OK && mark > highest) {
        char *path = tacit__entry_path(ledger->folder, highest + 1);
        status = path ? no_entry(path, mark, err) : tacit__nomem(err);
        tacit__free(path);
    }
    return status;
}

static tacit_status open_all(tacit_ledger *ledger, int flags, const tacit_run *run,
                             tacit_error *err)
{
    int64_t highest = 0;
    bool is_new = false; /* no entry, and there never was one: a key would not be theirs */
    if (ledger->writes && mkdir(ledger->folder, 0700) != 0 && errno != EEXIST)
        return tacit__io(err, ledger->folder, "cannot make the ledger's folder", errno);
    tacit_status status = tacit__ledger_lock(&ledger->lock, ledger->folder, flags, run, err);
    if (status == TACIT_OK)
        status = tacit__ledger_highest(&highest, ledger->folder, ledger->writes, err);
    if (status == TACIT_OK)
        is_new = highest == 0 && tacit__lock_mark(ledger->lock) <= 0;
    if (status == TACIT_OK && (highest > 0 || ledger->writes))
        status = tacit__ledger_key(ledger->key, ledger->folder, is_new, err);
    if (status == TACIT_OK)
        status = load_entries(ledger, highest, run, err);
    return status;
}

tacit_status tacit_ledger_open(tacit_ledger **out, const char *folder, int flags,
                               const tacit_run *run, tacit_error *err)
{
    if (sodium_init() < 0)
        return tacit__error(err, TACIT_IO, "the operating system gives no random numbers");
    tacit_ledger *ledger = tacit__alloc_zeroed(1, sizeof *ledger);
    if (!ledger)
        return tacit__nomem(err);
    ledger->lock = -1;
    ledger->writes = flags & TACIT_LEDGER_WRITE;
    ledger->folder = tacit__copy_bytes(folder, strlen(folder));
    ledger->key = sodium_malloc(TACIT__LEDGER_KEY);
    tacit_status status = ledger->folder && ledger->key ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = open_all(ledger, flags, run, err);
    if (status == TACIT_OK)
        *out = ledger;
    else
        tacit_ledger_free(ledger);
    return status;
}

void tacit_ledger_free(tacit_ledger *ledger)
{
    if (!ledger)
        return;
    for (int64_t i = 0; i < ledger->count; i++)
        tacit__entry_clear(&ledger->entries[i]);
    tacit__free(ledger->entries);
    sodium_free(ledger->key); /* wipes it, and accepts NULL */
    if (ledger->lock >= 0)
        close(ledger->lock);
    tacit__free(ledger->folder);
    tacit__free(ledger);
}

int64_t tacit_ledger_count(const tacit_ledger *ledger)
{
    return ledger->count;
}

const tacit_ledger_entry *tacit_ledger_at(const tacit_ledger *ledger, int64_t index)
{
    return &ledger->entries[index];
}

tacit_status tacit_ledger_check(const tacit_ledger *ledger, const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int64_t i = 1; i <= ledger->count && status == TACIT_OK; i++) {
        tacit_ledger_entry entry = {0};
        tacit__summary summary = {0};
        status = tacit__entry_load(&entry, &summary, ledger, i, err);
        tacit__entry_clear(&entry);
        tacit__summary_clear(&summary);
        if (status == TACIT_OK)
            status = tacit__progress(run, "checking the ledger", i, ledger->count, err);
    }
    return status;
}

/* ---- announcing ---- */

/* A new entry never takes the place of another: by the link of its file alone two runs that do not
 * know of each other cannot both have a number. */
static tacit_status publish_entry(tacit_output *output, const char *path, int64_t number,
                                  tacit_error *err)
{
    bool taken = false;
    tacit_status status = tacit__output_publish(output, &taken, err);
    if (!taken)
        return status;
    return tacit__error_at(err, TACIT_IO, path, 0, 0,
                           "another run has written entry %lld of the ledger during this one, "
                           "whose lock must have been removed; nothing is released: run again",
                           (long long)number);
}

/* Writes the file of a new entry, or that of one that is there, over it. */
static tacit_status write_entry(const tacit_ledger *ledger, int64_t number, bool is_new,
                                const tacit__strbuf *text, tacit_error *err)
{
    tacit_output *output = NULL;
    char *path = tacit__entry_path(ledger->folder, number);
    tacit_status status = path && !text->failed ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit_output_new(&output, path, err);
    if (status == TACIT_OK && fchmod(tacit_output_fd(output), S_IRUSR | S_IWUSR) != 0)
        status = tacit__io(err, path, "cannot keep the entry from others", errno);
    if (status == TACIT_OK)
        status = tacit__write_at(tacit_output_fd(output), path, text->bytes, text->len, 0, err);
    if (status == TACIT_OK)
        status =
            is_new ? publish_entry(output, path, number, err) : tacit_output_commit(output, err);
    tacit_output_free(output);
    tacit__free(path);
    return status;
}

/* The release's name with its folder's absolute one; names that JSON cannot hold are left out. */
static char *absolute(const char *path)
{
    char *folder = tacit__folder_of(path);
    char *whole = folder ? realpath(folder, NULL) : NULL;
    bool starved = !folder || (!whole && errno == ENOMEM);
    const char *slash = strrchr(path, '/');
    char *joined = NULL;
    if (strcmp(path, "-") == 0)
        joined = tacit__copy_bytes("-", 1);
    else if (whole)
        joined = tacit__ledger_path(strcmp(whole, "/") ? whole : "", slash ? slash + 1 : path);
    else if (!starved)
        joined = tacit__copy_bytes("", 0);
    if (joined && tacit__utf8_valid(joined, strlen(joined)) != strlen(joined))
        joined[0] = '\0';
    free(whole); /* realpath's */
    tacit__free(folder);
    return joined;
}

static char *now(void)
{
    char text[32];
    struct tm when;
    time_t seconds = time(NULL);
    gmtime_r(&seconds, &when);
    size_t len = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &when);
    return tacit__copy_bytes(text, len);
}

static char *copy(const char *text)
{
    return tacit__copy_bytes(text ? text : "", text ? strlen(text) : 0);
}

static tacit_status fill_facts(tacit_ledger_entry *entry, const tacit_ledger *ledger,
                               const tacit_ledger_facts *facts, tacit_error *err)
{
    size_t len = strlen(facts->source);
    if (len == 0 || tacit__utf8_valid(facts->source, len) != len)
        return tacit__error(err, TACIT_INVALID,
                            "the name of a source in a ledger is UTF-8 and not empty; give "
                            "--source NAME");
    entry->number = ledger->count + 1;
    entry->k = facts->k;
    entry->date = now();
    entry->source = copy(facts->source);
    entry->path = absolute(facts->path);
    entry->version = copy(tacit_version());
    entry->method = copy(facts->method);
    entry->metric = copy(facts->metric);
    if (!entry->date || !entry->source || !entry->path || !entry->version || !entry->method ||
        !entry->metric)
        return tacit__nomem(err);
    if (!facts->policy_file)
        return TACIT_OK;
    return tacit__ledger_digest_file(entry->policy_hash, ledger->key,
                                     "tacit ledger policy 1:", facts->policy_file, err);
}

static tacit_status fill_columns(tacit_ledger_entry *entry, const tacit_ledger *ledger,
                                 const tacit_ledger_facts *facts, const tacit_table *release,
                                 tacit_error *err)
{
    int32_t count = tacit_table_columns(release);
    entry->columns = tacit__alloc_zeroed((size_t)count, sizeof *entry->columns);
    if (!entry->columns)
        return tacit__nomem(err);
    entry->column_count = count;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < count && status == TACIT_OK; i++) {
        tacit_strview name = tacit_table_name(release, i);
        const tacit_ledger_fact *fact = NULL;
        for (int32_t j = 0; j < facts->column_count; j++)
            if (tacit_strview_equal(tacit_strview_of(facts->columns[j].name), name))
                fact = &facts->columns[j];
        status = tacit__ledger_column_init(&entry->columns[i], name, fact, ledger->key, err);
        entry->columns[i].labels = tacit_table_distinct(release, i);
    }
    return status;
}

/* What the data will be known by. */
static tacit_status fill_sketch(tacit_ledger_entry *entry, const tacit_ledger *ledger,
                                const tacit_table *data, const tacit_run *run, tacit_error *err)
{
    tacit__sketch sketch = {0};
    tacit_status status = tacit__sketch_of(&sketch, data, ledger->key, run, err);
    if (status == TACIT_OK)
        status = tacit__sketch_pack(&entry->sketch, &entry->sketch_len, &sketch, ledger->key, err);
    tacit__sketch_clear(&sketch);
    return status;
}

tacit_status tacit_ledger_announce(int64_t *number, tacit_ledger *ledger,
                                   const tacit_ledger_facts *facts, const tacit_table *release,
                                   int fd, const tacit_run *run, tacit_error *err)
{
    tacit_ledger_entry entry = {0};
    tacit__summary summary = {0};
    tacit__strbuf text = {0};
    tacit_status status = fill_facts(&entry, ledger, facts, err);
    if (status == TACIT_OK)
        status = fill_columns(&entry, ledger, facts, release, err);
    if (status == TACIT_OK)
        status = tacit_ledger_hash_fd(entry.hash, &entry.size, fd, facts->path, run, err);
    if (status == TACIT_OK)
        status = tacit__summary_of(&summary, release, ledger->key, run, err);
    if (status == TACIT_OK && facts->data)
        status = fill_sketch(&entry, ledger, facts->data, run, err);
    if (status == TACIT_OK) {
        entry.rows = summary.rows;
        entry.classes = summary.classes;
        tacit__entry_write(&text, &entry, &summary, ledger->key);
        status = tacit__lock_check(ledger->lock, ledger->folder, err);
    }
    if (status == TACIT_OK)
        status = write_entry(ledger, entry.number, true, &text, err);
    if (status == TACIT_OK) {
        ledger->highest = entry.number;
        tacit__lock_set_mark(ledger->lock, entry.number);
        *number = entry.number;
        status = add_entry(ledger, &entry, err);
    }
    tacit__strbuf_clear(&text);
    tacit__summary_clear(&summary);
    tacit__entry_clear(&entry);
    return status;
}

tacit_status tacit_ledger_confirm(tacit_ledger *ledger, int64_t number, tacit_error *err)
{
    tacit__input input = {0};
    tacit__strbuf text = {0};
    char *path = NULL;
    tacit_ledger_entry *entry = &ledger->entries[number - 1];
    if (entry->state == TACIT_LEDGER_RELEASED)
        return TACIT_OK;
    tacit_status status = open_entry(&input, &path, ledger, number, err);
    if (status == TACIT_OK && !tacit__entry_released(&text, entry->hash, ledger->key,
                                                     (tacit_strview){input.bytes, input.len}))
        status = tacit__error_at(err, TACIT_PARSE, path, 0, 0,
                                 "this entry of the ledger was changed by somebody else");
    if (status == TACIT_OK && (text.len || text.failed))
        status = write_entry(ledger, number, false, &text, err);
    if (status == TACIT_OK)
        entry->state = TACIT_LEDGER_RELEASED;
    tacit__input_close(&input);
    tacit__strbuf_clear(&text);
    tacit__free(path);
    return status;
}
