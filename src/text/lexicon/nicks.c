/*
 * nicks.c - a table without chains: another nickname in the same place takes it over.
 */
#include "text/lexicon/nicks.h"

const tacit__nick *tacit__nick_of(tacit__nicks *nicks, const tacit__document *document,
                                  const tacit__word *word)
{
    tacit__nick *nick = &nicks->recent[word->key % TACIT__NICKS];
    if (nick->key == word->key && word->key != 0)
        return nick;
    tacit_strview names[TACIT__NICK_FORMAL];
    nick->key = word->key;
    nick->count =
        tacit__lexicon_formal(names, TACIT__NICK_FORMAL, tacit__word_text(document, word));
    for (size_t i = 0; i < nick->count; i++)
        nick->formal[i] = tacit__word_key(names[i]);
    return nick;
}
