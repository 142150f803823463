import { strict as assert } from 'node:assert';
import { realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { judgeHost } from '../../../src/core/hosts/address';
import { hostTexts } from '../../../src/core/hosts/canonicalHost';
import { runs } from '../../support/counts';
import { type ForeignJudge, foreignJudge } from '../../support/foreignCall';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';

const deniedNames = ['evil.example', 'xn--bcher-kva.example', 'xn--fa-hia.example', 'fass.example'];
const rules = [{ id: 'no-evil', match: { host: deniedNames }, decision: 'deny', reason: 'evil' }];

/** A character in one of the ways in which a URL may carry it. */
const spelledCharacter = (character: string): fc.Arbitrary<string> => {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).padStart(2, '0');
  const forms = [character, character, character, character, character.toUpperCase(), encodeURIComponent(character)];
  if (code < 128) forms.push(`%${hex}`, `%${hex.toUpperCase()}`);
  if (/[a-z0-9]/i.test(character)) forms.push(String.fromCodePoint(code + 0xfee0));
  if (/[1-9]/.test(character)) forms.push(String.fromCodePoint(0x2460 + Number(character) - 1));
  if (character === '.') forms.push('。', '．', '｡', '%2e', '%E3%80%82');
  return fc
    .tuple(fc.constantFrom('', '', '', '', '', '', '\t', '\n', '\r', '\u00ad'), fc.constantFrom(...forms))
    .map((parts) => parts.join(''));
};

const spelledName = (name: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.tuple(...[...name].map(spelledCharacter)), fc.constantFrom('', '', '', '.', '..', '。', '%2e'))
    .map(([characters, dots]) => characters.join('') + dots);

/** An IPv4 address in any base, length and grouping. */
const spelledAddress = fc
  .tuple(
    fc.constantFrom(0x7f000001, 0xa9fea9fe, 0x0a000001, 0, 0x64646464, 0xc0a80101),
    fc.integer({ min: 1, max: 4 }),
    fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 }),
  )
  .map(([value, count, bases]) => {
    const parts = Array.from({ length: count - 1 }, (_, index) => (value >>> (24 - 8 * index)) & 255);
    parts.push(value % 2 ** (8 * (5 - count)));
    return parts
      .map(
        (part, index) =>
          ({ 8: `0${part.toString(8)}`, 10: String(part), 16: `0x${part.toString(16)}` })[bases[index] ?? 10] ?? '',
      )
      .join('.');
  });

const host = fc.oneof(
  fc
    .constantFrom(
      'evil.example',
      'bücher.example',
      'xn--bcher-kva.example',
      'faß.example',
      'localhost',
      'metadata.google.internal',
    )
    .chain(spelledName),
  spelledAddress,
  spelledAddress.chain(spelledName),
  fc.constantFrom(
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[0:0::a9fe:a9fe]',
    '[64:ff9b::7f00:1]',
    '[FE80::1]',
    '[2002:7f00:1::]',
    '[fd00:ec2::254]',
  ),
);

const url = fc
  .tuple(
    fc.constantFrom('', '', ' ', '\u0000', '\t', '\n\u001f'),
    fc.constantFrom('http', 'https', 'HTTP', 'hTtPs', 'ws', 'wss', 'ftp', 'ht\ttp', 'h\nttps'),
    fc.constantFrom(':', ':', '\t:', ':\n'),
    fc.constantFrom('//', '//', '//', '', '/', '///', '\\\\', '/\\', '\\/', '////', '\t//', '/\n/'),
    fc.constantFrom(
      '',
      '',
      '',
      'good.example@',
      'good.example:80@',
      'user:password@',
      'a@b@',
      '@',
      ':@',
      'good.example%2f@',
      'good.example\\@',
      '%40',
      'u%0as:p@',
    ),
    host,
    fc.constantFrom('', '', '', ':80', ':', ':8080', ':\t80', ':0443'),
    fc.constantFrom(
      '',
      '/',
      '/x',
      '\\x',
      '?q',
      '#f',
      '/@good.example',
      '\\@good.example',
      '#@good.example',
      '?@good.example',
      '/..//',
      '/%2e%2e/',
    ),
    fc.constantFrom('', '', ' ', '\n', '\u0001'),
  )
  .map((parts) => parts.join(''));

const places: readonly ((text: string) => unknown)[] = [
  (text) => ({ url: text }),
  (text) => ({ x: text }),
  (text) => ({ list: [{ deep: [text] }] }),
  (text) => ({ body: text }),
  (text) => ({ path: text }),
  (text) => ({ data: JSON.stringify({ any: text }) }),
  (text) => ({ [text]: 1 }),
];

function isDeniedHost(hostname: string): boolean {
  const [name] = hostTexts(hostname);
  return name !== undefined && (deniedNames.includes(name) || !judgeHost(name).verdict.public);
}

