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
    'The built-in boundaries of `agentCapabilities.policy.preset`, made from the rules themselves. The rows are in force as they stand here;',
    '`agent-capabilities why TOOL JSON` and *Explain a Call…* name the one that decided. `name/**` means the folder itself too.',
    '',
    '| boundary | strict | balanced | open | why |',
    '|---|---|---|---|---|',
    ...all.map((one) => `| \`${one.id}\` | ${decided(one.id)} | ${said(one.reason)} |`),
    '',
    'Files that take effect by themselves (when a folder is opened, an agent or a shell starts, somebody commits, installs or pushes) ask under',
    '*balanced*. Files that run when somebody builds or tests on purpose are changed by ordinary work every day, so only *strict* asks for them.',
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
    'The arguments of MCP servers, tools of other extensions, channels and definitions are judged as who gets them reads them: a value that as a',
    'whole is a URL, a host or a path, that stands under a name or a schema which says so, a list or JSON of such, and a command line or code.',
    'Where words stand around a place (`Open http://localhost:3000 in the browser`) and the tool stores, shows or reads the text, the place is',
    'mentioned: rules of the user, the administrator, the workspace and of capabilities still deny it, and so does the rule about private addresses',
    'for the metadata services of clouds; the other rules of a preset do not. Tools whose name says that they go where a text leads (fetch, browse,',
    'crawl, scrape, navigate, download and the like) mention nothing: there every place counts.',
    '',
  ].join('\n');
}
