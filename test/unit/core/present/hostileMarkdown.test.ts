import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { marked } from 'marked';
import { codeCell, codeSpan, plainMarkdown, proseMarkdown } from '../../../../src/core/base/markdown';
import { say } from '../../../../src/core/base/sentence';
import { plainWords } from '../../../../src/core/base/translate';
import { explainDefinition } from '../../../../src/core/present/definitionPage';
import { explanationText } from '../../../../src/core/explain/explain';
import { parseBoundaries } from '../../../../src/core/policy/rules/parse';
import { parseProfile, resolveProfile } from '../../../../src/core/profiles/profile';
import { describeApproval } from '../../../../src/core/present/approvalText';
import { budgetOf } from '../../../../src/core/present/budget';
import { capabilityTree } from '../../../../src/core/present/capabilityTree';
import { burstRow, fileRows } from '../../../../src/core/present/changeRows';
import { channelRows } from '../../../../src/core/present/channelRows';
import { callWords, confirmationWords } from '../../../../src/core/present/chatWords';
import { governanceRows } from '../../../../src/core/present/governanceRows';
import { planRows } from '../../../../src/core/present/planRows';
import { protectionRows } from '../../../../src/core/present/protectionRows';
import { ruleRows } from '../../../../src/core/present/ruleRows';
import { serverRows } from '../../../../src/core/present/serverRows';
import { todoRows } from '../../../../src/core/present/todoRows';
import type { TreeRow } from '../../../../src/core/present/treeRow';
import { CapabilityRegistry } from '../../../../src/core/registry/registry';
import { runs } from '../../../support/counts';
import { fakeCall } from '../../../support/gateCall';
import { named } from '../../../support/profiles';

/** What names, paths, patterns, reasons and descriptions of others may hold. */
const hostile = [
  ...['**/*.env', 'a*b*c', '_u_ __v__', '~~s~~', '`x`', '``y`` z', '`', '***', 'a|b', 'a\\|b', '\\', '&lt;', '&#91;'],
  ...[
    '<img src=x onerror=y>',
    '<!-- c -->',
    '[x](command:y)',
    '![p](https://e.example/p.png)',
    '[r]: https://e.example',
  ],
  ...['<https://e.example>', 'https://e.example/a_b', 'www.e.example', 'mail a@b.example', '$(trash)', '# h', '> q'],
  ...[
    '- i',
    '+ i',
    '1. i',
    '1) i',
    '===',
    ' ===',
    '---',
    '    code',
    '\tcode',
    '- [x] t',
    'one\ntwo',
    '\n\n# h',
    '|a|\n|-|\n|b|',
  ],
] as const;

