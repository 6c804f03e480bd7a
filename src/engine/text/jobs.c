/*
 * jobs.c - the stages of the pipeline: what a job is, how it is done, and what is written
 * in which order.
 *
 * A plain file is one job, however long: its hand reads it into a buffer of some more than a piece
 * and writes as it goes. Of JSON lines and CSV a job is a stretch of rows; the output of a file is
 * opened with its first job and appears with its last one.
 */
#include <string.h>

#include "base/error.h"
#include "engine/job/files.h"
#include "engine/text/work.h"

/* More is pushed out of the processor's second cache before it is read. */
enum { BUFFER = 3 * TACIT_SCRUB_PIECE / 2 };

void engine_scrub_place(tacit_error *err, const engine_scrub_hand *hand, int64_t line)
{
    if (!err || err->status == TACIT_OK || err->line || err->status == TACIT_NOMEM)
        return;
    err->line = line;
    if (!err->file[0])
        strncpy(err->file, hand->file->name, sizeof err->file - 1);
}

tacit_status engine_scrub_go_on(engine_worker *worker, size_t done, size_t *told, tacit_error *err)
{
    if (done - *told < TACIT_SCRUB_PIECE)
        return TACIT_OK;
    tacit_status status = engine_pipeline_progress(worker, (int64_t)(done - *told), err);
    *told = done;
    return status;
}

/* ---- taking ---- */

static tacit_status take_plain(bool *more, engine_scrub *scrub, engine_scrub_hand *hand)
{
    *more = scrub->next_file < scrub->files.count;
    if (!*more)
        return TACIT_OK;
    hand->number = scrub->next_file;
    hand->file = &scrub->files.items[scrub->next_file++];
    return TACIT_OK;
}

static tacit_status next_file(engine_scrub *scrub, tacit_error *err)
{
    engine_scrub_file *file = &scrub->files.items[scrub->next_file];
    tacit_status status = engine_feed_open(&scrub->feed, file->path, err);
    if (status == TACIT_OK)
        status = engine_scrub_make_way(file, &scrub->files, err);
    return status == TACIT_OK ? tacit_output_new(&file->output, file->target, err) : status;
}

/* Rows of the file at hand, and its header before the first ones. */
static tacit_status take_stretch(engine_scrub *scrub, engine_scrub_hand *hand, tacit_error *err)
{
    engine_feed *feed = &scrub->feed;
    bool first = !feed->begun, csv = scrub->form == ENGINE_FORM_CSV;
    hand->file = &scrub->files.items[scrub->next_file];
    hand->line = feed->line;
    hand->row = feed->row;
    hand->head = 0;
    tacit_status status =
        engine_feed_rows(&hand->in, feed, csv ? ENGINE_CUT_CSV : ENGINE_CUT_LINES, ENGINE_SCRUB_JOB,
                         ENGINE_SCRUB_LONGEST, scrub->session, err);
    if (status == TACIT_OK && csv && first)
        status = engine_scrub_header_read(scrub, hand, err);
    if (csv && first && hand->head > 0)
        feed->row--; /* the header is none */
    else if (!csv && first && hand->in.len >= 3 && !memcmp(hand->in.bytes, "\xEF\xBB\xBF", 3))
        hand->head = 3;
    hand->header = scrub->header;
    hand->number = scrub->next_number;
    scrub->next_number += (uint64_t)(feed->row - hand->row);
    hand->ends_file = feed->ended && feed->rest.len == 0;
    return status;
}

static tacit_status take_rows(bool *more, engine_scrub *scrub, engine_scrub_hand *hand,
                              tacit_error *err)
{
    tacit_status status = TACIT_OK;
    *more = scrub->next_file < scrub->files.count;
    if (!*more)
        return TACIT_OK;
    if (!scrub->feed.open)
        status = next_file(scrub, err);
    if (status == TACIT_OK)
        status = take_stretch(scrub, hand, err);
    if (status == TACIT_OK && hand->ends_file) {
        engine_feed_close(&scrub->feed);
        scrub->next_file++;
    }
    return status;
}

static tacit_status take(bool *more, void *context, engine_worker *worker, tacit_error *err)
{
    engine_scrub *scrub = context;
    engine_scrub_hand *hand = &scrub->hands[worker->index];
    hand->out.len = hand->spans.len = hand->explained.len = 0;
    return scrub->form == ENGINE_FORM_PLAIN ? take_plain(more, scrub, hand)
                                            : take_rows(more, scrub, hand, err);
}

/* ---- working ---- */

/* A hand gets its tools with its first job: there may be more hands than jobs. */
static tacit_status equip(engine_scrub_hand *hand, const engine_scrub *scrub, tacit_error *err)
{
    const engine_settings *settings = scrub->session->settings;
    tacit_status status = TACIT_OK;
    if (!hand->reader)
        status = tacit_scrub_reader_new(&hand->reader, scrub->scrubber, err);
    if (status == TACIT_OK && !hand->gathering &&
        (engine_has(settings, "html") || engine_has(settings, "report")))
        status = engine_scrub_gathering_new(&hand->gathering, err);
    return status;
}

/* A long document's lines are written when its turn has come; until then they wait, and so
 * does the document where they are too many. */
