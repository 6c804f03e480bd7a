/*
 * profile_kinds.c - type, role and reason of a column, from one table of kinds.
 *
 * A kind fits a column when its words are in the column's name, its shape is
 * that of the values, and its condition holds; what a kind leaves out it does
 * not ask. The first kind that fits decides, so the order is the argument:
 * values that prove themselves, names of identifiers, what a release is about,
 * what others know about people, then shapes and counts, and in the end a
 * quasi-identifier when in doubt.
 *
 * Words are matched whole in the folded name (" code postal "); a star at the
 * end of a word stands for any ending, for compounds ("geburts*").
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "policy/profile_parts.h"

enum { FEW_ROWS = 20 }; /* below it, every column looks unique */

/* "99.8 %", never rounded up to 100. */
typedef struct percent {
    char text[16];
} percent;

static percent percent_of(double part, double whole)
{
    percent p;
    double tenths = whole > 0 ? floor(part / whole * 1000 + 1e-9) : 0;
    if (part >= whole)
        snprintf(p.text, sizeof p.text, "100 %%");
    else
        snprintf(p.text, sizeof p.text, "%.1f %%", tenths / 10);
    return p;
}

static int64_t present(const tacit__facts *f)
{
    return f->rows - f->missing;
}

static bool spread_over(const tacit__facts *f, double share)
{
    return f->distinct > 1 && (double)f->distinct >= share * (double)present(f);
}

static bool is_missing(const tacit__facts *f)
{
    return f->distinct == 0;
}

static bool is_constant(const tacit__facts *f)
{
    return f->distinct == 1 && f->missing == 0 && f->rows > 1;
}

static bool is_fraction(const tacit__facts *f)
{
    return tacit__facts_fit(f, TACIT__SHAPE_NUMBER) && !tacit__facts_fit(f, TACIT__SHAPE_INTEGER);
}

static bool is_own_number(const tacit__facts *f)
{
    return spread_over(f, 0.9) && !is_fraction(f);
}

static bool is_repeated_number(const tacit__facts *f)
{
    return spread_over(f, 0.1) && !is_fraction(f);
}

static bool is_half_spread(const tacit__facts *f)
{
    return spread_over(f, 0.5) && present(f) >= FEW_ROWS;
}

static bool is_near_unique(const tacit__facts *f)
{
    return present(f) >= FEW_ROWS && (double)f->singles >= 0.95 * (double)present(f);
}

/* Numbers given out one after the other, or all of one length: no quantities. */
static bool is_serial(const tacit__facts *f)
{
    bool dense = f->high - f->low < 2.0 * f->distinct;
    return is_near_unique(f) && (dense || (double)f->same_length >= 0.85 * (double)f->seen);
}

static bool is_short_scale(const tacit__facts *f)
{
    return f->distinct <= 200 && !is_near_unique(f);
}

static bool has_zip_zeros(const tacit__facts *f)
{
    return tacit__facts_fit(f, TACIT__SHAPE_INTEGER) && f->leading_zeros > 0 && f->shortest == 5 &&
           f->longest == 5;
}

/* What a shape is called as a type and in the plural of a reason. */
static const struct called {
    const char *type;
    const char *plural;
} called[TACIT__SHAPES] = {
    [TACIT__SHAPE_EMAIL] = {"e-mail", "e-mail addresses"},
    [TACIT__SHAPE_URL] = {"URL", "web addresses"},
    [TACIT__SHAPE_IP] = {"IP", "network addresses"},
    [TACIT__SHAPE_DATE] = {"date", "dates"},
    [TACIT__SHAPE_SEX] = {"sex", "words for a sex"},
    [TACIT__SHAPE_YESNO] = {"yes/no", "yes or no"},
    [TACIT__SHAPE_POSTCODE] = {"postcode", "postcodes"},
    [TACIT__SHAPE_YEAR] = {"year", "years"},
    [TACIT__SHAPE_INTEGER] = {"integer", "whole numbers"},
    [TACIT__SHAPE_NUMBER] = {"decimal", "numbers"},
    [TACIT__SHAPE_PHONE] = {"phone", "phone numbers"},
    [TACIT__SHAPE_TEXT] = {"free text", "sentences"},
    [TACIT__SHAPE_NAME] = {"name", "names"},
    [TACIT__SHAPE_CODE] = {"code", "codes"},
};

