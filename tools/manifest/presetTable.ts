import { worded } from '../../src/core/base/sentence';
import { reasonSaid } from '../../src/core/vocabulary/ruleWords';
import type { Boundary, BoundaryDecision } from '../../src/core/vocabulary/boundary';
import { freePaths, installedPaths } from '../../src/core/policy/rules/presetPaths';
import { presetBoundaries, presetNames } from '../../src/core/policy/rules/presets';

const words: Readonly<Record<BoundaryDecision, string>> = {
  deny: 'denied',
  require_approval: 'asks',
  advise: 'advises',
  allow: 'allowed',
  deny_unless_account: 'denied without an account',
};

/** `docs/presets.md`: the boundaries of every preset as they are in force, each row of paths with its reason. */
export function presetPage(): string {
  const presets = presetNames.map((name) => presetBoundaries(name));
  const all = [...new Map(presets.flat().map((one) => [one.id, one])).values()];
  const decided = (id: string): string =>
    presets
      .map((boundaries) => boundaries.find((one) => one.id === id)?.decision)
      .map((decision) => (decision === undefined ? 'passes' : words[decision]))
      .join(' | ');
  const said = (reason: Boundary['reason']): string => worded(reasonSaid(reason));
  const code = (path: string): string => `\`${path.replace(/^\*\*\//, '')}\``;
  const tables = all
    .filter((one) => one.reasons !== undefined)
    .map((one) => [
      `## ${one.id}`,
      '',
      `${one.match.accessAny?.includes('fs.*') === true ? 'Reading, changing and deleting' : 'Changing and deleting'}, where ${said(one.reason)}.`,
      '',
      '| files, at any depth and in any case | why |',
      '|---|---|',
      ...(one.reasons ?? []).map(
        ({ path, reason }) => `| ${path.map(code).join(' ').replaceAll('|', '\\|')} | ${said(reason)} |`,
      ),
      '',
    ]);
  return [
    '# What the presets say',
    '',
    'The built-in boundaries of `agentCapabilities.policy.preset`. This page is made from the rules themselves, and its rows are in force as they are',
    'written here. `agent-capabilities why TOOL JSON` and *Explain a Call…* name the row that decided. `name/**` includes the folder itself.',
    '',
    '| boundary | strict | balanced | open | why |',
    '|---|---|---|---|---|',
    ...all.map((one) => `| \`${one.id}\` | ${decided(one.id)} | ${said(one.reason)} |`),
    '',
    'Some files take effect by themselves: when a folder is opened, when an agent or a shell starts, or when somebody commits, installs or pushes.',
    '*balanced* asks before they change. Other files run only when somebody builds or tests on purpose. Ordinary work changes them every day, so only',
    '*strict* asks for them.',
    '',
    ...tables.flat(),
    '## What is free',
    '',
    `Examples, public keys and source code hold no secret: ${freePaths.map(code).join(' ')}.`,
    '',
    `Below ${installedPaths.map(code).join(' ')} nothing is a pipeline or a build of this workspace.`,
    '',
    '## What a text only mentions',
    '',
    'The arguments of MCP servers, tools of other extensions, channels and definitions are judged the way their receiver reads them. These count as',
    'places that the call touches:',
    '',
    '- a value that as a whole is a URL, a host or a path',
    '- a value under a name or a schema that says it is one',
    '- a list or JSON of such values',
    '- a command line, and code',
    '',
    'If words stand around a place (`Open http://localhost:3000 in the browser`) and the tool stores, shows or reads the text, the place is only',
    'mentioned. Rules of the user, the administrator, the workspace and of capabilities still deny it. So does the rule about private addresses for the',
    'metadata services of clouds. The other rules of a preset do not.',
    '',
    'For tools whose name says that they go where a text leads (fetch, browse, crawl, scrape, navigate, download and the like), every place counts.',
    '',
  ].join('\n');
}
