/*
 * masking_account.c - what techniques did, for the terminal, as JSON and on a page: the paper asks
 * that whoever gets the data can be told what was done to it. Secret settings are not shown.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/masking/masked_verdict.h"
#include "engine/masking/masking.h"
#include "engine/records/verdict.h"

/* A setting that recipients may be told: not a secret, nor the name of one of the holder's files,
 * unless these are asked for. */
static bool is_told(const engine_masking *masking, const tacit_technique *technique,
                    const char *name)
{
    const tacit_technique_option *option = engine_technique_option(technique, name);
    return masking->secrets || (option && !option->secret && option->sort != TACIT_TECHNIQUE_FILE);
}

/* Adds to a text of a bounded size. */
static void add(char *text, size_t size, const char *before, const char *what)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", before, what);
}

static void add_values(char *text, size_t size, const tacit_technique_setting *setting)
{
    for (size_t i = 0; i < setting->value_count; i++)
        add(text, size, i ? ", " : "", setting->values[i]);
}

/* "income, rent". */
static const char *columns_of(char *text, size_t size, const tacit_technique_step *step)
{
    text[0] = '\0';
    for (size_t i = 0; i < step->setting_count; i++)
        if (strcmp(step->settings[i].name, "columns") == 0)
            add_values(text, size, &step->settings[i]);
    return text;
}

/* "size 0.1; way correlated". */
static const char *settings_of(char *text, size_t size, const engine_masking *masking, size_t index)
{
    const tacit_technique *technique = tacit_masking_technique(masking->masking, index);
    const tacit_technique_step *step = &masking->steps[index];
    text[0] = '\0';
    for (size_t i = 0; i < step->setting_count; i++) {
        const tacit_technique_setting *setting = &step->settings[i];
        if (strcmp(setting->name, "columns") == 0 || !is_told(masking, technique, setting->name))
            continue;
        add(text, size, text[0] ? "; " : "", setting->name);
        add(text, size, " ", "");
        add_values(text, size, setting);
    }
    return text;
}

/* "1 200 cells changed; 3 groups". */
static const char *facts_of(char *text, size_t size, const engine_masking *masking, size_t step)
{
    const tacit_masked_fact *facts;
    size_t count = tacit_masked_facts(masking->masked, step, &facts);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        char number[48], name[64];
        bool whole = facts[i].number == floor(facts[i].number);
        snprintf(name, sizeof name, " %s", facts[i].name);
        for (char *at = name; *at; at++)
            *at = *at == '_' ? ' ' : *at;
        add(text, size, text[0] ? "; " : "",
            tacit_number_text(number, sizeof number, facts[i].number, whole ? 0 : 4));
        add(text, size, name, "");
    }
    return text;
}

static void tell_sentence(void *payload, const char *sentence, bool holds)
{
    (void)holds; /* what does not hold was refused */
    engine_line(payload, "kept", "%s", sentence);
}

void engine_masking_tell(FILE *out, const engine_masking *masking)
{
    char columns[200], settings[200], facts[200];
    for (size_t i = 0; masking->masked && i < masking->step_count; i++) {
        const tacit_technique *technique = tacit_masking_technique(masking->masking, i);
        const tacit_technique_step *step = &masking->steps[i];
        columns_of(columns, sizeof columns, step);
        settings_of(settings, sizeof settings, masking, i);
        facts_of(facts, sizeof facts, masking, i);
        engine_line(out, "technique", "%s%s%s%s%s%s%s%s", technique->name, columns[0] ? " of " : "",
                    columns, settings[0] ? " (" : "", settings, settings[0] ? ")" : "",
                    facts[0] ? ": " : "", facts);
    }
    if (masking->verdict)
        engine_masked_sentences(masking->verdict, &masking->c, tell_sentence, out);
}

static void account_step(tacit_account *account, const engine_masking *masking, size_t index)
{
    char path[96];
    const tacit_technique *technique = tacit_masking_technique(masking->masking, index);
    const tacit_technique_step *step = &masking->steps[index];
    const tacit_masked_fact *facts;
    size_t count = tacit_masked_facts(masking->masked, index, &facts);
    tacit_account_push_object(account, "techniques");
    tacit_account_text(account, "@.technique", tacit_strview_of(technique->name));
    for (size_t i = 0; i < step->setting_count; i++) {
        const tacit_technique_setting *setting = &step->settings[i];
        bool columns = strcmp(setting->name, "columns") == 0;
        if (!is_told(masking, technique, setting->name))
            continue;
        snprintf(path, sizeof path, columns ? "@.columns" : "@.settings.%.60s", setting->name);
        for (size_t j = 0; j < setting->value_count; j++)
            if (columns || setting->value_count > 1)
                tacit_account_push_text(account, path, tacit_strview_of(setting->values[j]));
            else
                tacit_account_text(account, path, tacit_strview_of(setting->values[j]));
    }
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "@.%.60s", facts[i].name);
        tacit_account_real(account, path, facts[i].number);
    }
}

void engine_masking_account(tacit_account *account, const engine_masking *masking)
{
    for (size_t i = 0; masking->masked && i < masking->step_count; i++)
        account_step(account, masking, i);
    if (masking->verdict)
        engine_masked_account(account, masking->verdict, &masking->c);
}

static void page_sentence(void *payload, const char *sentence, bool holds)
{
    char words[512];
    (void)holds;
    snprintf(words, sizeof words, "Kept, and checked: %s.", sentence);
    tacit_page_paragraph(payload, words);
}

void engine_masking_page(tacit_page *page, const engine_masking *masking)
{
    static const char *const HEADER[] = {"technique", "columns", "settings", "what it did"};
    char text[300];
    tacit_grid grid;
    if (!masking->masked)
        return;
    tacit_grid_init(&grid, HEADER, 4);
    for (size_t i = 0; i < masking->step_count; i++) {
        const tacit_technique *technique = tacit_masking_technique(masking->masking, i);
        const tacit_technique_step *step = &masking->steps[i];
        tacit_grid_add(&grid, "%s", technique->name);
        tacit_grid_add(&grid, "%s", columns_of(text, sizeof text, step));
        tacit_grid_add(&grid, "%s", settings_of(text, sizeof text, masking, i));
        tacit_grid_add(&grid, "%s", facts_of(text, sizeof text, masking, i));
    }
    tacit_page_heading(page, "Techniques");
    tacit_grid_show(&grid, page, "What was done to the data before anything was generalized");
    tacit_grid_clear(&grid);
    if (masking->verdict)
        engine_masked_sentences(masking->verdict, &masking->c, page_sentence, page);
}
