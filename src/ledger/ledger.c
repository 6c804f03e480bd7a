/*
 * ledger.c - a ledger opened, and releases announced and confirmed; the files of its folder and
 * their lock.
 *
 * Opening takes the lock first and keeps it, so that what is read stays true until the release of
 * this run has its entry. Every entry is read and its checksum compared each time: a release that
 * is not known to be harmless beside all earlier ones must not leave. Entries are kept without
 * their summaries, which are read again one at a time when they are recalled.
 *
 * The lock is the system's (flock), so that a killed run leaves none. The lock file says who holds
 * it, and the highest number that an entry ever had, by which the loss of the last entry is
 * noticed. That line is written after the entry: it can lag behind, never run ahead. Somebody may
 * remove the lock file while a run holds it. A lock that was waited for is therefore compared with
 * what has its name, and once more before an entry is written.
 *
 * Of a column an entry says, beside its labels, how to make them again. A rule is written down as a
 * flag writes it, dates with the order and intervals with the decimal comma that their column told,
 * a hierarchy file by its absolute name and a keyed hash of its bytes. Two rules make labels that
 * depend on the whole column, so what they went by is kept too: a mask has as many places as the
 * longest value had characters, and intervals read `20-24` only where every number was whole.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/file.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "base/vector.h"
#include "hierarchy/hierarchy.h"
#include "ledger/ledger.h"

enum { DIGITS = 6, LOCK_LINE = 64 };

char *tacit__ledger_path(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = tacit__alloc(size);
    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static char *path_of_entry(const char *folder, int64_t number)
{
    char name[32];
    snprintf(name, sizeof name, "%0*lld.json", DIGITS, (long long)number);
    return tacit__ledger_path(folder, name);
}

/* ---- the lock ---- */

typedef struct lock_line {
    long long process, highest;
} lock_line;

/* What the lock file says; zeros where it says nothing. */
static lock_line read_line(int fd)
{
    char text[LOCK_LINE + 1] = "";
    lock_line line = {0, 0};
    ssize_t got = pread(fd, text, LOCK_LINE, 0);
    if (got <= 0 || sscanf(text, "process %20lld highest %20lld", &line.process, &line.highest) < 2)
        return (lock_line){0, 0};
    return line;
}

/* Who cannot write it has to do without: it is a help, and no entry is lost by it. */
static void write_line(int fd, int64_t highest)
{
    char text[LOCK_LINE + 1];
    int used = snprintf(text, sizeof text, "process %lld highest %06lld", (long long)getpid(),
                        (long long)highest);
    memset(text + used, ' ', (size_t)(LOCK_LINE - used));
    text[LOCK_LINE - 1] = '\n';
    tacit__write_at(fd, "lock", text, LOCK_LINE, 0, NULL);
}

static tacit_status is_held(int fd, const char *path, tacit_error *err)
{
    lock_line line = read_line(fd);
    if (line.process > 0)
        return tacit__error_at(err, TACIT_LIMIT, path, 0, 0,
                               "process %lld is at work with the ledger", line.process);
    return tacit__error_at(err, TACIT_LIMIT, path, 0, 0, "another run is at work with the ledger");
}

static tacit_status take(int fd, const char *path, int flags, const tacit_run *run,
                         tacit_error *err)
{
    const struct timespec pause = {0, 20 * 1000 * 1000};
    int how = (flags & TACIT_LEDGER_WRITE ? LOCK_EX : LOCK_SH) | LOCK_NB;
    while (flock(fd, how) != 0) {
        if (errno == EINTR)
            continue;
        if (errno != EWOULDBLOCK)
            return tacit__io(err, path, "cannot lock the ledger", errno);
        if (!(flags & TACIT_LEDGER_WAIT))
            return is_held(fd, path, err);
        tacit_status status = tacit__progress(run, "waiting for the ledger", 0, 0, err);
        if (status != TACIT_OK)
            return status;
        nanosleep(&pause, NULL);
    }
    if (flags & TACIT_LEDGER_WRITE)
        write_line(fd, read_line(fd).highest);
    return TACIT_OK;
}

/* Whether the name of the lock file still leads to the file that is open. */
static bool is_named(int lock, const char *path)
{
    struct stat held, named;
    return fstat(lock, &held) == 0 && stat(path, &named) == 0 && held.st_dev == named.st_dev &&
           held.st_ino == named.st_ino;
}

/* Whether the lock that is held is still the one that others would take. TACIT_IO where it was
 * removed or replaced: then somebody else may be at work, too. */
