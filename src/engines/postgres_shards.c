/*
 * postgres_shards.c - the statements of PostgreSQL about shards: partitions, some of which are
 * foreign tables of postgres_fdw, in the catalog of the server that knows them all, the
 * coordinator; and releases, which are tables that inherit from one at the coordinator.
 *
 * Grouping a foreign table by what it says as text is never pushed to its server (casts and COLLATE
 * are not), and grouping by its columns is not the same where texts are compared without case or
 * numbers are written in two ways. So rows are counted by their own server, connected to from
 * here, and only the finished release is looked at through the coordinator.
 */
#include "engines/engines.h"

/* The table and all partitions below it. */
#define PARTITION_TREE                                                    \
    "WITH RECURSIVE tree(oid) AS (SELECT to_regclass(%q)::oid UNION ALL " \
    "SELECT i.inhrelid FROM pg_inherits i JOIN tree t ON i.inhparent = t.oid) "

#define FOREIGN_OPTION(name, otherwise)                                                        \
    "COALESCE((SELECT option_value FROM pg_options_to_table(f.ftoptions) WHERE option_name = " \
    "'" name "'), " otherwise ")"

/* A server is connected to as it is known there, by the user that this user is there; passwords
 * stay where they are. */
#define CONNECTED_BY                                                                            \
    "CASE WHEN f.ftrelid IS NOT NULL THEN COALESCE((SELECT string_agg(option_name || '=''' || " \
    "replace(replace(option_value, '\\', '\\\\'), '''', '\\''') || '''', ' ') FROM "            \
    "(SELECT * FROM pg_options_to_table(s.srvoptions) UNION ALL "                               \
    "SELECT * FROM pg_options_to_table(m.umoptions)) o WHERE option_name IN ('host', "          \
    "'hostaddr', 'port', 'dbname', 'user', 'service', 'sslmode', 'sslrootcert', 'sslcert', "    \
    "'sslkey', 'gssencmode', 'krbsrvname', 'connect_timeout', 'target_session_attrs')), '') END"

#define WHY_NOT                                                                                \
    "CASE WHEN c.relkind NOT IN ('r', 'f') THEN 'it is no table' "                             \
    "WHEN w.fdwname <> 'postgres_fdw' THEN 'it is not reached by postgres_fdw' "               \
    "WHEN EXISTS (SELECT 1 FROM pg_inherits WHERE inhparent = c.oid) THEN 'other tables "      \
    "inherit from it' "                                                                        \
    "WHEN EXISTS (SELECT 1 FROM pg_attribute a, pg_options_to_table(a.attfdwoptions) o WHERE " \
    "a.attrelid = c.oid AND o.option_name = 'column_name' AND o.option_value <> a.attname) "   \
    "THEN 'its columns have other names there' END"

const tacit_shard_driver tacit__postgres_shards = {
    .shards_of = PARTITION_TREE
    "SELECT n.nspname, c.relname, " FOREIGN_OPTION("schema_name", "n.nspname") ", " FOREIGN_OPTION(
        "table_name", "c.relname") ", " CONNECTED_BY ", s.srvname, " WHY_NOT
                                   " FROM tree JOIN pg_class c USING (oid) JOIN pg_namespace n "
                                   "ON n.oid = c.relnamespace "
                                   "LEFT JOIN pg_foreign_table f ON f.ftrelid = c.oid "
                                   "LEFT JOIN pg_foreign_server s ON s.oid = f.ftserver "
                                   "LEFT JOIN pg_foreign_data_wrapper w ON w.oid = s.srvfdw "
                                   "LEFT JOIN LATERAL (SELECT umoptions FROM pg_user_mappings "
                                   "u WHERE u.srvid = s.oid AND "
                                   "(u.usename = current_user OR u.umuser = 0) ORDER BY "
                                   "u.umuser DESC LIMIT 1) m ON true "
                                   "WHERE c.relkind <> 'p' AND (c.relkind = 'f' OR (SELECT "
                                   "COUNT(*) FROM tree) > 1) "
                                   "ORDER BY 1, 2",
    /* an expression has no name */
    .columns_of =
        PARTITION_TREE "SELECT DISTINCT COALESCE(a.attname::text, '') FROM tree "
                       "JOIN pg_partitioned_table p ON p.partrelid = tree.oid CROSS JOIN "
                       "LATERAL unnest(p.partattrs::int2[]) k(n) LEFT JOIN pg_attribute a "
                       "ON a.attrelid = p.partrelid AND a.attnum = k.n",
    .identity = "SELECT hashtextextended(system_identifier || ' ' || current_database(), 0) & "
                "9223372036854775807 FROM pg_control_system()",
    .claim = "SELECT pg_advisory_lock(hashtextextended(%v, 0))",
    .leftovers = "WITH found AS MATERIALIZED (SELECT c.relname FROM pg_class c "
                 "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = %v "
                 "AND starts_with(c.relname, %v) AND c.relkind = 'r' "
                 "AND pg_has_role(c.relowner, 'USAGE')) SELECT relname FROM found "
                 "WHERE pg_try_advisory_lock(hashtextextended(relname::text, 0))",
    .published = "SELECT option_value FROM pg_foreign_table f, pg_options_to_table(f.ftoptions) "
                 "WHERE option_name = 'table_name' AND starts_with(option_value, %v) "
                 "UNION ALL SELECT c.relname FROM pg_class c JOIN pg_inherits i "
                 "ON i.inhrelid = c.oid WHERE starts_with(c.relname, %v)",
    .join_foreign = "CREATE FOREIGN TABLE %p () INHERITS (%p) SERVER %n "
                    "OPTIONS (schema_name %v, table_name %v)",
    .join_own = "ALTER TABLE %p INHERIT %p",
    .drop_foreign = "DROP FOREIGN TABLE IF EXISTS %p",
    .granted = "SELECT CASE WHEN EXISTS (SELECT 1 FROM pg_class WHERE oid = to_regclass(%q) "
               "AND relacl IS NULL) THEN 0 ELSE 1 END",
};
