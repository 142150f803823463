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
 * A person's own call is neither looked through nor labelled; all else is the same, but for the rules about agents. An
 * agent's call with `redaction.sources` off is labelled alone.
 */
async function reading(): Promise<readonly Row[]> {
  const off = { files: 'off', web: 'off', databases: 'off', others: 'off' };
  const [system, without] = await Promise.all(
    [{}, { 'redaction.sources': off }].map((more) =>
      openSystem({
        approve: true,
        files: { 'a.ts': textOf(20_000) },
        user: {
          'policy.preset': 'open',
          // Nobody is asked.
          'policy.boundaries': [{ id: 'ok', match: { tool: 'read_file' }, decision: 'allow', reason: 'read' }],
          limits: { tools: { read_file: { requests: 1_000_000, window: '1m' } } },
          ...more,
        },
      }),
    ),
  );
  if (!system || !without) throw new Error('no system');
  const rounds = 40;
  const time = async ({ call }: typeof system, type: 'user' | 'agent'): Promise<number> => {
    const started = workedMs();
    for (let at = 0; at < rounds; at++) {
      const result = await call('read_file', { path: 'a.ts' }, type);
      if (!result.success) throw new Error(result.error.message);
    }
    return (workedMs() - started) / rounds;
  };
  const both: number[] = [];
  const labels: number[] = [];
  const neither: number[] = [];
  for (let at = 0; at < 25; at++) {
    both.push(await time(system, 'agent'));
    labels.push(await time(without, 'agent'));
    neither.push(await time(system, 'user'));
  }
  system.dispose();
  without.dispose();
  const [all, some, none] = [both, labels, neither].map((times) => median(times.slice(5)));
  if (all === undefined || some === undefined || none === undefined) throw new Error('nothing measured');
  return [
    compared('read 20 KB through the gate, labels: by an agent, by a person', some, none, 'ms', 'for information'),
    compared('the same, labels and secrets hidden', all, none, 'ms', '<= 1.25'),
  ];
}
