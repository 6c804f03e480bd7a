/*
 * test_text_unread.c - what is not plain text in English is refused with the reason and the place,
 * and nothing else is: each way in which somebody could be written and not be found, and what looks
 * like one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "washer.h"

typedef struct unread_case {
    const char *text;
    tacit_text_unread reason;
} unread_case;

static const unread_case cases[] = {
    /* languages, of a few sentences each */
    {"Sehr geehrte Kollegin, wir berichten \xC3\xBC"
     "ber die Patientin, die sich vom zweiten bis zum zw\xC3\xB6lften in unserer Behandlung "
     "befand. "
     "Bei der Untersuchung war der Bauch weich, es bestand kein Druckschmerz.",
     TACIT_UNREAD_LANGUAGE},
    {"Cher confr\xC3\xA8re, j'ai vu en consultation votre patiente qui pr\xC3\xA9sente depuis "
     "trois "
     "mois des douleurs de la hanche droite. Elle a \xC3\xA9t\xC3\xA9 op\xC3\xA9r\xC3\xA9"
     "e dans notre service et les suites ont \xC3\xA9t\xC3\xA9 simples.",
     TACIT_UNREAD_LANGUAGE},
    {"Estimado doctor, he visto en la consulta a su paciente, que presenta desde hace tres meses "
     "dolor en la cadera derecha. Fue operada en nuestro servicio y quedo a su disposicion.",
     TACIT_UNREAD_LANGUAGE},
    {"Gentile collega, ho visitato la sua paziente che da tre mesi lamenta dolore alla anca destra "
     "e la ringrazio per la fiducia; resto a disposizione per ogni chiarimento.",
     TACIT_UNREAD_LANGUAGE},
    {"Geachte collega, ik zag op het spreekuur uw patiente die sinds drie maanden pijn heeft in de "
     "rechter heup. Zij werd op onze afdeling geopereerd en het beloop was zonder problemen.",
     TACIT_UNREAD_LANGUAGE},
    /* and of one sentence */
    {"Madame Dupont a vu le docteur Martin hier.", TACIT_UNREAD_LANGUAGE},
    {"Herr Schmidt wurde heute entlassen.", TACIT_UNREAD_LANGUAGE},
    {"La paciente vive en Madrid con su hija.", TACIT_UNREAD_LANGUAGE},
    {"She was seen today. Frau Weber kam gestern mit ihrer Tochter.", TACIT_UNREAD_LANGUAGE},
    {"Pacjent Kowalski zostal przyjety przez lekarza.", TACIT_UNREAD_LANGUAGE},
    {"Patienten heter Bengt och bor i Lund.", TACIT_UNREAD_LANGUAGE},
    {"Han bor i Aarhus og hedder Lars.", TACIT_UNREAD_LANGUAGE},
    {"O paciente mora em Lisboa e chama-se Nuno.", TACIT_UNREAD_LANGUAGE},
    {"Pasien Budi datang dengan demam dan batuk.", TACIT_UNREAD_LANGUAGE},
    {"Potilas asuu Helsingiss\xC3\xA4 vaimonsa kanssa.", TACIT_UNREAD_LANGUAGE},
    /* short, by letters that English does not have: Turkish, Czech, Hungarian */
    {"Mehmet bug\xC3\xBCn ate\xC5\x9F ve \xC3\xB6ks\xC3\xBCr\xC3\xBCk ile geldi.",
     TACIT_UNREAD_LANGUAGE},
    {"Jan byl p\xC5\x99ijat s hore\xC4\x8Dkou a ka\xC5\xA1lem, pak odjel.", TACIT_UNREAD_LANGUAGE},
    {"J\xC3\xA1nos l\xC3\xA1zzal \xC3\xA9rkezett, antibiotikumot kapott, majd hazament.",
     TACIT_UNREAD_LANGUAGE},
    /* English first: a part in another language is enough */
    {"The patient was seen today and is doing well. She will come again in two weeks for a check "
     "of "
     "the wound, and we will then decide whether more is to be done about the pain in the hip and "
     "about the blood pressure. "
     "Wir haben die Patientin heute gesehen und es geht ihr gut, sie wird in zwei Wochen wieder "
     "kommen, damit wir die Wunde ansehen und dann gemeinsam entscheiden, ob noch etwas wegen der "
     "Schmerzen zu machen ist, und dann sehen wir auch nach dem Blutdruck, der zuletzt etwas zu "
     "hoch war, und besprechen mit den Angeh\xC3\xB6rigen, wie es weiter gehen soll.",
     TACIT_UNREAD_LANGUAGE},
    /* scripts: Chinese, Russian, Arabic, Greek */
    {"\xE6\x82\xA3\xE8\x80\x85\xE5\xBC\xA0\xE5\xAE\xB6\xE6\x98\x8E, 13800138000",
     TACIT_UNREAD_SCRIPT},
    {"\xD0\x9F\xD0\xB0\xD1\x86\xD0\xB8\xD0\xB5\xD0\xBD\xD1\x82 "
     "\xD0\x98\xD0\xB2\xD0\xB0\xD0\xBD\xD0\xBE\xD0\xB2",
     TACIT_UNREAD_SCRIPT},
    {"\xD8\xA7\xD9\x84\xD9\x85\xD8\xB1\xD9\x8A\xD8\xB6 \xD9\x85\xD8\xAD\xD9\x85\xD8\xAF",
     TACIT_UNREAD_SCRIPT},
    {"seen by Dr. \xCE\xA0\xCE\xB1\xCF\x80\xCE\xAC\xCF\x82 today", TACIT_UNREAD_SCRIPT},
    {"seen by Dr\xE5\xBC\xA0 today", TACIT_UNREAD_SCRIPT},
    /* mark-up */
    {"seen by <b>Okon</b>kwo today", TACIT_UNREAD_MARKUP},
    {"<html><body>hello", TACIT_UNREAD_MARKUP},
    {"hello <BR> there", TACIT_UNREAD_MARKUP},
    {"<?xml version=\"1.0\"?>", TACIT_UNREAD_MARKUP},
    {"Okon<!-- -->kwo", TACIT_UNREAD_MARKUP},
    {"<name first=\"Ann\">", TACIT_UNREAD_MARKUP},
    {"<patient>Ann</patient>", TACIT_UNREAD_MARKUP},
    {"seen by **Okon**kwo today", TACIT_UNREAD_MARKUP},
    {"seen by O*kon*kwo today", TACIT_UNREAD_MARKUP},
    {"seen by _Okon_kwo today", TACIT_UNREAD_MARKUP},
    {"{\\rtf1\\ansi Okon\\b kwo}", TACIT_UNREAD_MARKUP},
    /* codes */
    {"Smith&#39;s dog", TACIT_UNREAD_ENTITIES},
    {"Mu&ntilde;oz", TACIT_UNREAD_ENTITIES},
    {"M&#xFC;ller", TACIT_UNREAD_ENTITIES},
    {"Mu\\u00f1oz", TACIT_UNREAD_ENTITIES},
    /* mail */
    {"Subject: x\nContent-Transfer-Encoding: base64\n\nRGVhcg==\n", TACIT_UNREAD_ENCODED},
    {"content-transfer-encoding:quoted-printable\n\nDear\n", TACIT_UNREAD_ENCODED},
    {"RGVhciBEci4gT2tvbmt3bywgSSBzYXcgTXJzLiBWaXJnaW5pYSBXZXN0b24gdG9kYXkgYXQgdGhlIGNsaW5pYw==",
     TACIT_UNREAD_ENCODED},
    {"Dear M=FCller", TACIT_UNREAD_ENCODED},
    {"Dear M=C3=BCller", TACIT_UNREAD_ENCODED},
    {"seen by Okon=\nkwo today", TACIT_UNREAD_ENCODED},
    {"seen by Okon=\r\nkwo today", TACIT_UNREAD_ENCODED},
    /* invisible: soft hyphen, zero-width space and joiners, word joiner, BOM, directions, tags */
    {"seen by Okon\xC2\xADkwo", TACIT_UNREAD_INVISIBLE},
    {"seen by Okon\xE2\x80\x8Bkwo", TACIT_UNREAD_INVISIBLE},
    {"seen by Okon\xE2\x80\x8Ckwo", TACIT_UNREAD_INVISIBLE},
    {"seen by Okon\xE2\x80\x8Dkwo", TACIT_UNREAD_INVISIBLE},
    {"seen by Okon\xE2\x81\xA0kwo", TACIT_UNREAD_INVISIBLE},
    {"seen by \xEF\xBB\xBFOkonkwo", TACIT_UNREAD_INVISIBLE},
    {"seen by \xE2\x80\xAEowknokO\xE2\x80\xAC", TACIT_UNREAD_INVISIBLE},
    {"seen by Okonkwo\xE2\x80\x8B today", TACIT_UNREAD_INVISIBLE},
    {"SSN 536\xE2\x80\x8B-22-8726", TACIT_UNREAD_INVISIBLE},
    {"Okon\xF3\xA0\x81\xA1kwo", TACIT_UNREAD_INVISIBLE},
    {"Okon\xEF\xB8\x8Fkwo", TACIT_UNREAD_INVISIBLE},
    /* letters: full-width, ligature, mathematical, circled, decomposed, look-alikes */
    {"seen by \xEF\xBC\xAF\xEF\xBD\x8B\xEF\xBD\x8F", TACIT_UNREAD_LETTERS},
    {"SSN \xEF\xBC\x95\xEF\xBC\x93\xEF\xBC\x96", TACIT_UNREAD_LETTERS},
    {"Gri\xEF\xAC\x83th", TACIT_UNREAD_LETTERS},
    {"\xF0\x9D\x93\x9E\xF0\x9D\x93\xB4", TACIT_UNREAD_LETTERS},
    {"\xE2\x93\x84\xE2\x93\x9A", TACIT_UNREAD_LETTERS},
    {"\xE2\x84\x8B"
     "enry Okonkwo",
     TACIT_UNREAD_LETTERS},
    {"Jose\xCC\x81 Garci\xCC\x81"
     "a",
     TACIT_UNREAD_LETTERS},
    {"Ok\xD0\xBEnkwo", TACIT_UNREAD_LETTERS},
    {"she was seen by \xD0\x9Ekonkwo at the clinic today and it went well", TACIT_UNREAD_LETTERS},
    {"Ok\xCE\xBFnkwo", TACIT_UNREAD_LETTERS},
    /* broken words */
    {"seen with J-o-h-n S-m-i-t-h today", TACIT_UNREAD_BROKEN},
    {"spelled O-k-o-n-k-w-o", TACIT_UNREAD_BROKEN},
    {"seen with J.o.h.n today", TACIT_UNREAD_BROKEN},
    {"seen by S m i t h e today", TACIT_UNREAD_BROKEN},
    {"J o h n  S m i t h was seen", TACIT_UNREAD_BROKEN},
    {"seen by J0hn today", TACIT_UNREAD_LETTERS},
    {"seen by Mrs 5mith today", TACIT_UNREAD_LETTERS},
    {"seen by O K O N K W O today", TACIT_UNREAD_BROKEN},
    {"seen by Okon-\nkwo today", TACIT_UNREAD_BROKEN},
    {"seen by Okon-\r\nkwo today", TACIT_UNREAD_BROKEN},
    {"seen by Smith-\nson today", TACIT_UNREAD_BROKEN},
    /* bytes */
    {"seen by M\xFCller", TACIT_UNREAD_BYTES},
    {"seen by M\xEF\xBF\xBDller", TACIT_UNREAD_BYTES},
    {"seen by Okon\x08kwo", TACIT_UNREAD_BYTES},
    {"seen by Okon\x7Fkwo", TACIT_UNREAD_BYTES},
    {"seen by Okon\xC2\x80kwo", TACIT_UNREAD_BYTES},
};

