import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { main } from '../../src/cli/main';
import { knownSideEffects } from '../../src/core/vocabulary/access';

const documents = ['README.md', 'CHANGELOG.md', 'SECURITY.md', ...readdirSync('docs').map((file) => `docs/${file}`)];
const texts = documents.map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** What is written in italics and is none of our texts: names of the editor, of shipped profiles and of presets. */
const othersNames = new Set([
  'Agent Capabilities (this workspace)',
  'Allow in this Session',
  'Always Allow Tools from Agent Capabilities',
  'Coverage',
  'Debug',
  'Default',
  'Ends',
  'Open Extensions Folder',
  'Read only',
  'Run',
  'Security → Report a vulnerability',
  'Strict',
  'Tour script (no AI)',
]);

/** The lines of the help, by their command, each with what belongs to it. */
async function usages(): Promise<ReadonlyMap<string, string>> {
  const out: string[] = [];
  await main(['help'], { out: (text) => out.push(text), error: () => undefined, environment: {} });
  const lines = out.join('\n').split('\n  agent-capabilities ').slice(1);
  const byCommand = new Map<string, string>();
  for (const line of lines) {
    const [name = ''] = line.split(' ');
    byCommand.set(name, `${byCommand.get(name) ?? ''}\n${line}`);
  }
  return byCommand;
}

/** The words after `agent-capabilities` wherever a document shows a command line, up to its comment or end. */
const commandLines = (text: string): readonly string[] =>
  [...text.matchAll(/(?:^|`)agent-capabilities ([a-z][^`\n]*)/gm)].map(([, line = '']) => line.replace(/\s#\s.*$/, ''));

/** The anchors of a page's headings, as the repository's host makes them. */
const anchorsOf = (page: string): readonly string[] =>
  [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('documents', () => {
  it('link to pages, headings and pictures that are there', () => {
    const links = texts.flatMap(({ file, text }) =>
      [...text.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([link, to = '', anchor]) => ({
        link: `${file}: ${link}`,
        to: to === '' ? file : path.posix.join(path.posix.dirname(file), to),
        anchor,
      })),
    );
    assert.ok(links.length > 50, String(links.length));
    const dead = links.filter(
      ({ to, anchor }) =>
        !existsSync(to) || (anchor !== undefined && !anchorsOf(readFileSync(to, 'utf8')).includes(anchor)),
    );
    assert.deepEqual(
      dead.map(({ link }) => link),
      [],
    );
  });

  it('are each reached from the README', () => {
    const readme = readFileSync('README.md', 'utf8');
    assert.deepEqual(
      documents.filter((file) => file.startsWith('docs/') && !readme.includes(`](${file})`)),
      [],
    );
  });

  it('name commands, views and buttons as they are called', () => {
    const known = new Set(
      ['package.nls.json', 'l10n/bundle.l10n.json'].flatMap((file) =>
        Object.values<string>(JSON.parse(readFileSync(file, 'utf8'))),
      ),
    );
    const unknown = texts.flatMap(({ file, text }) =>
      [...text.matchAll(/(?<!\*)\*([A-Z][^*\n]+)\*(?!\*)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !othersNames.has(name) && !known.has(name) && !known.has(name.replaceAll("'", '’')))
        .map((name) => `${file}: ${name}`),
    );
    assert.deepEqual(unknown, []);
  });

  it('name settings that are there', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
    const settings = new Set(
      [manifest.contributes.configuration].flat().flatMap((one: { properties: object }) => Object.keys(one.properties)),
    );
    const effects: ReadonlySet<string> = new Set(knownSideEffects);
    const sections = new Set([...settings].map((key) => key.split('.')[1]));
    // The format of the audit names events of its own form.
    const unknown = texts
      .filter(({ file }) => file !== 'docs/audit-format.md')
      .flatMap(({ file, text }) =>
        [...text.matchAll(/[`"](agentCapabilities\.)?([a-z]\w+(?:\.[a-z]\w*)+)[`"]/g)]
          .filter(([, prefix, key = '']) => (prefix ?? sections.has(key.split('.')[0])) && !/\.(?:ts|json)$/.test(key))
          .filter(([, , key = '']) => !settings.has(`agentCapabilities.${key}`) && !effects.has(key))
          .map(([, , key = '']) => `${file}: ${key}`),
      );
    assert.deepEqual(unknown, []);
  });

  it('show commands and options that the command line has, and its page every command', async () => {
    const byCommand = await usages();
    assert.ok(byCommand.size > 10, String(byCommand.size));
    const wrong = texts.flatMap(({ file, text }) =>
      commandLines(text).flatMap((line) => {
        const [names = ''] = line.split(' ');
        return names.split('|').flatMap((name) => {
          const usage = byCommand.get(name);
          if (usage === undefined) return [`${file}: ${name}`];
          const options = [...line.matchAll(/--[a-z][a-z-]*/g)].map(([option]) => option);
          return options
            .filter((one) => !new RegExp(`${one}(?![a-z-])`).test(usage))
            .map((one) => `${file}: ${name} ${one}`);
        });
      }),
    );
    assert.deepEqual(wrong, []);
    const page = commandLines(readFileSync('docs/command-line.md', 'utf8')).join('\n');
    const subcommands = [...byCommand].flatMap(([name, usage]) =>
      [...usage.matchAll(/(?:^|\| |\n {4}|\n)(\w[\w-]*) ([a-z][a-z|]*)(?= |$)/g)]
        .filter(([, first]) => first === name)
        .flatMap(([, , rest = '']) => rest.split('|'))
        .map((sub) => [name, sub] as const),
    );
    assert.ok(subcommands.length > 20, String(subcommands.length));
    const missing = subcommands.filter(
      ([name, sub]) => !new RegExp(`^${name} (?:[a-z|]*\\|)?${sub}(?![a-z])`, 'm').test(page),
    );
    assert.deepEqual(missing, []);
    for (const name of byCommand.keys()) assert.match(page, new RegExp(`^${name}\\b`, 'm'));
  });
});
