import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { drawnSecret } from '../../support/secretSamples';
import { openSystem, type SystemOptions } from '../../support/system';
import { inlineWorker } from '../../support/web';
import { toRecord } from '../../../src/core/audit/makeRecord';
import { hideInOutcome } from '../../../src/core/gate/hiddenOutcome';
import { SecretSession } from '../../../src/core/secrets/session';
import { fullRedactor } from '../../../src/node/audit/fullRedactor';

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

  it('D.redaction: a part of a page that begins or ends within a key shows nothing of it, asked for first or later', async () => {
    const page = `${'some words and more '.repeat(5)} the key is ${key} and ${'a tail of words '.repeat(20)}\n${pem}`;
    const http = () => ({
      send: async ({ url }: { readonly url: string }) => {
        const headers = { 'content-type': 'text/plain' };
        return { status: 200, headers, body: new TextEncoder().encode(page), url, address: '93.184.216.34' } as never;
      },
    });
    const profiles = { all: { capabilities: ['web_fetch'] } };
    const user = { 'policy.preset': 'open', profiles, activeProfile: 'all' };
    const at = page.indexOf(key);
    const inKey = page.indexOf(lines[2] ?? '');
    for (const part of [
      { start_index: at + 12, max_length: 200 },
      { max_length: at + 25 },
      { start_index: at + 20 },
      { start_index: inKey + 5, max_length: 100 },
    ])
      await withSystem({ user, platform: { http, worker: inlineWorker } }, async (system) => {
        for (let times = 0; times < 2; times++) {
          const text = await shown(system, 'web_fetch', { url: 'https://in.example.com/p', ...part });
          assertNoPart(text, key);
          for (const line of lines) assertNoPart(text, line, 16);
        }
      });
  });

  it('D.redaction: the text of a placeholder that stands in a file stays that text when the file is written', () =>
    withSystem({ ...open, files: { 'a.ts': `const key = "${key}";\n`, 'doc.md': '' } }, async (system) => {
      const [named = ''] = placeholder.exec(await shown(system, 'read_file', { path: 'a.ts' })) ?? [];
      const file = path.join(system.folder, 'doc.md');
      writeFileSync(file, `use ${named} for it\nline\n`);
      const result = await system.call('read_file', { path: 'doc.md' });
      assert.ok(result.success);
      const { content } = result.payload as { content: string };
      const [line = ''] = content.split('\n');
      const edits = [{ old_text: line, new_text: `${line} now` }];
      const edited = await system.call('edit_file', { path: 'doc.md', edits });
      assert.ok(edited.success, JSON.stringify(edited));
      assert.equal(readFileSync(file, 'utf8'), `use ${named} for it now\nline\n`);
      await system.call('write_file', { path: 'doc.md', content: `${content}More\n` });
      assert.equal(readFileSync(file, 'utf8'), `use ${named} for it\nline\nMore\n`);
    }));

  it('D.redaction: no record holds a value that is known by its place alone, whoever called', () => {
    const password = 'Tr0ub4dor-and-three';
    const files = {
      'a.txt': `with ${password} here\n`,
      '.env': `DB_PASSWORD=${password}\n`,
      [`x ${password}.txt`]: 'q',
    };
    return withSystem({ ...open, files }, async (system) => {
      const [named = ''] = placeholder.exec(await shown(system, 'read_file', { path: 'a.txt' })) ?? [];
      assert.notEqual(named, '');
      const todos = (content: string) => [{ content, status: 'pending' }];
      for (const [tool, input, type] of [
        ['read_file', { path: `x ${named}.txt` }, 'agent'],
        ['stat_file', { path: `n-${named}.txt` }, 'agent'],
        ['write_file', { path: `n-${named}.txt`, content: 'a' }, 'agent'],
        ['delete_file', { path: `n-${named}.txt` }, 'agent'],
        ['list_directory', { path: '.' }, 'user'],
        ['read_file', { path: `none-${password}.txt` }, 'user'],
        ['write_todos', { todos: todos('one') }, 'user'],
      ] as const)
        await system.call(tool, input, type);
      for (const content of ['shape', 'redacted'] as const)
        for (const event of system.events) {
          if ('input' in event && event.actor.type === 'user') continue;
          assertHidden(JSON.stringify(toRecord(event, { content, redactor: fullRedactor() }) ?? null), password);
        }
      for (const event of system.events)
        if ('payload' in event || 'accesses' in event)
          assertHidden(JSON.stringify({ ...event, input: undefined }), password);
    });
  });

  it('D.redaction: bytes that are no UTF-8 are handed over with the keys in them hidden, however spelled', () => {
    const bytes = Buffer.concat([
      Buffer.from([0xff, 0xfe, 0x80]),
      Buffer.from(`key = "${key}"\n`),
      Buffer.from([0xe9]),
    ]);
    const session = new SecretSession(
      () => '12345678',
      () => 0,
    );
    const options = { mode: 'hide', places: [], isEnvironment: false } as const;
    const whole = bytes.toString('base64');
    for (const data of [whole, bytes.toString('base64url'), whole.replace(/.{75}/g, '$&\r\n'), `${whole}\n`]) {
      const part = { type: 'blob', resource: { uri: 'file:///a' }, data } as const;
      const { outcome } = hideInOutcome(session, { payload: null, parts: [part] }, options);
      const [given] = outcome.parts ?? [];
      assert.ok(given?.type === 'blob');
      const read = Buffer.from(given.data, 'base64');
      assertHidden(read.toString('latin1'), key);
      assert.deepEqual([...read.subarray(0, 3), read.at(-1)], [0xff, 0xfe, 0x80, 0xe9]);
    }
  });

  it('D.redaction: what a host answered by HTTPS goes to no other port and to nobody in the clear', async () => {
    const http = () => ({
      send: async ({ url }: { readonly url: string }) => {
        const body = new TextEncoder().encode(JSON.stringify({ session: key }));
        return {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body,
          url,
          address: '93.184.216.34',
        } as never;
      },
    });
    const profiles = { all: { capabilities: ['http'] } };
    const user = { 'policy.preset': 'open', profiles, activeProfile: 'all' };
    await withSystem({ user, platform: { http } }, async (system) => {
      const get = (url: string): Promise<string> => shown(system, 'http_request', { url, method: 'GET' });
      const post = async (url: string, body: string): Promise<string> => {
        const result = await system.call('http_request', { url, method: 'POST', body });
        return result.success ? 'success' : result.error.code;
      };
      const [named = ''] = placeholder.exec(await get('https://api.example.com/login')) ?? [];
      for (const url of ['http://api.example.com/x', 'https://api.example.com:8443/x', 'http://api.example.com:443/x'])
        assert.equal(await post(url, named), 'secret_elsewhere', url);
      for (const url of ['https://api.example.com:443/x', 'https://API.example.com./x'])
        assert.equal(await post(url, named), 'success', url);
      const hosts = { [named.split(':')[1] ?? '']: ['api.example.com', 'http://old.example.com:8080'] };
      system.write({ user: { ...user, 'redaction.hosts': hosts } });
      assert.equal(await post('https://api.example.com:8443/x', named), 'success');
      assert.equal(await post('http://old.example.com:8080/x', named), 'success');
      for (const url of ['http://api.example.com/x', 'http://old.example.com/x'])
        assert.equal(await post(url, named), 'secret_elsewhere', url);
    });
  });
});
