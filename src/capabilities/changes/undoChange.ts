import type { Json } from '../../core/base/json';
import type { AccessContext, ToolHandler } from '../../core/capability/tool';
import type { History, PastChange, Selection } from '../../core/changes/history';
import type { Outcome } from '../../core/changes/outcome';
import { nothingSelected } from '../../core/changes/takeBack';
import { accessesOfUndo, historyOf, planned, undoAll, type UndoneChange } from '../../core/changes/undo';
import { rootedPorts } from '../../core/files/root';
import type { ChangesPort } from '../../core/ports/changes';
import { need } from '../../core/ports/need';
import { toolError, unfitInput } from '../../core/vocabulary/errors';
import type { UndoInput } from './inputs';

export const handler: ToolHandler<UndoInput> = {
  async accesses(input, context) {
    const { history, changes } = await chosen(input, context);
    const { files } = rootedPorts(context.ports, context);
    const accesses = changes.flatMap((change) => accessesOfUndo(change, { history, files }));
    return [...new Map(accesses.map((one) => [`${one.effect} ${one.resource}`, one])).values()];
  },
  async run(input, context) {
    const { changes } = await chosen(input, context);
    const port = portOf(context);
    const undone = await undoAll(
      changes,
      { changes: port, files: context.ports.files, crypto: context.ports.crypto },
      () => !context.stopped.aborted,
    );
    if (undone.length < changes.length && undone.length === 0)
      throw toolError('cancelled', 'the call was cancelled; nothing was taken back');
    const failed = undone.find(({ outcome }) => outcome.kind === 'failed')?.outcome;
    if (failed?.kind === 'failed' && undone.every(({ outcome }) => outcome.kind !== 'done')) throw failed.error;
    return { payload: told(undone, changes.length) };
  },
};

function portOf(context: AccessContext): ChangesPort {
  return need(context.ports.changes, 'undo_change', 'changes');
}

async function chosen(
  input: UndoInput,
  context: AccessContext,
): Promise<{ readonly history: History; readonly changes: readonly PastChange[] }> {
  const selection = selectionOf(input);
  const { files, crypto } = context.ports;
  const history = await historyOf({ changes: portOf(context), files, crypto });
  const changes = planned(history, context.actor, selection, input.redo === true, files);
  if (changes.length === 0) throw nothingSelected(input.redo === true);
  return { history, changes };
}

function selectionOf({ change, call, file, burst, since, all }: UndoInput): Selection {
  const named = [change, call, file ?? burst, since, all === true ? '' : undefined].filter((one) => one !== undefined);
  if (named.length !== 1)
    throw unfitInput('exactly one of change, call, file, burst, since and all must say what is meant');
  if (file !== undefined)
    return { kind: 'file', path: file.replace(/^\/+/, ''), ...(burst === undefined ? {} : { burst }) };
  if (change !== undefined) return { kind: 'change', id: change };
  if (call !== undefined) return { kind: 'call', id: call };
  if (burst !== undefined) return { kind: 'burst', id: burst };
  if (since !== undefined) return { kind: 'since', id: since };
  return { kind: 'all' };
}

const mostNamed = 50;

function told(undone: readonly UndoneChange[], wanted: number): Record<string, Json> {
  const of = (...kinds: readonly UndoneChange['outcome']['kind'][]): readonly UndoneChange[] =>
    undone.filter(({ outcome }) => kinds.includes(outcome.kind));
  const rows = (found: readonly UndoneChange[]): Json[] =>
    found.slice(0, mostNamed).map(({ change, label, outcome }) => ({
      path: label,
      change: change.id,
      ...('why' in outcome ? { why: whyWords[outcome.why] } : {}),
      ...(outcome.kind === 'failed' ? { why: outcome.error.message } : {}),
    }));
  const done = of('done');
  const merged = done.filter(({ outcome }) => outcome.kind === 'done' && outcome.merged === true);
  const named = (key: string, found: readonly UndoneChange[]): Record<string, Json> =>
    found.length === 0 ? {} : { [key]: rows(found) };
  return {
    taken_back: done.length,
    paths: [...new Set(done.map(({ label }) => label))].slice(0, mostNamed),
    conflicts: rows(of('conflict')),
    ...named('merged', merged),
    ...named('kept', of('not_empty')),
    ...named('impossible', of('impossible', 'failed')),
    ...(of('already').length > 0 ? { already: of('already').length } : {}),
    ...(undone.length < wanted ? { not_reached: wanted - undone.length } : {}),
  };
}

const whyWords: Readonly<Record<Extract<Outcome, { readonly why: string }>['why'], string>> = {
  changed: 'somebody changed the same place since, so it is left as it is',
  taken: 'something else stands there now, so it is left as it is',
  gone: 'what was changed is not there any more; it was moved or deleted since',
  between: 'something else stood there since, and a later call took it away; taking that back brings it back',
  dropped: 'what stood there is no longer kept',
  folder: 'its workspace folder is not open',
  secret: 'the content of files that hold secrets is not kept',
  store: 'nothing could be kept when it was changed',
  too_large: 'what stood there was larger than what is kept',
  too_many: 'there were too many files in it to be kept',
  kind: 'it was neither a file nor a folder nor a link that can be made again',
};
