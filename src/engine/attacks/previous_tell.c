/*
 * previous_tell.c - the join with earlier releases in words, in the account and on the page.
 * Values of the data are shown only where the attack has kept some, because it was asked to.
 */
#include "engine/attacks/previous.h"

#include "engine/job/text.h"
#include "engine/records/verdict.h"

bool engine_joined_by_worlds(const engine_joined_rows *in)
{
    bool all = true;
    for (int32_t i = 0; i < in->count; i++)
        all &= in->steps[i].sums.by_worlds;
    return all;
}

/* What is the matter with rows that are exposed. */
static void few_rows(engine_text *out, const engine_joined_rows *in, bool one, int64_t fewest)
{
    const char *verb = in->by_candidates ? (one ? "has" : "have") : one ? "is" : "are";
    engine_text_print(out, "%s %s k = %lld %s, at worst %lld", verb,
                      in->by_candidates ? "fewer than" : "alike with fewer than", (long long)in->k,
                      in->by_candidates ? "candidates" : "rows", (long long)fewest);
}

static const char *kept(const engine_joined_rows *in)
{
    if (in->by_candidates)
        return "every row keeps k candidates";
    return in->possible ? "every row can be taken for k rows" : "every row stays alike with k rows";
}

/* The rows of earlier releases that are exposed, and whose they are. */
static void say_laid_open(engine_text *out, const engine_joined_rows *in)
{
    const engine_joined_step *of = NULL;
    int32_t files = 0;
    int64_t fewest = in->k;
    for (int32_t i = 0; i < in->count; i++) {
        const engine_joined_step *s = &in->steps[i];
        if (s->laid_open == 0)
            continue;
        of = s;
        files++;
        fewest = s->fewest < fewest ? s->fewest : fewest;
    }
    if (files == 0)
        return;
    engine_text_print(out, "; %s%s %s of ", in->exposed ? "" : "but ",
                      engine_count(in->laid_open).text, in->laid_open == 1 ? "row" : "rows");
    if (files == 1)
        engine_text_print(out, "%s ", of->name);
    else
        engine_text_print(out, "%d earlier releases ", (int)files);
    few_rows(out, in, in->laid_open == 1, fewest);
}

void engine_previous_sentence(char *out, size_t size, const void *found, const engine_case *c)
{
    (void)c;
    const engine_joined_rows *in = found;
    engine_text text = {0};
    engine_text_print(&text, "joined with ");
    if (in->count > 1)
        engine_text_print(&text, "%d earlier releases, ", (int)in->count);
    else
        engine_text_print(&text, "an earlier release, ");
    if (in->exposed) {
        engine_text_print(&text, "%s of %s rows ", engine_count(in->exposed).text,
                          engine_count(in->rows).text);
        few_rows(&text, in, false, in->fewest);
    } else {
        engine_text_print(&text, "%s", kept(in));
    }
    if (in->possible)
        engine_text_print(&text, "; %s%s would be exposed, each if a certain person were behind it",
                          engine_count(in->possible).text, in->exposed ? " more" : " rows");
    say_laid_open(&text, in);
    if (!engine_joined_by_worlds(in))
        engine_text_print(&text,
                          "; rows were compared pair by pair, as there are too many pairs to "
                          "ask which of them are possible together");
    snprintf(out, size, "%.*s", (int)text.len, text.bytes ? text.bytes : "");
    engine_text_clear(&text);
}

static void step_sentence(char *out, size_t size, const engine_joined_rows *in,
                          const engine_joined_step *s)
{
    if (s->sums.by_worlds)
        snprintf(out, size,
                 "with %s: %s of %s rows can be the same records as its %s, %s for certain; %s "
                 "may be new",
                 s->name, engine_count(s->sums.same_rows).text, engine_count(in->rows).text,
                 engine_count(s->rows).text, engine_count(s->sums.certain_rows).text,
                 engine_count(s->sums.fresh_rows).text);
    else
        snprintf(out, size, "with %s: more than %s pairs of kinds of rows can be the same records",
                 s->name, engine_count(TACIT_MOST_PAIRS).text);
}

static void finer_sentence(char *out, size_t size, const engine_joined_rows *in)
{
    snprintf(out, size,
             "%s rows are known finer than they were released; the table they form has %s "
             "classes, the smallest of %s; %s rows have fewer than k rows that may be them",
             engine_count(in->finer).text, engine_count(in->classes).text,
             engine_count(in->smallest).text, engine_count(in->traced).text);
}

/* The places of the first exposed rows. */
static void places_sentence(char *out, size_t size, const engine_joined_rows *in)
{
    size_t used = (size_t)snprintf(out, size, "exposed: row");
    if (in->exposed > 1 && used + 1 < size)
        out[used++] = 's';
    out[used] = 0;
    for (int i = 0; i < in->shown && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s %lld", i ? "," : "",
                                 (long long)in->places[i]);
    if (in->exposed > in->shown && used < size)
        snprintf(out + used, size - used, " and %s more",
                 engine_count(in->exposed - in->shown).text);
}

