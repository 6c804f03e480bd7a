/*
 * ledger.c - a command's ledger: see ledger.h.
 *
 * Waiting for another run is said once, with who it is. An entry that is still pending was
 * announced by a run that did not get to its end: where its release is there after all it is
 * confirmed, otherwise it counts all the same, since nobody knows who has seen it.
 */
#include "engine/ledger/ledger.h"
#include "base/alloc.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "engine/job/files.h"

/* ---- opening ---- */

static tacit_status name_source(engine_ledger *ledger, const tacit_policy *policy, const char *data,
                                tacit_error *err)
{
    ledger->source = policy->source;
    if (!ledger->source && data && strcmp(data, "-") != 0)
        ledger->source = engine_base_name(data);
    if (!ledger->source)
        return tacit__error(err, TACIT_INVALID,
                            "a ledger knows data by its name, and standard input has none; give "
                            "--source NAME");
    return TACIT_OK;
}

tacit_status engine_ledger_wait(tacit_ledger **out, const char *folder, int flags,
                                engine_session *session)
{
    char text[1100];
    tacit_status status = tacit_ledger_open(out, folder, flags, &session->run, &session->error);
    if (status != TACIT_LIMIT)
        return status;
    engine_say(session, "%s; waiting", tacit_error_format(&session->error, text, sizeof text));
    engine_session_clear_error(session);
    return tacit_ledger_open(out, folder, flags | TACIT_LEDGER_WAIT, &session->run,
                             &session->error);
}

tacit_status engine_ledger_explain(const engine_ledger *ledger, tacit_status status,
                                   const char *what, tacit_error *err)
{
    if (status != TACIT_OK)
        engine_append(err->message, sizeof err->message, "; %s %lld", what,
                      (long long)ledger->number);
    return status;
}

tacit_status engine_ledger_confirm(const engine_ledger *ledger, tacit_error *err)
{
    return engine_ledger_explain(ledger, tacit_ledger_confirm(ledger->ledger, ledger->number, err),
                                 "the release was written, and the ledger counts it, as entry",
                                 err);
}

engine_ledger_file engine_ledger_file_of(const tacit_ledger_entry *entry, engine_session *session)
{
    char hash[TACIT_LEDGER_HASH + 1] = "";
    int64_t size = 0;
    struct stat about;
    int fd = entry->path[0] == '/' ? open(entry->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd < 0)
        return ENGINE_LEDGER_GONE;
    bool regular = fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
    if (regular && about.st_size == entry->size)
        tacit_ledger_hash_fd(hash, &size, fd, entry->path, &session->run, NULL);
    close(fd);
    if (!regular)
        return ENGINE_LEDGER_NO_FILE;
    return strcmp(hash, entry->hash) == 0 ? ENGINE_LEDGER_SAME : ENGINE_LEDGER_OTHER;
}

/* Whether the release of an entry is where it went. */
static bool is_there(const tacit_ledger_entry *entry, engine_session *session)
{
    return engine_ledger_file_of(entry, session) == ENGINE_LEDGER_SAME;
}

static tacit_status settle(engine_ledger *ledger, bool writes, engine_session *session)
{
    tacit_status status = TACIT_OK;
    for (int64_t i = 0; i < tacit_ledger_count(ledger->ledger) && status == TACIT_OK; i++) {
        const tacit_ledger_entry *entry = tacit_ledger_at(ledger->ledger, i);
        char shown[64];
        if (entry->state != TACIT_LEDGER_PENDING)
            continue;
        if (is_there(entry, session)) {
            if (writes)
                status = tacit_ledger_confirm(ledger->ledger, entry->number, &session->error);
        } else if (strcmp(entry->source, ledger->source) == 0)
            engine_warn(
                session,
                "release %lld of the ledger (%s) was announced by a run that did not finish, and "
                "its file is not there; it counts all the same, because somebody may have seen it",
                (long long)entry->number,
                engine_printable(shown, sizeof shown,
                                 tacit_strview_of(engine_base_name(entry->path))));
    }
    return status;
}

tacit_status engine_ledger_open(engine_ledger *ledger, const tacit_policy *policy, const char *data,
                                int flags, engine_session *session)
{
    if (!policy->ledger)
        return TACIT_OK;
    tacit_status status = name_source(ledger, policy, data, &session->error);
    if (status == TACIT_OK)
        status = engine_ledger_wait(&ledger->ledger, policy->ledger, flags, session);
    if (status == TACIT_OK)
        status = settle(ledger, flags & TACIT_LEDGER_WRITE, session);
    return status;
}

