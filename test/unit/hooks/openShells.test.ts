// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { foldersAfter } from '../../../src/core/hooks/foldersAfter';
import type { Dialect, HookAnswer } from '../../../src/core/hooks/hostEvent';
import { before as beforeCall, hookPlace, type HookPlace } from '../../support/hooks';

const tools: readonly (readonly [Dialect, string])[] = [
  ['vscode', 'run_in_terminal'],
  ['copilot', 'bash'],
  ['cursor', 'Shell'],
];

const passes = ({ stdout, exitCode }: HookAnswer): boolean => stdout === '' && exitCode === 0;

describe('a shell of an agent that stays open', () => {
  let place: HookPlace;
  beforeEach(() => {
    place = hookPlace({ '.vscode/settings.json': '{}', 'src/a.ts': '', 'vault/prod/key.pem': 'x', 'dirs.txt': 'x' });
    symlinkSync(path.join(place.folder, '.vscode'), path.join(place.folder, 'src', 'lnk'));
  });
  afterEach(() => place.dispose());

  /** What of the lines of one session passes, in a row: `+` for each that does. */
  async function told(dialect: Dialect, tool: string, lines: readonly string[]): Promise<string> {
    let row = '';
    for (const command of lines) {
      const { payload, event } = beforeCall(dialect, tool, { command });
      row += passes(await place.answer(dialect, payload, event)) ? '+' : '-';
    }
    return row;
  }

  for (const [dialect, tool] of tools) {
    it(`D.hooks: ${dialect} writes into the folder where an earlier line left it`, async () => {
      for (const [first, second] of [
        ['cd .vscode', 'echo x > settings.json'],
        ['cd src && ls', 'echo x > ../.vscode/settings.json'],
        ['cd src; cd lnk', 'echo x > settings.json'],
        ['if true; then cd .vscode; fi', 'echo x > settings.json'],
        ['cd vault', 'cat prod/key.pem'],
        ['cd "$(cat dirs.txt)"', 'echo x > b.txt'],
      ] as const)
        assert.equal(await told(dialect, tool, [first, second]), '+-', `${first}, then ${second}`);
    });
  }

  it('D.hooks: a folder that the line makes, and the one before, are where the next line may be', async () => {
    const after = (command: string) => {
      const event = beforeCall('vscode', 'run_in_terminal', { command });
      return foldersAfter(
        { ...event, agent: 'vscode', tool: 'run_in_terminal', input: { command } } as never,
        ['/w'],
        () => false,
      );
    };
    assert.deepEqual(await after('mkdir -p .github/workflows && cd .github/workflows'), ['/w/.github/workflows', '/w']);
    assert.deepEqual(await after('cd nowhere'), ['/w'], 'nothing makes it');
    for (const back of ['cd -', 'cd "-"', 'cd ~-', 'cd ~1']) assert.ok((await after(back))?.includes(''), back);
    const lines = ['cd .vscode', 'cd ..', 'cd -', 'echo x > settings.json'];
    assert.equal(await told('vscode', 'run_in_terminal', lines), '+++-');
  });

  it('D.hooks: what an earlier line left is left again', async () => {
    const [dialect, tool] = ['vscode', 'run_in_terminal'] as const;
    const back = `cd ${place.folder} && ls`;
    assert.equal(await told(dialect, tool, ['cd .vscode', back, 'echo x > settings.json']), '+++');
    assert.equal(await told(dialect, tool, ['(cd .vscode)', 'cd src && ls', 'cd .. && ls', 'echo x > b.txt']), '++++');
    assert.equal(await told(dialect, tool, ['cd "$(cat dirs.txt)"', back, 'echo x > b.txt']), '+++');
  });

  it('D.hooks: a shell that is new for each line begins where the agent works', async () => {
    assert.equal(await told('claude', 'Bash', ['cd .vscode', 'echo x > settings.json']), '++');
    assert.equal(await told('opencode', 'bash', ['cd .vscode', 'echo x > settings.json']), '++');
  });
});
