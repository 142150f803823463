import type { Client } from 'pg';
import { isObject } from '../../core/base/json';
import { hasEscapedName, onlyTelling, plainName, possibleNames } from './postgresRole';
import { firstWord } from './statements';

/**
 * Whether the words of a statement allow to try it: one that changes rows, once. A second change in it, behind `WITH`,
 * would not be in the count.
 */
export function tries(sql: string): boolean {
  const word = firstWord(sql, 'postgres');
  if (!/^(?:INSERT|UPDATE|DELETE|MERGE|WITH)$/.test(word) || hasEscapedName(sql)) return false;
  // What a MERGE does stands in it as other words.
  if (word === 'MERGE') return !/\bwith\b/i.test(sql);
  const plain = sql.replace(/\bdo\s+update\b/gi, ' ');
  return plain.match(/\b(?:insert|update|delete|merge)\b/gi)?.length === 1;
}

/**
 * Asks the server whether all that a statement could run stays within its transaction. Not so are sequences, which no
 * rollback turns back, and functions that act or that somebody wrote, wherever they hide: in the statement, in
 * defaults, checks and indexes of its tables, in domains, operators and casts. Triggers, rules, views, policies,
 * foreign tables and rows that go along with others are not looked into: with one of them, nothing is tried.
 */
export async function isTriable(client: Client, sql: string): Promise<boolean> {
  await client.query('SET LOCAL search_path = pg_catalog, pg_temp');
  const text = sql.toLowerCase().replaceAll('""', '"');
  const names = [...possibleNames(sql)];
  const fills = ['insert', 'merge', 'default'].some((word) => names.includes(word));
  const { rows } = await client.query(aboutTables, [names, text, fills]);
  const found: unknown = rows[0];
  if (!isFound(found) || found.stops) return false;
  const all = [sql, ...found.texts].join('\n');
  const allText = all.toLowerCase().replaceAll('""', '"');
  const answer = await client.query(aboutFunctions, [[...possibleNames(all)], allText, onlyTelling]);
  const acts: unknown = answer.rows[0];
  if (!isObject(acts) || acts['stops'] !== false) return false;
  await client.query('RESET search_path');
  return true;
}

function isFound(row: unknown): row is { readonly stops: boolean; readonly texts: readonly string[] } {
  return isObject(row) && typeof row['stops'] === 'boolean' && Array.isArray(row['texts']);
}

/** A name that stands in the statement; one of other letters than plain ones is looked for as it is. */
const named = (name: string): string =>
  `(${name} = ANY ($1::name[]) OR (${name} !~ '^${plainName}$' AND strpos($2::text, lower(${name}::text)) > 0))`;

/** The tables that a statement could reach, with what is computed when their rows change. */
const aboutTables = `WITH RECURSIVE touched(oid) AS (
  SELECT c.oid FROM pg_class c WHERE c.relkind IN ('r', 'p', 'm', 'v', 'f') AND ${named('c.relname')}
  UNION SELECT i.inhrelid FROM pg_inherits i JOIN touched t ON i.inhparent = t.oid),
held(oid) AS (
  SELECT a.atttypid FROM pg_attribute a JOIN touched t ON t.oid = a.attrelid WHERE a.attnum > 0 AND NOT a.attisdropped
  UNION SELECT y.oid FROM pg_type y WHERE y.typnamespace <> 'pg_catalog'::regnamespace AND y.typtype <> 'c' AND ${named('y.typname')}
  UNION SELECT next FROM held h JOIN pg_type y ON y.oid = h.oid CROSS JOIN LATERAL (VALUES (y.typbasetype), (y.typelem)) AS v(next) WHERE next <> 0)
SELECT
  EXISTS (SELECT FROM touched t JOIN pg_class c ON c.oid = t.oid
    WHERE c.relkind IN ('v', 'f') OR c.relrowsecurity OR c.relnamespace = 'pg_catalog'::regnamespace)
  OR EXISTS (SELECT FROM pg_trigger g JOIN touched t ON t.oid = g.tgrelid WHERE NOT g.tgisinternal)
  OR EXISTS (SELECT FROM pg_rewrite w JOIN touched t ON t.oid = w.ev_class JOIN pg_class c ON c.oid = t.oid WHERE c.relkind <> 'm')
  OR EXISTS (SELECT FROM pg_constraint k JOIN touched t ON t.oid = k.confrelid WHERE k.contype = 'f'
    AND (k.confdeltype IN ('c', 'n', 'd') OR k.confupdtype IN ('c', 'n', 'd')))
  OR ($3::boolean AND EXISTS (SELECT FROM pg_attribute a JOIN touched t ON t.oid = a.attrelid WHERE a.attidentity <> ''))
  OR EXISTS (SELECT FROM held h JOIN pg_type y ON y.oid = h.oid
    WHERE y.typnamespace <> 'pg_catalog'::regnamespace AND y.typtype NOT IN ('b', 'e', 'd')) AS stops,
  ARRAY(
    SELECT pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d JOIN touched t ON t.oid = d.adrelid
      JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum WHERE $3::boolean OR a.attgenerated <> ''
    UNION ALL SELECT y.typdefault FROM held h JOIN pg_type y ON y.oid = h.oid WHERE $3::boolean AND y.typdefault IS NOT NULL
    UNION ALL SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k JOIN touched t ON t.oid = k.conrelid WHERE k.contype IN ('c', 'x')
    UNION ALL SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k JOIN held h ON h.oid = k.contypid
    UNION ALL SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN touched t ON t.oid = i.indrelid
      WHERE i.indexprs IS NOT NULL OR i.indpred IS NOT NULL
    UNION ALL SELECT pg_get_partkeydef(t.oid) FROM touched t WHERE pg_get_partkeydef(t.oid) IS NOT NULL) AS texts`;

/** Functions that somebody wrote, that act, or that run a query which they are given; and what is made of functions. */
const aboutFunctions = `SELECT
  EXISTS (SELECT FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang WHERE ${named('p.proname')}
    AND NOT (p.proname = ANY ($3::name[]) AND l.lanname IN ('internal', 'c'))
    AND (p.pronamespace <> 'pg_catalog'::regnamespace OR p.provolatile = 'v' OR p.proname ~ '_to_xml'
      OR l.lanname NOT IN ('internal', 'c', 'sql')))
  OR EXISTS (SELECT FROM pg_operator o WHERE o.oprnamespace <> 'pg_catalog'::regnamespace AND strpos($2::text, o.oprname::text) > 0)
  OR EXISTS (SELECT FROM pg_cast c JOIN pg_proc p ON p.oid = c.castfunc JOIN pg_language l ON l.oid = p.prolang
    WHERE p.pronamespace <> 'pg_catalog'::regnamespace AND l.lanname NOT IN ('internal', 'c')) AS stops`;