static const char *const read[] = {
    "taken P.R.N.P.O. daily, A-B-C-D, and T-E-S-T",
    "J.R.R. Tolkien, U.S.A.F., D.O.B. known",
    "",
    "Dear Dr. Okonkwo,\n\nI saw Mrs. Virginia P. Weston on 03/04/2021.\n",
    "\xEF\xBB\xBF"
    "A file may begin with this.",
    "Jos\xC3\xA9 Garc\xC3\xAD\x61, Bj\xC3\xB6rn \xC3\x85ngstr\xC3\xB6m, \xC5\x81ukasz and "
    "Nguy\xE1\xBB\x85n",
    "\xE2\x80\x9CWell,\xE2\x80\x9D she said \xE2\x80\x93 it\xE2\x80\x99s 37 \xC2\xB0"
    "C\xE2\x80\xA6 5 \xC2\xB5g, \xC2\xBD dose, x\xC2\xB2, \xE2\x89\xA5 3, \xE2\x82\xAC 5",
    "\xCE\xB1-blocker, TNF\xCE\xB1, IFN-\xCE\xB3, \xCE\xBCg, NF-\xCE\xBA"
    "B, \xCE\xB3\xCE\xB4 T cells, \xCE\x94"
    "F508",
    "see you \xF0\x9F\x91\xA9\xE2\x80\x8D\xE2\x9A\x95\xEF\xB8\x8F soon \xE2\x9D\xA4\xEF\xB8\x8F",
    "1\xEF\xB8\x8F\xE2\x83\xA3 first",
    "my teacher Wong (\xE9\xBB\x83\xE5\xB0\x8F\xE6\x98\x8E) has been with the school for many "
    "years "
    "and is liked by all of us",
    "WBC <5, k > 3, a<b, EF=55, n=20, R&D, AT&T; <john@example.com> <unknown> if x<y and z>w",
    "C:\\Users\\notes and a \\ b",
    "**Plan**: a *very* good day, _so far_, d*mn, x*y*z, HLA-A*02:01, snake_case_name, a * b * c",
    "Vitamin B12, H1N1, COVID-19, p 5, 3rd, T4, L5-S1, 5mg, 10mmHg, CO2, HbA1c, 2Day, Mark2",
    "Maria de la Cruz came. Rio de la Plata. Hans van der Berg et al. Not in situ.",
    "Herr and Frau Weber were seen. La vie en rose.",
    "1) option A B C D\n2) grade",
    "wound L x W x D",
    "D I A G N O S I S",
    "Post-\noperative care, X-\nray and follow-\nup, Long-\nterm care, Physio-\ntherapy",
    "Plan\n- keep going\n- rest",
    "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "https://example.com/a/very/long/path/with/many/parts/and/more/of/them/until/the/end/of/it",
    "name,email\nann.smith@example.co.uk,bob.jones@mail.example.org\n",
    "pt c/o sob x3d, hx htn dm2 cad s/p cabg, denies cp, lungs cta bilat, abd soft nt nd, cont asa "
    "and metoprolol, f/u prn, d/c home",
    "columns\tM\tT\tW\tT\tF\tS\tS\n",
    "a\x1B[1mb\x1B[0m and\ttab\x0C new page\r\n",
};

