import { parseArgs } from 'node:util';
import { prepareEditor } from '../support/editor/install';
import { handleSignals, shutdown } from '../support/editor/processes';
import { newNode } from '../support/node24';
import { realAgents, type RealAgent } from './agents';
import { checkCalls, checkFaults, checkOthers, inPlace } from './checks';
import { faults } from './faults';
import { installAgent, versionOf } from './install';
import { startModel } from './model/server';
import { judged, type Outcome } from './outcome';

// Runs real agents against a scripted model on loopback, with our hook installed as a user would install it. Without
// arguments all of them and everything, where one that cannot be installed is a failure; `--quick` the two that start
// fastest, as in `npm test`, where it is skipped with its reason; names choose agents.

const nameOf = (agent: RealAgent): string => `${agent.package} ${versionOf(agent)}`;

/** Runs one agent through all checks. */
async function checkAgent(
  agent: RealAgent,
  node: string,
  { isQuick, isOutOfReach }: { readonly isQuick: boolean; readonly isOutOfReach: boolean },
): Promise<Outcome> {
  const name = nameOf(agent);
  const installed = await installAgent(agent, node, isOutOfReach);
  if ('skipped' in installed) {
    console.log(`- ${name} (skipped: ${installed.skipped})`);
    return installed;
  }
  const started = Date.now();
  const model = await startModel();
  try {
    const setting = { agent, program: installed.program, node, model };
    const some = faults.filter(({ isThorough }) => !isQuick || isThorough !== true);
    const others = isQuick ? [] : await checkOthers(setting);
    const own = await inPlace(setting, async (place) => [
      ...(await checkCalls(setting, place)),
      ...(await checkFaults(setting, place, some)),
    ]);
    const checks = [...own, ...others];
    const wrong = checks.filter((check) => check.wrong !== undefined);
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(
      `${wrong.length === 0 ? '✔' : '✖'} ${name}: ${checks.length - wrong.length} of ${checks.length} as expected (${seconds} s)`,
    );
    for (const check of isQuick ? wrong : checks)
      console.log(
        `    ${check.wrong === undefined ? '✔' : '✖'} ${check.name}${check.wrong === undefined ? '' : `\n${check.wrong.replaceAll(/^/gm, '        ')}`}`,
      );
    if (model.refused().length > 0) console.log(`    looked for, and not let through: ${model.refused().join(', ')}`);
    return wrong.length === 0 ? 'right' : 'wrong';
  } finally {
    await model.close();
  }
}

async function main(): Promise<boolean> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean' } } });
  const isQuick = values.quick === true;
  const unknown = positionals.filter((name) => !realAgents.some(({ id }) => id === name));
  if (unknown.length > 0)
    throw new Error(`there is no agent ${unknown.join(', ')}; known are ${realAgents.map(({ id }) => id).join(', ')}`);
  if (process.platform !== 'linux') {
    console.log(`- real agents (skipped: prepared for Linux, not for ${process.platform})`);
    return isQuick;
  }
  const node = newNode() ?? (await prepareEditor(console.log)).node;
  const chosen = realAgents.filter(
    ({ id, isQuick: isFast }) => (!isQuick || isFast) && (positionals.length === 0 || positionals.includes(id)),
  );
  const outcomes: { name: string; outcome: Outcome }[] = [];
  for (const agent of chosen) {
    const isOutOfReach = outcomes.some(({ outcome }) => typeof outcome === 'object');
    outcomes.push({ name: nameOf(agent), outcome: await checkAgent(agent, node, { isQuick, isOutOfReach }) });
  }
  const { isRight, lines } = judged(outcomes, isQuick);
  for (const line of lines) console.error(line);
  return isRight;
}

handleSignals();
main().then(
  (isRight) => {
    process.exitCode = isRight ? 0 : 1;
  },
  async (error: unknown) => {
    console.error(error);
    await shutdown();
    process.exitCode = 1;
  },
);
