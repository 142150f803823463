import { withoutEntities } from '../../base/htmlEntities';
import { isObject } from '../../base/json';
import { say, type Sentence } from '../../base/sentence';

/** A family of commands that no definition and no probe may run, and why. */
interface ClosedCommands {
  readonly ids: RegExp;
  readonly why: Sentence;
}

/**
 * Commands by which others are run, questions answered, code started or installed, or settings changed: who could run
 * them could reach ours by a detour, past the question that was asked. No list of the editor's commands is whole, so
 * the arguments of all others are looked through too.
 */
const closed: readonly ClosedCommands[] = [
  { ids: /^agentcapabilities\./, why: say('command_own') },
  { ids: /^(?:runcommands|_.*|workbench\.action\.(?:showcommands|quickopen.*))$/, why: say('command_runs_commands') },
  {
    ids: /^(?:extension\.)?multicommand\b|^vim\.remap$|^(?:whichkey|vspacecode|macros?|commands)\./,
    why: say('command_runs_commands'),
  },
  {
    ids: /^(?:npm|cmake|makefile|just|shellcommand|command-runner)\.|^extension\.(?:js-debug|node-debug|pwa-)|^(?:java|go|rust-analyzer|dart|flutter|php|dotnet)\.(?:run|debug|test|exec)/,
    why: say('command_runs_programs'),
  },
  {
    ids: /^workbench\.action\.(?:tasks|terminal|debug)\.|^(?:debug|testing|code-runner|tasks)\./,
    why: say('command_runs_programs'),
  },
  { ids: /^(?:notebook|interactive|jupyter)\.|^python\.(?:exec|run)/, why: say('command_runs_code') },
  {
    ids: /^(?:list|quickinput|notifications?|notification)\.|^workbench\.action\.(?:accept|quickinput|quickpick|focusquick)/,
    why: say('command_presses'),
  },
  {
    ids: /^(?:type|default:type|compositiontype|replacepreviouschar|paste|cut)$|^editor\.action\.(?:clipboardpaste|insertsnippet)/,
    why: say('command_types'),
  },
  {
    ids: /^workbench\.action\.(?:open)?(?:quick)?chat\b|^vscode\.editorchat|^(?:chat|inlinechat|github\.copilot|aichat|composer|cursorai|cline|roo-cline|continue|windsurf|claude-\w+|claude-vscode)\b/,
    why: say('command_instructs'),
  },
  {
    ids: /^workbench\.(?:extensions|action\.extensions|mcp|profiles|userdatasync)\.|^mcp\./,
    why: say('command_installs'),
  },
  { ids: /^workbench\.trust\.|^workbench\.action\.(?:manage)?trust/, why: say('command_trusts') },
  {
    ids: /^setcontext$|^settings\.|^workbench\.action\.(?:configure|open\w*(?:settings|keybindings))/,
    why: say('command_changes_settings'),
  },
  {
    ids: /^vscode\.(?:openfolder|newwindow|removefromrecentlyopened)$|^workbench\.action\.(?:addrootfolder|openworkspace)/,
    why: say('command_opens_workspace'),
  },
  { ids: /^(?:simplebrowser|livepreview)\.|^markdown\.api\./, why: say('command_shows_pages') },
  {
    ids: /^(?:remote|opensshremotes|remote-[\w-]+|dev-containers|codespaces|workbench\.action\.remote)\b/,
    why: say('command_opens_machine'),
  },
];

/** Why a command may not be run by a definition or a probe; undefined where nothing is known against it. */
export function closedCommand(command: string): Sentence | undefined {
  const id = command.trim().toLowerCase();
  return closed.find(({ ids }) => ids.test(id))?.why;
}

/**
 * Why arguments may not be handed to a command: they name a command of ours or hold a link that runs one, at any depth
 * and however encoded.
 */
export function closedArgument(value: unknown): Sentence | undefined {
  if (typeof value === 'string') return namesCommand(value);
  if (Array.isArray(value)) return firstOf(value);
  return isObject(value) ? firstOf(Object.entries(value).flat()) : undefined;
}

function firstOf(values: readonly unknown[]): Sentence | undefined {
  for (const value of values) {
    const why = closedArgument(value);
    if (why !== undefined) return why;
  }
  return undefined;
}

const mostDecodings = 5;

function namesCommand(text: string): Sentence | undefined {
  let form = text;
  for (let round = 0; round <= mostDecodings; round++) {
    const folded = form.replace(/[\s\u0000-\u001f\u007f-\u00a0\p{Default_Ignorable_Code_Point}]/gu, '').toLowerCase();
    if (/agentcapabilities\./.test(folded)) return say('argument_names_own');
    if (/(?:^|[^a-z0-9_.-])command:(?!$)/.test(folded)) return say('argument_runs_command');
    const next = decoded(form);
    if (next === form) return undefined;
    form = next;
  }
  return say('argument_encoded');
}

/** One layer of percent sequences, HTML entities and JSON escapes taken away. */
function decoded(text: string): string {
  const character = (_all: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16));
  return withoutEntities(text.replace(/%([0-9a-f]{2})/gi, character)).replace(/\\u([0-9a-f]{4})/gi, character);
}
