import type { Json, JsonObject } from '../../src/core/base/json';
import type { Capability } from '../../src/core/capability/capability';
import { settingId } from '../../src/core/settings/settingTable';
import { commandId } from '../../src/vscode/manifest/commands/commandId';
import { commandSpecs } from '../../src/vscode/manifest/commands/commandTable';
import { foreignTexts } from './foreignTools';
import { chatParticipants, chatTexts, mcpProviders } from './chat';
import { configuration, profileTexts, sectionTexts, settingTexts } from './configuration';
import { languageModelTools, toolTexts } from '../../src/vscode/manifest/tools';
import { walkthroughs, walkthroughTexts } from './walkthrough';
import { promptScheme } from '../../src/vscode/manifest/promptScheme';
import { views, viewContainers, viewsWelcome, viewTexts } from './views';

/**
 * The files of `.vscode/capabilities` that a shipped schema describes: the editor completes, explains and checks them
 * while they are written.
 */
const jsonValidation: readonly JsonObject[] = [
  ...['boundaries', 'requirements', 'grants'].map((name) => ({ name, file: `${name}.json` })),
  ...['capability', 'actions', 'channel'].map((name) => ({ name, file: `*.${name}.json` })),
].map(({ name, file }) => ({
  fileMatch: `**/.vscode/capabilities/${file}`,
  url: `./media/schemas/${name}.schema.json`,
}));

function commands(): readonly JsonObject[] {
  return commandSpecs.map((spec) => ({
    command: commandId(spec.id),
    title: `%command.${spec.id}%`,
    category: '%category%',
    ...(spec.icon ? { icon: `$(${spec.icon})` } : {}),
    ...(spec.enablement ? { enablement: spec.enablement } : {}),
  }));
}

function menus(): JsonObject {
  const out: Record<string, JsonObject[]> = {};
  for (const spec of commandSpecs) {
    for (const { menu, when, group } of spec.menus ?? [])
      (out[menu] ??= []).push({ command: commandId(spec.id), ...(when ? { when } : {}), group });
    if (spec.palette === false) (out['commandPalette'] ??= []).push({ command: commandId(spec.id), when: 'false' });
  }
  return out;
}

function keybindings(): readonly JsonObject[] {
  return commandSpecs.flatMap((spec) =>
    (spec.keys ?? []).flatMap(({ key, mac, when, onRow }): JsonObject[] => {
      const base = { key, ...(mac ? { mac } : {}) };
      const command = commandId(spec.id);
      if (!onRow) return [{ command, ...base, when }];
      // Several selected rows stay as they are; otherwise the focused row becomes the selection, of which the extension
      // is told first.
      return [
        { command, ...base, when: `${when} && listMultiSelection` },
        {
          command: 'runCommands',
          args: { commands: ['list.selectAndPreserveFocus', command] },
          ...base,
          when: `${when} && !listMultiSelection`,
        },
      ];
    }),
  );
}

/**
 * The generated keys of package.json: everything that the editor reads but for the names and links of the project.
 * `boundary` is the schema of one rule of the shipped boundaries.schema.json, which holds for the setting too.
 */
export function manifestPart(capabilities: readonly Capability[], boundary: JsonObject): JsonObject {
  return {
    // Startup: the context keys that show the tools to models must be set before the first chat request.
    activationEvents: ['onStartupFinished', `onFileSystem:${promptScheme}`],
    l10n: './l10n',
    capabilities: {
      untrustedWorkspaces: {
        supported: 'limited',
        description: '%trust.description%',
        restrictedConfigurations: [settingId('mcp.servers'), settingId('channels'), settingId('definitions.enabled')],
      },
      virtualWorkspaces: { supported: 'limited', description: '%virtual.description%' },
    },
    contributes: {
      languageModelTools: languageModelTools(capabilities) as readonly Json[],
      configuration: configuration(capabilities, boundary) as readonly Json[],
      chatParticipants: chatParticipants as readonly Json[],
      mcpServerDefinitionProviders: mcpProviders as readonly Json[],
      commands: commands() as readonly Json[],
      menus: menus(),
      keybindings: keybindings() as readonly Json[],
      viewsContainers: viewContainers,
      views,
      jsonValidation: jsonValidation as readonly Json[],
      resourceLabelFormatters: [{ scheme: promptScheme, formatting: { label: '${query.title}', separator: '/' } }],
      viewsWelcome: viewsWelcome as readonly Json[],
      walkthroughs: walkthroughs as readonly Json[],
    },
  };
}

/** The whole of package.nls.json. `modelDescription` is not in it: texts for models are never translated. */
export function manifestTexts(capabilities: readonly Capability[]): Readonly<Record<string, string>> {
  return {
    ...viewTexts,
    ...walkthroughTexts,
    ...chatTexts,
    ...foreignTexts,
    ...Object.fromEntries(commandSpecs.map((spec) => [`command.${spec.id}`, spec.title])),
    ...sectionTexts,
    ...settingTexts(),
    ...profileTexts(),
    ...toolTexts(capabilities),
  };
}
