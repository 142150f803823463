// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { scripted, served, type ServedOptions, until } from '../../../support/mcp/harness';
import { text, allow } from '../../../support/mcp/clientAnswers';

type Answer = ReturnType<NonNullable<ServedOptions['answer']>>;

describe('serve on stdio asks the user of its client', () => {
  for (const era of ['legacy', 'modern'] as const) {
    it(`asks the client's user by elicitation and does what the answer says (${era})`, async () => {
      let decision = 'allow_once';
      const s = await served({ era, answer: () => allow(decision)() });
      try {
        assert.equal((await s.call('write_file', { path: '/a.txt', content: 'one' })).isError, undefined);
        assert.match(s.questions[0] ?? '', /^Allow "write_file" to create a.txt\?/);
        decision = 'deny';
        const denied = await s.call('write_file', { path: '/a.txt', content: 'two' });
        assert.match(text(denied), /^the user declined/);
        decision = 'allow_session';
        assert.equal((await s.call('write_file', { path: '/a.txt', content: 'three' })).isError, undefined);
        const asked = s.questions.length;
        assert.equal((await s.call('write_file', { path: '/a.txt', content: 'four' })).isError, undefined);
        assert.equal(s.questions.length, asked, 'allowed for the session');
        assert.match(text(await s.call('read_file', { path: '/a.txt' })), /four/);
      } finally {
        await s.close();
      }
    });

    it(`D.approval-binding: tells a client that answered for its user that nobody decided (${era})`, async () => {
      let answer: Answer = { action: 'cancel' };
      const s = await served({ era, answer: () => answer });
      const write = async (): Promise<string> => text(await s.call('write_file', { path: '/a.txt', content: 'one' }));
      try {
        assert.match(
          await write(),
          /needs a confirmation and is denied, because the client closed the question without an answer/,
        );
        answer = { action: 'decline' };
        assert.match(await write(), /^the user declined/);
        const contents: Record<string, string>[] = [
          {},
          { decision: 'yes' },
          { decision: 'allow_once', confirm: 'true' },
        ];
        for (const content of contents) {
          answer = { action: 'accept', content };
          assert.match(await write(), /something else than the choices it was given; nobody decided/);
        }
        assert.match(text(await s.call('read_file', { path: '/a.txt' })), /^nothing is at /);
      } finally {
        await s.close();
      }
    });

    it(`D.approval-binding: takes no yes and no refusal that came before a person can have read (${era})`, async () => {
      const answers: Answer[] = [allow('allow_once')(), allow('deny')(), { action: 'decline' as const }];
      const s = await served({ era, answer: () => answers.pop() ?? allow('allow_session')(), answersWithinMs: 499 });
      try {
        for (let i = 0; i < 4; i++) {
          const denied = await s.call('write_file', { path: '/a.txt', content: 'one' });
          assert.equal(denied.isError, true);
          assert.match(text(denied), /answered 499 ms after it was asked.*nobody decided/);
        }
      } finally {
        await s.close();
      }
    });

    it(`denies what needs a confirmation where the client cannot ask (${era})`, async () => {
      const s = await served({ era });
      try {
        const denied = await s.call('write_file', { path: '/a.txt', content: 'one' });
        assert.match(text(denied), /elicitation/);
      } finally {
        await s.close();
      }
    });
  }

  it('asks the client to approve a new server, and offers its tools once that is done', async () => {
    const s = await served({ servers: { s: scripted() }, answer: allow('approve') });
    try {
      await until(() => s.questions.length > 0);
      assert.match(s.questions[0] ?? '', /^The MCP server "s" offers 1 tool:\necho \(medium risk\)/);
      let names: string[] = [];
      for (let tries = 0; tries < 50 && !names.includes('s_echo'); tries++) {
        names = (await s.client.listTools()).tools.map((tool) => tool.name);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.ok(names.includes('s_echo'), names.join());
    } finally {
      await s.close();
    }
  });
});