/* Leaves a release that is audited out of what was released beside it. */
static tacit_status leave_out(engine_ledger *ledger, const char *file, engine_session *session)
{
    int64_t size = 0;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return TACIT_OK; /* whoever reads the file says why it cannot be read */
    tacit_status status =
        tacit_ledger_hash_fd(ledger->own, &size, fd, file, &session->run, &session->error);
    close(fd);
    return status;
}

tacit_status engine_ledger_open_beside(engine_ledger *ledger, const tacit_policy *policy,
                                       const char *release, engine_session *session)
{
    const char *original = engine_value(session->settings, "original");
    if (!policy->ledger)
        return TACIT_OK;
    if (!original)
        return tacit__error(
            &session->error, TACIT_INVALID,
            "a ledger holds hashes, which are recalled with the data they were made "
            "from; give --original DATA.csv");
    tacit_status status = engine_ledger_open(ledger, policy, original, TACIT_LEDGER_READ, session);
    if (status == TACIT_OK && engine_is_file(release))
        status = leave_out(ledger, release, session);
    return status;
}

void engine_ledger_clear(engine_ledger *ledger)
{
    tacit_ledger_free(ledger->ledger);
    tacit__free(ledger->facts);
    tacit__free(ledger->likeness);
    tacit__free(ledger->kin);
    *ledger = (engine_ledger){0};
}

/* ---- recalling ---- */

/* A table of counts with noise has no rows of people that others could be joined with. */
static bool is_earlier(const engine_ledger *ledger, const tacit_ledger_entry *entry)
{
    return ledger->kin[entry->number - 1] && entry->epsilon == 0 &&
           strcmp(entry->hash, ledger->own) != 0;
}

void engine_ledger_code(tacit_csv_options *options, const engine_ledger *ledger)
{
    if (!ledger->ledger)
        return;
    options->coded = NULL;
    options->coded_count = 0;
    options->code_none = false;
}

/* The entry of a source that is most like the data, or NULL where none is. */
static const tacit_ledger_likeness *best_of(const engine_ledger *ledger, const char *source)
{
    const tacit_ledger_likeness *best = NULL;
    for (int64_t i = 0; i < tacit_ledger_count(ledger->ledger); i++) {
        const tacit_ledger_likeness *at = &ledger->likeness[i];
        if (at->recognized && strcmp(tacit_ledger_at(ledger->ledger, i)->source, source) == 0 &&
            (!best || at->found > best->found))
            best = at;
    }
    return best;
}

/* Whether an earlier entry has the same source. */
static bool was_named(const engine_ledger *ledger, int64_t index)
{
    const char *source = tacit_ledger_at(ledger->ledger, index)->source;
    for (int64_t i = 0; i < index; i++)
        if (strcmp(tacit_ledger_at(ledger->ledger, i)->source, source) == 0)
            return true;
    return false;
}

static void say_recognized(const tacit_ledger_likeness *like, const char *source,
                           engine_session *session)
{
    char shown[64], chance[64] = "as many of each sort as here";
    engine_printable(shown, sizeof shown, tacit_strview_of(source));
    if (!like->by_numbers)
        snprintf(chance, sizeof chance, "where chance would find %s",
                 engine_count((int64_t)(like->chance * (double)like->looked)).text);
    engine_warn(
        session,
        "the ledger has releases of this data under another name, %s: of %s rows looked for "
        "%s are here, by %d columns, %s; they count as releases from the same source",
        shown, engine_count(like->looked).text, engine_count(like->found).text, (int)like->columns,
        chance);
}

/* A column that was called otherwise then cannot be compared. */
static tacit_status check_names(const engine_ledger *ledger, const tacit_table *data,
                                tacit_error *err)
{
    for (int64_t i = 0; i < tacit_ledger_count(ledger->ledger); i++) {
        const tacit_ledger_likeness *like = &ledger->likeness[i];
        char now[64], then[64];
        if (!is_earlier(ledger, tacit_ledger_at(ledger->ledger, i)) || !like->former)
            continue;
        return tacit__error(
            err, TACIT_INVALID,
            "column \"%s\" of the data is what release %lld of the ledger calls "
            "\"%s\", and columns "
            "are compared by name; give it that name again",
            engine_printable(now, sizeof now, tacit_table_name(data, like->renamed)),
            (long long)i + 1, engine_printable(then, sizeof then, tacit_strview_of(like->former)));
    }
    return TACIT_OK;
}