static tacit_scrubber *open_strict(tacit_scrub_reader **reader)
{
    tacit_scrubber *scrubber = NULL;
    tacit_scrub_options options;
    tacit_scrub_options_init(&options);
    assert_int_equal(tacit_scrubber_new(&scrubber, &options, NULL), TACIT_OK);
    assert_int_equal(tacit_scrub_reader_new(reader, scrubber, NULL), TACIT_OK);
    return scrubber;
}

/* Every case is refused for its reason, and told where it is accepted. */
static void refused(void **state)
{
    washer *lenient = *state;
    tacit_scrub_reader *reader = NULL;
    tacit_scrubber *scrubber = open_strict(&reader);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tacit_error err = {0};
        tacit_scrubbed scrubbed;
        size_t consumed = 0;
        tacit_strview text = tacit_strview_of(cases[i].text);
        tacit_scrub_begin(reader, i);
        tacit_status status = tacit_scrub_piece(&scrubbed, &consumed, reader, text, true, &err);
        if (status != TACIT_PARSE)
            fail_msg("not refused: %s", cases[i].text);
        if (!strstr(err.message, tacit_text_unread_why(cases[i].reason)))
            fail_msg("%s: %s", cases[i].text, err.message);
        assert_non_null(strstr(err.message, "at byte "));
        tacit_scrub_begin(lenient->reader, i);
        assert_int_equal(tacit_scrub_piece(&scrubbed, &consumed, lenient->reader, text, true, &err),
                         TACIT_OK);
        assert_true(scrubbed.unread >> cases[i].reason & 1);
        assert_int_equal(consumed, text.len);
    }
    tacit_scrub_reader_free(reader);
    tacit_scrubber_free(scrubber);
}

