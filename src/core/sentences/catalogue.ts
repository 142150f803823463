import { auditSentences } from './audit';
import { bundleSentences } from './bundles';
import { definitionSentences } from './definitions';
import { doctorSentences } from './doctor';
import { exchangeSentences } from './exchange';
import { fileSentences } from './files';
import { filterSentences } from './filters';
import { flowSentences } from './flow';
import { gateSentences } from './gate';
import { generalSentences } from './general';
import { patternSentences } from './patterns';
import { policySentences } from './policy';
import { presetSentences } from './presets';
import { profileSentences } from './profiles';
import { protectionSentences } from './protection';
import { resolverSentences } from './resolver';
import { schemaSentences } from './schemas';
import { settingSentences } from './settings';
import { serverSentences } from './servers';
import { variableSentences } from './variables';

/**
 * Every sentence that travels as a code with arguments: its code and its English text, in which `{0}`, `{1}` stand for
 * the arguments. No code is there twice, in whichever part. They are not put into one object: that would cost every
 * start of a hook some milliseconds, and most calls are told nothing.
 */
export const catalogueParts = [
  generalSentences,
  schemaSentences,
  fileSentences,
  filterSentences,
  definitionSentences,
  gateSentences,
  flowSentences,
  patternSentences,
  policySentences,
  presetSentences,
  resolverSentences,
  serverSentences,
  variableSentences,
  profileSentences,
  settingSentences,
  auditSentences,
  protectionSentences,
  doctorSentences,
  bundleSentences,
  exchangeSentences,
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