const anyHostile = fc.oneof(
  fc.constantFrom(...hostile),
  fc.array(fc.constantFrom(...hostile, ' ', 'w'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  fc
    .array(fc.constantFrom(...'*_`[]()!<>|\\&#=-+~$:@. \n\ta1'), { minLength: 1, maxLength: 12 })
    .map((parts) => parts.join('')),
);

interface Rendered {
  readonly tags: readonly string[];
  readonly text: string;
}

/** What a reader sees. Where text is escaped, a tag in the page is markup that was made of it. */
function rendered(markdown: string): Rendered {
  const page = marked.parse(markdown, { async: false });
  const tags = [...page.matchAll(/<(\w+)/g)].map(([, tag = '']) => tag);
  const text = page.replace(/<[^>]*>/g, '').replace(/&(lt|gt|quot|#39|amp);/g, (_all, name: string) => {
    return { lt: '<', gt: '>', quot: '"', '#39': "'" }[name] ?? '&';
  });
  return { tags, text };
}

/** Blanks are the renderer's; backticks around code are its marks. */
const letters = (text: string): string => text.replace(/[\s`]+/g, '');

/** Where a text stands, and the markup that is ours there. */
const places: readonly (readonly [name: string, make: (text: string) => string, own: readonly string[]])[] = [
  ['a paragraph', (text) => text, ['p']],
  ['a second line', (text) => `words  \n${text}`, ['p', 'br']],
  ['a list', (text) => `- ${text}\n- end`, ['ul', 'li', 'li']],
  ['a heading', (text) => `# ${text}`, ['h1']],
  ['a quote', (text) => `> ${text}`, ['blockquote', 'p']],
  ['the midst of words', (text) => `see ${text} here`, ['p']],
];
const table = (text: string): string => `| a | b |\n|---|---|\n| ${text} | end |`;
const tableTags = ['table', 'thead', 'tr', 'th', 'th', 'tbody', 'tr', 'td', 'td'];

describe('texts of others as markdown', () => {
  const shows = (name: string, text: string, markdown: string, own: readonly string[], code: boolean): void => {
    const { tags, text: seen } = rendered(markdown);
    const others = code ? tags.filter((tag) => tag !== 'code') : tags;
    assert.deepEqual(others, own, `${name}: ${JSON.stringify(text)} as ${JSON.stringify(markdown)}`);
    assert.ok(letters(seen).includes(letters(text)), `${name}: ${JSON.stringify(text)} became ${JSON.stringify(seen)}`);
  };

  it('D.commands: are shown letter by letter, with no link, picture, emphasis or line of their own, wherever they stand', () => {
    const check = (text: string): void => {
      for (const [name, make, own] of places) {
        shows(`plain in ${name}`, text, make(plainMarkdown(text)), own, false);
        shows(`prose in ${name}`, text, make(proseMarkdown(text)), own, true);
        if (text.trim() !== '') shows(`code in ${name}`, text, make(codeSpan(text)), own, true);
      }
      shows('plain in a table', text, table(plainMarkdown(text)), tableTags, false);
      shows('prose in a table', text, table(proseMarkdown(text, codeCell)), tableTags, true);
      if (text.trim() !== '') shows('code in a table', text, table(codeCell(text)), tableTags, true);
    };
    for (const text of hostile) check(text);
    fc.assert(
      fc.property(
        anyHostile.filter((text) => text.trim() !== ''),
        check,
      ),
      { numRuns: runs(75, 1000, 50_000) },
    );
  });

  it('are not two backticks where a code span holds nothing', () => {
    assert.doesNotMatch(rendered(`a ${codeSpan('')} b`).text, /`/);
  });
});

/** Every tooltip and page of ours, made of this text wherever a text of others may stand. */
function surfaces(text: string): readonly (readonly [string, string])[] {
  const tooltips = (name: string, rows: readonly TreeRow[]): readonly (readonly [string, string])[] =>
    rows.flatMap((row) => [[name, row.tooltip()] as const, ...tooltips(name, row.children())]);
  const registry = new CapabilityRegistry();
  const registered = registry.register(
    named('one', [{ name: 'do_it', title: text, userDescription: text }], { name: text, description: text }),
  );
  const profile = resolveProfile(parseProfile('mine', { capabilities: ['one'] }, 'user').value, registry);
  const fault = { severity: 'error', code: 'x', said: say('as_it_is', text), message: text } as const;
  const tree = capabilityTree({
    t: plainWords,
    registry,
    profile,
    problems: [
      { ...fault, subject: 'one' },
      { ...fault, subject: 'cap:one' },
    ],
    budget: budgetOf(profile, 0),
    grouping: 'order',
  });
  const shownTree = tooltips('the tree', tree);
  registered.dispose();
  registry.dispose();
  const accesses = [{ effect: 'fs.write', resource: text }] as const;
  const call = fakeCall({ accesses: [...accesses], input: { path: text, pattern: text } });
  const reasons = [{ said: say('as_it_is', text) }];
  const request = { id: '1', call, accesses, reasons, preview: {}, needsAdmin: false };
  const rules = parseBoundaries(
    [{ id: text, match: { path: [text, 'src/**'], tool: [text] }, decision: 'deny', reason: text, steer: text }],
    'workspace',
  ).value;
  const change = {
    ...{ id: '1', time: 0, at: 0, path: text, tool: text, profile: text, action: 'write', isEnded: true },
    takenBackBy: [],
  } as never;
  const words = {
    ...{ t: plainWords, when: String, profileName: (id: string) => id, toolTitle: (id: string) => id },
    isUnseen: () => true,
  };
  const burst = { id: '1', startedAt: 0, endedAt: 0, profile: text, changes: [change] };
  const file = { path: text, changes: [change], action: 'write', state: 'as_left' } as const;
  const said = say('as_it_is', text);
  const preview = { effect: 'pass', steps: [], reasons, accesses: [...accesses], call } as const;
  const error = { code: 'failed', message: text, retryable: false } as never;
  return [
    ...shownTree,
    ...tooltips(
      'governance',
      governanceRows({
        t: plainWords,
        pending: [{ request, state: 'queued' }],
        grants: [],
        composed: [
          {
            capability: { id: text } as never,
            resolution: {
              verdict: 'no',
              blocking: [{ kind: 'lack', missing: { kind: 'file', name: text, why: say('as_it_is', text) } }],
              warnings: [{ kind: 'advice', rule: text }],
              actions: [{ kind: 'probe', requirement: text }],
            },
          },
        ],
        now: 0,
      }),
    ),
    ...tooltips(
      'rules',
      ruleRows({ t: plainWords, rules, preset: 'strict', hitsOf: () => 0, fileName: (path) => path }),
    ),
    ...tooltips(
      'the plan',
      planRows(
        {
          ...{ hash: 'h', title: text, frozenAt: 0, isApproved: true, used: [0] },
          calls: [{ tool: 'write_file', arguments: { path: { equals: text } }, count: 1 }] as never,
        },
        plainWords,
      ),
    ),
    ...tooltips(
      'channels',
      channelRows({
        t: plainWords,
        values: [{ channel: text, tool: text, at: 0, result: { success: true, payload: { text } } as never }],
        when: String,
      }),
    ),
    ...tooltips(
      'servers',
      serverRows({
        t: plainWords,
        servers: [
          {
            ...{ name: text, capabilityId: text, origin: 'workspace', state: 'failed', tools: 1, protocol: text },
            ...{ detail: say('as_it_is', text), diff: () => [text], faults: [said] },
          } as never,
        ],
        tools: () => ({ isOn: true, tools: [] }),
      }),
    ),
    ...tooltips(
      'protection',
      protectionRows({
        t: plainWords,
        meters: [
          {
            ...{ agent: 'vscode', name: text, isHere: true, isInstalled: true, state: 'open', isRed: true },
            ...{ faults: [{ said, step: said }], notes: [], tools: [{ tool: text, state: 'open', step: said }] },
          } as never,
        ],
        when: String,
      }),
    ),
    ...[burstRow(burst, 1, words), ...fileRows('1', [file], words)].map((row) => ['changes', row.tooltip()] as const),
    ...todoRows([{ id: '1', content: text, activeForm: text, status: 'in_progress' }], plainWords).map(
      (row) => ['todos', row.tooltip()] as const,
    ),
    ['the line of a call', callWords(text, preview, plainWords)],
    ['the line of a failed call', callWords(text, preview, plainWords, { failure: error })],
    ['the line of a denied call', callWords(text, { ...preview, effect: 'deny', error }, plainWords)],
    ["the chat's confirmation", confirmationWords(text, describeApproval(request, plainWords), plainWords).message],
    [
      'an explanation',
      explanationText(
        {
          ...{ tool: text, effect: 'deny', accesses: [...accesses], message: text, expected: text },
          steps: [{ step: 'policy', effect: 'deny', reasons: [{ text, rule: text }] }],
          rules: [
            {
              id: text,
              scope: 'user',
              decision: 'deny',
              outcome: 'nearly',
              reason: text,
              failed: [{ clause: 'path', wants: text }],
            },
          ],
        } as never,
        plainWords,
      ),
    ],
    [
      'a definition',
      explainDefinition(
        JSON.stringify({
          ...{ id: 'mine', version: '1.0.0', name: text, description: text },
          tools: [
            {
              ...{ name: 'do_it', title: text, kind: 'data', description: text, userDescription: text },
              ...{ parameters: {}, handler: { type: 'process', command: 'echo', args: [text] } },
            },
          ],
        }),
        'mine.capability.json',
        [],
        plainWords,
      ),
    ],
  ];
}

describe('what is shown of others in tooltips, in the chat and in pages', () => {
  it('D.commands: is text in every one of them', () => {
    const ours = new Set(['p', 'strong', 'code', 'br', 'ul', 'ol', 'li', 'h1', 'h2', 'h3', 'blockquote', 'pre']);
    const check = (text: string): void => {
      const calm = surfaces('calm');
      const found = surfaces(text);
      assert.deepEqual(
        found.map(([name]) => name),
        calm.map(([name]) => name),
      );
      for (const [index, [name, markdown]] of found.entries()) {
        const where = `${name}: ${JSON.stringify(text)} in ${JSON.stringify(markdown)}`;
        const { tags, text: seen } = rendered(markdown);
        assert.deepEqual(
          tags.filter((tag) => !ours.has(tag)),
          [],
          where,
        );
        // Bold is ours: as much of it stands there as where the text is a plain word.
        const bold = (all: readonly string[]): number =>
          all.filter((tag) => /strong|h\d|blockquote|[uo]l/.test(tag)).length;
        assert.equal(bold(tags), bold(rendered(calm[index]?.[1] ?? '').tags), where);
        // Some of them write it as JSON, in which these are others.
        if (calm[index]?.[1].includes('calm') && text.length < 40 && !/[\s\\"]/.test(text))
          assert.ok(letters(seen).includes(letters(text)), where);
      }
    };
    for (const text of hostile) check(text);
    fc.assert(
      fc.property(
        anyHostile.filter((text) => text.trim() !== ''),
        check,
      ),
      { numRuns: runs(10, 200, 5000) },
    );
  });
});
