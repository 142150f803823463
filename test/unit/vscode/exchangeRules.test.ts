import { strict as assert } from 'node:assert';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { presetBoundaries } from '../../../src/core/policy/rules/presets';
import { exportRules, importRules } from '../../../src/vscode/governance/exchangeRules';
import { shownWindow } from '../../support/fakeVscode';

const settings = {
  permissions: {
    deny: ['Read(./secrets/**)'],
    ask: ['Bash(git push *)'],
    allow: ['WebFetch(domain:example.com)', 'Bash'],
  },
};

/** Runs a command whose lists are answered in turn by words of a label; answers what the person saw. */
async function answering<T>(words: readonly string[], command: () => Promise<T>) {
  const rest = [...words];
  const offered: string[][] = [];
  shownWindow.answer = (items) => {
    offered.push(items.map(({ label }) => label));
    const word = rest.shift();
    return word === undefined ? undefined : items.find(({ label }) => label.includes(word));
  };
  shownWindow.shown.length = 0;
  try {
    return { result: await command(), offered, pages: shownWindow.shown.map(String) };
  } finally {
    shownWindow.answer = () => undefined;
  }
}

function importing(held: unknown[] = []) {
  const world = { rules: held as any };
  shownWindow.files.set('/work/.claude/settings.json', JSON.stringify(settings));
  shownWindow.opened = ['/work/.claude/settings.json'];
  const context = {
    home: '/home/me',
    ownRules: { changeOwnRules: async (change: any) => void (world.rules = change(world.rules)) },
    texts: { put: (_name: string, text: string) => text },
  };
  return {
    world,
    run: (...words: string[]) => answering(['Claude Code', ...words], async () => importRules(context as never)),
  };
}

describe('rules of other agents, by command', () => {
  it('D.policy-tests: Import Rules… shows each rule and what cannot be said, and adds nothing unless somebody picks', async () => {
    const { world, run } = importing();
    const { pages, offered, result } = await run();
    assert.equal(result, undefined);
    assert.deepEqual(world.rules, []);
    assert.match(pages[0] ?? '', /secrets/);
    assert.match(pages[0] ?? '', /## What cannot be said here\n\n- `Bash` allows/);
    assert.match(String(offered.at(-1)), /^Add the (\d+) rules that restrict,Add all (?!\1 )\d+ rules$/);
  });

  it('D.policy-tests: what only restricts can be added alone, and the same file twice adds nothing twice', async () => {
    const mine = { id: 'claude.deny.1', match: { tool: 'x' }, decision: 'deny', reason: 'mine' };
    const { world, run } = importing([mine]);
    await run('that restrict');
    const rules = world.rules as { id: string; decision: string }[];
    assert.deepEqual(rules[0], mine);
    assert.ok(rules.length > 1 && rules.every(({ decision }) => decision !== 'allow'));
    assert.equal(new Set(rules.map(({ id }) => id)).size, rules.length);
    await run('that restrict');
    assert.equal((world.rules as unknown[]).length, rules.length);
    await run('Add all');
    assert.equal((world.rules as unknown[]).length, rules.length + 1);
  });

  it('D.policy-tests: an import says how many rules it added and takes just these back, and says where it added none', async () => {
    const mine = { id: 'mine', match: { tool: 'x' }, decision: 'deny', reason: 'mine' };
    const { world, run } = importing([mine]);
    shownWindow.told.length = 0;
    await run('that restrict');
    const added = (world.rules as unknown[]).length - 1;
    assert.deepEqual(shownWindow.told, [`${added} rules were added to your settings and hold from now on.`]);
    await run('that restrict');
    assert.equal(shownWindow.told.at(-1), 'Your settings hold all of them already.');
    shownWindow.pressed = 'Undo';
    try {
      await run('Add all');
      await new Promise((done) => setImmediate(done));
      assert.equal((world.rules as unknown[]).length, added + 1);
      world.rules = [mine];
      await run('Add all');
      await new Promise((done) => setImmediate(done));
      assert.deepEqual(world.rules, [mine]);
      assert.equal(shownWindow.told.at(-1), 'The imported rules are gone again.');
    } finally {
      shownWindow.pressed = undefined;
    }
  });

  it('D.policy-tests: a file that cannot be read, and a setting that is no list, are said and change nothing', async () => {
    const { world, run } = importing();
    shownWindow.files.set('/work/.claude/settings.json', '{');
    await assert.rejects(run('Add all'), /settings\.json: the file cannot be read as rules of Claude Code/);
    assert.deepEqual(world.rules, []);
    const broken = importing();
    broken.world.rules = 'none';
    await assert.rejects(broken.run('Add all'), /must be a list of rules/);
    assert.equal(broken.world.rules, 'none');
  });

  it('D.policy-tests: Export Rules… shows the file and what is not said there, and writes where somebody saves it', async () => {
    const policy = new PolicyEngine(presetBoundaries('balanced'));
    const context = { policy, texts: { put: (_name: string, text: string) => text } };
    const run = (...words: string[]) => answering(words, async () => exportRules(context as never));
    const { pages, result } = await run('Claude Code', 'Ask where');
    assert.equal(result, undefined);
    assert.match(pages[0] ?? '', /## What cannot be said there\n\n- /);
    assert.match(pages[0] ?? '', /Claude Code reads its rules in `\.claude\/settings\.json`/);
    shownWindow.saved = '/work/rules.json';
    await run('Claude Code', 'Deny all', 'Save as');
    assert.equal(
      shownWindow.told.at(-1),
      'Saved as /work/rules.json. Claude Code reads its rules in .claude/settings.json.',
    );
    const strict = JSON.parse(shownWindow.files.get('/work/rules.json') ?? '');
    await run('Claude Code', 'Ask where', 'Save as');
    const asking = JSON.parse(shownWindow.files.get('/work/rules.json') ?? '');
    assert.ok(asking.permissions.deny.length > 10);
    assert.ok(strict.permissions.deny.length > asking.permissions.deny.length);
    policy.dispose();
  });
});
