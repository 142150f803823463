import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Emitter } from '../../../src/core/base/event';
import { mostPromptCharacters } from '../../../src/core/profiles/promptText';
import { toDisposable } from '../../../src/core/base/lifecycle';
import { runCli } from '../../support/cli';
import { canary, secret, own, open, look, codes, type Prepare } from '../../support/promptFiles';

describe('what a repository could put into the instructions of a model', () => {
  describe('D.tightens S3.profiles S3.file-system: a prompt file that policy keeps from agents is never read, accepted or not', () => {
    const denied: readonly (readonly [string, string, Prepare?])[] = [
      ['the file of the finding', '.env'],
      ['a dot before it', './.env'],
      ['dots and slashes inside', './/.//.env'],
      ['a folder below', 'config/.env.production'],
      ['a key', 'keys/id_rsa'],
      ['a certificate', 'certs/server.pem'],
      ['a link to it', 'docs/prompt.md', (at) => symlinkSync('../.env', at('docs/prompt.md'))],
      [
        'a chain of links to it',
        'docs/prompt.md',
        (at) => {
          symlinkSync('b.md', at('docs/prompt.md'));
          symlinkSync('c.md', at('docs/b.md'));
          symlinkSync('../.env', at('docs/c.md'));
        },
      ],
      ['a link to the folder that holds it', 'linked/id_rsa', (at) => symlinkSync('keys', at('linked'))],
      [
        'an absolute link inside the workspace',
        'docs/prompt.md',
        (at) => symlinkSync(at('.env'), at('docs/prompt.md')),
      ],
      ['a name of a secret that leads to a harmless file', 'id_rsa', (at) => symlinkSync('docs/good.md', at('id_rsa'))],
      ['another case', '.ENV', (at) => writeFileSync(at('.ENV'), secret)],
    ];
    for (const [what, file, prepare] of denied)
      it(what, async () => {
        const files = {
          '.env': secret,
          'config/.env.production': secret,
          'keys/id_rsa': secret,
          'certs/server.pem': secret,
          'docs/good.md': canary,
        };
        const { prompt, told, asked } = await look(file, { files }, prepare);
        assert.deepEqual([asked, codes(told)], [undefined, ['prompt_denied']]);
        assert.ok(!prompt.includes(secret) && !prompt.includes(canary));
        const [profile, name, rule] = told[0]?.said?.args ?? [];
        assert.deepEqual([profile, name], ['default', file]);
        assert.ok(rule, 'names the rule');
      });
  });

  describe('D.tightens S3.file-system: a prompt file outside of the workspace, or that is none, is never read', () => {
    const refused: readonly (readonly [string, string, string, Prepare?])[] = [
      [
        'a link to a private key',
        'docs/prompt.md',
        'outside',
        (at, outside) => symlinkSync(outside('id_rsa'), at('docs/prompt.md')),
      ],
      [
        'a relative link that climbs out',
        'docs/prompt.md',
        'outside',
        (at, outside) => symlinkSync(path.relative(at('docs'), outside('id_rsa')), at('docs/prompt.md')),
      ],
      [
        'a chain whose last link leads out',
        'docs/prompt.md',
        'outside',
        (at, outside) => {
          symlinkSync('a', at('docs/prompt.md'));
          symlinkSync(outside('id_rsa'), at('docs/a'));
        },
      ],
      [
        'a folder that is a link out',
        'linked/id_rsa',
        'outside',
        (at, outside) => symlinkSync(path.dirname(outside('id_rsa')), at('linked')),
      ],
      ['a link in a circle', 'docs/prompt.md', 'outside', (at) => symlinkSync('prompt.md', at('docs/prompt.md'))],
      [
        'a link to an endless device',
        'docs/prompt.md',
        'outside',
        (at) => symlinkSync('/dev/zero', at('docs/prompt.md')),
      ],
      [
        'a link into /proc',
        'docs/prompt.md',
        'outside',
        (at) => symlinkSync('/proc/self/environ', at('docs/prompt.md')),
      ],
      [
        'a pipe that nobody writes into',
        'docs/prompt.md',
        'not_a_file',
        (at) => void execFileSync('mkfifo', [at('docs/prompt.md')]),
      ],
      ['a folder', 'docs', 'not_a_file'],
      ['the workspace itself', '.', 'not_a_file'],
      ['a file as a folder', 'docs/good.md/x', 'not_a_file'],
      ['a file that is not there', 'docs/gone.md', 'missing'],
      ['up', '../secret.md', 'not_a_path'],
      ['down and up', 'docs/../../secret.md', 'not_a_path'],
      ['down and up inside the workspace', 'docs/../.env', 'not_a_path'],
      ['up with backslashes', '..\\secret.md', 'not_a_path'],
      ['up with dots that Windows drops', 'docs/.. /.. /secret.md', 'not_a_path'],
      ['an absolute path', '/etc/hostname', 'not_a_path'],
      ['a backslash at the start', '\\etc\\hostname', 'not_a_path'],
      ['a drive', 'C:\\secret.md', 'not_a_path'],
      ['a drive without a slash', 'C:secret.md', 'not_a_path'],
      ['another machine', '\\\\host\\share\\x', 'not_a_path'],
      ['another machine with slashes', '//host/share/x', 'not_a_path'],
      ['the home folder', '~/.ssh/id_rsa', 'not_a_path'],
      ['another home folder', '~root/.ssh/id_rsa', 'not_a_path'],
      ['a file URI', 'file:///etc/hostname', 'not_a_path'],
      ['a file URI of another spelling', 'FILE:/etc/hostname', 'not_a_path'],
      ['a remote URI', 'vscode-remote://ssh-remote+host/etc/passwd', 'not_a_path'],
      ['a page', 'https://evil.example/prompt.md', 'not_a_path'],
      ['data', 'data:text/plain,hello', 'not_a_path'],
      ['an untitled document', 'untitled:prompt', 'not_a_path'],
      ['a NUL', 'docs/good.md\0.png', 'not_a_path'],
      ['a very long path', `docs/${'x'.repeat(5000)}`, 'not_a_path'],
      ['a file that is too long', 'docs/long.md', 'too_long'],
      [
        'a huge file without content',
        'docs/huge.md',
        'too_long',
        (at) => void execFileSync('truncate', ['-s', '20G', at('docs/huge.md')]),
      ],
      [
        'bytes that are no text',
        'docs/bytes.md',
        'not_text',
        (at) => writeFileSync(at('docs/bytes.md'), Buffer.from([0xff, 0xfe, 0x41])),
      ],
      ['a program', 'docs/program', 'not_text', (at) => writeFileSync(at('docs/program'), `\x7fELF\0${canary}`)],
    ];
    for (const [what, file, fault, prepare] of refused)
      it(what, async () => {
        const files = { '.env': secret, 'docs/good.md': canary, 'docs/long.md': 'x'.repeat(mostPromptCharacters + 1) };
        const { prompt, told, asked } = await look(file, { files }, prepare);
        assert.deepEqual([asked, codes(told)], [undefined, [`prompt_file:${fault}`]]);
        assert.ok(!prompt.includes(secret) && !prompt.includes(canary));
      });
  });

  it('D.tightens: in a workspace that is not trusted no file is read, whoever names it and whatever was accepted before', async () => {
    let isTrusted = true;
    const granted = new Emitter<void>();
    const system = await open({
      files: { 'docs/prompt.md': canary },
      user: own('docs/prompt.md'),
      platform: {
        definitions: {
          watcher: { watch: () => toDisposable(() => undefined) },
          approver: { ask: async () => false },
          trusted: () => isTrusted,
        },
        prompts: { file: () => toDisposable(() => undefined), onDidChangePlaces: granted.event },
      },
    });
    const profile = system.core.tools.profiles.active().profile;
    await system.settle();
    await system.core.agents.prompts.accept(system.core.agents.prompts.pending(profile)?.hash ?? '');
    assert.ok(system.core.agents.runtimeAgent().systemPrompt.includes(canary));
    isTrusted = false;
    const agent = system.core.agents.runtimeAgent();
    assert.deepEqual(
      [agent.systemPrompt.includes(canary), codes(agent.problems.filter((one) => one.code.startsWith('prompt_')))],
      [false, ['prompt_untrusted']],
    );
    assert.equal(system.core.agents.prompts.pending(profile), undefined);
    isTrusted = true;
    granted.fire();
    await system.settle();
    assert.ok(system.core.agents.runtimeAgent().systemPrompt.includes(canary));
    granted.dispose();
    system.dispose();
  });

  it('S3.file-system: a file with two names is read by the name that policy allows, and waits like any other', async () => {
    const { prompt, asked } = await look(
      'docs/prompt.md',
      { files: { 'docs/a.md': canary } },
      (at) => linkSync(at('docs/a.md'), at('docs/prompt.md')),
      false,
    );
    assert.deepEqual([asked, prompt.includes(canary)], [canary, false]);
  });

  it('D.tightens: the command line hands no file of the workspace to a client before `--yes`, and a denied one never', async () => {
    const settings = (file: string): string =>
      JSON.stringify({ 'agentCapabilities.profiles': { default: { systemPromptFile: file } } });
    for (const [file, flags, isTold] of [
      ['docs/prompt.md', [], false],
      ['.env', [], false],
      ['.env', ['--yes'], false],
    ] as const) {
      const system = await open({
        files: { '.env': secret, 'docs/prompt.md': canary, '.vscode/settings.json': settings(file) },
      });
      const { text } = await runCli(['list', '--workspace', system.folder, ...flags]);
      assert.ok(existsSync(path.join(system.folder, file)));
      assert.equal(text.includes(secret) || text.includes(canary), isTold);
      system.dispose();
    }
  });
});
