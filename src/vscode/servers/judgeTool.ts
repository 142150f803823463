import * as vscode from 'vscode';
import { pause } from '../../core/base/pause';
import { knownSideEffects } from '../../core/vocabulary/access';
import { isObject, type Json, type JsonObject, ownValue } from '../../core/base/json';
import type { RegisteredTool } from '../../core/registry/registry';
import { permissions, riskLevels, type ToolDefinition } from '../../core/vocabulary/toolDefinition';
import { judgementLines } from '../../core/present/judgement';
import { meetingAndRisk } from '../../core/present/toolRow';
import { permissionWord, riskWord } from '../../core/present/words';
import type { ServerCommand, ServerCommandContext } from './serverCommand';
import { openSettingsAt } from '../files/openAt';
import { extensionToolsSetting, serverEntries, writeServerEntry } from './serverSettings';
import { isTreeRow } from '../../core/present/treeRow';
import { sourceKind, sourceName } from '../../core/vocabulary/toolSource';
import { showInformation } from '../notices';
import { isGoneRow } from '../goneRow';
import { letRead } from '../settings/letRead';

/** Where what the user says about one tool is written. */
interface Place {
  read(): JsonObject;
  write(override: JsonObject): Promise<void>;
  /** Opens the settings where `accessMapping` is edited. */
  open(): Promise<void>;
}

/**
 * Lets the person set the risk, the effects and the permission of a foreign tool in place of what is inferred, or go
 * back to that.
 */
export const judgeTool: ServerCommand<'registry' | 'selection' | 'servers'> = async (context, ...args) => {
  const id = (await pickTool(context, args))?.id;
  // The list stays open until the person leaves it; every round shows the tool as it is judged by then.
  for (;;) {
    const tool = id === undefined ? undefined : context.registry.tool(id);
    if (!tool) return;
    const place = placeOf(context, tool);
    if (!place) {
      void showInformation(vscode.l10n.t('This tool comes from the managed settings and is judged there.'));
      return;
    }
    if (!(await judgeOnce(tool, place))) return;
    await settled(context, tool.definition, tool.id);
  }
};

interface Aspect extends vscode.QuickPickItem {
  /**
   * Asks for the new value: the keys to change, undefined where the person left it, `done` where nothing more is to be
   * asked.
   */
  readonly ask: () => Promise<JsonObject | 'done' | undefined>;
}

async function judgeOnce(tool: RegisteredTool, place: Place): Promise<boolean> {
  const { definition } = tool;
  const { origins } = definition;
  const set = (isSet: boolean): string => (isSet ? vscode.l10n.t('set by you') : vscode.l10n.t('inferred'));
  const title = vscode.l10n.t('Judge {0}', shownName(tool));
  const aspects: readonly Aspect[] = [
    {
      label: vscode.l10n.t('Risk'),
      description: `${riskWord(definition.riskLevel, vscode.l10n.t)} · ${set(origins?.riskLevel === 'override')}`,
      detail: judgementLines(definition, vscode.l10n.t)[0] ?? '',
      iconPath: new vscode.ThemeIcon('flame'),
      ask: () => pickValue(title, 'risk', riskLevels, definition.riskLevel),
    },
    {
      label: vscode.l10n.t('What agents meet'),
      description: `${permissionWord(definition.permissions.agent, vscode.l10n.t)} · ${set(origins?.permission === 'override')}`,
      detail: vscode.l10n.t('A rule, a mode or a limit may still be stricter.'),
      iconPath: new vscode.ThemeIcon('person'),
      ask: () => pickValue(title, 'permission', permissions, definition.permissions.agent),
    },
    {
      label: vscode.l10n.t('What it touches'),
      description: `${definition.sideEffects.join(', ') || vscode.l10n.t('nothing known')} · ${set(origins?.sideEffects === 'override')}`,
      iconPath: new vscode.ThemeIcon('target'),
      ask: () => pickEffects(title, definition),
    },
    {
      label: vscode.l10n.t('What its arguments touch…'),
      detail: vscode.l10n.t('Opens the settings, where accessMapping says it for each argument'),
      iconPath: new vscode.ThemeIcon('symbol-parameter'),
      ask: async () => {
        await place.open();
        return 'done';
      },
    },
    {
      label: vscode.l10n.t('Back to what is inferred'),
      iconPath: new vscode.ThemeIcon('discard'),
      ask: async () => ({ risk: null, permission: null, sideEffects: null, kind: null }),
    },
  ];
  const picked = await vscode.window.showQuickPick(aspects, { title, ignoreFocusOut: true });
  const change = await picked?.ask();
  if (!picked || change === 'done') return false;
  // Who leaves the question comes back to the list.
  if (change) {
    // What another window wrote meanwhile stays.
    await letRead(vscode.ConfigurationTarget.Global);
    await place.write({ ...place.read(), ...change });
  }
  return true;
}

async function pickValue(
  title: string,
  key: string,
  values: readonly string[],
  current: string,
): Promise<JsonObject | undefined> {
  const words: Readonly<Record<string, string>> = {
    allowed: vscode.l10n.t('allowed without asking'),
    confirmation_required: vscode.l10n.t('asked every time'),
    forbidden: vscode.l10n.t('forbidden'),
    low: vscode.l10n.t('low'),
    medium: vscode.l10n.t('medium'),
    high: vscode.l10n.t('high'),
    critical: vscode.l10n.t('critical'),
  };
  const items: (vscode.QuickPickItem & { readonly value: string | null })[] = values.map((value) => ({
    label: words[value] ?? value,
    ...(value === current ? { description: vscode.l10n.t('now') } : {}),
    value,
  }));
  items.push({ label: vscode.l10n.t('What is inferred'), iconPath: new vscode.ThemeIcon('discard'), value: null });
  const picked = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
  return picked && { [key]: picked.value };
}