describe('spellings of URLs, against the parser that receivers use', () => {
  let workspace: TestWorkspace;
  let judge: ForeignJudge;
  before(() => {
    workspace = makeWorkspace();
    judge = foreignJudge({ files: workspace.files, rules });
  });
  after(() => workspace.dispose());

  it('S1.policy S4.boundaries: none is let through that `new URL` leads to a host that is denied', async function () {
    this.timeout(600_000);
    let denied = 0;
    let all = 0;
    await fc.assert(
      fc.asyncProperty(url, fc.constantFrom(...places), async (text, place) => {
        all++;
        if (!URL.canParse(text) || !isDeniedHost(new URL(text).hostname)) return;
        denied++;
        const { effect } = await judge(place(text));
        assert.equal(effect, 'deny', JSON.stringify(place(text)));
      }),
      { numRuns: runs(150, 4000, 100_000) },
    );
    // Most of what is made up must be readable, or the property would say nothing.
    assert.ok(denied > all / 3, `${denied} of ${all} lead to a denied host`);
  });

  /** `fc.webPath` takes a second to be made. */
  const plainPath = fc.stringMatching(/^(?:\/(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-F]{2}){0,8}){0,4}$/);

  it('S1.policy: a URL in plain spelling is let through where its host is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.domain(), plainPath, fc.constantFrom(...places), async (name, rest, place) => {
        const text = `https://${name}${rest}`;
        if (isDeniedHost(new URL(text).hostname)) return;
        const verdict = await judge(place(text));
        assert.notEqual(verdict.effect, 'deny', `${text}: ${verdict.reason}`);
      }),
      { numRuns: runs(10, 1000, 10_000) },
    );
  });
});

describe('spellings of paths, against the disk', () => {
  let workspace: TestWorkspace;
  let judge: ForeignJudge;
  before(() => {
    workspace = makeWorkspace();
    workspace.put({ 'secret/key.txt': 'x', 'secret/deep/key.txt': 'x', 'src/a.ts': 'x', 'src/deep/b.ts': 'x' });
    const { root, outside } = workspace;
    symlinkSync('../secret', path.join(root, 'src/in'));
    symlinkSync('..', path.join(root, 'src/deep/up'));
    symlinkSync(root, path.join(outside, 'home'));
    symlinkSync(path.join(root, 'secret'), path.join(outside, 'direct'));
    symlinkSync('home/secret/deep', path.join(outside, 'chain'));
    symlinkSync(path.join(root, 'src/in/key.txt'), path.join(outside, 'file'));
    symlinkSync('/', path.join(outside, 'slash'));
    judge = foreignJudge({
      files: workspace.files,
      rules: [{ id: 'no-secret', match: { path: 'secret/**' }, decision: 'deny', reason: 'secret' }],
      cwd: root,
    });
  });
  after(() => workspace.dispose());

  /** Where the disk leads a receiver that works in the workspace; undefined where nothing is. */
  const real = (text: string): string | undefined => {
    try {
      return realpathSync.native(text.startsWith('/') ? text : `${workspace.root}/${text}`);
    } catch {
      return undefined;
    }
  };

  it('S3.file-system S4.boundaries: none is let through that `realpath` leads to a file that is denied', async function () {
    this.timeout(600_000);
    const names = [
      'secret',
      'key.txt',
      'deep',
      'src',
      'in',
      'up',
      'home',
      'direct',
      'chain',
      'file',
      'root',
      'outside',
      'slash',
      '.',
      '..',
      '',
      'a.ts',
      'b.ts',
      'missing',
    ];
    // Steps that mostly go on somewhere, so that many of the walks arrive.
    const likely = ['secret', 'secret', 'key.txt', 'deep', '..', '.', '', 'in'];
    const walk = fc
      .array(fc.constantFrom(...likely, ...names), { minLength: 1, maxLength: 9 })
      .map((steps) => steps.join('/'));
    const start = fc.constantFrom(
      '',
      './',
      'src/',
      'src/in/',
      '<root>/',
      '<root>//',
      '<base>/outside/',
      '<base>/outside/home/',
      '<base>/outside/direct/',
      '<base>/outside/chain/',
      '/proc/self/root<root>/',
      '//proc/1/../self/root/<root>/',
      '<base>/outside/slash/<root>/',
    );
    const end = fc.constantFrom('', '', '/', '/key.txt', '/../key.txt', '/.', '/deep/../key.txt');
    const form = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text,
      (text) => (text.startsWith('/') ? `file://${text}` : text),
      (text) => (text.startsWith('/') ? `FILE:${text.replaceAll('secret', '%73ecret')}` : text),
      (text) => (text.startsWith('/') ? `file://localhost${text.replaceAll('..', '%2e%2e')}` : text),
    );
    const wrap = fc.constantFrom<(text: string) => unknown>(
      (text) => ({ path: text }),
      (text) => ({ x: text }),
      (text) => ({ files: ['src/a.ts', text] }),
      (text) => ({ options: JSON.stringify({ any: text }) }),
      (text) => ({ command: `cat ${text}` }),
    );
    let arrived = 0;
    await fc.assert(
      fc.asyncProperty(start, walk, end, form, wrap, async (before, steps, after, made, place) => {
        const plain = (before + steps + after)
          .replaceAll('<root>', workspace.root)
          .replaceAll('<base>', workspace.base);
        const text = made(plain);
        const target = real(/^file:/i.test(text) ? decodeURIComponent(new URL(text).pathname) : plain);
        if (target === undefined || !`${target}/`.startsWith(`${workspace.root}/secret/`)) return;
        arrived++;
        const { effect } = await judge(place(text));
        assert.equal(effect, 'deny', `${JSON.stringify(place(text))} leads to ${target}`);
      }),
      { numRuns: runs(1000, 10_000, 20_000) },
    );
    assert.ok(arrived > 10, `${arrived} arrived`);
  });
});
