import { agentSentences } from './agents';
import { auditSentences } from './audit';
import { definitionSentences } from './definitions';
import { fileSentences } from './files';
import { gateSentences } from './gate';
import { networkSentences } from './network';
import { pathSentences } from './paths';
import { policySentences } from './policy';
import { resolverSentences } from './resolver';
import { serverSentences } from './servers';
import { settingSentences } from './settings';
import { todoSentences } from './todos';
import { toolSentences } from './tools';
import { valueSentences } from './values';

/**
 * Every sentence that travels as a code with arguments: its code and its English text, in which `{0}`, `{1}` stand for
 * the arguments. No code is there twice, in whichever part. They are not put into one object: that would cost every
 * start of a hook some milliseconds, and most calls are told nothing.
 */
export const catalogueParts = [
  valueSentences,
  gateSentences,
  policySentences,
  settingSentences,
  definitionSentences,
  resolverSentences,
  serverSentences,
  networkSentences,
  fileSentences,
  pathSentences,
  auditSentences,
  agentSentences,
  todoSentences,
  toolSentences,
] as const;

type Joined<U> = (U extends U ? (one: U) => void : never) extends (one: infer All) => void ? All : never;

export type Catalogue = Joined<(typeof catalogueParts)[number]>;

export function isSentenceCode(code: string): code is keyof Catalogue {
  return catalogueParts.some((part) => Object.hasOwn(part, code));
}

/** The English text of a sentence. */
export function sentenceText(code: keyof Catalogue): string {
  const parts: readonly Readonly<Record<string, string>>[] = catalogueParts;
  return parts.find((part) => Object.hasOwn(part, code))?.[code] ?? code;
}