tacit_status engine_ledger_recognize(engine_ledger *ledger, const tacit_table *data,
                                     engine_session *session)
{
    int64_t count = tacit_ledger_count(ledger->ledger);
    ledger->likeness = tacit__alloc_zeroed((size_t)count + 1, sizeof *ledger->likeness);
    ledger->kin = tacit__alloc_zeroed((size_t)count + 1, sizeof *ledger->kin);
    if (!ledger->likeness || !ledger->kin)
        return tacit__nomem(&session->error);
    tacit_status status = tacit_ledger_recognize(ledger->likeness, ledger->ledger, data,
                                                 &session->run, &session->error);
    if (status != TACIT_OK)
        return status;
    for (int64_t i = 0; i < count; i++) {
        const char *source = tacit_ledger_at(ledger->ledger, i)->source;
        bool same = strcmp(source, ledger->source) == 0;
        const tacit_ledger_likeness *best = same ? NULL : best_of(ledger, source);
        ledger->kin[i] = same || best;
        ledger->by_name += !ledger->kin[i] && !ledger->likeness[i].sketched;
        if (best && !was_named(ledger, i))
            say_recognized(best, source, session);
    }
    return TACIT_OK;
}

tacit_status engine_ledger_columns(engine_ledger *ledger, const tacit_policy *policy,
                                   tacit_error *err)
{
    static const char *const ROLES[] = {"none", "identifier", "quasi", "sensitive", "insensitive"};
    tacit__free(ledger->facts);
    ledger->facts = tacit__alloc_zeroed((size_t)policy->column_count + 1, sizeof *ledger->facts);
    if (!ledger->facts)
        return tacit__nomem(err);
    ledger->fact_count = policy->column_count;
    for (int32_t i = 0; i < policy->column_count; i++) {
        const tacit_policy_column *column = &policy->columns[i];
        bool quasi = column->role == TACIT_ROLE_QUASI;
        ledger->facts[i] = (tacit_ledger_fact){.name = column->name,
                                               .role = ROLES[column->role],
                                               .spec = quasi ? &column->hierarchy : NULL};
        if (ledger->pseudonyms && engine_fate(column) == TACIT_REPLACE_PSEUDONYM) {
            ledger->facts[i].rewrite = tacit_pseudonym;
            ledger->facts[i].payload = ledger->pseudonyms;
        }
    }
    return TACIT_OK;
}

/* Whether a file that was given is this release. */
static bool is_given(const tacit_ledger_entry *entry, const engine_earlier *earlier,
                     engine_session *session)
{
    bool given = false;
    for (size_t i = 0; i < earlier->count && !given; i++) {
        const engine_earlier_release *release = &earlier->releases[i];
        tacit_ledger_entry file = *entry;
        file.path = release->bytes ? NULL : realpath(release->name, NULL);
        given = file.path && is_there(&file, session);
        tacit__free(file.path);
    }
    return given;
}

static tacit_status recall_one(engine_earlier *earlier, engine_ledger *ledger,
                               const tacit_ledger_entry *entry, const tacit_ledger_sight *sight,
                               engine_session *session)
{
    tacit_ledger_recalled recalled = {0};
    char shown[64], name[128];
    tacit_status status = tacit_ledger_recall(&recalled, ledger->ledger, entry->number, sight,
                                              &session->run, &session->error);
    if (status != TACIT_OK)
        return status;
    snprintf(
        name, sizeof name, "release %lld of the ledger (%s)", (long long)entry->number,
        engine_printable(shown, sizeof shown, tacit_strview_of(engine_base_name(entry->path))));
    ledger->recalled++;
    ledger->foreign += strcmp(entry->source, ledger->source) != 0;
    ledger->rows += recalled.rows;
    ledger->unknown_rows += recalled.unknown_rows;
    return engine_earlier_add_bytes(earlier, name, recalled.csv, recalled.len, session);
}

