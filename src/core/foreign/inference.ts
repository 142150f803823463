import { wordSet } from '../base/wordSet';
import { ownValue } from '../base/json';
import { familyOf, type SideEffect } from '../vocabulary/access';
import { type RiskLevel, riskLevels, type ToolKind } from '../vocabulary/toolDefinition';
import { wordsOf } from '../vocabulary/names';
import { highest } from '../base/order';
import { say, type Sentence, type SentenceCode, sentenceKey } from '../base/sentence';

/** What a foreign source says about one of its tools. All of it was written by others. */
interface ForeignFacts {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Permissions that its manifest names, such as `network` or `payments`; others are passed over. */
  readonly permissions?: readonly string[];
  /** MCP's tool annotations. */
  readonly hints?: ToolHints;
  /** True once the user confirmed the hints for exactly this version of the tool: only then may they lower anything. */
  readonly hintsConfirmed?: boolean;
  /** The effects that the tool's arguments show by schema and name (`argumentRoles.ts`). */
  readonly argumentEffects?: readonly SideEffect[];
}

export interface ToolHints {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** What is taken to be true of a foreign tool, and why. */
export interface Inference {
  readonly riskLevel: RiskLevel;
  readonly sideEffects: readonly SideEffect[];
  readonly kind: ToolKind;
  readonly idempotent: boolean;
  readonly reversible: boolean;
  readonly readOnly: boolean;
  /** Short reasons for people: `the name says delete`. */
  readonly reasons: readonly Sentence[];
}

interface Signal {
  readonly words: ReadonlySet<string>;
  readonly effect: SideEffect;
  readonly risk: RiskLevel;
  readonly says: Extract<SentenceCode, `word_${string}`>;
  /**
   * Looked for in the description too; else in the name alone, because descriptions say much about what a tool does not
   * do.
   */
  readonly inDescription?: true;
}

const write = wordSet('write writes writing written wrote overwrite overwrites overwriting');
const deletion = wordSet('delete deletes deleted deleting deletion');
const execute = wordSet('exec execs execute executes executed executing execution');
const pay = wordSet('pay pays payment payments purchase purchases checkout refund refunds charge charges billing');
const payments = wordSet('payment payments refund refunds');
const remove = wordSet('remove removes destroy drop purge erase unlink trash wipe truncate rm');
const run = wordSet(
  'run shell command commands bash powershell spawn eval evaluate script terminal install uninstall kill sudo',
);
const change = wordSet(
  'create edit update modify append insert put set save upload move rename copy patch replace add commit push merge rewrite store',
);
const send = wordSet('send sends post posts publish publishes email notify tweet webhook');
const network = wordSet('http https url fetch download web browse browser crawl scrape navigate request');
const cloud = wordSet(
  'cloud aws azure gcp ec2 s3 kubernetes k8s terraform cloudformation lambda iam vm instance cluster bucket',
);
const database = wordSet('database db sql table tables row rows record records postgres mysql sqlite mongo collection');
const keyWords = wordSet('key keys secret secrets credential credentials token tokens');

/**
 * The plain rules first (write, delete, exec in name or description: high; payments and cloud: critical), then words of
 * the same meaning, which are looked for in the name alone. The words must stand alone: `overwriter` is no `write`.
 */
const signals: readonly Signal[] = [
  { words: write, effect: 'fs.write', risk: 'high', says: 'word_write', inDescription: true },
  { words: deletion, effect: 'fs.delete', risk: 'high', says: 'word_delete', inDescription: true },
  { words: execute, effect: 'system.exec', risk: 'high', says: 'word_execute', inDescription: true },
  { words: pay, effect: 'payments', risk: 'critical', says: 'word_payments' },
  { words: payments, effect: 'payments', risk: 'critical', says: 'word_payments', inDescription: true },
  { words: remove, effect: 'fs.delete', risk: 'high', says: 'word_remove' },
  { words: run, effect: 'system.exec', risk: 'high', says: 'word_run' },
  { words: change, effect: 'fs.write', risk: 'medium', says: 'word_change' },
  { words: send, effect: 'network.http', risk: 'high', says: 'word_send' },
  { words: network, effect: 'network.http', risk: 'medium', says: 'word_network' },
  { words: wordSet('chmod chown'), effect: 'fs.chmod', risk: 'high', says: 'word_permissions' },
  { words: wordSet('env environment'), effect: 'system.env', risk: 'medium', says: 'word_environment' },
];

const permissionEffects: Readonly<Record<string, { readonly effect: SideEffect; readonly risk: RiskLevel }>> = {
  network: { effect: 'network.http', risk: 'high' },
  payment: { effect: 'payments', risk: 'critical' },
  payments: { effect: 'payments', risk: 'critical' },
  cloud: { effect: 'cloud.resource_create', risk: 'critical' },
  exec: { effect: 'system.exec', risk: 'high' },
  filesystem: { effect: 'fs.write', risk: 'high' },
};

/**
 * Judges a foreign tool by what it says of itself. Everything counts upwards at once: words, permissions,
 * `destructiveHint`. Downwards counts only a `readOnlyHint` or `idempotentHint` that the user confirmed; names never
 * do, because anybody can choose a name.
 */
export function infer(facts: ForeignFacts): Inference {
  const signs = new Signs();
  readWords(facts, signs);
  for (const permission of facts.permissions ?? []) {
    const known = ownValue(permissionEffects, permission.toLowerCase());
    if (known) signs.take(known.effect, known.risk, say('asks_permission', permission));
  }
  for (const effect of facts.argumentEffects ?? []) signs.effects.add(effect);
  const hints = facts.hints ?? {};
  if (hints.destructiveHint === true && hints.readOnlyHint !== true) {
    signs.raise('high');
    signs.reasons.push(say('called_destructive'));
  }
  if (hints.openWorldHint === true) signs.effects.add('network.http');
  return concluded(signs, facts.hintsConfirmed === true ? hints : {});
}

/** What is found about a tool so far. */
class Signs {
  readonly effects = new Set<SideEffect>();
  readonly reasons: Sentence[] = [];
  risk: RiskLevel = 'medium';

