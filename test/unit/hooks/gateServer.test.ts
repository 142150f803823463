import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { detailText } from '../../../src/core/audit/recordedSentence';
import type { HookVerdict } from '../../../src/core/gate/hookCall';
import type { HostEvent } from '../../../src/core/hooks/hostEvent';
import { serveHooks } from '../../../src/node/hooks/gateServer';
import { openPrivateFolder } from '../../../src/node/hooks/privateFolder';
import { before as beforeCall, hookPlace, type HookPlace } from '../../support/hooks';

const call = beforeCall('claude', 'Bash', { command: 'npm test' }).payload;

describe('hooks that meet a running editor', () => {
  let place: HookPlace;
  let close = (): void => {};
  let asked: HostEvent[] = [];

  async function open(
    judge: (event: HostEvent, signal: AbortSignal) => Promise<HookVerdict>,
    folders = [place.folder],
  ): Promise<void> {
    const folder = openPrivateFolder(place.privateFolder);
    const server = serveHooks({
      folder,
      folders: () => folders,
      judge: (event, signal) => (asked.push(event), judge(event, signal)),
      onError: () => undefined,
    });
    close = () => server.dispose();
    // The notice is written once it listens.
    while (!readdirSync(path.join(folder, 'gates')).some((name) => name.endsWith('.json')))
      await new Promise((resolve) => setImmediate(resolve));
  }

  beforeEach(() => {
    place = hookPlace();
    asked = [];
  });
  afterEach(() => {
    close();
    place.dispose();
  });

  it('D.hooks: ask it, and its answer is final in both ways', async () => {
    await open(async () => ({ effect: 'allow', reason: '' }));
    assert.equal((await place.answer('claude', call)).stdout, '');
    close();
    await open(async () => ({ effect: 'deny', reason: 'the user declined', code: 'declined' }));
    const { stdout, exitCode } = await place.answer('claude', call);
    assert.match(stdout, /the user declined/);
    assert.equal(exitCode, 2);
    assert.deepEqual(
      asked.map(({ agent, tool, cwd, folders }) => [agent, tool, cwd, folders]),
      [[], [place.folder]].map((folders) => ['claude', 'Bash', place.folder, folders]),
    );
  });

  it('D.hooks: find nothing of editors that ended without a word once another one starts', async () => {
    const gates = path.join(openPrivateFolder(place.privateFolder), 'gates');
    const ended = spawnSync(process.execPath, ['-e', '0']).pid;
    mkdirSync(gates, { mode: 0o700 });
    const [left, running] = [`${ended}-a1b2c3d4.json`, `${process.ppid}-a1b2c3d4.json`];
    for (const name of [left, `${ended}-a1b2c3d4.sock`, running]) writeFileSync(path.join(gates, name), '{}');
    await open(async () => ({ effect: 'allow', reason: '' }));
    const names = readdirSync(gates);
    assert.deepEqual([names.includes(running), names.some((name) => name.startsWith(`${ended}-`))], [true, false]);
  });

  it('D.hooks: decide alone where it has another folder open, and where it is gone', async () => {
    await open(async () => ({ effect: 'allow', reason: '' }), ['/somewhere/else']);
    assert.match((await place.answer('claude', call)).stdout, /"ask"/);
    close();
    assert.match((await place.answer('claude', call)).stdout, /"ask"/);
    assert.equal(asked.length, 0);
  });

  it('D.meter: are recorded as on their own with the first call that no editor answers, until one answers again', async () => {
    const records = path.join(place.privateFolder, 'records', 'calls.jsonl');
    const told = (): readonly string[] =>
      ((existsSync(records) && readFileSync(records, 'utf8').match(/.+/g)) || [])
        .map((line) => JSON.parse(line))
        .flatMap(({ type, id, detail }) => (type === 'changed' ? `${id}: ${detailText(detail)}` : []));
    const closed = 'protection:claude: no editor is open, so whatever asks is denied';
    await open(async () => ({ effect: 'allow', reason: '' }));
    await place.answer('claude', call);
    assert.deepEqual(told(), []);
    close();
    for (let turn = 0; turn < 2; turn++) await place.answer('claude', call);
    assert.deepEqual(told(), [closed]);
    await open(async () => ({ effect: 'allow', reason: '' }));
    await place.answer('claude', call);
    close();
    await place.answer('claude', call);
    assert.deepEqual(told(), [closed, closed]);
  });

  it('D.hooks: are denied where it breaks off or throws, and are never decided alone then', async () => {
    await open(() => Promise.reject(new Error('broken')));
    const { payload } = beforeCall('claude', 'Read', { file_path: 'a.txt' });
    assert.match((await place.answer('claude', payload)).stdout, /without an answer/);
  });

  it('D.hooks: an agent that no longer waits takes its question back', async () => {
    let aborted = (): void => {};
    const gone = new Promise<void>((resolve) => (aborted = resolve));
    await open((_event, signal) => {
      signal.addEventListener('abort', () => aborted());
      return new Promise(() => undefined);
    });
    const folder = path.join(place.privateFolder, 'gates');
    const name = readdirSync(folder).find((one) => one.endsWith('.json')) ?? '';
    const notice = JSON.parse((await import('node:fs')).readFileSync(path.join(folder, name), 'utf8'));
    const socket = connect(notice.socket);
    socket.write(
      `${JSON.stringify({ token: notice.token, event: { agent: 'claude', kind: 'before', event: 'x', tool: 'Bash', input: {} } })}\n`,
    );
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    await gone;
  });

  it('D.hooks: nobody without its token is answered, and nobody else reaches socket or token', async () => {
    await open(async () => ({ effect: 'allow', reason: '' }));
    const folder = path.join(place.privateFolder, 'gates');
    for (const name of readdirSync(folder)) assert.equal(statSync(path.join(folder, name)).mode & 0o077, 0, name);
    assert.equal(statSync(folder).mode & 0o077, 0);
    const name = readdirSync(folder).find((one) => one.endsWith('.sock'));
    if (name === undefined) return;
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(path.join(folder, name));
      socket.on('data', (data) => (text += String(data)));
      socket.on('close', () => resolve(text));
      socket.write(`${JSON.stringify({ token: 'x', event: {} })}\n`);
    });
    assert.equal(answer, '');
  });

  it('D.hooks: a notice that others could have written is not believed', async () => {
    await open(async () => ({ effect: 'allow', reason: '' }));
    const folder = path.join(place.privateFolder, 'gates');
    const name = readdirSync(folder).find((one) => one.endsWith('.json')) ?? '';
    const { chmodSync, readFileSync } = await import('node:fs');
    const text = readFileSync(path.join(folder, name), 'utf8');
    writeFileSync(path.join(folder, name), text);
    chmodSync(path.join(folder, name), 0o644);
    assert.match((await place.answer('claude', call)).stdout, /"ask"/);
    assert.equal(asked.length, 0);
  });
});
