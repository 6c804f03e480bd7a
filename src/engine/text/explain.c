/*
 * explain.c - every proposal of the detectors and what became of it (--explain): a line of
 * JSON each, or lines for people, a document's under its name. The words themselves are told
 * only on request.
 *
 * What a proposal lost to is found again from the places: of those that won, or of those that
 * are evidence against, the likeliest that overlaps it. Proposals are in order of their starts,
 * so one pass keeps the one that reaches furthest, and a look ahead is bounded: linear
 * whatever the detectors propose.
 */
#include <string.h>

#include "engine/text/scrub.h"

enum { AHEAD = 64, WHY = 200, RULE = 60 };

static const char *const FATES[] = {
    [TACIT_TEXT_WON] = "won",
    [TACIT_TEXT_BELOW] = "below",
    [TACIT_TEXT_OVERRULED] = "overruled",
    [TACIT_TEXT_COUNTERED] = "countered",
    [TACIT_TEXT_UNSURE] = "unsure",
};

/* ---- who beat it ---- */

/* Proposals so far that reach furthest: of those that won, and of what is kept. */
typedef struct rivals {
    const tacit_text_proposal *won, *kept;
} rivals;

static bool is_kept(const tacit_text_proposal *proposal)
{
    return proposal->kind >= TACIT_TEXT_KEPT;
}

static void meet(rivals *r, const tacit_text_proposal *proposal)
{
    if (is_kept(proposal) && (!r->kept || proposal->end > r->kept->end))
        r->kept = proposal;
    if (proposal->fate == TACIT_TEXT_WON && (!r->won || proposal->end > r->won->end))
        r->won = proposal;
}

static bool beats(const tacit_text_proposal *rival, const tacit_text_proposal *loser)
{
    if (rival == loser || rival->start >= loser->end || rival->end <= loser->start)
        return false;
    return loser->fate == TACIT_TEXT_COUNTERED ? is_kept(rival) : rival->fate == TACIT_TEXT_WON;
}

/* The likeliest that beats it, of those before and of those that start within it. */
static const tacit_text_proposal *rival_of(const rivals *r, const tacit_scrubbed *scrubbed,
                                           size_t number)
{
    const tacit_text_proposal *loser = &scrubbed->proposals[number], *best = NULL;
    const tacit_text_proposal *before = loser->fate == TACIT_TEXT_COUNTERED ? r->kept : r->won;
    if (before && beats(before, loser))
        best = before;
    for (size_t i = number + 1; i < scrubbed->proposal_count && i <= number + AHEAD; i++) {
        const tacit_text_proposal *rival = &scrubbed->proposals[i];
        if (rival->start >= loser->end)
            break;
        if (beats(rival, loser) && (!best || rival->likelihood > best->likelihood))
            best = rival;
    }
    return best;
}

/* Why one came first: it is likelier, or of an entity with more constituents. */
static const char *reason(const tacit_text_proposal *rival, const tacit_text_proposal *loser)
{
    if (loser->fate == TACIT_TEXT_COUNTERED)
        return "which is not personal";
    if (rival->within <= TACIT_TEXT_LOCATION && rival->within < loser->within)
        return "which has more constituents";
    if (rival->likelihood > loser->likelihood)
        return "which is likelier";
    return rival->end - rival->start > loser->end - loser->start ? "which is longer"
                                                                 : "which came first";
}

/* Whether it won, but its kind is not replaced. */
static bool is_spared(const engine_scrub_piece *piece, const tacit_text_proposal *proposal)
{
    return proposal->fate == TACIT_TEXT_WON && piece->strategy[proposal->kind] == TACIT_TEXT_KEEP;
}

static const char *why(char *buffer, const engine_scrub_piece *piece,
                       const tacit_text_proposal *proposal, const tacit_text_proposal *rival)
{
    if (proposal->fate == TACIT_TEXT_WON && is_kept(proposal))
        snprintf(buffer, WHY, "left unchanged: not personal");
    else if (is_spared(piece, proposal))
        snprintf(buffer, WHY, "left unchanged: its kind is kept");
    else if (proposal->fate == TACIT_TEXT_WON && proposal->within != proposal->kind)
        snprintf(buffer, WHY, "as part of %s", tacit_text_kind_name(proposal->within));
    else if (proposal->fate == TACIT_TEXT_WON)
        snprintf(buffer, WHY, "likely enough, and nothing stronger is there");
    else if (proposal->fate == TACIT_TEXT_BELOW)
        snprintf(buffer, WHY, "less likely than the threshold");
    else if (proposal->fate == TACIT_TEXT_UNSURE)
        snprintf(buffer, WHY, "a guess, and too little here suggests people");
    else if (!rival)
        snprintf(buffer, WHY, "%s by what else was found there", FATES[proposal->fate]);
    else
        snprintf(buffer, WHY, "%s by %s %.2f of %s at %llu-%llu, %s", FATES[proposal->fate],
                 tacit_text_kind_name(rival->kind), rival->likelihood / 100.0, rival->detector,
                 (unsigned long long)rival->start, (unsigned long long)rival->end,
                 reason(rival, proposal));
    return buffer;
}

