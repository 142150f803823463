import { powerfulRole, type ToolError, toolError } from '../../core/vocabulary/errors';

/**
 * What the server says about the role that a statement would run as, and about the functions that the statement names.
 */
interface RoleFacts {
  readonly role: string;
  readonly database: string;
  readonly version: number;
  readonly superuser: boolean;
  readonly programs: boolean;
  readonly files: boolean;
  readonly roles: boolean;
  /** What the statement names that does more than read: functions, and what is made of them. */
  readonly acting: readonly string[];
}

/** The kind of name that every writing of it, in capitals or in quotes, is found by. */
export const plainName = '[a-z_][a-z0-9_]*';
/** PostgreSQL cuts longer names off. */
const longestName = 63;

/** Functions of `pg_catalog` that reach files of the server; they are given to nobody, unless somebody gave them. */
const fileFunctions = (
  'pg_read_file pg_read_binary_file pg_ls_dir pg_stat_file lo_import lo_export ' +
  // Of the extension adminpack.
  'pg_file_write pg_file_unlink'
).split(' ');

/** Functions that PostgreSQL calls volatile and that only tell something, or choose at random. */
export const onlyTelling = (
  'array_sample array_shuffle bernoulli clock_timestamp current_query currval gen_random_uuid lastval lo_get pg_blocking_pids ' +
  'pg_collation_actual_version pg_current_wal_flush_lsn pg_current_wal_insert_lsn pg_current_wal_lsn pg_database_collation_actual_version ' +
  'pg_database_size pg_indexes_size pg_is_in_recovery pg_is_wal_replay_paused pg_jit_available pg_last_committed_xact pg_last_wal_receive_lsn ' +
  'pg_last_wal_replay_lsn pg_last_xact_replay_timestamp pg_lock_status pg_partition_ancestors pg_partition_tree pg_prepared_xact ' +
  'pg_relation_size pg_safe_snapshot_blocking_pids pg_sequence_last_value pg_stat_have_stats pg_table_size pg_tablespace_size ' +
  'pg_total_relation_size pg_xact_commit_timestamp pg_xact_status random random_normal setseed system timeofday txid_status uuidv4 uuidv7 ' +
  // Of extensions.
  'armor crypt gen_random_bytes gen_salt pg_buffercache pg_buffercache_pages pg_freespace pg_stat_statements pg_stat_statements_info ' +
  'pgp_pub_encrypt pgp_sym_encrypt uuid_generate_v1 uuid_generate_v1mc uuid_generate_v4'
).split(' ');

/** Functions of extensions that run a query which is given as text. */
const queryRunners = ['crosstab', 'crosstab2', 'crosstab3', 'crosstab4', 'crosstabn', 'connectby', 'xpath_table'];

const list = (names: Iterable<string>): string => `ARRAY[${[...names].map((name) => `'${name}'`).join(',')}]::name[]`;

/**
 * Everything in a text that could be a function's name, in strings and comments too: whoever looks into those has to
 * read SQL as the server does. The server is asked which of the words are functions that act; of names in other letters
 * it tells all, see `namedIn`.
 */
export function possibleNames(sql: string): ReadonlySet<string> {
  const words = sql.toLowerCase().match(new RegExp(plainName, 'g')) ?? [];
  return new Set(words.map((word) => word.slice(0, longestName)));
}

/** Tells whether a name of any letters may stand in a statement. */
function namedIn(sql: string): (name: string) => boolean {
  const words = possibleNames(sql);
  const text = sql.toLowerCase().replaceAll('""', '"');
  return (name) => words.has(name) || (!new RegExp(`^${plainName}$`).test(name) && text.includes(name.toLowerCase()));
}

/** A name in escapes could be any name. */
export function hasEscapedName(sql: string): boolean {
  return /u&\s*"/i.test(sql);
}

/**
 * The question to the server, in a read-only transaction of its own with nothing but PostgreSQL's own schema in sight,
 * so that nobody's function of the same name answers it. Membership counts, used or not: `SET ROLE` is a statement
 * away.
 */
export function roleQuestion(sql: string): string {
  const names = list(possibleNames(sql));
  const powerful = `EXISTS (SELECT FROM pg_roles o WHERE pg_has_role(p.proowner, o.oid, 'MEMBER') AND (o.rolsuper OR o.rolname IN
    ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')))`;
  return `BEGIN READ ONLY; SET LOCAL search_path = pg_catalog, pg_temp;
WITH acting AS MATERIALIZED (SELECT p.oid, p.proname AS name, p.prosecdef AS definer FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
  WHERE (p.prosecdef OR p.proname = ANY (${names}) OR p.proname !~ '^${plainName}$') AND (p.proname = ANY (${list(queryRunners)})
    OR (NOT l.lanpltrusted AND l.lanname NOT IN ('internal', 'c'))
    OR (p.provolatile = 'v' AND p.proname <> ALL (${list(onlyTelling)})
      AND (p.pronamespace = 'pg_catalog'::regnamespace OR l.lanname IN ('internal', 'c') OR (p.prosecdef AND ${powerful}))))),
${madeOfThem}
SELECT current_user::text AS role, quote_ident(current_database()) AS database, current_setting('server_version_num')::int AS version,
  bool_or(r.rolsuper) AS superuser,
  bool_or(r.rolname = 'pg_execute_server_program') AS programs,
  bool_or(r.rolname IN ('pg_read_server_files', 'pg_write_server_files')) OR EXISTS (SELECT FROM pg_proc p
    WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname = ANY (${list(fileFunctions)})
    AND (has_function_privilege(session_user, p.oid, 'EXECUTE') OR has_function_privilege(current_user, p.oid, 'EXECUTE'))) AS files,
  bool_or(r.rolcreaterole) AS roles,
  ARRAY(SELECT DISTINCT name::text FROM (SELECT name FROM acting UNION ALL SELECT name FROM made) AS every
    WHERE name = ANY (${names}) OR name !~ '^${plainName}$') AS acting
FROM pg_roles r JOIN (VALUES (session_user), (current_user)) AS me(name) ON pg_has_role(me.name, r.oid, 'MEMBER');
ROLLBACK;`;
}