static void nul(void **state)
{
    tacit_scrub_reader *reader = NULL;
    tacit_scrubber *scrubber = open_strict(&reader);
    tacit_scrubbed scrubbed;
    size_t consumed = 0;
    tacit_error err = {0};
    (void)state;
    tacit_strview text = {"seen by Okon\0kwo", 16};
    assert_int_equal(tacit_scrub_piece(&scrubbed, &consumed, reader, text, true, &err),
                     TACIT_PARSE);
    assert_non_null(strstr(err.message, "at byte 13 "));
    tacit_scrub_reader_free(reader);
    tacit_scrubber_free(scrubber);
}

/* Plain text in English passes, whatever it has. */
static void plain(void **state)
{
    tacit_scrub_reader *reader = NULL;
    tacit_scrubber *scrubber = open_strict(&reader);
    (void)state;
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        tacit_error err = {0};
        tacit_scrubbed scrubbed;
        size_t consumed = 0;
        tacit_scrub_begin(reader, i);
        if (tacit_scrub_piece(&scrubbed, &consumed, reader, tacit_strview_of(read[i]), true,
                              &err) != TACIT_OK)
            fail_msg("refused: %s: %s", read[i], err.message);
        assert_int_equal(scrubbed.unread, 0);
    }
    tacit_scrub_reader_free(reader);
    tacit_scrubber_free(scrubber);
}

