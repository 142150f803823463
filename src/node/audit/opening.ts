import type { AuditNote } from '../../core/audit/event';
import { removeLeftovers } from './leftovers';
import { type FoundBreak, markSeen, recoverFolder, type RecoverOptions } from './recover';
import { saidBy, say, type Sentence } from '../../core/base/sentence';

const namedBreaks = 3;

/**
 * What a window does when it opens its first segment, right after the record of the opening: it sets right what crashes
 * left, notes what was found broken, and takes the heads of earlier windows into its own chain, so that a window which
 * is removed whole is missed by the one after it. It throws only what `append` throws. Answers warnings for a person; a
 * break that some chain already notes is neither noted nor warned of again.
 */
export function openChain(options: RecoverOptions, append: (notes: readonly AuditNote[]) => void): readonly Sentence[] {
  const problems: Sentence[] = [];
  const attempt = <T>(body: () => T, otherwise: T): T => {
    try {
      return body();
    } catch (error) {
      problems.push(say('audit_not_looked_through', saidBy(error)));
      return otherwise;
    }
  };
  const found = attempt(() => recoverFolder(options), { breaks: [], unseen: [], problems: [] });
  const { unseen, breaks } = found;
  const time = options.now;
  const notes: AuditNote[] = [
    ...breaks.map(({ segment: id, said: detail }): AuditNote => {
      return { type: 'audit', time, what: 'recovered', detail, id, isBreak: true };
    }),
    ...unseen.map(({ segment: id, seq, hash }): AuditNote => {
      const detail = say('note_witnessed');
      return { type: 'audit', time, what: 'witnessed', detail, id, head: { seq, hash } };
    }),
  ];
  if (notes.length > 0) append(notes);
  attempt(() => markSeen(unseen, options), undefined);
  attempt(() => removeLeftovers(options.dir, options.now), undefined);
  return [...found.problems, ...problems, ...warning(breaks)];
}

function warning(breaks: readonly FoundBreak[]): readonly Sentence[] {
  if (breaks.length === 0) return [];
  const named = breaks.slice(0, namedBreaks).map(({ segment, said }) => say('audit_broken_segment', segment, said));
  const more = breaks.length > namedBreaks ? [say('audit_more_broken', breaks.length - namedBreaks)] : [];
  return [say('audit_changed_outside', [...named, ...more])];
}
