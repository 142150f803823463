import { plainWords } from '../../../src/core/base/translate';
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { camelCase } from '../../../src/core/base/json';
import { boundText, hashOf, identityOf, type DefinitionApproval } from '../../../src/core/definitions/approval';
import { approvalOf, secretsOf } from '../../../src/core/definitions/approvalText';
import type { Translate } from '../../../src/core/base/translate';
import { worded } from '../../../src/core/base/sentence';
import { nodeCrypto } from '../../../src/node/system';
import { full, runs } from '../../support/counts';
import { type Path, othersOf, parsed, placesOf, samples, withValue } from '../../support/definitionSamples';
import type { BoundFiles } from '../../../src/core/definitions/handlers/handlerSpec';

const none: BoundFiles = new Map();

/**
 * What would be asked about a document; undefined for one that cannot be used, of which the last good version stays.
 */
function approval(
  file: string,
  document: unknown,
  url?: string,
  before?: readonly string[],
): DefinitionApproval | undefined {
  const read = parsed(file, document, url);
  const [spec] = read.specs;
  if (!read.usable || !spec) return undefined;
  const origin = { by: 'workspace' as const, ...(url === undefined ? {} : { url }) };
  return approvalOf({ origin, file, document: read.document, spec, files: none }, nodeCrypto, before);
}

const all = samples.flatMap(({ file, url, documents }) =>
  documents.map((document, at) => ({
    file,
    url,
    document,
    label: `${file.split('/').at(-1)}${at > 0 ? ` ${at + 1}` : ''}`,
  })),
);

/** Fields whose every other value is another sort of thing: they change together with what stands beside them. */
const structural = /(?:handler\/type|steps\/0\/id|forEach|items\/\$ref)$/;

/** The first other value of a place with which the document can still be used. */
function changed(
  file: string,
  url: string | undefined,
  document: unknown,
  path: Path,
  value: unknown,
): { value: unknown; made: DefinitionApproval } | undefined {
  for (const other of othersOf(value)) {
    const made = approval(file, withValue(document, path, other), url);
    if (made) return { value: other, made };
  }
  return undefined;
}

/** What is kept of an approval. */
const kept = ({ lines }: DefinitionApproval): readonly string[] => lines.map((line) => boundText(line, plainWords));