/**
 * What runs a function with the rights of its powerful owner without its name: operators, aggregates, types by their
 * casts and domains by their checks, views. And tables of which a program of the server makes the rows.
 */
const madeOfThem = `definers AS (SELECT oid FROM acting WHERE definer), made AS (
  SELECT o.oprname AS name FROM pg_operator o JOIN definers a ON a.oid = o.oprcode
  UNION ALL SELECT p.proname FROM pg_aggregate g JOIN pg_proc p ON p.oid = g.aggfnoid
    JOIN definers a ON a.oid IN (g.aggtransfn, g.aggfinalfn, g.aggmtransfn, g.aggminvtransfn, g.aggmfinalfn, g.aggcombinefn)
  UNION ALL SELECT t.typname FROM pg_cast c JOIN definers a ON a.oid = c.castfunc JOIN pg_type t ON t.oid IN (c.castsource, c.casttarget)
    WHERE t.typnamespace <> 'pg_catalog'::regnamespace
  UNION ALL SELECT t.typname FROM pg_depend d JOIN definers a ON a.oid = d.refobjid JOIN pg_constraint c ON c.oid = d.objid
    JOIN pg_type t ON t.oid = c.contypid WHERE d.classid = 'pg_constraint'::regclass AND d.refclassid = 'pg_proc'::regclass
  UNION ALL SELECT v.relname FROM pg_depend d JOIN definers a ON a.oid = d.refobjid JOIN pg_rewrite w ON w.oid = d.objid
    JOIN pg_class v ON v.oid = w.ev_class WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_proc'::regclass
  UNION ALL SELECT f.relname FROM pg_foreign_table t JOIN pg_class f ON f.oid = t.ftrelid
    WHERE EXISTS (SELECT FROM unnest(t.ftoptions) AS option WHERE option LIKE 'program=%'))`;

/** Reads the server's answer; one that is not understood is no permission. */
export function readFacts(row: unknown, sql: string): RoleFacts {
  const fields: Readonly<Record<string, unknown>> = typeof row === 'object' && row !== null ? { ...row } : {};
  const { role, database, version, acting } = fields;
  if (typeof role !== 'string' || !Array.isArray(acting))
    throw toolError(
      'database_error',
      'the server did not say what the role of this connection may do, so nothing was run',
    );
  const is = (name: string): boolean => fields[name] !== false;
  return {
    role,
    database: typeof database === 'string' ? database : 'postgres',
    version: typeof version === 'number' ? version : 0,
    superuser: is('superuser'),
    programs: is('programs'),
    files: is('files'),
    roles: is('roles'),
    acting: acting.map(String).filter(namedIn(sql)),
  };
}

/**
 * Why a role may do more than read or write data, or undefined where it may not. Who makes roles can make a powerful
 * one, by writing.
 */
export function powerOf(facts: RoleFacts, write: boolean): string | undefined {
  if (facts.superuser) return 'is a superuser, which runs programs and reaches files of the server';
  if (facts.programs) return 'may run programs on the server';
  if (facts.files) return 'may reach files of the server';
  return write && facts.roles ? 'may make roles that run programs on the server' : undefined;
}

/** Refuses a role that may do more than read or write data, with what its owner can do about it. */
export function refusedRole(connection: string, facts: RoleFacts, power: string, write: boolean): ToolError {
  const name = write ? 'agent_writer' : 'agent_reader';
  const all = facts.version >= 140_000;
  const rights = all
    ? ['pg_read_all_data', ...(write ? ['pg_write_all_data'] : [])].map((right) => `GRANT ${right} TO ${name};`)
    : [
        `GRANT USAGE ON SCHEMA public TO ${name};`,
        `GRANT SELECT${write ? ', INSERT, UPDATE, DELETE' : ''} ON ALL TABLES IN SCHEMA public TO ${name};`,
      ];
  const sql = [
    `CREATE ROLE ${name} LOGIN PASSWORD '…';`,
    `GRANT CONNECT ON DATABASE ${facts.database} TO ${name};`,
    ...rights,
  ].join(' ');
  return powerfulRole({ connection, role: facts.role, power, sql });
}