static tacit_status write_early(engine_scrub *scrub, engine_worker *worker, tacit_error *err)
{
    engine_scrub_hand *hand = &scrub->hands[worker->index];
    if (hand->spans.len + hand->explained.len < ENGINE_SCRUB_SIDE_ROOM)
        return TACIT_OK;
    engine_pipeline_turn(worker);
    if (engine_pipeline_failed(worker))
        return tacit__error(err, TACIT_CANCELLED, "another file failed");
    return engine_scrub_sides_write(scrub, hand, err);
}

/* Scrubs what is in the buffer, but what could be the start of something longer. */
static tacit_status scrub_buffer(engine_scrub *scrub, engine_worker *worker, int fd, bool ended,
                                 tacit_error *err)
{
    engine_scrub_hand *hand = &scrub->hands[worker->index];
    size_t at = 0;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && at < hand->in.len &&
           (ended || hand->in.len - at >= TACIT_SCRUB_PIECE)) {
        tacit_strview text = {hand->in.bytes + at, hand->in.len - at};
        tacit_scrubbed scrubbed;
        size_t consumed = 0;
        status = engine_scrub_document_piece(&scrubbed, &consumed, hand, scrub, text, ended, err);
        if (status == TACIT_OK)
            status = engine_write_all(fd, hand->file->target, scrubbed.text.bytes,
                                      scrubbed.text.len, err);
        if (status == TACIT_OK)
            status = write_early(scrub, worker, err);
        if (status == TACIT_OK)
            status = engine_pipeline_progress(worker, (int64_t)consumed, err);
        at += consumed;
    }
    if (status == TACIT_OK) {
        hand->in.len -= at;
        memmove(hand->in.bytes, hand->in.bytes + at, hand->in.len);
    }
    return status;
}

static tacit_status scrub_feed(engine_scrub *scrub, engine_worker *worker, engine_feed *feed,
                               int fd, tacit_error *err)
{
    engine_scrub_hand *hand = &scrub->hands[worker->index];
    tacit_status status = TACIT_OK;
    hand->in.len = hand->id.len = 0;
    engine_text_json(&hand->id, tacit_strview_of(hand->file->path));
    engine_scrub_document_begin(hand, scrub, hand->number,
                                (tacit_strview){hand->id.bytes, hand->id.len}, (tacit_strview){0});
    while (status == TACIT_OK && !feed->ended) {
        status = engine_feed_fill(&hand->in, BUFFER, feed, scrub->session, err);
        if (status == TACIT_OK && hand->in.len > 0)
            status = scrub_buffer(scrub, worker, fd, feed->ended, err);
    }
    engine_scrub_document_end(hand, scrub);
    return status;
}

static tacit_status scrub_file(engine_scrub *scrub, engine_worker *worker, tacit_error *err)
{
    engine_scrub_hand *hand = &scrub->hands[worker->index];
    tacit_output *output = NULL;
    engine_feed feed = {0};
    tacit_status status = engine_feed_open(&feed, hand->file->path, err);
    if (status == TACIT_OK)
        status = engine_scrub_make_way(hand->file, &scrub->files, err);
    if (status == TACIT_OK)
        status = tacit_output_new(&output, hand->file->target, err);
    if (status == TACIT_OK)
        status = scrub_feed(scrub, worker, &feed, tacit_output_fd(output), err);
    if (status == TACIT_OK)
        status = tacit_output_commit(output, err);
    if (status == TACIT_OK)
        hand->totals.files++;
    tacit_output_free(output);
    engine_feed_close(&feed);
    return status;
}

static tacit_status work(void *context, engine_worker *worker, tacit_error *err)
{
    engine_scrub *scrub = context;
    tacit_status status = equip(&scrub->hands[worker->index], scrub, err);
    if (status != TACIT_OK)
        return status;
    switch (scrub->form) {
    case ENGINE_FORM_PLAIN: return scrub_file(scrub, worker, err);
    case ENGINE_FORM_JSONL: return engine_scrub_rows_json(scrub, worker, err);
    case ENGINE_FORM_CSV: return engine_scrub_rows_csv(scrub, worker, err);
    }
    return TACIT_OK;
}

/* ---- handing on ---- */

static tacit_status give_rows(engine_scrub_hand *hand, tacit_error *err)
{
    engine_scrub_file *file = hand->file;
    int fd = tacit_output_fd(file->output);
    tacit_status status = engine_text_check(&hand->out, err);
    if (status == TACIT_OK)
        status = engine_write_all(fd, file->target, hand->in.bytes, hand->head, err);
    if (status == TACIT_OK)
        status = engine_write_all(fd, file->target, hand->out.bytes, hand->out.len, err);
    if (status != TACIT_OK || !hand->ends_file)
        return status;
    status = tacit_output_commit(file->output, err);
    tacit_output_free(file->output);
    file->output = NULL;
    hand->totals.files += status == TACIT_OK;
    return status;
}

static tacit_status give(void *context, engine_worker *worker, tacit_error *err)
{
    engine_scrub *scrub = context;
    engine_scrub_hand *hand = &scrub->hands[worker->index];
    tacit_status status = scrub->form == ENGINE_FORM_PLAIN ? TACIT_OK : give_rows(hand, err);
    return status == TACIT_OK ? engine_scrub_sides_write(scrub, hand, err) : status;
}

const engine_stages engine_scrub_stages = {
    .take = take, .work = work, .give = give, .phase = "scrubbing"};