/* A document that was read ahead is refused where its turn comes, and others are not. */
static void ahead(void **state)
{
    tacit_scrub_reader *reader = NULL;
    tacit_scrubber *scrubber = open_strict(&reader);
    const tacit_strview texts[] = {tacit_strview_of("all is well"),
                                   tacit_strview_of("<b>Okon</b>kwo"),
                                   tacit_strview_of("and again")};
    size_t taken = 0, consumed = 0;
    tacit_scrubbed scrubbed;
    (void)state;
    assert_int_equal(tacit_scrub_ahead(&taken, reader, texts, 3, NULL), TACIT_OK);
    assert_int_equal(taken, 3);
    for (size_t i = 0; i < 3; i++) {
        tacit_scrub_begin(reader, i);
        assert_int_equal(tacit_scrub_piece(&scrubbed, &consumed, reader, texts[i], true, NULL),
                         i == 1 ? TACIT_PARSE : TACIT_OK);
    }
    tacit_scrub_reader_free(reader);
    tacit_scrubber_free(scrubber);
}

/* The place counts from the start of the document, in later pieces too. */
static void places(void **state)
{
    static char text[TACIT_SCRUB_PIECE + 4000];
    tacit_scrub_reader *reader = NULL;
    tacit_scrubber *scrubber = open_strict(&reader);
    tacit_scrubbed scrubbed;
    size_t consumed = 0;
    tacit_error err = {0};
    (void)state;
    for (size_t i = 0; i < sizeof text; i += 20)
        memcpy(text + i, "all is well with us\n", sizeof text - i < 20 ? sizeof text - i : 20);
    memcpy(text + TACIT_SCRUB_PIECE + 2000, "\n<b>x</b>\n", 10);
    tacit_strview all = {text, sizeof text};
    tacit_scrub_begin(reader, 0);
    assert_int_equal(tacit_scrub_piece(&scrubbed, &consumed, reader, all, true, NULL), TACIT_OK);
    all = (tacit_strview){text + consumed, sizeof text - consumed};
    assert_int_equal(tacit_scrub_piece(&scrubbed, &consumed, reader, all, true, &err), TACIT_PARSE);
    char place[40];
    snprintf(place, sizeof place, "at byte %d ", TACIT_SCRUB_PIECE + 2002);
    assert_non_null(strstr(err.message, place));
    tacit_scrub_reader_free(reader);
    tacit_scrubber_free(scrubber);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused), cmocka_unit_test(nul),    cmocka_unit_test(plain),
        cmocka_unit_test(ahead),   cmocka_unit_test(places),
    };
    return cmocka_run_group_tests(tests, washer_open, washer_close);
}
