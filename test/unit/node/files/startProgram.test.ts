// @tier full: starts programs
import { strict as assert } from 'node:assert';
import {
  type Program,
  type ProgramEnd,
  type RunningProgram,
  startProgram,
} from '../../../../src/node/files/search/startProgram';

const node = (code: string, ...args: readonly string[]): Program => ({
  binary: process.execPath,
  args: ['-e', code, '--', ...args],
  folder: process.cwd(),
});

interface Ran {
  readonly text: string;
  readonly how: ProgramEnd;
}

/** Starts a program and waits for its end. */
function run(program: Program, meanwhile?: (running: RunningProgram) => void): Promise<Ran> {
  return new Promise((resolve) => {
    let text = '';
    const running = startProgram(program, {
      output: (data) => {
        text += data.toString();
        meanwhile?.(running);
      },
      end: (how) => resolve({ text, how }),
    });
  });
}

describe('starting a program', () => {
  it('hands arguments over as they are, and output, complaint and code back', async () => {
    const args = ['a b', '$(touch x)', '"', "'", '', 'é\n', '--flag=1', '; exit 9'];
    const code = 'console.log(JSON.stringify(process.argv.slice(1))); console.error("no"); process.exitCode = 3';
    const { text, how } = await run(node(code, ...args));
    assert.deepEqual([JSON.parse(text), how], [args, { started: true, code: 3, complaint: 'no\n' }]);
    const missing = await run({ binary: '/nonexistent/program', args: [], folder: process.cwd() });
    assert.equal(missing.how.started, false);
  });

  it('keeps the output of several programs apart, lets it wait, and kills', async () => {
    const lines = 'for (let at = 0; at < 30000; at++) console.log(process.argv[1] + at)';
    const all = await Promise.all(['a', 'b', 'c'].map((name) => run(node(lines, name))));
    for (const [index, { text }] of all.entries()) {
      const name = 'abc'[index] ?? '';
      assert.equal(text, Array.from({ length: 30_000 }, (_, at) => `${name}${at}\n`).join(''));
    }
    const paused = await run(node(lines, 'p'), (running) => {
      running.pause();
      setTimeout(() => running.resume(), 1);
    });
    assert.equal(paused.text.split('\n').length, 30_001);
    const killed = await run(node('console.log(1); setInterval(() => {}, 1000)'), (running) => running.kill());
    assert.equal(killed.how.started, true);
  });
});