void engine_joined_tell(FILE *to, const void *found, const engine_case *c)
{
    (void)c;
    const engine_joined_rows *in = found;
    char text[512];
    for (int32_t i = 0; i < in->count; i++) {
        step_sentence(text, sizeof text, in, &in->steps[i]);
        engine_print_labelled(to, "", text);
    }
    finer_sentence(text, sizeof text, in);
    engine_print_labelled(to, "", text);
    if (in->exposed) {
        places_sentence(text, sizeof text, in);
        engine_print_labelled(to, "", text);
    }
    if (in->header)
        tacit_grid_print(&in->cells, to);
}

void engine_joined_account(tacit_account *account, const void *found, const engine_case *c)
{
    (void)c;
    const engine_joined_rows *in = found;
    tacit_account_integer(account, "attacks.previous.exposed_rows", in->exposed);
    tacit_account_integer(account, "attacks.previous.possibly_exposed_rows", in->possible);
    tacit_account_integer(account, "attacks.previous.exposed_rows_of_files", in->laid_open);
    tacit_account_integer(account, "attacks.previous.surely_exposed_rows", in->sure);
    tacit_account_integer(account, "attacks.previous.traced_rows", in->traced);
    tacit_account_integer(account, "attacks.previous.fewest", in->fewest);
    tacit_account_integer(account, "attacks.previous.finer_rows", in->finer);
    tacit_account_integer(account, "attacks.previous.joined_classes", in->classes);
    tacit_account_integer(account, "attacks.previous.smallest_joined_class", in->smallest);
    tacit_account_list(account, "attacks.previous.first_exposed_rows");
    for (int i = 0; i < in->shown; i++)
        tacit_account_push_integer(account, "attacks.previous.first_exposed_rows", in->places[i]);
    for (int32_t i = 0; i < in->count; i++) {
        const tacit_joined *sums = &in->steps[i].sums;
        tacit_account_push_object(account, "attacks.previous.releases");
        tacit_account_text(account, "@.file", tacit_strview_of(in->steps[i].name));
        tacit_account_integer(account, "@.rows", in->steps[i].rows);
        tacit_account_bool(account, "@.by_worlds", sums->by_worlds);
        if (sums->by_worlds) {
            tacit_account_integer(account, "@.pairs", sums->pairs);
            tacit_account_integer(account, "@.same_rows", sums->same_rows);
            tacit_account_integer(account, "@.certain_rows", sums->certain_rows);
            tacit_account_integer(account, "@.fresh_rows", sums->fresh_rows);
        }
        tacit_account_integer(account, "@.finer_rows", sums->finer_rows);
        tacit_account_integer(account, "@.exposed_rows", sums->exposed_rows);
        tacit_account_integer(account, "@.possibly_exposed_rows", sums->possible_rows);
        tacit_account_integer(account, "@.exposed_rows_of_file", in->steps[i].laid_open);
    }
}

/* A number that is only known by worlds. */
static void add_asked(tacit_grid *grid, const tacit_joined *sums, int64_t number)
{
    if (sums->by_worlds)
        tacit_grid_add(grid, "%lld", (long long)number);
    else
        tacit_grid_add(grid, "not asked");
}

void engine_joined_page(tacit_page *page, const void *found, const engine_case *c)
{
    static const char *const HEADER[] = {
        "earlier release", "rows",    "the same records", "for certain",
        "finer values",    "exposed", "possibly exposed", "exposed of its own rows"};
    (void)c;
    const engine_joined_rows *in = found;
    char text[512];
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 8);
    for (int32_t i = 0; i < in->count; i++) {
        const tacit_joined *sums = &in->steps[i].sums;
        tacit_grid_add(&grid, "%s", in->steps[i].name);
        tacit_grid_add(&grid, "%lld", (long long)in->steps[i].rows);
        add_asked(&grid, sums, sums->same_rows);
        add_asked(&grid, sums, sums->certain_rows);
        tacit_grid_add(&grid, "%lld", (long long)sums->finer_rows);
        tacit_grid_add(&grid, "%lld", (long long)sums->exposed_rows);
        tacit_grid_add(&grid, "%lld", (long long)sums->possible_rows);
        tacit_grid_add(&grid, "%lld", (long long)in->steps[i].laid_open);
    }
    tacit_grid_show(&grid, page, "Rows of the release and what they can be");
    tacit_grid_clear(&grid);
    finer_sentence(text, sizeof text, in);
    tacit_page_paragraph(page, text);
    if (in->exposed) {
        places_sentence(text, sizeof text, in);
        tacit_page_paragraph(page, text);
    }
    if (in->header)
        tacit_grid_show(&in->cells, page, "What the first exposed rows have come to");
}