async function pickEffects(title: string, definition: ToolDefinition): Promise<JsonObject | undefined> {
  const known = [...new Set<string>([...knownSideEffects, ...definition.sideEffects])];
  const items = known.map((label) => ({ label, picked: definition.sideEffects.includes(label) }));
  const picked = await vscode.window.showQuickPick(items, {
    title,
    canPickMany: true,
    ignoreFocusOut: true,
    placeHolder: vscode.l10n.t('Check everything that the tool may touch; none means that it touches nothing'),
  });
  return picked && { sideEffects: picked.map(({ label }) => label) };
}

/** By its source and its own name, because a model's name may have been cut. */
function shownName({ capability, definition }: RegisteredTool): string {
  return `${capability.name}: ${definition.name}`;
}

async function pickTool(
  context: Pick<ServerCommandContext, 'registry' | 'selection'>,
  args: readonly unknown[],
): Promise<RegisteredTool | undefined> {
  if (isGoneRow(args)) return undefined;
  const [first] = args;
  if (typeof first === 'string') return context.registry.tool(first);
  const row = context
    .selection(isTreeRow(first) ? first : undefined)
    .find((one) => one.kind === 'tool' && one.tool.definition.origins);
  if (row?.kind === 'tool') return row.tool;
  const items = context.registry
    .tools()
    .filter((tool) => tool.definition.origins)
    .map((tool) => ({
      label: shownName(tool),
      description: meetingAndRisk(tool, 'execute', vscode.l10n.t),
      detail: tool.definition.userDescription,
      tool,
    }));
  if (items.length === 0) {
    void showInformation(vscode.l10n.t('There is no tool of a server or another extension.'));
    return undefined;
  }
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Judge which tool?'), matchOnDetail: true }))
    ?.tool;
}

function placeOf(
  context: Pick<ServerCommandContext, 'servers'>,
  { source, definition }: RegisteredTool,
): Place | undefined {
  const name = sourceName(source);
  const { judgedIn } = sourceKind(source);
  if (name === undefined || judgedIn === undefined) return undefined;
  return judgedIn === 'mcp.servers'
    ? placeOfServerTool(context, name, definition.name)
    : placeOfExtensionTool(name, definition.name);
}

function placeOfExtensionTool(extensionId: string, name: string): Place {
  const entries = (): JsonObject =>
    asJson(vscode.workspace.getConfiguration().inspect(extensionToolsSetting)?.globalValue);
  const key = Object.keys(entries()).find((one) => one.toLowerCase() === extensionId.toLowerCase()) ?? extensionId;
  return {
    read: () => asJson(ownValue(asJson(asJson(ownValue(entries(), key))['tools']), name)),
    write: (override) => {
      const entry = withTool(asJson(ownValue(entries(), key)), name, override);
      const { [key]: _before, ...rest } = entries();
      const next = Object.keys(entry).length > 0 ? { ...rest, [key]: entry } : rest;
      return save(extensionToolsSetting, Object.keys(next).length > 0 ? next : undefined);
    },
    open: async () => {
      if (ownValue(entries(), key) === undefined)
        await save(extensionToolsSetting, { ...entries(), [key]: { accessMapping: { [name]: {} } } });
      await openSettingsAt('user', key, 'extensionTools');
    },
  };
}

function placeOfServerTool(
  context: Pick<ServerCommandContext, 'servers'>,
  server: string,
  name: string,
): Place | undefined {
  const origin = context.servers.list().find((one) => one.name === server)?.origin;
  if (origin === undefined || origin === 'managed') return undefined;
  const entry = (): JsonObject => asJson(ownValue(serverEntries(origin), server));
  return {
    read: () => asJson(ownValue(asJson(entry()['tools']), name)),
    write: (override) => writeServerEntry(origin, server, withTool(entry(), name, override)),
    open: () => openSettingsAt(origin, server, 'mcp.servers'),
  };
}

/** The entry with a tool's override in it; what is null, and tables that are empty then, go. */
function withTool(entry: JsonObject, name: string, override: JsonObject): JsonObject {
  const { tools, ...rest } = entry;
  const { [name]: _before, ...others } = asJson(tools);
  const said = Object.fromEntries(Object.entries(override).filter(([, value]) => value !== null));
  const next = Object.keys(said).length > 0 ? { ...others, [name]: said } : others;
  return Object.keys(next).length > 0 ? { ...rest, tools: next } : rest;
}

async function save(setting: string, value: JsonObject | undefined): Promise<void> {
  await vscode.workspace.getConfiguration().update(setting, value, vscode.ConfigurationTarget.Global);
}

/** Settings hold JSON; anything but an object counts as an empty one. */
function asJson(value: unknown): JsonObject {
  return isObject(value) ? (value as { readonly [key: string]: Json }) : {};
}

/** The registry follows the settings by events; a moment later the tool is the new one. */
async function settled(
  context: Pick<ServerCommandContext, 'registry'>,
  before: ToolDefinition,
  id: string,
): Promise<void> {
  for (let round = 0; round < 20 && context.registry.tool(id)?.definition === before; round++) await pause(25);
}