static const char *type_by_values(const tacit__facts *f)
{
    if (f->distinct == 0)
        return "empty";
    for (int shape = 0; shape < TACIT__SHAPES; shape++)
        if (shape != TACIT__SHAPE_NAME && tacit__facts_fit(f, (tacit__profile_shape)shape))
            return called[shape].type;
    return "category";
}

/* One kind of column. */
typedef struct kind {
    const char *what;  /* "column name says ..." */
    const char *words; /* in the name, with '|' between; NULL: not asked */
    tacit__profile_shape shape;
    bool (*holds)(const tacit__facts *facts); /* NULL: not asked */
    const char *type;                         /* NULL: by the values */
    tacit_role role;
    const char *because; /* further words of the reason; NULL: none */
} kind;

#define ANY         TACIT__SHAPE_ANY
#define IDENTIFIER  TACIT_ROLE_IDENTIFIER
#define QUASI       TACIT_ROLE_QUASI
#define SENSITIVE   TACIT_ROLE_SENSITIVE
#define INSENSITIVE TACIT_ROLE_INSENSITIVE

/* clang-format off */
static const kind kinds[] = {
    {NULL, NULL, ANY, is_missing, "empty", INSENSITIVE, "no row has a value"},

    /* Values that prove themselves. */
    {NULL, NULL, TACIT__SHAPE_EMAIL, NULL, "e-mail", IDENTIFIER, NULL},
    {NULL, NULL, TACIT__SHAPE_URL, NULL, "URL", IDENTIFIER, NULL},
    {NULL, NULL, TACIT__SHAPE_IP, NULL, "IP", IDENTIFIER, NULL},

    /* Names of explicit identifiers. */
    {"e-mail", "email|mail|e mail|correo|courriel|emailadres", ANY, NULL, "e-mail", IDENTIFIER, NULL},
    {"phone", "phone|telephone|tel|telefon*|telefoon*|mobile|mobil|handy|fax|portable|movil|cell", ANY, is_repeated_number, "phone", IDENTIFIER, NULL},
    {"a personal number", "ssn|social security*|nhs|mrn|medical record*|bsn|nino|nir|insee|dni|nie|curp|cpr|sin|tin|"
     "passport*|reisepass*|personalausweis*|paspoort*|pasaporte|passeport|sozialversicherung*|versichertennummer|"
     "krankenkassen*|steuer id|steuernummer|rijksregister*|seguridad social|securite sociale|aadhaar", ANY, is_repeated_number, "identifier", IDENTIFIER, NULL},
    {"an account or card", "iban|account number|kontonummer|kreditkarte*|credit card*|card number|rekeningnummer|"
     "numero de cuenta|license|licence|plate|kennzeichen|vin|imei|mac|device id|serial*", ANY, is_repeated_number, "identifier", IDENTIFIER, NULL},
    {"a user name", "username|user name|login|user|benutzer*|utilisateur|usuario|gebruiker*|nickname|handle", ANY, is_repeated_number, "name", IDENTIFIER, NULL},
    {"a street address", "address|street|adresse|anschrift|strasse|hausnummer|rue|calle|direccion|domicilio|straat|adres|huisnummer|addr", ANY, NULL, NULL, IDENTIFIER, NULL},
    {"free text", "note|notes|comment|comments|remark|remarks|description|narrative|letter|bemerkung*|kommentar*|notiz*|"
     "freitext|commentaire*|remarque*|comentario*|observaciones|nota|opmerking*|notitie*|anamnese*", TACIT__SHAPE_TEXT, NULL, "free text", IDENTIFIER, "free text may name people"},
    {NULL, NULL, TACIT__SHAPE_TEXT, NULL, "free text", IDENTIFIER, "free text may name people"},

    /* Names that belong to things, before names that belong to people. */
    {"a diagnosis or treatment", "diagnosis|diagnoses|diag|dx|icd|disease|illness|condition|symptom*|diagnose*|krankheit*|befund*|"
     "maladie*|diagnostic*|diagnostico*|enfermedad*|ziekte*|aandoening*|medication*|drug*|medikament*|medicament*|"
     "medicijn*|treatment*|therapy|therapie*|tratamiento*|traitement*|procedure*|operation*|hiv|cancer|krebs|tumor|"
     "problem|lab|result|finding*|injury|cause of death|todesursache", ANY, NULL, NULL, SENSITIVE, NULL},
    {"income, cost or other money", "salary|income|wage|wages|earnings|pay|charge|charges|cost|costs|price|amount|balance|savings|"
     "expend*|tax|taxes|debt|credit|loan|profit|sales|revenue|gehalt|lohn|einkommen|kosten|betrag|steuer|umsatz|"
     "salaire|revenu|montant|prix|cout|salario|ingreso*|sueldo|importe|coste|salaris|inkomen|loon|bedrag", ANY, NULL, NULL, SENSITIVE, NULL},
    {"a belief or private life", "religion|religio*|konfession|glaube|geloof|party|vote|partei|parti|partido|partij|union|gewerkschaft|"
     "orientation|sexual*|disability|behinderung*|handicap|discapacidad|offence|offense|crime|conviction|score|grade|rating", ANY, NULL, NULL, SENSITIVE, NULL},
    {"a place", "city|town|village|municipality|county|district|state|province|region|country|nation|place|location|parish|"
     "ort|wohnort|geburtsort|stadt|gemeinde|kreis|landkreis|land|bundesland|staat|ville|commune|departement|pays|lieu|"
     "ciudad|municipio|provincia|comunidad|pais|lugar|stad|gemeente|provincie|woonplaats|plaats|"
     "lat|latitude|lon|lng|long|longitude|breitengrad|langengrad|native|birthplace", ANY, NULL, NULL, QUASI, NULL},
    {"an employer or institution", "employer|company|hospital|clinic|ward|department|institution|workclass|arbeitgeber|firma|krankenhaus|"
     "klinik|station|abteilung|employeur|entreprise|hopital|service|empresa|empleador|hospital|werkgever|bedrijf|ziekenhuis|afdeling", ANY, NULL, NULL, QUASI, NULL},
    {"something that is not a person", "filename|file name|product name|item name|brand name|test name|study name", ANY, is_short_scale, NULL, INSENSITIVE, NULL},
    {"a person's name", "name|names|firstname|lastname|fullname|forename|surname|maiden|vorname|nachname|familienname|rufname|"
     "nom|prenom|nombre|nombres|apellido|apellidos|naam|voornaam|achternaam|tussenvoegsel", ANY, NULL, "name", IDENTIFIER, NULL},

    /* Numbers given to people. "id" may repeat, a mere "number" should not. */
    {"an identifier", "id|ids|pid|uid|hid|uuid|guid|patient|patientid|patientnr|patientennummer|patientnummer|fallnummer|case|"
     "identifier|identificador|identifiant|kennung|personalnummer|matrikelnummer|kundennummer|klantnummer|customer|client", ANY, is_repeated_number, "identifier", IDENTIFIER, NULL},
    {"an identifier", "number|no|nr|num|nummer|numero|key|index|seq|rownum|row", ANY, is_own_number, "identifier", IDENTIFIER, NULL},

    /* What others know about people. */
    {"date of birth", "birth*|born|dob|bday|geburt*|geb|gebdat|naissance|nacimiento|geboorte*", TACIT__SHAPE_DATE, NULL, "date", QUASI, NULL},
    {"year of birth", "birth*|born|yob|geburt*|geb|naissance|nacimiento|geboorte*", TACIT__SHAPE_YEAR, NULL, "year", QUASI, NULL},
    {"birth", "birth*|born|dob|yob|geburt*|naissance|nacimiento|geboorte*", ANY, NULL, NULL, QUASI, NULL},
    {"age", "age|ages|alter|edad|leeftijd", TACIT__SHAPE_INTEGER, NULL, "age", QUASI, NULL},
    {"age", "age|ages|agegroup|alter|altersgruppe|edad|leeftijd|leeftijdsgroep|tranche d age", ANY, NULL, NULL, QUASI, NULL},
    {"sex", "sex|gender|geschlecht|sexe|genre|sexo|genero|geslacht", ANY, NULL, "sex", QUASI, NULL},
    {"postcode", "zip|zipcode|zcta|postcode|post code|postal|postalcode|plz|postleitzahl|code postal|codepostal|cp|"
     "codigo postal|codigopostal|postcodes|pc 4|pc 6", ANY, NULL, "postcode", QUASI, NULL},
    {"race or origin", "race|ethnic*|ethnie|herkunft|hispanic|nationality|nationalitat|nationalite|nacionalidad|nationaliteit|"
     "citizenship|staatsangehorigkeit|raza|etnia|etniciteit|afkomst|origin|origine|language|sprache|langue|idioma|taal|immigrant", ANY, NULL, NULL, QUASI, NULL},
    {"marital status or family", "marital|married|familienstand|etat civil|estado civil|burgerlijke staat|civil|household|haushalt*|children|kinder|"
     "enfants|hijos|kinderen|relationship|spouse|family|kin", ANY, NULL, NULL, QUASI, NULL},
    {"education or work", "education|educ|degree|school|schooling|bildung*|schulabschluss|abschluss|diplome|etudes|educacion|estudios|"
     "opleiding|occupation|occ|job|profession|beruf*|metier|emploi|ocupacion|profesion|beroep|industry|branche|employment|title", ANY, NULL, NULL, QUASI, NULL},
    {"a date", "date|datum|fecha|day|month|year|time|jahr|monat|tag|annee|mois|jour|dia|mes|ano|jaar|maand|dag|admission|"
     "discharge|aufnahme|entlassung", ANY, NULL, NULL, QUASI, "events can be known from elsewhere"},
    {"body measures", "height|bmi|blood|blutgruppe|grosse|taille|estatura|lengte|eye|hair", ANY, NULL, NULL, QUASI, NULL},

    /* Shapes without a telling name. */
    {NULL, NULL, ANY, is_constant, NULL, INSENSITIVE, "every row has the same value"},
    {NULL, NULL, TACIT__SHAPE_DATE, NULL, "date", QUASI, NULL},
    {NULL, NULL, TACIT__SHAPE_SEX, NULL, "sex", QUASI, NULL},
    {NULL, NULL, TACIT__SHAPE_POSTCODE, NULL, "postcode", QUASI, NULL},
    {NULL, NULL, ANY, has_zip_zeros, "postcode", QUASI, "all of five digits, with leading zeros, as postcodes have"},
    {NULL, NULL, TACIT__SHAPE_PHONE, NULL, "phone", IDENTIFIER, NULL},
    {NULL, NULL, TACIT__SHAPE_NAME, is_half_spread, "name", IDENTIFIER, "most of them rare"},
    {NULL, NULL, TACIT__SHAPE_YESNO, NULL, "yes/no", QUASI, "others may know it"},
    {NULL, NULL, TACIT__SHAPE_YEAR, NULL, "year", QUASI, NULL},

    /* Counts alone. */
    {NULL, NULL, TACIT__SHAPE_INTEGER, is_serial, "identifier", IDENTIFIER, NULL},
    {NULL, NULL, TACIT__SHAPE_INTEGER, is_short_scale, "integer", QUASI, "few enough values to be known by others"},
    {NULL, NULL, TACIT__SHAPE_NUMBER, NULL, NULL, SENSITIVE, "a quantity"},
    {NULL, NULL, ANY, is_near_unique, "identifier", IDENTIFIER, NULL},
    {NULL, NULL, ANY, NULL, NULL, QUASI, NULL},
};
/* clang-format on */

