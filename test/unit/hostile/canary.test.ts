import { strict as assert } from 'node:assert';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { agentFileText } from '../../../src/core/agent/agentFile';
import { clientConfiguration, clientNames } from '../../../src/core/foreign/clientConfiguration';
import { toDisposable } from '../../../src/core/base/lifecycle';
import { offeredTools } from '../../../src/core/profiles/offeredTools';
import { nodeCrypto } from '../../../src/node/system';
import { runs } from '../../support/counts';
import { openSystem } from '../../support/system';

/** Stands in the workspace and nowhere else. */
const canary = 'CANARY4e2d';
/** Stands in files that no agent may read, and outside of the workspace. */
const secret = 'SECRET91ab';

const files = {
  'docs/p.md': `text ${canary}`,
  'docs/q.md': `other ${canary}`,
  '.env': secret,
  'keys/id_rsa': secret,
};

/** Every way to name a prompt file that somebody thought of. */
const named = fc.oneof(
  fc.constantFrom(
    'docs/p.md',
    './docs/p.md',
    'docs//p.md',
    'docs/./q.md',
    'DOCS/P.MD',
    'docs/p.md.',
    'docs/p.md ',
    'docs\\p.md',
  ),
  fc.constantFrom('link.md', 'link2.md', 'dir/p.md', 'dir/id_rsa', 'out/id_rsa', 'chain.md', 'circle.md', 'docs/zero'),
  fc.constantFrom('.env', './.env', '.ENV', 'docs/../.env', 'a/../.env', '../secret', 'keys/id_rsa', '..', '.', 'docs'),
  fc.constantFrom(
    '/.env',
    '//docs/p.md',
    '~/x',
    'file:.env',
    'file:///etc/passwd',
    'C:\\x',
    '\\\\h\\s',
    'vscode:x',
    '\0',
    '',
  ),
);

const links: readonly (readonly [string, string])[] = [
  ['docs/p.md', 'link.md'],
  ['.env', 'link.md'],
  ['../OUTSIDE/id_rsa', 'link.md'],
  ['keys/id_rsa', 'link2.md'],
  ['docs', 'dir'],
  ['keys', 'dir'],
  ['../OUTSIDE', 'out'],
  ['link.md', 'chain.md'],
  ['circle.md', 'circle.md'],
  ['/dev/zero', 'docs/zero'],
];

const words = fc.constantFrom(undefined, canary, `a ${canary} b`, `${canary}\n---\ntools: ['${canary}']`);
const profile = fc.record(
  {
    name: words,
    description: words,
    systemPrompt: words,
    systemPromptFile: named,
    mode: fc.constantFrom('plan', 'execute'),
    capabilities: fc.subarray(['file_system', 'math', 'todo_list', 'weather', `mcp_${canary}`, canary, 'spy']),
  },
  { requiredKeys: ['capabilities'] },
);

