import type { AuditBody } from '../audit/record';
import { duration, grouped } from '../base/figures';
import type { Translate } from '../base/translate';
import type { Surface } from '../vocabulary/decision';
import { riskLevels } from '../vocabulary/toolDefinition';
import { personText } from '../base/personText';
import { riskWord } from './words';

/** What happened, in a word or two: `done`, `denied`, `profile changed`. An event without a word keeps its name. */
export function happenedWord(record: Pick<AuditBody, 'event' | 'outcome' | 'error.type'>, t: Translate): string {
  switch (record.event) {
    case 'invocation.started':
      return t('started');
    case 'invocation.finished':
    case 'policy.violation':
    case 'approval.answered':
      // A person said no, which is another thing than a rule that denies.
      return record['error.type'] === 'declined' ? t('declined by you') : outcomeWord(record.outcome ?? '', t);
    case 'approval.asked':
      return t('waits for an answer');
    case 'profile.changed':
      return t('profile changed');
    case 'policy.changed':
      return t('rules changed');
    case 'definition.changed':
      return t('definition changed');
    case 'grant.changed':
      return t('grant changed');
    case 'pin.changed':
      return t('pin of a server changed');
    case 'plan.changed':
      return t('plan changed');
    case 'secret.changed':
      return t('showing of a secret');
    case 'label.changed':
      return t('label cleared');
    case 'settings.changed':
      return t('setting changed');
    case 'probe':
      return t('requirement checked');
    case 'server.started':
      return t('server started');
    case 'server.stopped':
      return t('server stopped');
    case 'server.failed':
      return t('server failed');
    case 'audit.lost':
      return t('records lost');
    case 'audit.recovered':
      return t('log repaired');
    case 'audit.retired':
      return t('old records removed');
    case 'audit.cleared':
      return t('log cleared');
    default:
      return record.event;
  }
}

/** The outcome of a call in a word; what has none keeps its name. */
function outcomeWord(outcome: string, t: Translate): string {
  switch (outcome) {
    case 'success':
      return t('done');
    case 'tool_error':
      return t('failed');
    case 'internal_error':
      return t('internal error');
    case 'denied':
      return t('denied');
    case 'allowed':
      return t('allowed');
    default:
      return outcome;
  }
}

/** One record of a call as a line of what happened. */
export function happenedLine(record: AuditBody, t: Translate, grant?: GrantName): string {
  const by = answererWord(record['approval.by'] ?? '', t, grant);
  const waited = record['approval.waited_ms'];
  const message = record['error.message'];
  const told = message === undefined ? undefined : personText(message, t);
  switch (record.event) {
    case 'approval.asked':
      return t('asked for an answer');
    case 'approval.answered': {
      const answered = record.outcome === 'denied' ? t('denied by {0}', by) : t('allowed by {0}', by);
      return waited === undefined ? answered : t('{0} after {1}', answered, duration(waited));
    }
    case 'policy.violation':
      return told === undefined ? t('denied') : t('denied: {0}', told);
    case 'invocation.finished': {
      const word = outcomeWord(record.outcome ?? '', t);
      const took = record.duration_ms === undefined ? word : t('{0} after {1}', word, duration(record.duration_ms));
      return told === undefined ? took : `${took}: ${told}`;
    }
    default:
      return happenedWord(record, t);
  }
}

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
  if (by.startsWith('grant ')) {
    const known = grant?.(by.slice('grant '.length));
    return known === undefined ? t('a grant') : t('a grant: {0}', known);
  }
  switch (by) {
    case 'user':
      return t('you');
    case 'grant':
      return t('a grant');
    case 'plan':
      return t('the frozen plan');
    case 'command-line':
      return t('the command line');
    case 'timeout':
      return t('nobody: the question was not answered in time');
    case 'cancellation':
      return t('nobody: the call was cancelled');
    case 'unavailable':
      return t('nobody: nobody could be asked');
    case 'editor':
      return t("the editor's own confirmation (how it was answered is not told)");
    case 'editor-skipped':
      return t('nobody: the editor skipped its own confirmation');
    case 'reader':
      return t('the second reader');
    default:
      return by;
  }
}

/** Who called: `agent`, or `you`. */
export function actorWord(actor: string, t: Translate): string {
  if (actor === 'agent') return t('agent');
  return actor === 'user' ? t('you') : actor;
}

/** A risk as it was recorded, in a word; one without a word keeps its name. */
export function riskWords(risk: string | undefined, t: Translate): string {
  const level = riskLevels.find((one) => one === risk);
  return level === undefined ? (risk ?? '') : riskWord(level, t);
}

/** How many of something were left out, in words. */
export const leftOutWords = (count: number, t: Translate): string =>
  count === 1 ? t('1 place that may not be read') : t('{0} places that may not be read', grouped(count));

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
