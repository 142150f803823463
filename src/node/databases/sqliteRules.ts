import { wordSet } from '../../core/base/wordSet';
import { firstWord, forLaterFault, startOf, statementKind } from './statements';

/** Pragmas that tell something, with or without an argument that names a table or an index. */
const telling = wordSet(
  'table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list foreign_key_check integrity_check quick_check',
);
/** Pragmas that tell something without an argument and change something with one. */
const tellingAlone = wordSet(
  'application_id auto_vacuum busy_timeout cache_size collation_list compile_options data_version database_list encoding foreign_keys ' +
    'freelist_count function_list journal_mode journal_size_limit locking_mode max_page_count mmap_size module_list page_count page_size ' +
    'pragma_list query_only recursive_triggers schema_version secure_delete synchronous temp_store trusted_schema user_version ' +
    'wal_autocheckpoint',
);
/** Pragmas by which a statement that may write changes its own database file, and nothing else. */
const writing = wordSet(
  'application_id auto_vacuum case_sensitive_like defer_foreign_keys encoding foreign_keys incremental_vacuum journal_mode optimize page_size ' +
    'recursive_triggers reverse_unordered_selects secure_delete synchronous user_version wal_checkpoint',
);

/** The number codes of SQLite's authorizer; `constants` of `node:sqlite` names only some of them. */
const action = {
  delete: 9,
  pragma: 19,
  read: 20,
  select: 21,
  attach: 24,
  detach: 25,
  function: 31,
  recursive: 33,
} as const;

/** Tells whether a pragma may run. `argument` is undefined where none is given. */
function allowsPragma(name: string, argument: string | undefined, write: boolean): boolean {
  const pragma = name.toLowerCase();
  if (telling.has(pragma) || (argument === undefined && tellingAlone.has(pragma))) return true;
  return write && writing.has(pragma);
}

/**
 * What the authorizer answers where the runtime has one: SQLite asks it about everything that a statement would do,
 * views and triggers included.
 */
export function allowsAction(code: number, first: string | null, second: string | null, write: boolean): boolean {
  switch (code) {
    case action.attach:
    case action.detach:
      return false;
    case action.pragma:
      return allowsPragma(first ?? '', second ?? undefined, write);
    case action.function:
      return !/^(?:load_extension|fts3_tokenizer|readfile|writefile|edit)$/i.test(second ?? '');
    case action.read:
    case action.select:
    case action.recursive:
      return true;
    default:
      return write;
  }
}

type StatementFault = { readonly code: 'permission_denied' | 'invalid_query'; readonly message: string };

const outside = 'a statement must stay within its own database file';

/**
 * The first look at a statement, before the file is opened. What SQLite itself refuses on a read-only file is left to
 * it.
 */
export function statementFault(sql: string, write: boolean): StatementFault | undefined {
  const kind = statementKind(sql, 'sqlite');
  if (kind === 'empty') return { code: 'invalid_query', message: 'the query is empty' };
  const word = firstWord(sql, 'sqlite');
  if (/^(?:ATTACH|DETACH|VACUUM)$/.test(word)) return { code: 'permission_denied', message: outside };
  if (kind === 'unknown') return { code: 'invalid_query', message: `\`${word}\` begins no statement that is run here` };
  const later = forLaterFault(sql, 'sqlite');
  if (later !== undefined) return { code: 'invalid_query', message: later };
  if (kind === 'acts')
    return write ? undefined : { code: 'permission_denied', message: `\`${word}\` does more than read` };
  const rest = sql.slice(startOf(sql, 'sqlite') + word.length);
  if (word === 'EXPLAIN') return explainFault(rest, write);
  return word === 'PRAGMA' ? pragmaFault(rest, write) : undefined;
}

/** Some pragmas act when they are only explained. */
function explainFault(rest: string, write: boolean): StatementFault | undefined {
  const planned = /^QUERY\b/i.exec(rest.slice(startOf(rest, 'sqlite')));
  const after = planned ? rest.slice(startOf(rest, 'sqlite') + planned[0].length) : rest;
  const inner = planned ? after.slice(startOf(after, 'sqlite')).replace(/^PLAN\b/i, '') : after;
  if (firstWord(inner, 'sqlite') === 'EXPLAIN')
    return { code: 'invalid_query', message: '`EXPLAIN` cannot be explained' };
  return statementFault(inner, write);
}

/** What is no parameter, whatever it holds, and then a parameter. A doubled quote is two texts that stand together. */
const token =
  /'[^']*'?|"[^"]*"?|`[^`]*`?|\[[^\]]*\]?|--[^\n]*|\/\*(?:(?!\*\/)[^])*|[\w\u0080-\uffff][\w$\u0080-\uffff]*|\?(\d*)|([:@$#][\w$\u0080-\uffff]+)/g;

/** SQLite takes NULL for a value that is missing, which would be an answer to another question. */
export function parameterFault(sql: string, given: number): StatementFault | undefined {
  let wanted = 0;
  for (const [text, number, name] of sql.matchAll(token)) {
    if (name !== undefined)
      return {
        code: 'invalid_query',
        message: `\`${name.slice(0, 60)}\` has no value: write \`?\` for each value of params`,
      };
    if (text.startsWith('?')) wanted = number ? Math.max(wanted, Number(number)) : wanted + 1;
  }
  if (wanted === given) return undefined;
  return {
    code: 'invalid_query',
    message: `the statement has ${wanted} places for values (\`?\`), and params has ${given}`,
  };
}

function pragmaFault(rest: string, write: boolean): StatementFault | undefined {
  const [, name = '', bracketed, assigned] =
    /^\s+(?:\w+\s*\.\s*)?(\w+)\s*(?:\(([^()]*)\)\s*|=\s*(\S[^;]*))?;?$/.exec(rest.trimEnd()) ?? [];
  if (name !== '' && allowsPragma(name, bracketed ?? assigned, write)) return undefined;
  return {
    code: 'permission_denied',
    message: `the pragma ${name === '' ? 'in this form' : `\`${name}\``} ${write ? 'reaches beyond the database file' : 'does more than tell something'}`,
  };
}
