import type { AuditBody } from '../audit/record';
import { readSentence } from '../base/readSentence';
import { type Sentence, type SentenceCode, worded } from '../base/sentence';
import type { Translate } from '../base/translate';
import { codeWord } from '../vocabulary/codeWord';
import { reasonWords } from '../vocabulary/reasonWords';

type Note = Pick<AuditBody, 'event' | 'id'>;

/** What a record that is no call is about; undefined where its id tells a person nothing. */
export function noteAbout(
  { event, id }: Note,
  t: Translate,
  profileName: (id: string) => string,
): { readonly value: string; readonly isCode?: true } | undefined {
  if (id === undefined || event === 'grant.changed' || event === 'policy.changed') return undefined;
  if (event === 'profile.changed') return { value: profileName(id) };
  if (event === 'plan.changed') return { value: id.slice(0, fingerprintLength), isCode: true };
  if (event.startsWith('server.')) return { value: t('MCP server {0}', id) };
  const [, kind, name] = /^(mcp|protection):(.+)$/s.exec(id) ?? [];
  if (name === undefined) return { value: id };
  return { value: kind === 'mcp' ? t('MCP server {0}', name) : t('Agent {0}', name) };
}

/** What a record tells: its words, and what they say where they are ours. */
interface RecordedNote {
  readonly event?: string;
  readonly detail?: string | undefined;
  readonly said?: unknown;
}

/** So much of a fingerprint is compared by people. */
const fingerprintLength = 12;

/** What a record tells that is of no error, in the person's language; what came from elsewhere as it was recorded. */
export function noteDetail(
  { event, detail = '', said }: RecordedNote,
  t: Translate,
  when: (time: string) => string,
): string {
  const sentence = readSentence(said);
  if (sentence) return reasonWords(withTimes(sentence, when), t);
  return (event === 'probe' ? codeWord('requirement', detail, t) : undefined) ?? detail;
}

/** A sentence in which a time may stand: what a grant allows and for how long, or what is wrong with a chain. */
export function timedWords(said: Sentence, t: Translate, when: (time: string) => string): string {
  return worded(withTimes(said, when), t);
}

/** Where a sentence has a moment among its arguments. */
const timeAt: Readonly<Partial<Record<SentenceCode, number>>> = { chain_found_broken: 0, note_grant_until: 3 };

/** A moment travels as an ISO time, and is told as the person writes times. */
function withTimes({ code, args }: Sentence, when: (time: string) => string): Sentence {
  return {
    code,
    args: args.map((arg, at) => {
      if (at === timeAt[code] && typeof arg === 'string') return when(arg);
      return typeof arg === 'object' && 'code' in arg ? withTimes(arg, when) : arg;
    }),
  };
}