/* Whether one of the words stands in the folded name. */
static bool says(const char *folded, const char *words)
{
    while (*words) {
        char word[64];
        size_t len = strcspn(words, "|"), stem = len - (len && words[len - 1] == '*');
        snprintf(word, sizeof word, " %.*s%s", (int)stem, words, stem == len ? " " : "");
        if (strstr(folded, word))
            return true;
        words += len + (words[len] == '|');
    }
    return false;
}

static const kind *find_kind(const char *folded, const tacit__facts *facts)
{
    const kind *k = kinds;
    while ((k->words && !says(folded, k->words)) || !tacit__facts_fit(facts, k->shape) ||
           (k->holds && !k->holds(facts)))
        k++; /* the last kind fits all */
    return k;
}

/* Rounded outwards to a tenth of the range, so that no one's value shows. */
static void add_range(char *out, size_t size, const tacit__facts *f, tacit__profile_shape shape)
{
    if (shape == TACIT__SHAPE_DATE && f->first_year)
        snprintf(out, size, ", %d to %d", f->first_year, f->last_year);
    if ((shape != TACIT__SHAPE_INTEGER && shape != TACIT__SHAPE_NUMBER &&
         shape != TACIT__SHAPE_YEAR) ||
        !(f->high > f->low))
        return;
    double step = pow(10, floor(log10((f->high - f->low) / 2)));
    step = shape == TACIT__SHAPE_NUMBER || step > 1 ? step : 1;
    snprintf(out, size, ", between %.12g and %.12g", floor(f->low / step) * step,
             ceil(f->high / step) * step);
}

