import { strict as assert } from 'node:assert';
import { toRecord } from '../../../src/core/audit/makeRecord';
import { detailText } from '../../../src/core/audit/recordedSentence';
import { worded } from '../../../src/core/base/sentence';
import { showSecretOnce } from '../../../src/vscode/governance/showSecretOnce';
import { runs } from '../../support/counts';
import { shownWindow } from '../../support/fakeVscode';
import { fullRedactor } from '../../../src/node/audit/fullRedactor';
import { drawnSecret } from '../../support/secretSamples';
import { openSystem, type SystemOptions } from '../../support/system';

type System = Awaited<ReturnType<typeof openSystem>>;

const key = drawnSecret(42).secret;
const other = drawnSecret(7).secret;
const files = { 'a.ts': `const key = "${key}";\n`, 'b.ts': `const key = "${other}";\n` };

async function withSystem<T>(options: SystemOptions, use: (system: System) => Promise<T>): Promise<T> {
  const system = await openSystem({ approve: true, files, ...options });
  try {
    return await use(system);
  } finally {
    system.dispose();
  }
}

/** All that a session gets to read of a file. */
const read = async ({ core }: System, path: string, id = 'one'): Promise<string> =>
  JSON.stringify(
    await core.gate.router.invoke({
      tool: 'read_file',
      input: { path },
      actor: { type: 'agent', id },
      surface: 'chat',
    }),
  );

/** The command, of a person who picks the first that fits and answers the modal; what the modal said. */
async function allow({ core }: System, place: string, isYes = true): Promise<string[]> {
  const asked: string[] = [];
  shownWindow.answer = (items) => items.find(({ detail }) => String(detail).includes(place));
  const questions = { confirms: async (...text: string[]) => (asked.push(text.join('\n')), isYes) };
  try {
    await showSecretOnce({ hidden: core.gate.hidden, questions } as never);
    return asked;
  } finally {
    shownWindow.answer = () => undefined;
  }
}

