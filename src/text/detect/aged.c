/*
 * aged.c - "Dot is a 7 year old girl": who is so old is somebody, though the first name may be a
 * word of the language that the chain takes it for.
 *
 * Cost: a few tests for each age.
 */
#include "text/detect/detect.h"

#include "text/read/forms.h"

enum {
    SURE_AGE = 90, /* likelihood of the age, */
    LIKELY = 85    /* and of the name */
};

/* "Dot is a", "Hope was a": three words before the one that an age starts with. */
static bool is_told(const tacit__document *document, size_t age)
{
    static const tacit__listed_word verbs[] = {"is", "was", ""};
    static const tacit__listed_word articles[] = {"a", "an", ""};
    if (age < 3 || age >= document->count)
        return false;
    const tacit__word *name = &document->words[age - 3];
    for (size_t i = 1; i <= 3; i++)
        if (name[i].before != TACIT__GAP_SPACE)
            return false;
    return name->shape == TACIT__SHAPE_CAPITAL && name->entry.first >= TACIT__KNOWN_FIRST &&
           tacit__word_is_among(document, &name[1], verbs) &&
           tacit__word_is_among(document, &name[2], articles);
}

tacit_status tacit__aged_propose(tacit__proposals *proposals, const tacit__document *document,
                                 tacit_error *err)
{
    tacit_status status = TACIT_OK;
    size_t count = proposals->count;
    for (size_t i = 0; i < count && status == TACIT_OK; i++) {
        const tacit__proposal *age = &proposals->items[i];
        if (age->kind != TACIT_TEXT_AGE || age->likelihood < SURE_AGE)
            continue;
        size_t word = tacit__document_at(document, age->start);
        const tacit__proposal name = {.kind = TACIT_TEXT_FIRST_NAME,
                                      .likelihood = LIKELY,
                                      .detector = "words",
                                      .rule = "somebody that old"};
        if (is_told(document, word))
            status = tacit__propose_words(proposals, document, word - 3, word - 3, name, err);
    }
    return status;
}