describe('an approval of a definition binds all of it', () => {
  for (const { file, url, document, label } of all) {
    it(`D.approval-binding D.definitions: any field of ${label}, at any depth, changes the hash, and the question shows old and new`, () => {
      const first = approval(file, document, url);
      assert.ok(first);
      let count = 0;
      const fields = placesOf(document).filter(({ value }) => typeof value !== 'object' || value === null);
      for (const { path, value } of fields.filter((_one, index) => full || index % 3 === 0)) {
        const at = path.join('/');
        const found = changed(file, url, document, path, value);
        if (!found) {
          assert.match(at, structural, `${at} has no other value in the test`);
          continue;
        }
        const second = approval(file, withValue(document, path, found.value), url, kept(first));
        count++;
        assert.ok(second);
        assert.notEqual(second.hash, first.hash, at);
        assert.ok(
          ['-', '+'].every((sign) => second.changes.some((one) => one.sign === sign)),
          at,
        );
        const shown = second.changes
          .flatMap(({ sign, line }) => (sign === '+' ? [boundText(line, plainWords)] : []))
          .join('\n');
        if (typeof found.value === 'string')
          assert.ok(shown.includes(JSON.stringify(found.value).slice(1, -1)), `${at}: ${shown}`);
      }
      assert.ok(count >= 3, String(count));
    });

    it(`D.approval-binding: taking any part of ${label} away changes the hash too`, () => {
      const first = approval(file, document, url);
      for (const { path } of placesOf(document).filter((_one, index) => full || index % 3 === 0)) {
        const made = approval(file, withValue(document, path, undefined), url, first && kept(first));
        if (made) assert.ok(made.hash !== first?.hash && made.changes.length > 0, path.join('/'));
      }
    });

    it(`D.definitions: every value of ${label} can be read in the question`, () => {
      const made = approval(file, document, url);
      const text = made ? kept(made).join('\n') : '';
      // What is ours in it is told in the language of whoever is asked, and kept in English.
      const german: Translate = (message) => (message === 'definition:' ? 'Definition (Datei):' : message);
      assert.ok(made?.lines.some((line) => boundText(line, german) === 'Definition (Datei):'));
      for (const { path, value } of placesOf(document))
        if (typeof value !== 'object' || value === null)
          assert.ok(text.includes(` ${JSON.stringify(value)}`), `${path.join('/')}: ${JSON.stringify(value)}`);
    });
  }

  for (const { file } of samples)
    it(`D.approval-binding: the samples say everything that the schema of ${file} knows`, () => {
      const format = /\.(\w+)\.json$/.exec(file)?.[1] ?? '';
      const known = new Set<string>();
      const walk = (value: unknown): void => {
        if (Array.isArray(value)) value.forEach(walk);
        else if (typeof value === 'object' && value !== null)
          for (const [key, item] of Object.entries(value)) {
            if (key === 'properties' && typeof item === 'object' && item !== null)
              for (const name of Object.keys(item)) known.add(camelCase(name));
            walk(item);
          }
      };
      walk(JSON.parse(readFileSync(`media/schemas/${format}.schema.json`, 'utf8')));
      const said = new Set(
        all.flatMap((one) => placesOf(one.document).map(({ path }) => camelCase(String(path.at(-1))))),
      );
      // Other spellings of what is there, or a form of which the sample holds the other.
      const twins = new Set([
        'inputSchema',
        'windowMs',
        'not',
        'all',
        'any',
        'equals',
        'notEquals',
        'greaterThan',
        'lessThan',
        'in',
        'optional',
      ]);
      assert.deepEqual(
        [...known].filter((name) => !said.has(name) && !twins.has(name)),
        [],
      );
    });

  it('D.approval-binding: documents that differ in anything have different hashes, whatever was changed before', () => {
    const places = all.flatMap((one, index) => placesOf(one.document).map((place) => ({ index, ...place })));
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(fc.nat(places.length - 1), fc.nat(40), fc.nat(places.length - 1), fc.nat(40), (a, b, c, d) => {
        const first = places[a];
        const sample = first && all[first.index];
        if (!first || !sample) return;
        const edit = (document: unknown, at: number, pick: number): unknown => {
          const place = places[at];
          const others = place && place.index === first.index ? othersOf(place.value) : [];
          return others.length === 0 || !place
            ? document
            : withValue(document, place.path, others[pick % others.length]);
        };
        const document = edit(edit(sample.document, a, b), c, d);
        const read = parsed(sample.file, document, sample.url);
        const [spec] = read.specs;
        if (!read.usable || !spec) return;
        const subject = {
          origin: { by: 'workspace' as const },
          file: sample.file,
          document: read.document,
          spec,
          files: none,
        };
        const hash = hashOf(subject, nodeCrypto);
        const text = `${first.index} ${JSON.stringify(document)}`;
        assert.equal(seen.get(hash) ?? text, text);
        seen.set(hash, text);
      }),
      { numRuns: runs(24, 1500, 5000) },
    );
  });

  it('D.approval-binding: where it stands, who named it, its address and the bytes that run by it are part of the hash', () => {
    const [sample] = all;
    const read = parsed(sample!.file, sample!.document);
    const base = {
      origin: { by: 'workspace' as const },
      file: sample!.file,
      document: read.document,
      spec: read.specs[0]!,
      files: none,
    };
    const file = { sha256: 'a', size: 1, path: '/w/h.js' };
    const hashes = [
      base,
      { ...base, file: '.vscode/capabilities/other.capability.json' },
      { ...base, origin: { by: 'user' as const } },
      { ...base, origin: { by: 'workspace' as const, url: 'https://a.example/' } },
      { ...base, files: new Map([['h.js', file]]) },
      { ...base, files: new Map([['h.js', { ...file, sha256: 'b' }]]) },
      { ...base, files: new Map([['i.js', file]]) },
    ].map((one) => hashOf(one, nodeCrypto));
    assert.equal(new Set(hashes).size, hashes.length);
    assert.notEqual(identityOf(base.origin, 'a'), identityOf({ by: 'user' }, 'a'));
  });

  it('D.approval-binding: two spellings of one key leave nothing to approve, whichever comes first', () => {
    const text = (first: string, second: string): string =>
      `{"id":"s","description":"d","tools":[{"name":"go","description":"Go.",${first},${second},"handler":{"type":"tool","tool":"add"}}]}`;
    const [low, critical] = ['"risk_level":"low"', '"riskLevel":"critical"'];
    for (const one of [text(low, critical), text(critical, low)]) {
      const { specs, usable, problems } = parsed('s.capability.json', JSON.parse(one));
      assert.deepEqual([specs.flatMap(({ tools }) => tools), usable], [[], false]);
      assert.match(problems.map(({ message }) => message).join('\n'), /is there twice/);
    }
  });

  const secret = (handler: unknown, properties: unknown = {}): string[] => {
    const [spec] = parsed('s.capability.json', {
      id: 's',
      tools: [{ name: 'go', description: 'Go.', parameters: properties, handler }],
    }).specs;
    return spec ? secretsOf(spec.tools[0]!.handler).map(({ name, goesTo }) => `${name} → ${worded(goesTo)}`) : [];
  };
  const url = 'https://api.example.com/x';
  for (const [what, handler, expected] of [
    [
      'a header',
      { type: 'http', url, headers: { Authorization: 'token ${secret:GITHUB_TOKEN}' } },
      'GITHUB_TOKEN → the header Authorization to api.example.com',
    ],
    ['a query', { type: 'http', url, query: { key: '${secret:K}' } }, 'K → the query parameter key to api.example.com'],
    [
      'an array of a query',
      { type: 'http', url, query: { key: ['a', '${secret:K}'] } },
      'K → the query parameter key to api.example.com',
    ],
    ['a path', { type: 'http', url: `${url}/\${secret:K}` }, 'K → the address to api.example.com'],
    [
      'a body',
      { type: 'http', url, method: 'POST', body: { a: { b: ['${secret:K}'] } } },
      'K → the body to api.example.com',
    ],
    ['an argument', { type: 'process', command: 'git', args: ['--t=${secret:K}'] }, 'K → the arguments of git'],
    ['a variable', { type: 'process', command: 'git', env: { T: '${secret:K}' } }, 'K → the variable T of git'],
    ['an input', { type: 'process', command: 'git', stdin: 'x${secret:K}' }, 'K → the input of git'],
    ['a module', { type: 'module', file: './h.js', ports: { secrets: ['K'] } }, 'K → the code of h.js'],
  ] as const)
    it(`D.definitions: a secret in ${what} is shown by its name and where it goes`, () =>
      assert.deepEqual(secret(handler), [expected]));

  for (const handler of [
    { type: 'process', command: 'git', env: { T: '${env:GITHUB_TOKEN}' } },
    { type: 'process', command: 'git', args: ['${env:HOME}'] },
    { type: 'http', url, headers: { A: '${env:GITHUB_TOKEN}' } },
  ])
    it(`D.definitions: the environment is no source of values: ${JSON.stringify(handler)}`, () =>
      assert.equal(
        parsed('s.capability.json', { id: 's', tools: [{ name: 'go', description: 'Go.', handler }] }).usable,
        false,
      ));

  for (const name of [
    'NODE_OPTIONS',
    'node_options',
    'LD_AUDIT',
    'DYLD_INSERT_LIBRARIES',
    'PYTHONSTARTUP',
    'BASH_ENV',
    'PERL5OPT',
    'RUBYOPT',
    'JAVA_TOOL_OPTIONS',
    'GIT_SSH_COMMAND',
    'PATH',
    'A=B',
    'NODE_OPTIONS ',
  ])
    it(`D.definitions: a program cannot be given ${JSON.stringify(name)}`, () => {
      const handler = { type: 'process', command: 'git', env: { [name]: 'x' } };
      assert.equal(
        parsed('s.capability.json', { id: 's', tools: [{ name: 'go', description: 'Go.', handler }] }).usable,
        false,
      );
    });
});
