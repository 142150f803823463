import { strict as assert } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RealAgent } from '../realAgents/agents';
import { judged, whyOutOfReach } from '../realAgents/outcome';
import { runAgent } from '../realAgents/runAgent';

describe('the run of real agents', () => {
  const npmSays = (code: string): string =>
    `Error: npm ci ended with 1:\nnpm error code ${code}\nnpm error x E503 ENOTFOUND`;

  it('takes a registry that cannot be reached for a reason to skip, and what it refuses for a failure', () => {
    for (const code of ['ENOTFOUND', 'ECONNREFUSED', 'EHOSTUNREACH', 'ERR_SOCKET_TIMEOUT', 'ENOTCACHED', 'E503'])
      assert.match(whyOutOfReach(npmSays(code)) ?? '', new RegExp(code), code);
    assert.ok(whyOutOfReach('Error: npm ci ended with SIGTERM:\n'));
    for (const code of ['E401', 'E403', 'E404', 'EINTEGRITY', 'ETARGET', 'ENOSPC'])
      assert.equal(whyOutOfReach(npmSays(code)), undefined, code);
  });

  it('fails where an agent was not run, and names it, but for the part of `npm test`', () => {
    const outcomes = [
      { name: 'one', outcome: 'right' },
      { name: 'two', outcome: { skipped: 'the registry said ENOTFOUND' } },
    ] as const;
    const { isRight, lines } = judged(outcomes, false);
    assert.equal(isRight, false);
    assert.match(lines.join('\n'), /NOT RUN: 1 of 2 .*\n +two: the registry said ENOTFOUND/);
    assert.deepEqual(judged(outcomes, true), { isRight: true, lines: [] });
    assert.equal(judged([{ name: 'one', outcome: 'wrong' }], true).isRight, false);
    assert.equal(judged([{ name: 'one', outcome: 'right' }], false).isRight, true);
    assert.equal(judged([], false).isRight, false);
  });

  it('ends with an agent whose children left its group and hold its output open', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'agent-'));
    try {
      const program = path.join(root, 'agent.cjs');
      const pid = path.join(root, 'pid');
      writeFileSync(
        program,
        `const child = require('node:child_process').spawn('sleep', ['600'], { detached: true, stdio: 'inherit' });
        require('node:fs').writeFileSync(${JSON.stringify(pid)}, String(child.pid));
        child.unref(); console.log('done');`,
      );
      const agent = { isScript: true, arguments: () => [], environment: () => ({}) } as unknown as RealAgent;
      const place = { home: root, workspace: root, port: 1, node: process.execPath, fileServer: ['x'] } as const;
      const { code, output } = await runAgent(agent, program, place);
      process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL');
      assert.deepEqual([code, output.trim()], [0, 'done']);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