static tacit_status check_lock(int lock, const char *folder, tacit_error *err)
{
    char *path = tacit__ledger_path(folder, "lock");
    if (!path)
        return tacit__nomem(err);
    tacit_status status = TACIT_OK;
    if (!is_named(lock, path))
        status = tacit__error_at(err, TACIT_IO, path, 0, 0,
                                 "the ledger's lock was removed or replaced during this run, so "
                                 "that another run may have released something; nothing is "
                                 "released: run again, and leave the lock where it is");
    tacit__free(path);
    return status;
}

/* Opens the lock file and takes the lock; on failure *fd is as it was. */
static tacit_status open_lock(int *fd, const char *folder, const char *path, int flags,
                              const tacit_run *run, tacit_error *err)
{
    int mode = flags & TACIT_LEDGER_WRITE ? O_RDWR | O_CREAT : O_RDONLY;
    int lock = open(path, mode | O_CLOEXEC, 0600);
    tacit_status status = TACIT_OK;
    if (lock < 0 && errno == ENOENT && !(flags & TACIT_LEDGER_WRITE))
        status = tacit__error_at(err, TACIT_IO, folder, 0, 0,
                                 "is no ledger; tacit anonymize --ledger makes one");
    else if (lock < 0)
        status = tacit__io(err, path, "cannot open the ledger's lock", errno);
    else
        status = take(lock, path, flags, run, err);
    if (status == TACIT_OK)
        *fd = lock;
    else if (lock >= 0)
        close(lock);
    return status;
}

/* Takes the lock. */
static tacit_status take_lock(int *fd, const char *folder, int flags, const tacit_run *run,
                              tacit_error *err)
{
    char *path = tacit__ledger_path(folder, "lock");
    int lock = -1;
    if (!path)
        return tacit__nomem(err);
    tacit_status status = open_lock(&lock, folder, path, flags, run, err);
    while (status == TACIT_OK && !is_named(lock, path)) { /* it was removed while we waited */
        close(lock);
        lock = -1;
        status = tacit__progress(run, "waiting for the ledger", 0, 0, err);
        if (status == TACIT_OK)
            status = open_lock(&lock, folder, path, flags, run, err);
    }
    if (status == TACIT_OK)
        *fd = lock;
    else if (lock >= 0)
        close(lock);
    tacit__free(path);
    return status;
}

/* ---- what is there ---- */

/* The number of an entry's file, or 0. */
static int64_t number_of(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    if (digits < DIGITS || digits > 12 || strcmp(name + digits, ".json") != 0)
        return 0;
    return strtoll(name, NULL, 10);
}

/* What an output leaves that was killed between getting a hidden name and its own. */
static bool is_left_over(const char *name)
{
    const char *made = strstr(name, ".tacit-");
    return name[0] == '.' && made && strlen(made) == sizeof ".tacit-01234567" - 1;
}

/* The highest number of an entry that is there, and what a killed run left is removed where
 * that is wanted. */
static tacit_status find_highest(int64_t *out, const char *folder, bool tidy, tacit_error *err)
{
    DIR *list = opendir(folder);
    if (!list)
        return tacit__io(err, folder, "cannot list the ledger", errno);
    int64_t highest = 0;
    for (struct dirent *item; (item = readdir(list));) {
        int64_t number = number_of(item->d_name);
        highest = number > highest ? number : highest;
        if (tidy && is_left_over(item->d_name))
            unlinkat(dirfd(list), item->d_name, 0);
    }
    closedir(list);
    *out = highest;
    return TACIT_OK;
}

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
    *path = path_of_entry(ledger->folder, number);
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
    if (!TACIT__PUSH(ledger->entries, ledger->capacity, ledger->count, *entry))
        return tacit__nomem(err);
    *entry = (tacit_ledger_entry){0};
    return TACIT_OK;
}