describe('a hidden secret that a person shows once', () => {
  it('D.redaction: is in the next result that holds it, once, and in no record', () =>
    withSystem({}, async (system) => {
      assert.ok(!(await read(system, 'a.ts')).includes(key));
      assert.ok(!(await read(system, 'b.ts')).includes(other));
      const [asked = ''] = await allow(system, 'a.ts');
      assert.match(asked, /\{\{secret:[\w-]+:[0-9a-f]{4,8}\}\}.* from a\.ts/);
      assert.ok(!asked.includes(key) && asked.includes('one'));
      // A result that does not hold it uses nothing up.
      assert.ok(!(await read(system, 'b.ts')).includes(other));
      const seen = await read(system, 'a.ts');
      assert.ok(seen.includes(key) && seen.includes('this once'), seen);
      assert.ok(!(await read(system, 'a.ts')).includes(key));
      const records = JSON.stringify(system.events);
      assert.ok(!records.includes(key), 'the record holds it');
      const told = system.events.flatMap((event) =>
        event.type === 'changed' && event.what === 'secret'
          ? [`${event.actor.type} ${event.id}: ${detailText(event.detail)}`]
          : [],
      );
      assert.match(told[0] ?? '', /^user one: \{\{secret:\S+\}\} may be shown once$/);
      assert.match(told[1] ?? '', /^agent one: \{\{secret:\S+\}\} shown by read_file$/);
      assert.equal(told.length, 2);
      const redactor = fullRedactor();
      for (const one of told) assert.equal(redactor.text(one), one, 'it can be read in the record');
      const kept = system.events
        .filter(({ type }) => type === 'changed')
        .map((event) => toRecord(event, { content: 'shape', redactor }));
      assert.deepEqual(
        kept.map((one) => one?.said && worded(one.said)),
        kept.map((one) => one?.detail),
      );
      // Whoever knows a value has read something private.
      const [labels] = (await system.core.gate.flow.tracker()).sessions();
      assert.deepEqual(
        labels?.private.map(({ kind }) => kind),
        ['shown_secret'],
      );
    }));

  it('D.redaction: is shown to the session that the person named and to no other', () =>
    withSystem({}, async (system) => {
      await read(system, 'a.ts', 'two');
      await read(system, 'a.ts', 'one');
      await allow(system, 'a.ts');
      assert.ok(!(await read(system, 'a.ts', 'two')).includes(key));
      assert.ok(!(await read(system, 'a.ts', 'three')).includes(key));
      assert.ok((await read(system, 'a.ts', 'one')).includes(key));
    }));

  it('D.redaction: stays hidden without a yes, after ten minutes, and when it is taken back', () => {
    let now = 0;
    const clock = { now: () => Date.now(), monotonic: () => now, sleep: async () => undefined };
    return withSystem(
      { platform: { clock: { ...clock, schedule: () => ({ dispose() {} }) } as never } },
      async (system) => {
        await read(system, 'a.ts');
        await allow(system, 'a.ts', false);
        assert.ok(!(await read(system, 'a.ts')).includes(key), 'without a yes');
        await allow(system, 'a.ts');
        now += 10 * 60_000;
        assert.ok(!(await read(system, 'a.ts')).includes(key), 'too late');
        await allow(system, 'a.ts');
        assert.deepEqual(await allow(system, 'a.ts'), [], 'taking back asks nothing');
        assert.ok(!(await read(system, 'a.ts')).includes(key), 'taken back');
        await allow(system, 'a.ts');
        now += 10 * 60_000 - 1;
        assert.ok((await read(system, 'a.ts')).includes(key), 'in time');
      },
    );
  });

  it('D.redaction: is not shown in a workspace that nobody trusts, whenever it stopped being trusted', () => {
    let trusted = true;
    const watcher = { watch: () => ({ dispose() {} }) };
    const definitions = { trusted: () => trusted, watcher, approver: { confirms: async () => false } };
    return withSystem({ platform: { definitions: definitions as never } }, async (system) => {
      await read(system, 'a.ts');
      await allow(system, 'a.ts');
      trusted = false;
      assert.ok(!(await read(system, 'a.ts')).includes(key));
      assert.deepEqual(await allow(system, 'a.ts'), [], 'nothing is offered');
    });
  });

  it('D.redaction: no call shows one by itself: not by naming the placeholder, nor by running the command', () =>
    withSystem({}, async (system) => {
      const named = /\{\{secret:[^}]+\}\}/.exec(await read(system, 'a.ts'))?.[0] ?? '';
      const asked: string[] = [];
      shownWindow.answer = () => undefined;
      const questions = { confirms: async () => (asked.push('asked'), true) };
      await showSecretOnce({ hidden: system.core.gate.hidden, questions } as never, named, { placeholder: named });
      assert.deepEqual(asked, []);
      for (const [tool, input] of [
        ['write_todos', { todos: [{ content: named, status: 'pending' }] }],
        ['read_todos', {}],
        ['grep_files', { pattern: 'key', path: '.' }],
        ['edit_file', { path: 'a.ts', edits: [{ old_text: named, new_text: `${named} ` }] }],
        ['read_file', { path: 'a.ts' }],
      ] as const)
        assert.ok(!JSON.stringify(await system.call(tool, input)).includes(key), tool);
    }));

  it('D.redaction: of many calls of many sessions exactly as many show it as a person allowed', async function () {
    this.timeout(60_000);
    await withSystem({ user: { limits: { repetition: 0 } } }, async (system) => {
      let state = 11;
      const draw = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
      const shown = await system.core.gate.hidden();
      let [expected, seen] = [0, 0];
      const open = new Set<string>();
      for (let step = 0; step < runs(24, 400); step++) {
        const [session, place] = [['one', 'two', 'three'][draw(3)] ?? '', ['a.ts', 'b.ts'][draw(2)] ?? ''];
        const met = shown.list().find((one) => one.session === session && one.from === place);
        if (met && draw(3) === 0) {
          shown.allow(session, met.placeholder);
          open.add(`${session} ${place}`);
        } else {
          const texts = await Promise.all([read(system, place, session), read(system, place, session)]);
          expected += Number(open.delete(`${session} ${place}`));
          seen += texts.filter((text) => text.includes(place === 'a.ts' ? key : other)).length;
        }
        assert.equal(seen, expected, `step ${step}`);
      }
      assert.ok(seen > 0 && !JSON.stringify(system.events).includes(key));
    });
  });
});
