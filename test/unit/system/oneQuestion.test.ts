import { plainWords } from '../../../src/core/base/translate';
import { strict as assert } from 'node:assert';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ApprovalRequest } from '../../../src/core/call/gateCall';
import type { ConfirmerAnswer } from '../../../src/core/policy/approvals/approvals';
import { describeApproval } from '../../../src/core/present/approvalText';
import { openSystem } from '../../support/system';

type Answer = (request: ApprovalRequest) => ConfirmerAnswer | Promise<ConfirmerAnswer>;
type System = Awaited<ReturnType<typeof openSystem>>;

const file = '.vscode/capabilities/notes.capability.json';
const write = (target: string): unknown => ({
  tool: 'write_file',
  input: { path: target, content: '${input.text}' },
});
const handlers = {
  tool: { type: 'tool', tool: 'write_file', input: { path: 'notes/${input.name}', content: '${input.text}' } },
  step: { type: 'compose', steps: [{ id: 'one', ...(write('notes/${input.name}') as object) }] },
  steps: {
    type: 'compose',
    steps: [
      { id: 'one', ...(write('notes/${input.name}') as object) },
      { id: 'two', ...(write('notes/second.md') as object) },
    ],
  },
  maybe: {
    type: 'compose',
    steps: [{ id: 'one', if: '${input.name}', ...(write('notes/${input.name}') as object) }],
  },
} as const;

const definition = (handler: unknown): string =>
  JSON.stringify({
    id: 'notes',
    name: 'Notes',
    version: '1.0.0',
    description: 'Keeps notes',
    tools: [
      {
        name: 'keep_note',
        kind: 'action',
        description: 'Keep a note.',
        parameters: { name: { type: 'string', required: true }, text: { type: 'string', required: true } },
        handler,
      },
    ],
  });

/** A workspace with an acting definition, and what a person was asked. */
async function world(handler: unknown, answer: Answer, isApproved = true) {
  const asked: ApprovalRequest[] = [];
  const system = await openSystem({
    files: { [file]: definition(handler), 'notes/a.md': 'before\n' },
    user: { profiles: { p: { name: 'P', capabilities: ['file_system', 'notes'] } }, activeProfile: 'p' },
    platform: {
      definitions: {
        trusted: () => true,
        watcher: { watch: () => ({ dispose() {} }) },
        approver: { ask: async () => isApproved },
      },
      approvals: {
        type: 'person',
        confirmer: {
          confirm: async (request) => {
            asked.push(request);
            return answer(request);
          },
        },
      },
    },
  });
  await system.core.definitions.loader?.reload();
  const isThere = (): boolean => !isApproved || system.core.tools.registry.tool('keep_note') !== undefined;
  for (let turn = 0; turn < 100 && !isThere(); turn++) await new Promise((resolve) => setTimeout(resolve, 10));
  const at = (name: string): string => path.join(system.folder, 'notes', name);
  return {
    ...system,
    asked,
    at,
    text: (name: string): string => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : ''),
    titles: () => asked.map((request) => describeApproval(request, plainWords).title),
    keep: async (name: string, text: string) => {
      const result = await system.call('keep_note', { name, text });
      return result.success ? 'success' : result.error.code;
    },
  };
}

async function withWorld(
  handler: unknown,
  answer: Answer,
  test: (opened: Awaited<ReturnType<typeof world>>) => Promise<void>,
  isApproved = true,
): Promise<void> {
  const opened = await world(handler, answer, isApproved);
  try {
    await test(opened);
  } finally {
    opened.dispose();
  }
}

const once: Answer = () => ({ outcome: 'allow-once' });
const records = (system: Pick<System, 'events'>, type: string) => system.events.filter((event) => event.type === type);