static tacit_status load_entries(tacit_ledger *ledger, int64_t highest, const tacit_run *run,
                                 tacit_error *err)
{
    int64_t mark = read_line(ledger->lock).highest;
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
        char *path = path_of_entry(ledger->folder, highest + 1);
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
    tacit_status status = take_lock(&ledger->lock, ledger->folder, flags, run, err);
    if (status == TACIT_OK)
        status = find_highest(&highest, ledger->folder, ledger->writes, err);
    if (status == TACIT_OK)
        is_new = highest == 0 && read_line(ledger->lock).highest <= 0;
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
    ledger->folder = tacit__copy_text(folder);
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
    char *path = path_of_entry(ledger->folder, number);
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
    entry->epsilon = facts->epsilon;
    entry->budget = facts->budget;
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

/* ---- columns ---- */

static void add_number(tacit__strbuf *out, const char *before, double number)
{
    char text[TACIT__DECIMAL_SIZE];
    tacit__decimal_write(text, number);
    tacit__strbuf_text(out, before);
    tacit__strbuf_text(out, text);
}

/* The rule as tacit_hierarchy_spec_parse reads it. */
static void write_rule(tacit__strbuf *out, const tacit_hierarchy_spec *spec, tacit_date_order order,
                       bool commas)
{
    static const char *const dates[] = {
        [TACIT_DATES_TELL] = "date",
        [TACIT_DAY_FIRST] = "date:day-first",
        [TACIT_MONTH_FIRST] = "date:month-first",
    };
    switch (spec->kind) {
    case TACIT_HIERARCHY_MASK:
        tacit__strbuf_text(out, spec->mask_left ? "mask:left" : "mask:right");
        break;
    case TACIT_HIERARCHY_DATE:
        tacit__strbuf_text(out, dates[order]);
        for (int i = 0; i < spec->width_count; i++)
            add_number(out, i ? "," : order == TACIT_DATES_TELL ? ":" : "/", spec->widths[i]);
        break;
    case TACIT_HIERARCHY_INTERVAL:
        add_number(out, "interval:", spec->origin);
        for (int i = 0; i < spec->width_count; i++)
            add_number(out, i ? "," : "/", spec->widths[i]);
        tacit__strbuf_text(out, commas ? "/comma" : "");
        break;
    case TACIT_HIERARCHY_STANDARD: tacit__strbuf_format(out, "standard:%s", spec->standard); break;
    case TACIT_HIERARCHY_FILE:
    case TACIT_HIERARCHY_NONE: tacit__strbuf_text(out, "none"); break;
    }
}

static tacit_status name_file(tacit_ledger_column *column, const tacit_hierarchy_spec *spec,
                              const unsigned char *key, tacit_error *err)
{
    char *path = realpath(spec->path, NULL);
    if (!path)
        return errno == ENOMEM ? tacit__nomem(err)
                               : tacit__io(err, spec->path, "cannot find", errno);
    size_t len = strlen(path);
    tacit_status status = TACIT_OK;
    if (tacit__utf8_valid(path, len) != len)
        status = tacit__error_at(err, TACIT_INVALID, spec->path, 0, 0,
                                 "a ledger can only remember names that are UTF-8; give the "
                                 "hierarchy's file, or its folder, another name");
    else
        status = tacit__ledger_digest_file(column->file_hash, key, TACIT__LEDGER_HIERARCHY,
                                           spec->path, err);
    column->hierarchy = status == TACIT_OK ? tacit__copy_bytes(path, len) : NULL;
    if (status == TACIT_OK && !column->hierarchy)
        status = tacit__nomem(err);
    free(path); /* realpath's */
    return status;
}

static int64_t form_of(const tacit_ledger_fact *fact)
{
    const tacit_hierarchy *hierarchy = fact->hierarchy;
    if (!hierarchy)
        return 0;
    if (fact->spec->kind == TACIT_HIERARCHY_MASK)
        return tacit_hierarchy_height(hierarchy);
    if (fact->spec->kind != TACIT_HIERARCHY_INTERVAL || tacit_hierarchy_count(hierarchy, 1) == 0)
        return 0;
    return tacit_hierarchy_label(hierarchy, 1, 0).bytes[0] == '[';
}

/* Fills in a column of an entry; fact NULL: it is released as it is. */
static tacit_status init_column(tacit_ledger_column *column, tacit_strview name,
                                const tacit_ledger_fact *fact, const unsigned char *key,
                                tacit_error *err)
{
    const char *role = fact && fact->role ? fact->role : "none";
    column->name = tacit__copy_bytes(name.bytes, name.len);
    column->role = tacit__copy_text(role);
    if (!column->name || !column->role)
        return tacit__nomem(err);
    if (fact && fact->spec && fact->spec->kind == TACIT_HIERARCHY_FILE)
        return name_file(column, fact->spec, key, err);
    static const tacit_hierarchy_spec none;
    tacit__strbuf rule = {0};
    const tacit_hierarchy_spec *spec = fact && fact->spec ? fact->spec : &none;
    bool bound = fact && fact->hierarchy && spec->order == TACIT_DATES_TELL;
    bool commas = spec->decimal == TACIT_DECIMAL_COMMA ||
                  (fact && fact->hierarchy && fact->hierarchy->point == ',');
    write_rule(&rule, spec, bound ? fact->hierarchy->order : spec->order, commas);
    if (rule.failed) {
        tacit__strbuf_clear(&rule);
        return tacit__nomem(err);
    }
    column->hierarchy = rule.bytes;
    column->form = fact && fact->spec ? form_of(fact) : 0;
    return TACIT_OK;
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
        status = init_column(&entry->columns[i], name, fact, ledger->key, err);
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
        status = check_lock(ledger->lock, ledger->folder, err);
    }
    if (status == TACIT_OK)
        status = write_entry(ledger, entry.number, true, &text, err);
    if (status == TACIT_OK) {
        ledger->highest = entry.number;
        write_line(ledger->lock, entry.number);
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
