import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { parseDefinition } from '../../../../src/core/definitions/parse';
import { runs } from '../../../support/counts';
import { itWithShared, readJson } from '../../../support/shared';
import { capability, words } from '../../../support/parsedCapability';

describe('mistakes in capability definitions', () => {
  it('marks each mistake on its line and column', () => {
    const text = `{
  // one mistake on each line
  "id": "weather",
  "version": "one",
  "icno": "cloud",
  "dependencies": { "math": "not a range" },
  "tools": [
    {
      "name": "Get Weather",
      "inputSchema": { "type": "object", "properties": { "city": { "type": "strin" } } },
      "handler": { "type": "http", "url": "https://\${input.host}/x", "method": "FETCH" }
    },
    { "name": "run", "description": "Run.", "handler": { "type": "process", "command": "sh", "args": ["-c", "\${input.line}"] } }
  ]
}`;
    const parsed = parseDefinition(text, 'weather.capability.json');
    assert.equal(parsed.usable, false);
    const mark = (part: string): string => {
      const before = text.slice(0, text.indexOf(part)).split('\n');
      const column = before.at(-1)!.length + 1;
      return `${before.length}:${column}-${before.length}:${column + part.length}`;
    };
    const at = (fragment: string): string => {
      const found =
        parsed.problems.find((one) => one.message.includes(fragment) && one.severity === 'error') ??
        parsed.problems.find((one) => one.message.includes(fragment));
      return found ? `${found.line}:${found.column}-${found.endLine}:${found.endColumn}` : 'missing';
    };
    assert.deepEqual(
      {
        version: at('semantic version'),
        icno: at('`icno` is not a known property here; did you mean `icon`'),
        range: at('range of `math`'),
        name: at('did you mean `get_weather`'),
        type: at('`type` must be one of string'),
        url: at('must name its host literally'),
        method: at('must be one of `GET`'),
        shell: at('cannot be a shell'),
        reference: at('`${input.line}` names no property of the input schema'),
      },
      {
        version: mark('"one"'),
        icno: mark('"icno"'),
        range: mark('"not a range"'),
        name: mark('"Get Weather"'),
        type: mark('"strin"'),
        url: mark('"https://${input.host}/x"'),
        method: mark('"FETCH"'),
        shell: mark('"sh"'),
        reference: mark('"${input.line}"'),
      },
    );
  });

  it('S0.registry: parameters whose schema is no object are refused with their path; a parameter may be called `type`', () => {
    const read = (parameters: object) =>
      parseDefinition(
        JSON.stringify({
          layers: { capabilities: { actions: [{ id: 'a', description: 'x', handler: './a.js', parameters }] } },
        }),
        '.vscode/capabilities/a.actions.json',
      );
    for (const wrong of [
      { type: 'array' },
      { type: 'array', items: { type: 'string' } },
      { type: 'string', enum: ['x'] },
    ]) {
      const { specs, problems } = read(wrong);
      assert.match(problems.map(({ message }) => message).join(), /`type` must be object \(got "(?:array|string)"\)/);
      assert.deepEqual(
        specs.flatMap(({ tools }) => tools),
        [],
      );
    }
    for (const right of [{ type: 'string', name: 'string' }, { type: { type: 'string', required: true } }]) {
      const { specs, problems } = read(right);
      assert.deepEqual(
        problems.map(({ message }) => message),
        [],
      );
      assert.ok('type' in (specs[0]?.tools[0]?.definition.inputSchema.properties ?? {}));
    }
  });

  it('S0.config: a workspace can neither switch the audit off nor grant permissions', () => {
    const parsed = parseDefinition(
      JSON.stringify({
        layers: { capabilities: { actions: [], security: { auditLog: false, defaultPermissions: ['all'] } } },
      }),
      'a.actions.json',
    );
    assert.deepEqual(
      parsed.problems.map((one) => one.code),
      ['cannot_loosen', 'cannot_loosen'],
    );
  });

  it('refuses handlers that could reach what input must not decide', () => {
    const handlers: [unknown, string][] = [
      [{ type: 'process', command: '../evil' }, 'must not hold `..`'],
      [{ type: 'process', command: '/bin/bash' }, 'cannot be a shell'],
      [{ type: 'process', command: 'git status' }, 'must be the program alone'],
      [{ type: 'process', command: 'bin/tool' }, 'plain name'],
      [{ type: 'process', command: 'run.bat' }, 'needs a shell'],
      [{ type: 'process', command: '${input.x}' }, 'must be literal'],
      [{ type: 'process', command: 'git', env: { LD_PRELOAD: 'x' } }, 'decides which code runs'],
      [{ type: 'process', command: 'git', cwd: '../..' }, 'inside the workspace'],
      [{ type: 'http', url: 'ftp://example.com/' }, 'http:// or https://'],
      [{ type: 'http', url: 'https://user:pw@example.com/' }, 'without a user name'],
      [{ type: 'http', url: 'https://example.com${input.x}' }, 'followed by `/`'],
      [{ type: 'http', url: 'https://example.com/a', headers: { Host: 'x' } }, 'set by the client'],
      [{ type: 'http', url: 'https://example.com/a', body: {} }, 'cannot be sent with GET'],
      ...['%2e%2E/b', '%2e${input.x}/../b', 'a/.%2e/${input.x}', '${input.x}/%2e', 'a\\..\\${input.x}'].map(
        (path): [unknown, string] => [
          { type: 'http', url: `https://example.com/${path}` },
          'must not hold `.` or `..`',
        ],
      ),
      [
        { type: 'http', url: 'https://example.com/a', headers: { 'X-A': '1', 'x-a': '2' } },
        'there twice, also as `X-A`',
      ],
      [{ type: 'http', url: 'https://example.com/a', maxBytes: 1.5 }, 'must be a whole number (got 1.5)'],
      [{ type: 'process', command: 'git', okExitCodes: ['0'] }, 'must be a whole number (got "0")'],
      [{ type: 'process', command: 'git', okExitCodes: [0, 0.5] }, 'must be a whole number (got 0.5)'],
      [{ type: 'command', command: 'agentCapabilities.approve' }, 'Agent Capabilities itself'],
      [{ type: 'module', file: '../../x.js' }, 'without `..`'],
      [{ type: 'module', file: './x.sh' }, 'must end in'],
      [{ type: 'module', file: '/etc/x.js' }, 'beside the definition'],
      [{ type: 'compose', steps: [{ tool: 'add', input: { a: '${steps.later.result}' } }] }, 'names no step before'],
      [{ type: 'compose', steps: [] }, 'at least one step'],
      [{ type: 'tool', tool: 'x', input: { a: '${secret:TOKEN}' } }, 'cannot be used here'],
      [{ type: 'shell' }, 'must be one of'],
      ['handlers/x.py', 'must end in'],
      [42, 'must be an object or the path'],
    ];
    for (const [handler, expected] of handlers) {
      const parsed = capability({
        id: 'one',
        tools: [{ name: 'go', description: 'Go.', parameters: { x: 'string' }, handler }],
      });
      assert.equal(parsed.usable, false, JSON.stringify(handler));
      assert.ok(
        parsed.problems.some((one) => one.message.includes(expected)),
        `${JSON.stringify(handler)} → ${words(parsed).join(' | ')}`,
      );
    }
  });

  it('refuses halves of calls and of milliseconds', () => {
    for (const more of [{ timeoutMs: 1.5 }, { rateLimit: { requests: 1.5, window: '1m' } }]) {
      const handler = { type: 'http', url: 'https://example.com/a' };
      const parsed = capability({ id: 'one', tools: [{ name: 'go', description: 'Go.', handler, ...more }] });
      assert.match(words(parsed).join(' | '), /must be a whole number \(got 1\.5\)/, JSON.stringify(more));
    }
  });

  itWithShared(
    'corpora/json/json-test-suite.json',
    'reports each of the 188 malformed JSON files, at a place',
    (absolute) => {
      const cases = readJson(absolute) as { name: string; base64?: string; bytes?: number }[];
      const malformed = cases.filter((one) => one.name.startsWith('n_'));
      const noSyntax: string[] = [];
      for (const { name, base64, bytes } of cases) {
        const content =
          base64 === undefined
            ? Buffer.from((name.includes('object') ? '[{"":' : '[').repeat(bytes ?? 0))
            : Buffer.from(base64, 'base64');
        const parsed = parseDefinition(new TextDecoder().decode(content), 'x.capability.json');
        // Whatever it holds, reading it ends; what parsers must accept may even be a capability.
        if (!name.startsWith('n_')) continue;
        assert.equal(parsed.usable, false, name);
        assert.ok(
          parsed.problems.some((one) => one.severity === 'error' && (one.line ?? 0) >= 1 && (one.column ?? 0) >= 1),
          name,
        );
        if (name.startsWith('n_') && !parsed.problems.some((one) => one.code === 'json_syntax')) noSyntax.push(name);
      }
      assert.equal(malformed.length, 188);
      // Comments and trailing commas are allowed here; these are refused for not being a capability.
      assert.deepEqual(
        noSyntax.filter((name) => !/comma|comment|slash/.test(name)),
        [],
      );
    },
  );

  it('reports text that is no JSON, whatever is wrong with it', () => {
    const broken = [
      '',
      ' ',
      '{',
      '[',
      '"',
      '{"id"',
      '{"id":}',
      '{"id":1,,}',
      '{id:1}',
      "{'id':1}",
      '{"id":01}',
      '{"id":.5}',
      '{"id":+1}',
      '{"id":1e}',
      '{"id":NaN}',
      '{"id":tru}',
      '{"id":"\u0001"}',
      '{"id":"\\x"}',
      '{} {}',
      '[1',
      '\ufffd',
      '['.repeat(100_000),
      '{"a":'.repeat(100_000),
      '/*',
      '{"id":"a}',
    ];
    for (const text of broken) {
      const parsed = parseDefinition(text, 'x.capability.json');
      assert.equal(parsed.usable, false, text.slice(0, 20));
      assert.ok(
        parsed.problems.some((one) => one.code === 'json_syntax' && one.line === 1),
        text.slice(0, 20),
      );
    }
  });

  it('survives mutated definitions: no crash, and a diagnostic for each that is not usable', () => {
    const base = {
      id: 'issues',
      version: '1.2.3',
      name: 'Issues',
      description: 'Issues of a tracker',
      systemPrompt: 'Use the tracker ${config.project}.',
      configSchema: { type: 'object', properties: { project: { type: 'string' } } },
      dependencies: [{ id: 'math', range: '^1.0.0' }],
      requires: { resources: ['key.a'] },
      boundaries: [{ id: 'b', severity: 'hard', match: { host: 'x' }, decision: 'deny', reason: 'r' }],
      tools: [
        {
          name: 'get_issue',
          description: 'd',
          inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
          permissions: { user: 'allowed', agent: 'allowed' },
          rateLimit: { requests: 1, window: '1h' },
          handler: {
            type: 'http',
            method: 'GET',
            url: 'https://example.com/${input.n}',
            headers: { a: '${secret:T}' },
            response: { select: '/a' },
          },
        },
        { name: 'run_it', description: 'd', handler: { type: 'process', command: 'git', args: ['status'] } },
        {
          name: 'all',
          description: 'd',
          handler: {
            type: 'compose',
            steps: [{ id: 'a', tool: 'issues_get_issue', input: { n: 1 }, if: { value: '${input.x}', equals: 1 } }],
            output: '${steps.a}',
          },
        },
      ],
    };
    const junk = fc.oneof(
      fc.constantFrom(null, true, -1, 1e300, '', '${', '..', [], {}, [[]], { type: 1 }, '__proto__'),
      fc.string(),
      fc.jsonValue(),
    );
    const places = (value: unknown, path: (string | number)[] = []): (string | number)[][] =>
      typeof value === 'object' && value !== null
        ? [path, ...Object.entries(value).flatMap(([key, item]) => places(item, [...path, key]))]
        : [path];
    const all = places(base).slice(1);
    fc.assert(
      fc.property(
        fc.constantFrom(...all),
        junk,
        fc.constantFrom('replace', 'delete', 'add', 'cut'),
        fc.nat(),
        (path, value, how, at) => {
          const copy = structuredClone(base) as any;
          const parent = path.slice(0, -1).reduce((inner, key) => inner[key], copy);
          const key = path.at(-1)!;
          if (how === 'replace') parent[key] = value;
          else if (how === 'delete') delete parent[key];
          else if (how === 'add') parent[`${String(key)}x`] = value;
          let text = JSON.stringify(copy, null, 1);
          if (how === 'cut') text = text.slice(0, 1 + (at % (text.length - 2)));
          const parsed = parseDefinition(text, 'issues.capability.json');
          if (how === 'cut') assert.equal(parsed.usable, false);
          assert.ok(parsed.usable || parsed.problems.some((one) => one.severity === 'error'));
          for (const problem of parsed.problems)
            assert.ok(problem.file && (problem.line ?? 0) > 0 && (problem.column ?? 0) > 0, problem.message);
        },
      ),
      { numRuns: runs(10, 500) },
    );
  });
});