  raise(level: RiskLevel): void {
    this.risk = highest(riskLevels, this.risk, level);
  }

  take(effect: SideEffect, level: RiskLevel, why: Sentence): void {
    this.effects.add(effect);
    this.raise(level);
    if (!this.reasons.some((one) => sentenceKey(one) === sentenceKey(why))) this.reasons.push(why);
  }
}

/** Reads what the words of a tool's name, title and description tell. */
function readWords(facts: ForeignFacts, signs: Signs): void {
  const ownWords = wordsOf(facts.name);
  const nameWords = [...ownWords, ...wordsOf(facts.title ?? '')];
  const descriptionWords = wordsOf((facts.description ?? '').slice(0, 4000));
  // A lone `add` or `set` is arithmetic more often than a change.
  const telling = ownWords.length === 1 ? nameWords.filter((word) => !/^(?:add|set)$/.test(word)) : nameWords;
  for (const signal of signals) {
    if (telling.some((word) => signal.words.has(word)))
      signs.take(signal.effect, signal.risk, say('name_says', say(signal.says)));
    else if (signal.inDescription && descriptionWords.some((word) => signal.words.has(word)))
      signs.take(signal.effect, signal.risk, say('description_says', say(signal.says)));
  }
  const { effects } = signs;
  const changes = effects.has('fs.write') || effects.has('fs.delete');
  if (nameWords.some((word) => cloud.has(word)) && changes) {
    const made = nameWords.some((word) => keyWords.has(word)) ? 'cloud.key_write' : 'cloud.resource_create';
    const effect = effects.has('fs.delete') ? 'cloud.resource_delete' : made;
    signs.take(effect, 'critical', say('name_says', say('word_cloud')));
  }
  if (nameWords.some((word) => database.has(word))) {
    effects.add('database.read');
    if (effects.has('fs.write')) effects.add('database.write');
    if (effects.has('fs.delete')) effects.add('database.delete');
  }
}

/** @param confirmed the hints that the user confirmed: they alone lower what was found. */
function concluded({ effects, reasons, risk }: Signs, confirmed: ToolHints): Inference {
  if (confirmed.readOnlyHint === true) {
    return {
      riskLevel: 'low',
      sideEffects: [...effects].filter((effect) => effect === 'fs.read' || effect === 'database.read').sort(),
      kind: 'data',
      idempotent: true,
      reversible: true,
      readOnly: true,
      reasons: [say('confirmed_reading')],
    };
  }
  return {
    riskLevel: risk,
    sideEffects: [...effects].sort(),
    kind: 'action',
    idempotent: confirmed.idempotentHint === true,
    reversible: false,
    readOnly: false,
    reasons: reasons.length > 0 ? reasons : [say('nothing_known')],
  };
}

/** The scopes that side effects need, in the words of the built-in tools; `foreign:call` where nothing is known. */
export function scopesOf(effects: readonly SideEffect[]): readonly string[] {
  const scopes = new Set<string>();
  for (const effect of effects) {
    const scope = ownValue(effectScopes, effect) ?? (familyOf(effect) === 'cloud' ? 'cloud:write' : undefined);
    if (scope) scopes.add(scope);
  }
  return scopes.size > 0 ? [...scopes].sort() : ['foreign:call'];
}

const effectScopes: Readonly<Record<string, string>> = {
  'fs.read': 'file:read',
  'fs.write': 'file:write',
  'fs.delete': 'file:delete',
  'fs.chmod': 'file:write',
  'network.http': 'http:read',
  'network.socket': 'network:connect',
  'network.dns': 'http:read',
  payments: 'payments:write',
  'system.exec': 'system:exec',
  'system.env': 'system:env',
  'database.read': 'database:read',
  'database.write': 'database:write',
  'database.delete': 'database:write',
};
