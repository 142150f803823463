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

/**
 * An agent's call, by turns with labels and hiding, with labels alone, and with neither: what they do is taken away and
 * put back within the same gate, so that nothing else differs.
 */
async function reading(): Promise<readonly Row[]> {
  const { call, dispose } = await openSystem({
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
  const time = async (): Promise<number> => {
    const started = workedMs();
    for (let at = 0; at < rounds; at++) {
      const result = await call('read_file', { path: 'a.ts' }, 'agent');
      if (!result.success) throw new Error(result.error.message);
    }
    return (workedMs() - started) / rounds;
  };
  const both: number[] = [];
  const labels: number[] = [];
  const neither: number[] = [];
  for (let at = 0; at < 40; at++) {
    both.push(await time());
    const hiding = withoutHiding();
    labels.push(await time());
    const labelling = withoutLabels();
    neither.push(await time());
    labelling();
    hiding();
  }
  dispose();
  const [all, some, none] = [both, labels, neither].map((times) => median(times.slice(10)));
  if (all === undefined || some === undefined || none === undefined) throw new Error('nothing measured');
  return [
    compared('read 20 KB by an agent, with labels and without', some, none, 'ms', 'for information'),
    compared('the same, with labels and secrets hidden, and with neither', all, none, 'ms', '<= 1.25'),
  ];
}

/** Takes the hiding out of every gate of this process; what comes back puts it in again. */
function withoutHiding(): () => void {
  const { putBack, learnBefore, hide, hideInWarnings } = Redaction.prototype;
  const kept = { putBack, learnBefore, hide, hideInWarnings };
  Object.assign(Redaction.prototype, {
    putBack: async () => undefined,
    learnBefore: async () => undefined,
    hide: async (_call: unknown, _progress: unknown, ran: unknown) => ran,
    hideInWarnings: async (_call: unknown, result: unknown) => result,
  });
  return () => void Object.assign(Redaction.prototype, kept);
}

function withoutLabels(): () => void {
  const { of, ran } = FlowTracker.prototype;
  const kept = { of, ran };
  Object.assign(FlowTracker.prototype, { of: async () => undefined, ran: async () => undefined });
  return () => void Object.assign(FlowTracker.prototype, kept);
}