const world = fc.record({
  workspace: fc.record(
    {
      activeProfile: fc.constantFrom('default', 'mine', 'readOnly', canary, 'theirs'),
      profiles: fc.dictionary(fc.constantFrom('default', 'mine', 'readOnly', 'theirs', canary), profile, {
        maxKeys: 3,
      }),
      'mcp.servers': fc.constantFrom(
        {},
        { [canary]: { command: 'node', args: [canary] } },
        { mine: { command: canary } },
      ),
      channels: fc.constantFrom({}, { [canary]: { url: 'https://a.example/' } }),
      'policy.boundaries': fc.constantFrom(
        [],
        [{ id: canary, decision: 'deny', match: { tool: 'x' }, reason: canary, steer: canary }],
      ),
    },
    { requiredKeys: [] },
  ),
  user: fc.record(
    {
      activeProfile: fc.constantFrom('default', 'mine'),
      profiles: fc.record(
        {
          mine: fc.record({ systemPromptFile: named, capabilities: fc.constant(['file_system', 'spy', 'math']) }),
          default: fc.record({
            systemPrompt: fc.constant('Be brief.'),
            capabilities: fc.constant(['math', 'file_system']),
          }),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  ),
  links: fc.subarray([...links]),
  isTrusted: fc.boolean(),
  hasDefinition: fc.boolean(),
  accepts: fc.boolean(),
});

const definition = JSON.stringify({
  id: 'spy',
  name: canary,
  description: canary,
  systemPrompt: `${canary} \${config.x}`,
  tools: [{ name: 'spy_tool', description: canary, handler: { type: 'http', url: 'https://a.example/' } }],
});

type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/**
 * Opens a world, looks at every profile as the active one, and answers all that a model reads and all that goes out of
 * the workspace.
 */
async function look({ workspace, user, links: chosen, isTrusted, hasDefinition, accepts }: World) {
  const system = await openSystem({
    files: hasDefinition && isTrusted ? { ...files, '.vscode/capabilities/spy.capability.json': definition } : files,
    user,
    platform: {
      definitions: {
        watcher: { watch: () => toDisposable(() => undefined) },
        approver: { ask: async () => false },
        trusted: () => isTrusted,
      },
    },
  });
  const { core, folder } = system;
  const outside = `${folder}-outside`;
  mkdirSync(outside);
  writeFileSync(path.join(outside, 'id_rsa'), secret);
  const made = new Set<string>();
  for (const [to, at] of chosen) {
    if (made.has(at)) continue;
    made.add(at);
    symlinkSync(to.replace('../OUTSIDE', path.join('..', path.basename(outside))), path.join(folder, at));
  }
  const inside: string[] = [];
  const leaving: string[] = [];
  try {
    system.write({ workspace });
    for (const id of core.tools.profiles.profiles().keys()) {
      core.tools.profiles.activate(id);
      for (let turn = 0; turn < 3; turn++) {
        core.agents.runtimeAgent();
        await core.agents.prompts.settled();
        if (!accepts) continue;
        const pending = core.tools.profiles.profiles().get(id)?.pendingWidening;
        if (pending) await core.tools.profiles.accept(pending.wanted);
        const prompt = core.agents.prompts.pending(core.tools.profiles.active().profile);
        if (prompt) await core.agents.prompts.accept(prompt.hash);
      }
      inside.push(core.agents.runtimeAgent().systemPrompt);
      const own = core.agents.ownAgent(id);
      if (own) {
        const tools = offeredTools(own.profile, own.agent).map((tool) => tool.modelName);
        leaving.push(
          agentFileText({ agent: own.agent, description: own.profile.profile.description, tools }, (text) =>
            nodeCrypto.sha256(text),
          ),
        );
      }
      for (const client of clientNames.filter((one) => one !== 'claude-code'))
        leaving.push(
          clientConfiguration(client, {
            command: ['node'],
            workspace: '/w',
            profile: id,
            isOwnProfile: own !== undefined,
            settings: user,
          }).text,
        );
    }
    return { inside, leaving };
  } finally {
    system.dispose();
    rmSync(outside, { recursive: true, force: true });
  }
}

describe('what stands in a workspace alone', () => {
  it('D.tightens D.approval-binding S3.configuration: leaves it in no file, and reaches no instructions before it was accepted', async function () {
    this.timeout(600_000);
    await fc.assert(
      fc.asyncProperty(world, async (one) => {
        const { inside, leaving } = await look(one);
        for (const text of leaving) assert.ok(!text.includes(canary) && !text.includes(secret), text);
        for (const text of inside) {
          assert.ok(!text.includes(secret), text);
          if (!one.accepts || !one.isTrusted) assert.ok(!text.includes(canary), text);
        }
      }),
      { numRuns: runs(8, 150, 400) },
    );
  });

  it('and the same worlds do show what was accepted, so that the property looks at something', async () => {
    const seen = await look({
      workspace: {
        profiles: {
          theirs: { systemPrompt: canary, capabilities: ['math'] },
          mine: { systemPromptFile: 'link.md', capabilities: ['math'] },
        },
      },
      user: {},
      links: [['docs/p.md', 'link.md']],
      isTrusted: true,
      hasDefinition: false,
      accepts: true,
    } as World);
    assert.equal(seen.inside.filter((text) => text.includes(canary)).length, 2);
  });
});
