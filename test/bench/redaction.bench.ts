import { fork } from 'node:child_process';
import { once } from 'node:events';
import { FlowTracker } from '../../src/core/flow/tracker';
import { Redaction } from '../../src/core/gate/redaction';
import { SecretSession } from '../../src/core/secrets/session';
import { nodeCrypto } from '../../src/node/system';
import { workedMs } from '../support/processorTime';
import { openSystem } from '../support/system';
import { compared, median, type Row } from './rows';

const paragraph =
  'export async function load(path: string): Promise<readonly Row[]> {\n  const text = await readFile(path);\n  // Lines that begin with # say nothing.\n  return text.split("\\n").filter((line) => !line.startsWith("#")).map(parseRow);\n}\n';
const textOf = (size: number): string => paragraph.repeat(Math.ceil(size / paragraph.length)).slice(0, size);

/** What hiding secrets and labels cost, in processor time of this process. */
export async function bench(): Promise<readonly Row[]> {
  return [...looking(), ...(await reading())];
}

function looking(): readonly Row[] {
  const session = new SecretSession(
    () => nodeCrypto.randomId().replace(/[^0-9a-f]/g, ''),
    () => performance.now(),
  );
  for (let at = 0; at < 50; at++) session.know(`value-${at}-of-an-environment`, 'env-value', ['folder .']);
  const text = textOf(1_000_000);
  const options = { mode: 'hide', places: ['folder .'], isEnvironment: false } as const;
  const times = Array.from({ length: 15 }, (_one, at) => {
    const started = workedMs();
    session.hide(`${at} ${text}`, options);
    return workedMs() - started;
  });
  const ours = median(times.slice(5));
  return [{ name: '1 MB of code looked through, 50 known values', ours, unit: 'ms', target: 'aim < 20 ms' }];
}

type Kind = 'both' | 'labels' | 'neither';

/**
 * An agent's call, by turns in processes of their own: with labels and hiding, with labels alone, and with neither,
 * which are taken away before anything runs. Within one process they would be put back and taken away between the
 * rounds, and the engine would compile the gate anew each time.
 */
async function reading(): Promise<readonly Row[]> {
  const kinds = ['both', 'labels', 'neither'] as const;
  // Three of each, because the engine does not compile the same in every process.
  const readers = await Promise.all([...kinds, ...kinds, ...kinds].map(startReader));
  const times = { both: [] as number[], labels: [] as number[], neither: [] as number[] };
  for (let at = 0; at < 45; at++)
    for (const { kind, round } of readers) {
      const ms = await round();
      if (at >= 15) times[kind].push(ms);
    }
  for (const { stop } of readers) stop();
  const [all, some, none] = [median(times.both), median(times.labels), median(times.neither)];
  return [
    compared('read 20 KB by an agent, with labels and without', some, none, 'ms', 'for information'),
    compared('the same, with labels and secrets hidden, and with neither', all, none, 'ms', '<= 1.25'),
  ];
}

interface Reader {
  readonly kind: Kind;
  /** The time of one read, in milliseconds of processor time. */
  round(): Promise<number>;
  stop(): void;
}

async function startReader(kind: Kind): Promise<Reader> {
  const child = fork(__filename, [], { env: { ...process.env, [readerOf]: kind } });
  const gone = new AbortController();
  child.on('exit', () => gone.abort());
  const answer = async (): Promise<number> => Number((await once(child, 'message', { signal: gone.signal }))[0]);
  await answer();
  return {
    kind,
    async round() {
      const ms = answer();
      child.send('round');
      return ms;
    },
    stop: () => void child.kill(),
  };
}

/** What a reader's process does: a round of reads whenever it is asked for one; answers with the time of one read. */
async function beReader(kind: Kind): Promise<void> {
  if (kind !== 'both') takeHidingAway();
  if (kind === 'neither') takeLabelsAway();
  const { call } = await openSystem({
    approve: true,
    files: { 'a.ts': textOf(20_000) },
    user: {
      'policy.preset': 'open',
      // Nobody is asked, not for equal calls either.
      'policy.boundaries': [{ id: 'ok', match: { tool: 'read_file' }, decision: 'allow', reason: 'read' }],
      limits: { repetition: 0, all: '1000000 per 1m', tools: { read_file: { requests: 1_000_000, window: '1m' } } },
    },
  });
  const rounds = 40;
  process.on('message', () => {
    void (async () => {
      const started = workedMs();
      for (let at = 0; at < rounds; at++) {
        const result = await call('read_file', { path: 'a.ts' }, 'agent');
        if (!result.success) throw new Error(result.error.message);
      }
      process.send?.((workedMs() - started) / rounds);
    })();
  });
  process.send?.(0);
}

function takeHidingAway(): void {
  Object.assign(Redaction.prototype, {
    putBack: async () => undefined,
    learnBefore: async () => undefined,
    hide: async (_call: unknown, _progress: unknown, ran: unknown) => ran,
    hideInWarnings: async (_call: unknown, result: unknown) => result,
  });
}

function takeLabelsAway(): void {
  Object.assign(FlowTracker.prototype, { of: async () => undefined, ran: async () => undefined });
}

const readerOf = 'AGENT_CAPABILITIES_BENCH_READER';
const kind = process.env[readerOf];
if (kind === 'both' || kind === 'labels' || kind === 'neither') void beReader(kind);
