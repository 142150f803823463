import type { Mode } from '../vocabulary/decision';
import { worded } from '../base/sentence';
import { visible } from '../base/visible';
import type { ServerState, ServerStatus } from '../foreign/serverStatus';
import { toolRow } from './toolRow';
import { groupRows, type ToolState, type TreeRow } from './treeRow';
import type { Translate } from '../base/translate';
import { boldMarkdown, codeSpan, proseMarkdown, rowText, toolCount } from './words';

interface ServerRowsInput {
  readonly servers: readonly ServerStatus[];
  /** A server's tools as they stand in the active profile, by the id of its capability. */
  readonly tools: (capabilityId: string) => { readonly isOn: boolean; readonly tools: readonly ToolState[] };
  /** The mode of the active profile; left out, `execute`. */
  readonly mode?: Mode;
  readonly t: Translate;
}

/**
 * The group "MCP servers": each server with its state in words, its tools below it. Left out where there is no server.
 */
export function serverRows(input: ServerRowsInput): readonly TreeRow[] {
  const { servers, t } = input;
  const attention = servers.filter(({ state }) => looks[state].warns).length;
  const running = servers.filter(({ state }) => state === 'running').length;
  const description = [
    t('{0} of {1} running', running, servers.length),
    ...(attention > 0 ? [attention === 1 ? t('1 needs you') : t('{0} need you', attention)] : []),
  ].join(' · ');
  const children = servers.map((server, index) => serverRow(server, index + 1, input, t));
  return groupRows('servers', {
    label: t('MCP servers'),
    description,
    icon: 'server',
    warns: attention > 0,
    tooltip: t('Servers whose tools pass the gate'),
    accessibleLabel: t('MCP servers, group of {0}, {1}', servers.length, description),
    children,
  });
}

/** A server warns that does nothing until the person acts. */
const looks: Readonly<Record<ServerState, { readonly icon: string; readonly warns: boolean }>> = {
  running: { icon: 'pass', warns: false },
  starting: { icon: 'loading~spin', warns: false },
  stopped: { icon: 'circle-outline', warns: false },
  disabled: { icon: 'circle-slash', warns: false },
  failed: { icon: 'error', warns: true },
  asking: { icon: 'question', warns: true },
  refused: { icon: 'shield', warns: true },
  blocked: { icon: 'warning', warns: true },
  unapproved: { icon: 'lock', warns: true },
};

function stateWords(server: ServerStatus, t: Translate): string {
  const detail = server.detail ? rowText(worded(server.detail, t)) : '';
  return {
    running: t('running'),
    starting: t('starting'),
    stopped: t('asleep until called'),
    disabled: t('switched off'),
    failed: detail === '' ? t('failed') : t('failed: {0}', detail),
    asking: t('waits for your answer'),
    refused: server.signedOut ? t('signed out') : t('its tools are not approved'),
    blocked: t('blocked: its tools changed'),
    unapproved: t('from the workspace, not approved'),
  }[server.state];
}

function serverRow(server: ServerStatus, position: number, input: ServerRowsInput, t: Translate): TreeRow {
  const { isOn, tools } = input.tools(server.capabilityId);
  const name = visible(server.name);
  const words = stateWords(server, t);
  const description = [words, ...(server.tools > 0 ? [toolCount(server.tools, t)] : [])].join(' · ');
  const { icon, warns } = looks[server.state];
  const place = {
    ...{ total: tools.length, capabilityOn: isOn, soon: false, heldBack: false },
    mode: input.mode ?? 'execute',
    prefix: `server:${server.name}:`,
  };
  return {
    kind: 'server',
    server: server.name,
    id: `server:${server.name}`,
    label: name,
    description,
    icon,
    warns,
    tooltip: () => serverTooltip(server, words, t),
    accessibleLabel: t('MCP server {0}, {1}, {2} of {3}', name, description, position, input.servers.length),
    contextValue: `server.${server.state}${server.signedOut ? '.signedOut' : server.signsIn ? '.signsIn' : ''}.${server.origin}`,
    children: () => tools.map((tool, index) => toolRow(tool, { ...place, position: index + 1 }, t)),
    expandable: tools.length > 0,
  };
}

const shownLines = 20;

function serverTooltip(server: ServerStatus, words: string, t: Translate): string {
  const origins = {
    managed: t('your organisation'),
    user: t('your settings'),
    workspace: t('this workspace'),
  } as const;
  const lines = [
    `${boldMarkdown(server.name)} ${proseMarkdown(words)}`,
    t('Comes from: {0}', origins[server.origin]),
    t('Offers: {0}', toolCount(server.tools, t)),
    ...(server.protocol === undefined ? [] : [t('Speaks: MCP {0}', codeSpan(server.protocol))]),
    t('Id: {0}', codeSpan(server.capabilityId)),
  ];
  const diff = server.diff?.(t) ?? [];
  if (diff.length > 0) {
    const shown = diff.slice(0, shownLines).map((line) => codeSpan(line));
    if (diff.length > shownLines) shown.push(t('{0} more', diff.length - shownLines));
    lines.push(t('Changed since you approved it:'), shown.join('  \n'));
  }
  for (const fault of server.faults.slice(0, shownLines)) lines.push(`⚠ ${proseMarkdown(worded(fault, t))}`);
  return lines.join('\n\n');
}
