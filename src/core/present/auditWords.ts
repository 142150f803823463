import { isObject } from '../base/json';
import { grantOf } from '../audit/grantAnswer';
import type { AuditBody, RecordedReason } from '../audit/record';
import { readSentence } from '../base/readSentence';
import { worded } from '../base/sentence';
import { codeWord } from '../vocabulary/codeWord';
import type { Translate } from '../base/translate';
import type { Surface } from '../vocabulary/decision';
import { riskLevels } from '../vocabulary/toolDefinition';
import { type Access, actionSaid } from '../vocabulary/access';
import { reasonWords } from '../vocabulary/reasonWords';
import { durationWords, riskWord, wholeNumber } from './words';

/** What happened, in a word or two: `done`, `denied`, `profile changed`. An event without a word keeps its name. */
export function happenedWord(record: Pick<AuditBody, 'event' | 'outcome' | 'error.type'>, t: Translate): string {
  if (!['invocation.finished', 'policy.violation', 'approval.answered'].includes(record.event))
    return codeWord('event', record.event, t) ?? record.event;
  // A person said no, which is another thing than a rule that denies.
  return record['error.type'] === 'declined' ? t('declined by you') : outcomeWord(record.outcome ?? '', t);
}

/** The outcome of a call in a word; what has none keeps its name. */
const outcomeWord = (outcome: string, t: Translate): string => codeWord('outcome', outcome, t) ?? outcome;

/** One record of a call as a line of what happened. */
export function happenedLine(record: AuditBody, t: Translate, grant?: GrantName): string {
  const by = answererWord(record['approval.by'] ?? '', t, grant);
  const waited = record['approval.waited_ms'];
  const told = toldWords(record, t);
  switch (record.event) {
    case 'approval.asked':
      return t('asked for an answer');
    case 'approval.answered': {
      const answered = record.outcome === 'denied' ? t('denied by {0}', by) : t('allowed by {0}', by);
      return waited === undefined ? answered : t('{0} after {1}', answered, durationWords(waited, t));
    }
    case 'policy.violation':
      return told === undefined ? t('denied') : t('denied: {0}', told);
    case 'invocation.finished': {
      const word = outcomeWord(record.outcome ?? '', t);
      const took =
        record.duration_ms === undefined ? word : t('{0} after {1}', word, durationWords(record.duration_ms, t));
      return told === undefined ? took : `${took}: ${told}`;
    }
    default:
      return happenedWord(record, t);
  }
}

/**
 * What whoever called was told of an error; words of a tool, and those of older records, as they were recorded. Where
 * they were not kept, the code of the error says what it was.
 */
export function toldWords(
  { said, 'error.message': message, 'error.type': code = '' }: Pick<AuditBody, 'error.message' | 'error.type' | 'said'>,
  t: Translate,
): string | undefined {
  if (message === undefined) return undefined;
  const words = recordedWords(said, message, t);
  return said?.code === 'message_not_kept' ? t('{0}; {1}', codeWord('refusal', code, t) ?? code, words) : words;
}

/** A reason that a step gave, for a person; the run gives the code of its error. */
export function stepReason(step: string, reason: RecordedReason, t: Translate): string {
  return step === 'run' ? (codeWord('refusal', reason.text, t) ?? reason.text) : recordedWords(reason, reason.text, t);
}

function recordedWords(said: unknown, text: string, t: Translate): string {
  const sentence = readSentence(said);
  return sentence ? reasonWords(sentence, t) : text;
}

/** What was touched, and how: `change src/app.ts`. */
export const accessWords = ({ effect, resource }: Access, t: Translate): string =>
  worded(actionSaid(effect, resource), t);

/** Where a call came from. */
export function surfaceWords(surface: string, t: Translate): string {
  const known: Readonly<Record<Surface, string>> = {
    chat: t('the chat'),
    participant: t('@capabilities in the chat'),
    palette: t('a command'),
    tree: t('the Capabilities view'),
    mcp: t('an MCP client'),
    cli: t('the command line'),
    api: t('another extension'),
    tool: t('another tool'),
    host: t('a hook of another agent'),
  };
  return Object.hasOwn(known, surface) ? known[surface as Surface] : surface; // reason: it is one of the keys
}

/** What a grant allows, by its id; undefined where nobody knows any more. */
export type GrantName = (id: string) => string | undefined;

/** Who or what let a call through or denied it; what has no words keeps its name. */
export function answererWord(by: string, t: Translate, grant?: GrantName): string {
  const id = grantOf(by);
  if (id !== undefined) {
    const known = grant?.(id);
    return known === undefined ? t('a grant') : t('a grant: {0}', known);
  }
  return codeWord('answerer', by, t) ?? by;
}

/** Who called: `agent`, or `you`. */
export const actorWord = (actor: string, t: Translate): string => codeWord('actor', actor, t) ?? actor;

/** A risk as it was recorded, in a word; one without a word keeps its name. */
export function riskWords(risk: string | undefined, t: Translate): string {
  const level = riskLevels.find((one) => one === risk);
  return level === undefined ? (risk ?? '') : riskWord(level, t);
}

/**
 * The tries after the first, each with what failed and the wait before it. What a record that was changed by hand holds
 * in their place is shown as it is.
 */
export function retryWords(retries: AuditBody['retries'], t: Translate): string | undefined {
  if (retries === undefined) return undefined;
  const all: readonly unknown[] = Array.isArray(retries) ? retries : [retries];
  return all
    .map((one) =>
      isObject(one) && typeof one['cause'] === 'string' && typeof one['waited_ms'] === 'number'
        ? t('{0}, again after {1}', one['cause'], durationWords(one['waited_ms'], t))
        : JSON.stringify(one),
    )
    .join('; ');
}

/** How many of something were left out, in words. */
export const leftOutWords = (count: number, t: Translate): string =>
  count === 1 ? t('1 place that may not be read') : t('{0} places that may not be read', wholeNumber(count, t));

/** The choices of the filter that stand in a list, in words. */
export function filterChoices(t: Translate): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return {
    outcome: {
      success: t('done'),
      tool_error: t('failed'),
      internal_error: t('internal error'),
      denied: t('denied'),
      allowed: t('allowed after asking'),
    },
    actor: { agent: t('agent'), user: t('you') },
    risk: {
      low: t('low'),
      medium: t('medium'),
      high: t('high'),
      critical: t('critical'),
      'medium+': t('medium and above'),
      'high+': t('high and above'),
    },
  };
}