describe('one question for a tool that calls another one', () => {
  for (const form of ['tool', 'step'] as const)
    it(`D.modal: \`${form}\`: what the other one touches, its change and the reasons of both are asked about at once`, () =>
      withWorld(handlers[form], once, async (system) => {
        assert.equal(await system.keep('a.md', 'after\n'), 'success');
        assert.equal(system.text('a.md'), 'after\n');
        const [request, ...more] = system.asked;
        assert.deepEqual(more, []);
        assert.ok(request);
        const text = describeApproval(request, plainWords);
        assert.equal(text.title, 'Allow "notes_keep_note" to change notes/a.md?');
        assert.match(text.detail, /It calls write_file; this answers for both\./);
        assert.match(text.detail, /Why you are asked: .*the tool needs confirmation for agents/);
        assert.match(text.full, /^-before$/m);
        assert.match(text.full, /^\+after$/m);
        assert.equal(records(system, 'approval.asked').length, 1);
        const ends = records(system, 'invocation.finished').map((event) => JSON.stringify(event));
        assert.equal(ends.length, 2, 'both are recorded');
        assert.match(ends.join(' '), /answered_with_caller/);
      }));

  it('D.modal: a no is for both, and nothing is done', () =>
    withWorld(
      handlers.tool,
      () => ({ outcome: 'deny' }),
      async (system) => {
        assert.equal(await system.keep('a.md', 'after\n'), 'declined');
        assert.equal(system.text('a.md'), 'before\n');
        assert.equal(system.asked.length, 1);
      },
    ));

  it('D.modal: several steps, and one that depends on something, are asked about one by one', async () => {
    await withWorld(handlers.steps, once, async (system) => {
      assert.equal(await system.keep('a.md', 'after\n'), 'success');
      assert.deepEqual(system.titles(), [
        'Allow "notes_keep_note" to change files that it does not name?',
        'Allow "write_file" to change notes/a.md?',
        'Allow "write_file" to create notes/second.md?',
      ]);
    });
    await withWorld(handlers.maybe, once, async (system) => {
      assert.equal(await system.keep('a.md', 'after\n'), 'success');
      assert.deepEqual(system.titles(), [
        'Allow "notes_keep_note" to change files that it does not name?',
        'Allow "write_file" to change notes/a.md?',
      ]);
    });
  });

  it('D.approval-binding: what changed while the question stood open is not replaced', () =>
    withWorld(
      handlers.tool,
      () => ({ outcome: 'allow-once' }),
      async (system) => {
        const { asked } = system;
        const push = asked.push.bind(asked);
        asked.push = (...requests) => {
          writeFileSync(system.at('a.md'), 'of the user\n');
          return push(...requests);
        };
        assert.equal(await system.keep('a.md', 'after\n'), 'conflict');
        assert.equal(system.text('a.md'), 'of the user\n');
      },
    ));

  it('D.approval-binding: a yes is for one call; one for the session is for this file alone, of this tool alone', async () => {
    await withWorld(handlers.tool, once, async (system) => {
      await system.keep('a.md', 'one\n');
      await system.keep('a.md', 'two\n');
      assert.equal(system.asked.length, 2);
    });
    await withWorld(
      handlers.tool,
      () => ({ outcome: 'allow-session', hasRead: true }),
      async (system) => {
        await system.keep('a.md', 'one\n');
        assert.equal(await system.keep('a.md', 'two\n'), 'success');
        assert.equal(system.asked.length, 1, 'the same file of the same tool');
        await system.keep('b.md', 'three\n');
        assert.equal(system.asked.length, 2, 'another file');
        await system.call('write_file', { path: 'notes/a.md', content: 'four\n' });
        assert.equal(system.asked.length, 3, 'another tool');
      },
    );
  });

  it('D.approval-binding: a grant for every call of the tool answers for the tool, and not for what it calls', () =>
    withWorld(
      handlers.tool,
      ({ call }) =>
        call.tool.modelName === 'notes_keep_note'
          ? { outcome: 'always', grant: { scope: 'session', cover: 'tool' }, hasRead: true }
          : { outcome: 'allow-once' },
      async (system) => {
        await system.keep('a.md', 'one\n');
        await system.keep('b.md', 'two\n');
        assert.deepEqual(system.titles(), [
          'Allow "notes_keep_note" to change notes/a.md?',
          'Allow "write_file" to create notes/b.md?',
        ]);
      },
    ));

  it('D.approval-binding: a rule that denies the other call denies it, whoever would say yes', () =>
    withWorld(handlers.tool, once, async (system) => {
      assert.notEqual(await system.keep('../.env', 'KEY=1\n'), 'success');
      assert.equal(existsSync(path.join(system.folder, '.env')), false);
    }));

  it('D.approval-binding: a tool of a definition that waits for its approval is none, so its approval and a call are never asked together', () =>
    withWorld(
      handlers.tool,
      once,
      async (system) => {
        assert.equal(await system.keep('a.md', 'after\n'), 'tool_not_found');
        assert.deepEqual(system.asked, []);
      },
      false,
    ));
});