typedef struct reason {
    char *text;
    size_t size;
    size_t used;
} reason;

static void add(reason *r, const char *text)
{
    int more = snprintf(r->text + r->used, r->size - r->used, "%s%s", r->used ? "; " : "", text);
    if (more > 0)
        r->used = r->used + (size_t)more < r->size ? r->used + (size_t)more : r->size - 1;
}

static void add_shape(reason *r, const kind *k, const tacit__facts *f)
{
    char text[160], range[64] = "";
    const char *plural = called[k->shape].plural;
    percent share = percent_of((double)f->shapes[k->shape], (double)f->seen);
    add_range(range, sizeof range, f, k->shape);
    if (k->words || k->shape == TACIT__SHAPE_INTEGER || k->shape == TACIT__SHAPE_NUMBER)
        snprintf(text, sizeof text, "%s of the values are %s%s", share.text, plural, range);
    else
        snprintf(text, sizeof text, "looks like %s: %s of the values are %s%s", plural, share.text,
                 plural, range);
    add(r, text);
}

static void add_uniqueness(reason *r, const kind *k, const tacit__facts *f)
{
    char text[160];
    percent own = percent_of((double)f->singles, (double)present(f));
    if (is_near_unique(f))
        snprintf(text, sizeof text, "near-unique: %s of the rows have a value of their own",
                 own.text);
    else if (!k->what && k->shape == ANY && !k->holds)
        snprintf(text, sizeof text, "a category of %u value%s that others may know", f->distinct,
                 f->distinct == 1 ? "" : "s");
    else
        return;
    add(r, text);
}

void tacit__classify(tacit_profile_column *column, const tacit__facts *facts)
{
    char folded[256], text[128];
    reason r = {column->reason, sizeof column->reason, 0};
    tacit__fold(folded, sizeof folded, column->name);
    const kind *k = find_kind(folded, facts);
    column->type = k->type ? k->type : type_by_values(facts);
    column->role = k->role;
    column->near_unique = is_near_unique(facts);
    if (k->what) {
        snprintf(text, sizeof text, "column name says %s", k->what);
        add(&r, text);
    }
    if (k->shape != ANY)
        add_shape(&r, k, facts);
    if (k->because)
        add(&r, k->because);
    add_uniqueness(&r, k, facts);
}
