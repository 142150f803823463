import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { drawnSecret } from '../../support/secretSamples';
import { openSystem, type SystemOptions } from '../../support/system';

type System = Awaited<ReturnType<typeof openSystem>>;

const key = drawnSecret(42).secret;
const lines = Array.from({ length: 6 }, (_, at) =>
  `${drawnSecret(at + 7).secret}${drawnSecret(at + 90).secret}`.replace(/[^A-Za-z0-9]/g, 'x').slice(0, 64),
);
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${lines.join('\n')}\n-----END RSA PRIVATE KEY-----\n`;
const open = { user: { 'policy.preset': 'open' } };
const placeholder = /\{\{secret:[a-z0-9-]+:[0-9a-f]{4,8}\}\}/;

async function withSystem<T>(options: SystemOptions, use: (system: System) => Promise<T>): Promise<T> {
  const system = await openSystem({ approve: true, ...options });
  try {
    return await use(system);
  } finally {
    system.dispose();
  }
}

/** Everything that a model gets of a call. */
const shown = async (system: System, tool: string, input: unknown): Promise<string> =>
  JSON.stringify(await system.call(tool, input));

function assertHidden(text: string, ...secrets: readonly string[]): void {
  for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} in ${text.slice(0, 600)}`);
}

/** No seven characters of a value in a row. */
function assertNoPart(text: string, secret: string, least = 9): void {
  for (let at = 0; at + least <= secret.length; at++)
    assert.ok(!text.includes(secret.slice(at, at + least)), `${secret.slice(at, at + least)} in ${text.slice(0, 600)}`);
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('redaction, attacked', () => {
  it('D.redaction: a search shows no line of a key whose file nobody read before', () =>
    withSystem({ ...open, files: { 'keys/a.pem': pem, 'src/.env': 'DB_PASSWORD=Tr0ub4dor\n' } }, async (system) => {
      for (const pattern of ['MII|x|[A-Z]', lines[2]?.slice(0, 4), 'PASSWORD'])
        assertHidden(await shown(system, 'grep_files', { pattern, context_lines: 2 }), ...lines, 'Tr0ub4dor');
    }));

  it('D.redaction: a file that is cut because it is long shows nothing of a key at its edge', async () => {
    for (const before of [6900, 6950, 6980, 6990])
      await withSystem(
        { files: { 'a.txt': `${'a b'.repeat(before / 3)} ${key} end ${'c d'.repeat(900)}` } },
        async (system) => {
          assertNoPart(await shown(system, 'read_file', { path: 'a.txt' }), key);
          assertNoPart(await shown(system, 'read_file', { path: 'a.txt', offset: before - 20, max_bytes: 40 }), key);
          assertNoPart(await shown(system, 'grep_files', { pattern: 'end' }), key);
        },
      );
  });

  it('D.redaction: the bytes of a file in base64 hold no key, whole or in part', () =>
    withSystem({ ...open, files: { 'a.ts': `const key = "${key}";\n`, 'k.pem': pem } }, async (system) => {
      for (const [name, secrets] of [
        ['a.ts', [key]],
        ['k.pem', lines],
      ] as const)
        for (const range of [{}, { offset: 3, length: 60 }, { offset: 20, length: 40 }, { offset: 30 }]) {
          const result = await system.call('read_file', { path: name, encoding: 'base64', ...range });
          assert.ok(result.success);
          const { content } = result.payload as { content: string };
          const bytes = Buffer.from(content, 'base64').toString('latin1');
          for (const secret of secrets) assertNoPart(bytes, secret, 12);
        }
    }));

  it('D.redaction: files of two bytes a character are looked through, whatever they are read as', async () => {
    await withSystem({ files: { 'a.txt': '' } }, async (system) => {
      const text = `const key = "${key}";\n`;
      const write = (bytes: Buffer): void => writeFileSync(path.join(system.folder, 'a.txt'), bytes);
      const swapped = Buffer.from(text, 'utf16le').swap16();
      for (const [bytes, encoding] of [
        [Buffer.from(`\ufeff${text}`, 'utf16le'), undefined],
        [Buffer.from(text, 'utf16le'), 'utf-16le'],
        [Buffer.from(text, 'utf16le'), 'windows-1252'],
        [swapped, 'utf-16be'],
        [Buffer.from(text.length % 2 === 0 ? text : ` ${text}`), 'utf-16le'],
        [Buffer.from(text.length % 2 === 0 ? text : ` ${text}`), 'utf-16be'],
      ] as const) {
        write(bytes);
        const result = await system.call('read_file', { path: 'a.txt', ...(encoding ? { encoding } : {}) });
        assert.ok(result.success, JSON.stringify(result));
        const { content } = result.payload as { content: string };
        assertHidden(content.replaceAll('\0', ''), key);
        assertHidden(Buffer.from(content, 'utf16le').toString('latin1'), key);
        assertHidden(Buffer.from(content, 'utf16le').swap16().toString('latin1'), key);
      }
    });
  });

  it('D.redaction: escapes of URLs, JSON and HTML and base64 hide no key from the finder', async () => {
    const jwt = drawnSecret(58).secret;
    const aws = 'wJalr/UtnFEMI+K7MDENGbPxRfiCYkq9/Zt2LmN0';
    const files = {
      'php.json': JSON.stringify({ aws_secret_access_key: aws }).replaceAll('/', '\\/'),
      'u.txt': `see https://example.com/?aws_secret_access_key=${encodeURIComponent(aws)}&b=1\n`,
      'h.html': `<a data-x="{&quot;aws_secret_access_key&quot;:&quot;${aws}&quot;}">`,
      'j.txt': JSON.stringify(JSON.stringify({ key })).replaceAll('_', '\\u005f'),
      'k8s.yaml': `apiVersion: v1\nkind: Secret\ndata:\n  key: ${base64(key)}\n  other: ${base64(jwt)}\n`,
      'wide.txt': base64(Buffer.from(key, 'utf16le').toString('latin1')),
    };
    await withSystem({ files }, async (system) => {
      for (const name of Object.keys(files)) {
        const text = await shown(system, 'read_file', { path: name });
        assert.match(text, placeholder, `${name}: ${text}`);
        assertHidden(text, aws, encodeURIComponent(aws), aws.replaceAll('/', '\\\\/'), key, base64(key), base64(jwt));
      }
    });
  });

  it('D.redaction: values of .env files are hidden in every form in which programs hand them on', () =>
    withSystem(
      {
        files: {
          'packages/api/.env.staging': 'PG_PASSWORD=Tr0ub4dor\nMAIL_PASS="ab#cd 12&x/y"\n',
          'a.txt': [
            'Tr0ub4dor', `Basic ${base64('user:Tr0ub4dor')}`, base64('Tr0ub4dor'), base64('xTr0ub4dor'), Buffer.from('Tr0ub4dor').toString('hex'),
            'ab#cd 12&x/y', encodeURIComponent('ab#cd 12&x/y'), 'ab#cd 12&amp;x/y', 'ab#cd 12&x\\/y',
          ].join('\n'), // prettier-ignore
        },
      },
      async (system) => {
        const result = await system.call('read_file', { path: 'a.txt' });
        assert.ok(result.success);
        const { content } = result.payload as { content: string };
        for (const line of content.split('\n')) assert.match(line, placeholder, content);
        assertHidden(content, 'ub4dor', base64('Tr0ub4dor').slice(4));
      },
    ));

  it('D.redaction: no refusal and no error repeats a value that was put in the place of its placeholder', () =>
    withSystem(
      { ...open, files: { 'a.ts': `const key = "${key}";\n`, '.env': 'API_TOKEN=Q7x(9z[TT4v\n' } },
      async (system) => {
        const [named = ''] = placeholder.exec(await shown(system, 'read_file', { path: 'a.ts' })) ?? [];
        const [env = ''] = placeholder.exec(await shown(system, 'read_file', { path: '.env' })) ?? [];
        assert.ok(named !== '' && env !== '');
        for (const [tool, input] of [
          ['read_file', { path: `${named}.txt` }],
          ['read_file', { path: `/etc/${named}` }],
          ['grep_files', { pattern: `${env}` }],
          ['grep_files', { pattern: `(${named}`, path: 'a.ts' }],
          ['edit_file', { path: 'a.ts', edits: [{ old_text: `no ${named}`, new_text: 'x' }] }],
          ['write_file', { path: `${named}/../../x`, content: '' }],
          ['write_file', { path: 'a.ts', content: 'x', expected_hash: named }],
          ['read_file', { path: 'a.ts', encoding: named }],
        ] as const)
          assertHidden(await shown(system, tool, input), key, 'Q7x(9z[TT4v');
        const inputs = JSON.stringify(system.events.map((event) => ('input' in event ? event.input : undefined)));
        assert.ok(inputs.includes(named) && !inputs.includes(key), 'the record holds it');
      },
    ));

  it('D.redaction: the diff of a change shows nothing of a key that nobody read before', () =>
    withSystem({ files: { 'k.txt': `a\n${pem}b\n` } }, async (system) => {
      const text = await shown(system, 'write_file', {
        path: 'k.txt',
        content: `a\n${lines.slice(0, 0).join('\n')}b\n`,
      });
      assertHidden(text, ...lines);
      assert.equal(readFileSync(path.join(system.folder, 'k.txt'), 'utf8'), 'a\nb\n');
    }));
});