static tacit_status recall_all(engine_earlier *earlier, engine_ledger *ledger,
                               const tacit_ledger_sight *sight, engine_session *session)
{
    tacit_status status = TACIT_OK;
    ledger->first = earlier->count;
    ledger->recalled = ledger->foreign = ledger->rows = ledger->unknown_rows = ledger->noisy = 0;
    for (int64_t i = 0; i < tacit_ledger_count(ledger->ledger) && status == TACIT_OK; i++) {
        const tacit_ledger_entry *entry = tacit_ledger_at(ledger->ledger, i);
        ledger->noisy += ledger->kin[i] && entry->epsilon > 0;
        if (is_earlier(ledger, entry) && !is_given(entry, earlier, session))
            status = recall_one(earlier, ledger, entry, sight, session);
    }
    return status;
}

tacit_status engine_ledger_recall(engine_earlier *earlier, engine_ledger *ledger,
                                  const tacit_policy *policy, const tacit_table *data,
                                  engine_session *session)
{
    if (!ledger->ledger)
        return TACIT_OK;
    tacit_status status = engine_ledger_columns(ledger, policy, &session->error);
    if (status == TACIT_OK)
        status = engine_ledger_recognize(ledger, data, session);
    if (status == TACIT_OK)
        status = check_names(ledger, data, &session->error);
    const tacit_ledger_sight sight = {
        .data = data, .columns = ledger->facts, .column_count = ledger->fact_count};
    if (status == TACIT_OK)
        status = recall_all(earlier, ledger, &sight, session);
    return status;
}

tacit_status engine_ledger_recall_with(engine_earlier *earlier, engine_ledger *ledger,
                                       const tacit_table *data, const tacit_table *release,
                                       engine_session *session)
{
    if (!ledger->ledger || ledger->unknown_rows == 0)
        return TACIT_OK;
    const tacit_ledger_sight sight = {.data = data,
                                      .release = release,
                                      .columns = ledger->facts,
                                      .column_count = ledger->fact_count};
    engine_earlier_drop(earlier, ledger->first);
    return recall_all(earlier, ledger, &sight, session);
}

/* ---- facts ---- */

static void say_ledger(char *text, size_t size, const engine_ledger *ledger)
{
    char source[64];
    text[0] = '\0';
    if (ledger->number > 0)
        engine_append(text, size, "entry %lld; ", (long long)ledger->number);
    if (ledger->recalled > 0)
        engine_append(text, size, "recalled %lld earlier %s", (long long)ledger->recalled,
                      ledger->recalled == 1 ? "release" : "releases");
    else
        engine_append(text, size, "nothing released before");
    engine_append(text, size, " from %s",
                  engine_printable(source, sizeof source, tacit_strview_of(ledger->source)));
    if (ledger->noisy > 0)
        engine_append(text, size, "; %lld %s with noise, which %s no rows to compare",
                      (long long)ledger->noisy, ledger->noisy == 1 ? "table" : "tables",
                      ledger->noisy == 1 ? "has" : "have");
    if (ledger->foreign > 0)
        engine_append(text, size, "; %lld of them under another name, known by content",
                      (long long)ledger->foreign);
    if (ledger->by_name > 0)
        engine_append(text, size,
                      "; %lld %s from elsewhere, as far as names tell: written by an earlier tacit",
                      (long long)ledger->by_name,
                      ledger->by_name == 1 ? "entry is" : "entries are");
    if (ledger->unknown_rows > 0)
        engine_append(text, size,
                      "; %lld of their %lld rows have values that the data does not show",
                      (long long)ledger->unknown_rows, (long long)ledger->rows);
}

void engine_ledger_facts(tacit_report *report, const engine_ledger *ledger)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(engine_ledger, recalled, "recalled", NULL, 0),
        TACIT_FIELD(engine_ledger, foreign, "by_content", NULL, 0),
        TACIT_FIELD(engine_ledger, rows, "rows", NULL, 0),
        TACIT_FIELD(engine_ledger, unknown_rows, "unknown_rows", NULL, 0),
    };
    if (!ledger->ledger)
        return;
    char text[512];
    unsigned before = tacit_report_show(report, TACIT_SHOW_TEXT | TACIT_SHOW_JSON);
    say_ledger(text, sizeof text, ledger);
    tacit_report_line(report, "ledger", "%s", text);
    tacit_report_show(report, before);
    tacit_report_enter(report, "ledger");
    tacit_report_text(report, "source", ledger->source);
    if (ledger->number > 0)
        tacit_report_integer(report, "number", ledger->number);
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), ledger);
    tacit_report_leave(report);
}
