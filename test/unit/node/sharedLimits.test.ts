import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CallLimits } from '../../../src/core/policy/limits/limits';
import { fileStore } from '../../../src/node/fileStore';
import { before as beforeCall, hookPlace } from '../../support/hooks';
import { layersOf, passing } from '../../support/limits';
import { FakeClock } from '../../support/toolContext';

const program = path.resolve('.build/tests/support/processes/limitedCaller.cjs');

/** Runs a process, and answers how many of its calls were allowed. */
function allowedOf(...words: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk) => (said += String(chunk)));
    child.on('error', reject).on('close', () => resolve(said.length));
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

describe('limits that several processes share', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-limits-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const windowOn = (limit: string, clock = new FakeClock()) => {
    const storage = fileStore(folder, assert.fail);
    return { clock, storage, limits: new CallLimits({ clock, storage, limits: layersOf({ all: limit }) }) };
  };

  it('S0.rate-limit: are never passed by processes that call at once, whichever is killed, and are used up', async () => {
    const begin = String(Date.now() + 1500);
    const ways = ['killed', '', 'killed', '', ''];
    const allowed = await Promise.all(ways.map((how) => allowedOf(folder, '9 per 1h', begin, '4', how)));
    assert.equal(sum(allowed), 9, allowed.join(' '));
    assert.equal(await allowedOf(folder, '9 per 1h', '0', '1'), 0);
    assert.equal(await allowedOf(folder, '10 per 1h', '0', '2'), 1, 'nothing is counted that nobody called');
    assert.deepEqual(readdirSync(folder), ['state.json']);
  });

  it('S0.rate-limit: count the calls of each other, and those of one that was killed right after', () => {
    const [a, b] = [windowOn('3 per 1h'), windowOn('3 per 1h')];
    assert.deepEqual([passing(a.limits, 1), passing(b.limits, 1), passing(a.limits), passing(b.limits)], [1, 1, 1, 0]);
    // Neither was ended.
    assert.equal(passing(windowOn('3 per 1h').limits), 0);
    a.clock.advance(3_600_000);
    assert.equal(passing(a.limits), 3);
  });

  it('S0.rate-limit: take in what another process counts right behind a call of their own', () => {
    const other = windowOn('3 per 1h');
    const storage = fileStore(folder, assert.fail);
    let behind = 1;
    const shared: typeof storage = {
      ...storage,
      update: (key, change) => {
        const answer = storage.update?.(key, change) ?? assert.fail();
        if (behind-- > 0) assert.equal(passing(other.limits, 1), 1);
        return answer;
      },
    };
    const clock = new FakeClock();
    const own = new CallLimits({ clock, storage: shared, limits: layersOf({ all: '3 per 1h' }) });
    assert.equal(passing(own), 2, 'one of three is the other’s');
    own.dispose();
  });

  it('a clock that was set ahead frees nothing in a process that nobody shares with', () => {
    const { limits, clock } = windowOn('3 per 1h');
    assert.equal(passing(limits), 3);
    clock.time += 7_200_000;
    assert.equal(passing(limits), 0);
  });

  it('what nobody limits, and what is only braked, costs no file for each call', () => {
    const storage = fileStore(folder, assert.fail);
    const limits = new CallLimits({ clock: new FakeClock(), storage });
    assert.equal(passing(limits, 20), 20);
    assert.equal(existsSync(path.join(folder, 'state.json')), false);
    limits.dispose();
    assert.equal(existsSync(path.join(folder, 'state.json')), true);
    const after = new CallLimits({ clock: new FakeClock(), storage });
    assert.equal(passing(after, 1000), 580);
    after.dispose();
  });

  it('a call that cannot be counted is refused, and takes no place', () => {
    const { limits } = windowOn('3 per 1h');
    mkdirSync(path.join(folder, 'state.json'));
    assert.equal(passing(limits, 1), 0);
    assert.equal(limits.use.running, 0);
  });

  it('S0.rate-limit: hold for hooks that run at once, and for those after them', async () => {
    const place = hookPlace();
    mkdirSync(place.privateFolder, { mode: 0o700 });
    const settings = { version: 1, user: { limits: { all: '3 per hour' } }, modes: {} };
    writeFileSync(path.join(place.privateFolder, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
    const { payload } = beforeCall('claude', 'Read', { file_path: 'a.txt' });
    const allowed = async (): Promise<number> => (/deny/.test((await place.answer('claude', payload)).stdout) ? 0 : 1);
    assert.equal(sum(await Promise.all(Array.from({ length: 8 }, allowed))), 3);
    assert.deepEqual([await allowed(), await allowed()], [0, 0]);
    place.dispose();
  });
});
