import { strict as assert } from 'node:assert';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { main } from '../../../src/cli/main';
import { optionsOf } from '../../../src/cli/usage';
import { runCli, temporaryWorkspace } from '../../support/cli';

/** One way to call a command: what it needs, what may be there, and what has to come together. */
interface Form {
  readonly text: string;
  /** The command, and what it is to do. */
  readonly words: readonly string[];
  /** Each word that stands alone, and each option with its value. */
  readonly needed: readonly (readonly string[])[];
  readonly groups: readonly (readonly (readonly string[])[])[];
}

/** The parts of a form without brackets. Of several ways to say one thing the first counts. */
function partsOf(text: string): readonly (readonly string[])[] {
  return (
    text.match(/--[a-z-]+(?: [^\s[\]|-][^\s|]*)?(?: ?\| ?--[a-z-]+(?: [^\s[\]|-][^\s|]*)?)*|[^\s[\]]+/g) ?? []
  ).map((part) => (part.startsWith('--') ? (part.split('|')[0]?.trim().split(' ') ?? []) : [part]));
}

/** Takes brackets out, the innermost first, and answers what stood in each. */
function withoutBrackets(text: string): { readonly outside: string; readonly inside: readonly string[] } {
  const inside: string[] = [];
  let outside = text;
  for (let found = /\[([^[\]]*)\]/.exec(outside); found; found = /\[([^[\]]*)\]/.exec(outside)) {
    inside.push(found[1] ?? '');
    outside = outside.replace(found[0], '');
  }
  return { outside, inside };
}

/** The forms that `help` prints of a command, with one for each of its actions. */
function formsOf(printed: string): readonly Form[] {
  const lines = printed
    .split('\n')
    .map((line) => line.trim().replace(/^(?:usage: )?agent-capabilities /, ''))
    .filter((line) => !line.startsWith('hook --dialect'));
  const names = lines.flatMap((line) => {
    const [, name, options] = /^([A-Z]+): (\[?--.*)$/.exec(line) ?? [];
    return name && options ? [[name, options] as const] : [];
  });
  const filled = (line: string): string =>
    names.reduce((text, [name, options]) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), options), line);
  const whole = lines.filter((line) => !/^[A-Z]+: /.test(line)).map((line) => filled(filled(line)));
  return whole.flatMap((text): Form[] => {
    const { outside, inside } = withoutBrackets(text);
    const [command = [], ...needed] = partsOf(outside);
    const groups = inside
      .map(partsOf)
      .filter((group) => group.length > 1 && group.every(([one]) => one?.startsWith('--')));
    const [action = ''] = needed[0] ?? [];
    if (!/^[a-z|]+$/.test(action)) return [{ text, words: command, needed, groups }];
    return action.split('|').map((one) => ({ text, words: [...command, one], needed: needed.slice(1), groups }));
  });
}

describe('the usage of a command', () => {
  const made = temporaryWorkspace();
  after(() => made.dispose());
  const at = (name: string): string => path.join(made.folder, name);
  const samples: Readonly<Record<string, string>> = {
    JSON: '{}',
    AGENT: 'claude',
    FORMAT: 'claude',
    N: '1',
    NAME: 'acme',
    WHY: 'a test',
    POLICY: 'now',
    PORT: '0',
    ID: 'x',
    'KEY=JSON': 'limits={}',
  };
  const typed = (parts: Form['needed']): string[] =>
    parts.flat().map((word) => (/^[A-Z]/.test(word) ? (samples[word] ?? at(word.replace(/…$/, ''))) : word));

  /** Runs a form, far from the user's own files; answers what is wrong with how it was typed, undefined for nothing. */
  async function mistake({ text, words, needed }: Form, parts = needed): Promise<string | undefined> {
    const known = optionsOf(text);
    const named = new Set(needed.flat());
    const away = { workspace: at('DIR'), home: at('DIR'), private: at('private'), 'state-dir': at('state') };
    const options = Object.entries(away).flatMap(([name, value]) =>
      name in known && !named.has(`--${name}`) ? [`--${name}`, value] : [],
    );
    const dry = 'dry-run' in known ? ['--dry-run'] : [];
    const errors: string[] = [];
    const code = await main([...words, ...typed(parts), ...options, ...dry], {
      out() {},
      error: (line) => errors.push(line),
      environment: { HOME: at('DIR'), USERPROFILE: at('DIR') },
      stdin: Readable.from([]),
      stdout: new Writable({ write: (_chunk, _encoding, done) => done() }),
    });
    return code === 2 ? errors.join('\n').split('\n')[0] : undefined;
  }

  it('asks for what is not in brackets and for nothing else', async () => {
    mkdirSync(at('DIR'));
    const { text: help } = await runCli(['help']);
    const commands = new Set([...help.matchAll(/^ {2}agent-capabilities ([a-z-]+)/gm)].map(([, name = '']) => name));
    const faults: string[] = [];
    let count = 0;
    for (const command of commands)
      for (const form of formsOf((await runCli([command, '--help'])).text)) {
        const { words, needed, groups } = form;
        const name = words.join(' ');
        count++;
        const told = (await mistake(form)) ?? '';
        if (/needs|takes one of|^usage/.test(told)) faults.push(`${name}: ${told}`);
        for (const [index, part] of needed.entries())
          if ((await mistake(form, needed.toSpliced(index, 1))) === undefined)
            faults.push(`${name} is taken without ${part.join(' ')}`);
        for (const part of groups.flat())
          if ((await mistake(form, [...needed, part])) === undefined)
            faults.push(`${name} takes ${part.join(' ')} without what it belongs to`);
      }
    assert.deepEqual(faults, []);
    assert.ok(count > 30, `${count} forms`);
  });

  it('names the agents of this machine where one has to be named', async () => {
    mkdirSync(at('found/.codex'), { recursive: true });
    const told = await runCli(['hook', 'install', '--home', at('found')], { PATH: '' });
    assert.equal(told.code, 2);
    assert.match(told.errors, /^`hook install` needs `--agent AGENT`; found on this machine: codex\nusage: /);
    const none = await runCli(['hook', 'uninstall', '--home', at('nobody')], { PATH: '' });
    assert.match(none.errors, /needs `--agent AGENT`; none is found on this machine\n/);
  });
});
