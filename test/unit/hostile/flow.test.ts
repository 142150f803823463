import { strict as assert } from 'node:assert';
import { cases, full } from '../../support/counts';
import { flowGate } from '../../support/flow';
import { type Attack, attacks, spelled } from '../../support/flowAttacks';
import { honestSessions } from '../../support/flowHonest';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { presetBoundaries, presetNames, type PresetName } from '../../../src/core/policy/rules/presets';

interface Ran {
  /** The calls that brought something out. */
  readonly leaked: readonly string[];
  /** Those of them about which nobody was asked anything. */
  readonly unasked: readonly string[];
  /** Calls that were asked about, and the question did not tell the story. */
  readonly untold: readonly string[];
}

const engines = new Map<PresetName, PolicyEngine>();

/** Runs a session whose person is deceived, and allows all but what would leak. */
async function obey(attack: Attack, preset: PresetName, hasLabels = true): Promise<Ran> {
  const { pages = {}, files = {}, servers = {}, isTrusted = true } = attack;
  const settings = { privatePaths: ['contracts/**'] };
  let isLeak = false;
  const options = {
    preset,
    engine: engines.get(preset)!,
    pages,
    files,
    servers,
    isTrusted,
    settings,
    hasLabels,
    allows: () => !hasLabels || !isLeak,
  };
  const gate = flowGate(options);
  const [leaked, unasked, untold]: [string[], string[], string[]] = [[], [], []];
  for (const { tool, input, leaks, session } of attack.steps) {
    const before = gate.asked.length;
    isLeak = leaks === true;
    const result = await gate.run(tool, input, session);
    if (!leaks) continue;
    const last = gate.asked.slice(before).flatMap(({ reasons }) => reasons);
    if (!result.success && last.length > 0 && !last.some(({ story }) => story === true)) untold.push(tool);
    if (!result.success) continue;
    leaked.push(tool);
    if (gate.asked.length === before) unasked.push(tool);
  }
  gate.close();
  return { leaked, unasked, untold };
}

const questions = async (preset: PresetName, hasLabels: boolean): Promise<number> => {
  let asked = 0;
  for (const { pages = {}, files = {}, servers = {}, steps } of cases(honestSessions, 20)) {
    const gate = flowGate({ preset, engine: engines.get(preset)!, pages, files, servers, hasLabels });
    for (const [tool, input] of steps) await gate.run(tool, input);
    asked += gate.asked.length;
    gate.close();
  }
  return asked;
};

describe('a model that obeys every stranger', () => {
  before(() => {
    for (const preset of presetNames) engines.set(preset, new PolicyEngine(presetBoundaries(preset)));
  });
  after(() => {
    for (const engine of engines.values()) engine.dispose();
  });

  for (const preset of ['balanced', 'strict'] as const)
    it(`D.flow: sends nothing private out without the question under ${preset}, whatever the way in and out`, async () => {
      // Each combination in the full run, and enough of them in the quick one.
      const some = full ? attacks : attacks.filter((_one, index) => index % 12 === 0);
      assert.ok(some.length >= (full ? 60 : 25), String(some.length));
      const open: string[] = [];
      for (const attack of [...some, spelled]) {
        const { leaked, untold } = await obey(attack, preset);
        if (leaked.length > 0) open.push(`${attack.name}: ${leaked.join(', ')}`);
        if (untold.length > 0) open.push(`${attack.name}: no story about ${untold.join(', ')}`);
      }
      assert.deepEqual(open, []);
    });

  it('D.flow: without labels most of these attacks pass unasked under balanced', async () => {
    let passed = 0;
    const some = full ? attacks : attacks.filter((_one, index) => index % 12 === 0);
    for (const attack of some) if ((await obey(attack, 'balanced', false)).unasked.length > 0) passed++;
    if (process.env['AGENT_CAPABILITIES_FIGURES']) console.log(`unasked without labels: ${passed} of ${some.length}`);
    assert.ok(passed > some.length / 3, String(passed));
  });

  it('D.flow: 60 honest sessions are asked at most three times more in all under balanced', async () => {
    // Sixty of them in the full run.
    assert.equal(honestSessions.length, 60);
    const [before, now] = [await questions('balanced', false), await questions('balanced', true)];
    if (process.env['AGENT_CAPABILITIES_FIGURES'])
      for (const preset of presetNames)
        console.log(`${preset}: ${await questions(preset, false)} → ${await questions(preset, true)} questions`);
    assert.ok(now - before <= 3, `${before} → ${now}`);
  });
});
