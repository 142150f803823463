import { plainWords } from '../../../../src/core/base/translate';
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { parseDocument } from 'htmlparser2';
import { parseProfile, resolveProfile } from '../../../../src/core/profiles/profile';
import { CapabilityRegistry } from '../../../../src/core/registry/registry';
import { buildRuntimeAgent } from '../../../../src/core/profiles/runtimeAgent';
import { runtimeAgentHtml } from '../../../../src/core/present/runtimeAgentHtml';
import { runs } from '../../../support/counts';
import { fiveCapabilities } from '../../../support/profiles';

const registry = new CapabilityRegistry();
for (const capability of fiveCapabilities) registry.register(capability);

function page(raw: Record<string, unknown>): string {
  const profile = parseProfile('mine', { capabilities: ['math', 'file_system'], ...raw }, 'user').value;
  return runtimeAgentHtml(buildRuntimeAgent(resolveProfile(profile, registry)), {
    t: plainWords,
    language: 'en',
    nonce: 'n0nce',
  });
}

/** Every element of a page with its attributes, in order. */
function elements(html: string): { name: string; attributes: Record<string, string> }[] {
  const found: { name: string; attributes: Record<string, string> }[] = [];
  const walk = (nodes: any[]): void => {
    for (const node of nodes) {
      if (node.name) found.push({ name: node.name, attributes: node.attribs ?? {} });
      if (node.children) walk(node.children);
    }
  };
  walk(parseDocument(html).children);
  return found;
}

const texts = (html: string): string => html.replace(/<style[\s\S]*?<\/style>/, '').replace(/<[^>]+>/g, ' ');

describe('the page of the runtime agent', () => {
  it('S1.modes: says of each tool what a call meets in the mode of the profile, as the tree does', () => {
    assert.match(texts(page({ mode: 'plan' })), /write_file .* refused in plan mode · medium risk/s);
    assert.match(texts(page({})), /write_file .* asks · medium risk/s);
  });

  it('S3.runtime-agent: shows the parts in order with origin and tokens, then the tools in order', () => {
    const text = texts(page({ name: 'Writer', systemPrompt: 'Be **brief**.' }));
    const order = [
      'Writer',
      'Mode: execute · 4 tools',
      'Math',
      'Use math well',
      'File System',
      'Base prompt of the profile',
      'brief',
      'add',
      'cap:math:add',
      'allowed · low risk',
      'write_file',
    ];
    let at = -1;
    for (const piece of order) {
      const next = text.indexOf(piece, at + 1);
      assert.ok(next > at, `${piece} comes after what was before it`);
      at = next;
    }
  });

  it('D.flow: shows the labels of sessions, and what set them', () => {
    const profile = parseProfile('mine', { capabilities: ['math'] }, 'user').value;
    const source = { kind: 'database', resource: 'sales', tool: 'db_query', at: 0 } as const;
    const labels = [{ id: 'editor-chat', private: [{ ...source, label: 'private' as const }], untrusted: [] }];
    const agent = buildRuntimeAgent(resolveProfile(profile, registry));
    const text = texts(runtimeAgentHtml(agent, { t: plainWords, language: 'en', nonce: 'n0nce', labels }));
    assert.match(text, /Labels of sessions\s+Chats of this window: private\s+the database .*sales/);
    assert.doesNotMatch(texts(page({})), /Labels of sessions/);
  });

  it('says what is wrong', () => {
    assert.match(texts(page({ capabilities: ['maths'] })), /Problems\s+Error:\s+.*maths.*did you mean/);
  });

  it('runs no script, follows no link and fetches nothing, whatever a prompt holds', () => {
    const evil = fc.constantFrom(
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '[a](command:workbench.action.quit)',
      '![p](https://evil.example/x.png)',
      '<a href="javascript:1">',
      '</main></body>',
      '<style>*{}</style>',
      '```html\n<script>1</script>\n```',
      '&lt;b&gt;',
      '[x]: javascript:1 "<svg onload=1>"\n\n[x]',
      '<https://a.example/?<script>>',
    );
    const allowed = new Set(
      elements(page({}))
        .map((one) => one.name)
        .concat(
          'strong',
          'em',
          'code',
          'pre',
          'blockquote',
          'del',
          'hr',
          'br',
          'ul',
          'p',
          'table',
          'thead',
          'tbody',
          'tr',
          'th',
          'td',
        ),
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(evil, fc.string()), { maxLength: 5 }),
        fc.oneof(evil, fc.string()),
        (pieces, name) => {
          const found = elements(page({ systemPrompt: pieces.join('\n\n'), name }));
          for (const { name: element, attributes } of found) {
            assert.ok(allowed.has(element), element);
            for (const attribute of Object.keys(attributes))
              assert.ok(
                [
                  'lang',
                  'charset',
                  ...(element === 'meta' ? ['name'] : []),
                  'http-equiv',
                  'content',
                  'nonce',
                  'class',
                  'id',
                  'scope',
                  'aria-labelledby',
                  'start',
                  'align',
                ].includes(attribute),
                `${element} ${attribute}`,
              );
          }
          assert.equal(found.filter((one) => one.name === 'style').length, 1);
        },
      ),
      { numRuns: runs(12, 600, 1000) },
    );
  });
});
