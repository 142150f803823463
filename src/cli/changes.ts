import { counted } from '../core/base/figures';
import { defined, isObject, type Json } from '../core/base/json';
import { worded } from '../core/base/sentence';
import type { Selection } from '../core/changes/history';
import { type ChangedBurst, type ChangedFile, overviewOf, sidesOf } from '../core/changes/overview';
import { historyOf } from '../core/changes/undo';
import { nodeCrypto } from '../node/system';
import { type CliArgs, type CliIo, outJson, UsageError } from './args';
import { type OpenedWorkspace, withWorkspace } from './openWorkspace';

const actions = ['list', 'show', 'diff', 'undo', 'redo'] as const;
type Action = (typeof actions)[number];

/**
 * `changes list|show|diff|undo|redo`: what agents changed in the workspace, and taking it back. Exit 0 success, 1 where
 * something could not be taken back, 2 usage.
 */
export async function runChanges(args: CliArgs, io: CliIo): Promise<number> {
  const [word, ...rest] = args.words;
  const action = actions.find((one) => one === word);
  if (action === undefined || rest.length > 0)
    throw new UsageError(`\`changes\` takes one of ${actions.join(', ')} (got \`${args.words.join(' ')}\`)`);
  const selection = selectionOf(args);
  if (selection === undefined && action !== 'list' && action !== 'show')
    throw new UsageError(
      `\`changes ${action}\` needs one of --change, --call, --file, --burst, --since or --all; \`changes list\` shows the ids`,
    );
  return withWorkspace(args, io, (opened) =>
    action === 'undo' || action === 'redo'
      ? takeBack(opened, args, io, action)
      : tell(opened, args, io, action, selection),
  );
}

function selectionOf(args: CliArgs): Selection | undefined {
  const named = ['change', 'call', 'file', 'burst', 'since', 'all'].filter((name) => args.has(name));
  const [first, second] = named;
  if (first === undefined) return undefined;
  const isFileInBurst = named.length === 2 && args.has('file') && args.has('burst');
  if (second !== undefined && !isFileInBurst)
    throw new UsageError(`only one of ${named.map((name) => `--${name}`).join(', ')} can say what is meant`);
  const value = args.value(first) ?? '';
  switch (first) {
    case 'all':
      return { kind: 'all' };
    case 'change':
    case 'call':
    case 'since':
      return { kind: first, id: value };
    default: {
      const file = args.value('file');
      const burst = args.value('burst');
      if (file === undefined) return { kind: 'burst', id: value };
      return { kind: 'file', path: file.replace(/^\/+/, ''), ...(burst === undefined ? {} : { burst }) };
    }
  }
}

/** Passes the gate as the person's own call. */
async function takeBack({ core }: OpenedWorkspace, args: CliArgs, io: CliIo, action: 'undo' | 'redo'): Promise<number> {
  const given = ['change', 'call', 'file', 'burst', 'since'].flatMap((name): [string, Json][] => {
    const value = args.value(name);
    return value === undefined ? [] : [[name, value]];
  });
  const result = await core.gate.router.invoke({
    tool: 'cap:changes:undo_change',
    input: {
      ...Object.fromEntries(given),
      ...(args.has('all') ? { all: true } : {}),
      ...(action === 'redo' ? { redo: true } : {}),
    },
    actor: { type: 'user', id: 'command-line', isUnproven: true },
    surface: 'cli',
    ...(io.signal ? { signal: io.signal } : {}),
  });
  if (!result.success) {
    if (args.has('json')) outJson(io, result);
    else io.error(result.error.message);
    return 1;
  }
  const payload = result.payload as Readonly<Record<string, Json>>;
  if (args.has('json')) outJson(io, payload);
  else {
    const changes = counted(Number(payload['taken_back']), 'change');
    io.out(action === 'undo' ? `${changes} taken back` : `${changes} made again`);
    for (const key of ['conflicts', 'impossible', 'kept', 'merged'])
      for (const row of rowsOf(payload[key])) io.out(`${key}: ${row.path}${row.why === '' ? '' : `: ${row.why}`}`);
  }
  return rowsOf(payload['conflicts']).length + rowsOf(payload['impossible']).length > 0 ? 1 : 0;
}