/* ---- the lines ---- */

static tacit_strview words_of(const engine_scrub_piece *piece, const tacit_text_proposal *proposal)
{
    return (tacit_strview){.bytes = piece->text.bytes + (proposal->start - piece->offset),
                           .len = (size_t)(proposal->end - proposal->start)};
}

static void put_json(engine_text *out, const engine_scrub_piece *piece,
                     const tacit_text_proposal *proposal, const char *because)
{
    engine_text_print(out, "{\"id\":");
    engine_text_view(out, piece->id);
    if (piece->column.len > 0) {
        engine_text_print(out, ",\"column\":");
        engine_text_json(out, piece->column);
    }
    engine_text_print(out,
                      ",\"start\":%llu,\"end\":%llu,\"kind\":\"%s\",\"within\":\"%s\","
                      "\"likelihood\":%.2f,\"detector\":",
                      (unsigned long long)proposal->start, (unsigned long long)proposal->end,
                      tacit_text_kind_name(proposal->kind), tacit_text_kind_name(proposal->within),
                      proposal->likelihood / 100.0);
    engine_text_json(out, tacit_strview_of(proposal->detector));
    engine_text_print(out, ",\"rule\":");
    if (proposal->rule)
        engine_text_json(out, tacit_strview_of(proposal->rule));
    else
        engine_text_print(out, "null");
    engine_text_print(out, ",\"fate\":\"%s\",\"why\":", FATES[proposal->fate]);
    engine_text_json(out, tacit_strview_of(because));
    if (piece->how & ENGINE_SCRUB_WORDS) {
        engine_text_print(out, ",\"words\":");
        engine_text_json(out, words_of(piece, proposal));
    }
    engine_text_print(out, "}\n");
}

/* Of one that won for no other reason than its likelihood there is no more to say. */
static void put_fate(engine_text *out, const engine_scrub_piece *piece,
                     const tacit_text_proposal *proposal, const char *because)
{
    bool plain =
        proposal->within == proposal->kind && !is_kept(proposal) && !is_spared(piece, proposal);
    if (proposal->fate == TACIT_TEXT_WON)
        engine_text_print(out, "WON%s%s", plain ? "" : ", ", plain ? "" : because);
    else
        engine_text_print(out, "lost: %s", because);
}

static void put_line(engine_text *out, const engine_scrub_piece *piece,
                     const tacit_text_proposal *proposal, const char *because)
{
    char place[48], rule[RULE];
    snprintf(place, sizeof place, "%llu-%llu", (unsigned long long)proposal->start,
             (unsigned long long)proposal->end);
    snprintf(rule, sizeof rule, "%s%s%s", proposal->detector, proposal->rule ? ": " : "",
             proposal->rule ? proposal->rule : "");
    engine_text_print(out, "  %11s  %-13s %.2f  %-28s ", place,
                      tacit_text_kind_name(proposal->kind), proposal->likelihood / 100.0, rule);
    put_fate(out, piece, proposal, because);
    if (piece->how & ENGINE_SCRUB_WORDS) {
        engine_text_print(out, "  ");
        engine_text_json(out, words_of(piece, proposal));
    }
    engine_text_print(out, "\n");
}

/* What the document is called, once. */
static void put_name(engine_text *out, const engine_scrub_piece *piece)
{
    if (!piece->first)
        return;
    engine_text_view(out, piece->id);
    if (piece->column.len > 0) {
        engine_text_print(out, " ");
        engine_text_json(out, piece->column);
    }
    engine_text_print(out, ", %s%s", tacit_text_format_name(piece->scrubbed->format),
                      piece->scrubbed->proposal_count ? "\n" : ": nothing was proposed\n");
}

void engine_scrub_explain(engine_text *out, const engine_scrub_piece *piece)
{
    const tacit_scrubbed *scrubbed = piece->scrubbed;
    bool people = (piece->how & ENGINE_SCRUB_PEOPLE) != 0;
    rivals r = {0};
    char because[WHY];
    if (people)
        put_name(out, piece);
    for (size_t i = 0; i < scrubbed->proposal_count; i++) {
        const tacit_text_proposal *proposal = &scrubbed->proposals[i];
        bool lost =
            proposal->fate == TACIT_TEXT_OVERRULED || proposal->fate == TACIT_TEXT_COUNTERED;
        why(because, piece, proposal, lost ? rival_of(&r, scrubbed, i) : NULL);
        meet(&r, proposal);
        if (people)
            put_line(out, piece, proposal, because);
        else
            put_json(out, piece, proposal, because);
    }
}
