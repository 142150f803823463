import path from 'node:path';
import { worded } from '../core/base/sentence';
import { doctorAreas, type DoctorCheck, examine } from '../core/explain/doctor';
import { besideBundle } from '../node/besideBundle';
import { doctorFacts } from '../app/doctorFacts';
import { type CliArgs, type CliIo, outJson, UsageError } from './args';
import { agentMeters } from './hookAgents';
import { withWorkspace } from './openWorkspace';
import { ownVersion } from './ownVersion';
import { asTyped } from './started';

/**
 * `doctor [--json]`: what is installed, on, reachable and protected, and what mends what is not. Servers are started to
 * see whether they answer. Exit 1 where something that is set up does not work.
 */
export async function runDoctor(args: CliArgs, io: CliIo): Promise<number> {
  if (args.words.length > 0) throw new UsageError('usage: doctor [--json]');
  return withWorkspace(args, io, async ({ core, problems }) => {
    await core.servers.list.discover();
    const bundle = besideBundle(io.environment, 'hook.js');
    const folder = path.dirname(bundle);
    const checks = examine(
      doctorFacts({ core, version: ownVersion, folder, problems, meters: await agentMeters(args, io) }),
    );
    if (args.has('json'))
      outJson(
        io,
        checks.map((one) => plain(one, io)),
      );
    else
      for (const area of doctorAreas) {
        io.out(`${area}:`);
        for (const check of checks.filter((one) => one.area === area)) io.out(asTyped(line(check), io));
      }
    return checks.some(({ state }) => state === 'fault') ? 1 : 0;
  });
}

const signs = { ok: 'ok  ', note: 'note', fault: 'no  ' } as const;

const line = ({ state, said, step }: DoctorCheck): string =>
  `  ${signs[state]} ${worded(said)}${step ? `; ${worded(step)}` : ''}`;

const plain = ({ area, state, said, step }: DoctorCheck, io: CliIo): object => ({
  area,
  state,
  code: said.code,
  text: worded(said),
  ...(step ? { step: asTyped(worded(step), io) } : {}),
});