function rowsOf(value: Json | undefined): readonly { readonly path: string; readonly why: string }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: Json) =>
    isObject(one) ? [{ path: String(one['path']), why: typeof one['why'] === 'string' ? one['why'] : '' }] : [],
  );
}

async function tell(
  { core }: OpenedWorkspace,
  args: CliArgs,
  io: CliIo,
  action: Exclude<Action, 'undo' | 'redo'>,
  selection: Selection | undefined,
): Promise<number> {
  const { changes, files } = core.gate.ports;
  if (!changes) return 1;
  const store = await changes.store();
  const history = await historyOf({ changes, files, crypto: nodeCrypto });
  const bursts = await overviewOf({ store, files, crypto: nodeCrypto, history, selection });
  if (action === 'diff') return diff(bursts, store, io);
  if (args.has('json')) outJson(io, { bursts: bursts.map(burstJson), dropped: history.dropped });
  else {
    for (const burst of bursts) io.out(burstText(burst, action === 'show').join('\n'));
    if (bursts.length === 0) io.out('no changes of agents are known here');
    if (history.dropped > 0) io.out(`${history.dropped} older changes are no longer kept`);
  }
  const fault = store.fault();
  if (fault !== undefined) io.error(`nothing can be kept now: ${worded(fault)}`);
  return 0;
}

async function diff(bursts: readonly ChangedBurst[], store: Parameters<typeof sidesOf>[1], io: CliIo): Promise<number> {
  const { createTwoFilesPatch } = await import('diff');
  for (const { path, changes } of bursts.flatMap(({ files }) => files)) {
    const sides = await sidesOf(changes, store);
    if (!sides) {
      io.error(`${path}: what stood there is not kept`);
      continue;
    }
    const [before, after] = [sides.before, sides.after].map((bytes) => new TextDecoder().decode(bytes));
    if (sides.before.includes(0) || sides.after.includes(0)) io.out(`${path}: not text`);
    else if (before !== after)
      io.out(createTwoFilesPatch(`a/${path}`, `b/${path}`, before ?? '', after ?? '').trimEnd());
  }
  return 0;
}

const timeText = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

function burstText({ id, startedAt, endedAt, profile, files }: ChangedBurst, isWhole: boolean): readonly string[] {
  return [
    `${id}  ${timeText(startedAt)} to ${timeText(endedAt)}  ${profile}  ${counted(files.length, 'file')}`,
    ...files.flatMap((file) => [
      `  ${stateText[file.state]}  ${actionText[file.action]} ${file.path}${countsText(file)}`,
      ...(isWhole
        ? file.changes.map(
            ({ id: change, time, tool, call, isFound, orBy }) =>
              `    ${change}  ${timeText(time)}  ${tool}  call ${[call, ...(orBy ?? [])].join(' or ')}${isFound ? '  (found by comparison)' : ''}`,
          )
        : []),
    ]),
  ];
}

const countsText = ({ added, removed }: ChangedFile): string =>
  added === undefined || removed === undefined ? '' : `  +${added} -${removed}`;

const stateText: Readonly<Record<ChangedFile['state'], string>> = {
  as_left: 'as left      ',
  changed_since: 'changed since',
  taken_back: 'taken back   ',
  cannot: 'cannot       ',
};

const actionText: Readonly<Record<ChangedFile['action'], string>> = {
  create: 'created',
  write: 'changed',
  delete: 'deleted',
  move: 'moved to',
  make_folder: 'made folder',
};

function burstJson({ files, id, startedAt, endedAt, profile }: ChangedBurst): Json {
  return {
    id,
    started: timeText(startedAt),
    ended: timeText(endedAt),
    profile,
    files: files.map(({ path, action, state, added, removed, changes }) => ({
      path,
      action,
      state,
      ...defined({ added, removed }),
      changes: changes.map(({ id: change, time, call, tool, notKept, isFound, orBy }) => ({
        id: change,
        time: timeText(time),
        call,
        tool,
        ...defined({ not_kept: notKept, found_by_comparison: isFound || undefined, or_by_calls: orBy }),
      })),
    })),
  };
}
