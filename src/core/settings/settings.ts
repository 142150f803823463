import type { Json, JsonObject } from '../base/json';
import { isObject, sanitizeJson } from '../base/json';
import { didYouMean } from '../base/nearest';
import { foreignSettings } from './foreignSettings';
import type { Problem } from '../base/problem';
import { meantBy, misfit } from './settingValues';
import type { ToolSettings } from '../ports/toolPorts';
import type { SettingMerge, SettingSpec } from './settingSpec';

/**
 * What a user and a workspace wrote, by key without the `agentCapabilities.` prefix; `managed` is the managed file's
 * content.
 */
export interface SettingsLayers {
  readonly managed: Readonly<Record<string, unknown>>;
  readonly user: Readonly<Record<string, unknown>>;
  readonly workspace: Readonly<Record<string, unknown>>;
}

const user: SettingMerge = { type: 'user' };
const layers: SettingMerge = { type: 'layers' };

const list: readonly Omit<SettingSpec, 'order'>[] = [
  {
    key: 'activeProfile',
    schema: { type: 'string' },
    default: 'default',
    scope: 'window',
    merge: { type: 'workspace' },
    description: 'The profile that is active when a window opens. Editing it switches at once.',
  },
  {
    key: 'profiles',
    schema: { type: 'object' },
    default: {},
    scope: 'window',
    merge: layers,
    description:
      'Agent profiles by id: name, description, base prompt, mode, scopes and the ordered list of capabilities. A workspace may tighten what your own settings allow; what widens counts once you accept it.',
  },
  {
    key: 'saveTo',
    schema: { type: 'string', enum: ['workspace', 'user'] },
    default: 'workspace',
    scope: 'application',
    merge: user,
    description:
      'Where the Capabilities view writes changes. Without an open folder it always writes to user settings.',
  },
  {
    key: 'customAgent.location',
    schema: { type: 'string', enum: ['user', 'workspace', 'off'] },
    default: 'user',
    scope: 'application',
    strictest: 'off',
    merge: user,
    description:
      'Where the active profile is written as a custom agent: in your own agents (`~/.copilot/agents`), in the workspace (`.github/agents`), or nowhere. What a workspace brings to a profile never stands in your own agents: such an agent is in the workspace for as long as the window is open, unseen by git.',
  },
  {
    key: 'policy.preset',
    schema: { type: 'string', enum: ['strict', 'balanced', 'open'] },
    default: 'balanced',
    scope: 'application',
    strictest: 'strict',
    merge: user,
    description: 'The built-in boundaries: what is denied and what asks before you write a rule of your own.',
  },
  {
    key: 'policy.boundaries',
    schema: { type: 'array', items: { type: 'object' } },
    default: [],
    scope: 'window',
    merge: layers,
    description: 'Policy rules over what a call touches. A workspace can only add denials and confirmations.',
  },
  {
    key: 'policy.adminApproval',
    schema: { type: 'string', enum: ['never', 'critical', 'high'] },
    default: 'never',
    scope: 'application',
    strictest: 'high',
    merge: user,
    description: 'The risk from which an approval also needs the admin token.',
  },
  {
    key: 'policy.managedFile',
    schema: { type: 'string' },
    default: '',
    scope: 'machine',
    merge: user,
    description: 'A JSON file with settings that override all others. Meant for administrators.',
  },
  {
    key: 'policy.requireFrozenSpec',
    schema: { type: 'string', enum: ['never', 'critical', 'high'] },
    default: 'never',
    scope: 'application',
    strictest: 'high',
    merge: user,
    description: 'The risk from which a call must be listed in a frozen plan.',
  },
  {
    key: 'confirmation.surface',
    schema: { type: 'string', enum: ['modal', 'chat', 'both'] },
    default: 'modal',
    scope: 'application',
    merge: user,
    description:
      'Where a confirmation is asked. `modal` cannot be skipped by any auto-approval of the editor; `chat` uses the inline confirmation, which the editor can be told to skip.',
  },
  {
    key: 'confirmation.timeoutSeconds',
    schema: { type: 'number', minimum: 0, maximum: 86400 },
    default: 300,
    scope: 'application',
    merge: user,
    description: 'After so many seconds without an answer a call is denied. 0 waits for ever.',
  },
  {
    key: 'limits',
    schema: { type: 'object' },
    default: {},
    scope: 'window',
    merge: layers,
    description: 'Calls per window, budgets per session and the repetition breaker. A workspace can only lower them.',
  },
  {
    key: 'network.allowedPrivateHosts',
    schema: { type: 'array', items: { type: 'string' } },
    default: [],
    scope: 'application',
    merge: user,
    description:
      'Hosts with private or loopback addresses that outgoing calls may reach, such as `127.0.0.1` or `intranet.example:8080`.',
  },
  {
    key: 'webFetch.firstByteTimeoutMs',
    schema: { type: 'array', items: { type: 'number', minimum: 50, maximum: 120000 }, minItems: 1, maxItems: 5 },
    default: [1000, 3000, 9000],
    scope: 'application',
    merge: user,
    description: 'How long each attempt waits for the first byte, in milliseconds.',
  },
  {
    key: 'webFetch.bodyTimeoutMs',
    schema: { type: 'number', minimum: 100, maximum: 600000 },
    default: 30000,
    scope: 'application',
    merge: user,
    description: 'How long a body may take, in milliseconds. After that the part that came is handed over.',
  },
  {
    key: 'webFetch.maxBytes',
    schema: { type: 'number', minimum: 1024, maximum: 104857600 },
    default: 10485760,
    scope: 'application',
    merge: user,
    description: 'The most bytes of a decoded body that are read.',
  },
  {
    key: 'webFetch.maxLength',
    schema: { type: 'number', minimum: 500, maximum: 1000000 },
    default: 7000,
    scope: 'application',
    merge: user,
    description:
      'How many characters of a page one call hands over where the call does not say. The editor moves results over 8,192 bytes to a file.',
  },
  {
    key: 'webFetch.respectRobots',
    schema: { type: 'boolean' },
    default: true,
    scope: 'application',
    merge: user,
    description: 'Agents keep to robots.txt.',
  },
  {
    key: 'webFetch.reviewResponse',
    schema: { type: 'boolean' },
    default: false,
    scope: 'application',
    strictest: true,
    merge: user,
    description: 'Shows a fetched page to you before the model gets it.',
  },
  {
    key: 'fileSystem.root',
    schema: { type: 'string', enum: ['workspace', 'session'] },
    default: 'workspace',
    scope: 'window',
    merge: { type: 'tighten', order: ['workspace', 'session'] },
    description: 'Where file tools work: in the workspace folders, or in an isolated file system of the profile.',
  },
  {
    key: 'fileSystem.respectIgnoreFiles',
    schema: { type: 'boolean' },
    default: true,
    scope: 'window',
    merge: { type: 'tighten', order: [false, true] },
    description: 'Searches and listings leave out what .gitignore and `files.exclude` name.',
  },
  {
    key: 'fileSystem.deleteToTrash',
    schema: { type: 'boolean' },
    default: true,
    scope: 'window',
    merge: { type: 'tighten', order: [false, true] },
    description: 'Deleted files go to the trash.',
  },
  {
    key: 'audit.content',
    schema: { type: 'string', enum: ['shape', 'redacted'] },
    default: 'shape',
    scope: 'application',
    merge: user,
    description:
      'What the audit keeps of arguments and results: their shape, or their content with secrets redacted. File contents are never kept.',
  },
  {
    key: 'audit.retentionDays',
    schema: { type: 'number', minimum: 1, maximum: 3650 },
    default: 90,
    scope: 'application',
    merge: user,
    description: 'How many days audit segments are kept.',
  },
  {
    key: 'audit.maxMegabytes',
    schema: { type: 'number', minimum: 1, maximum: 100000 },
    default: 200,
    scope: 'application',
    merge: user,
    description: 'The most megabytes that audit segments take; the oldest go first.',
  },
  {
    key: 'audit.otlpEndpoint',
    schema: { type: 'string' },
    default: '',
    scope: 'application',
    merge: user,
    description: 'An OTLP/HTTP endpoint that receives the audit, for teams. Empty sends nothing.',
  },
  {
    key: 'audit.signed',
    schema: { type: 'boolean' },
    default: false,
    scope: 'application',
    merge: user,
    description:
      'Chains the record with a key that the editor keeps in its secret storage, so that somebody who can write the folder cannot rebuild the chain. Signed and unsigned records stand in folders of their own. Takes effect when the window reloads.',
  },
  ...foreignSettings,
  {
    key: 'definitions.enabled',
    schema: { type: 'boolean' },
    default: true,
    scope: 'window',
    merge: { type: 'tighten', order: [true, false] },
    description: 'Loads capability definitions from `.vscode/capabilities`. Off in untrusted workspaces.',
  },
  {
    key: 'database.connections',
    schema: { type: 'object' },
    default: {},
    scope: 'application',
    merge: user,
    description:
      'Databases by name: `{ "type": "sqlite", "path": "data/app.sqlite" }` (in the workspace) or `{ "type": "postgres", "url": "postgres://user@host/db", "passwordSecret": "NAME" }`. The one called `default` is used where a call names none. A PostgreSQL role that can run programs or reach files of the server is refused, unless `acceptPowerfulRole` is true for its connection.',
  },
  {
    key: 'email.host',
    schema: { type: 'string' },
    default: '',
    scope: 'application',
    merge: user,
    description: 'The SMTP server that sends mail. Empty sends none.',
  },
  {
    key: 'email.port',
    schema: { type: 'number', minimum: 1, maximum: 65535 },
    default: 587,
    scope: 'application',
    merge: user,
    description: 'The port of the SMTP server.',
  },
  {
    key: 'email.secure',
    schema: { type: 'boolean' },
    default: false,
    scope: 'application',
    merge: user,
    description: 'TLS from the first byte (port 465). Otherwise the connection is upgraded.',
  },
  {
    key: 'email.requireTls',
    schema: { type: 'boolean' },
    default: true,
    scope: 'application',
    merge: user,
    description:
      'Sends nothing over a connection that cannot be encrypted. Switch it off for a server on this machine only.',
  },
  {
    key: 'email.user',
    schema: { type: 'string' },
    default: '',
    scope: 'application',
    merge: user,
    description: 'The user name for the SMTP server. The password is the secret `smtp_password`.',
  },
  {
    key: 'email.from',
    schema: { type: 'string' },
    default: '',
    scope: 'application',
    merge: user,
    description: 'The sender of mail.',
  },
  {
    key: 'research.searchEndpoint',
    schema: { type: 'string' },
    default: '',
    scope: 'application',
    merge: user,
    description:
      'The address of a search service that answers JSON, with `{query}` and `{count}` where they belong. A key is the secret `search_key`.',
  },
];

/** Every setting `agentCapabilities.*`; the manifest's configuration is generated from this list. */
export const settingSpecs: readonly SettingSpec[] = list.map((spec, index) => ({ ...spec, order: index }));

/** The settings after their scopes have met. */
export class Settings implements ToolSettings {
  readonly #values: ReadonlyMap<string, Json>;
  readonly layers: SettingsLayers;
  readonly problems: readonly Problem[];

  constructor(values: ReadonlyMap<string, Json>, settingsLayers: SettingsLayers, problems: readonly Problem[]) {
    this.#values = values;
    this.layers = settingsLayers;
    this.problems = problems;
  }

  get(key: string): Json | undefined {
    return this.#values.get(key);
  }

  section(prefix: string): JsonObject {
    const start = `${prefix}.`;
    return Object.fromEntries(
      [...this.#values]
        .filter(([key]) => key.startsWith(start))
        .map(([key, value]) => [key.slice(start.length), value]),
    );
  }

  string(key: string): string {
    const value = this.#values.get(key);
    return typeof value === 'string' ? value : '';
  }

  number(key: string): number {
    const value = this.#values.get(key);
    return typeof value === 'number' ? value : 0;
  }

  boolean(key: string): boolean {
    return this.#values.get(key) === true;
  }

  strings(key: string): readonly string[] {
    const value = this.#values.get(key);
    return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
  }
}

/**
 * Merges the scopes of every setting. A value that does not fit is reported and its default holds; nothing is guessed.
 */
export function readSettings(raw: SettingsLayers): Settings {
  const problems: Problem[] = [];
  const values = new Map<string, Json>();
  const specs = new Map(settingSpecs.map((spec) => [spec.key, spec]));
  const managed = expand(raw.managed);
  const clean: SettingsLayers = {
    managed: { ...meantBy(Object.keys(managed), specs.keys()), ...managed },
    user: expand(raw.user),
    workspace: expand(raw.workspace),
  };
  for (const [scope, layer] of Object.entries(clean))
    for (const key of Object.keys(layer))
      if (!specs.has(key))
        problems.push({
          severity: scope === 'managed' ? 'error' : 'warning',
          code: 'unknown_setting',
          message: `\`agentCapabilities.${key}\` in the ${scope} settings is not a setting${didYouMean(key, specs.keys())}`,
          subject: key,
        });
  for (const spec of settingSpecs) values.set(spec.key, mergeOne(spec, clean, problems));
  return new Settings(values, clean, problems);
}

/** What a managed file means that is there and cannot be read: a value for every setting that nobody can read. */
export function unreadableSettings(): Record<string, unknown> {
  return Object.fromEntries(settingSpecs.map(({ key }) => [key, null]));
}

/** The strictest value of a setting: what its order ends with, what it declares, or its default. */
function strictestOf(spec: SettingSpec): Json {
  if (spec.merge.type === 'tighten') return spec.merge.order.at(-1) ?? spec.default;
  return spec.strictest ?? spec.default;
}

function mergeOne(spec: SettingSpec, source: SettingsLayers, problems: Problem[]): Json {
  // A value that cannot be read was meant to say something: the strictest counts, never what it was to replace.
  const read = (scope: keyof SettingsLayers): Json | undefined => {
    const value = source[scope][spec.key];
    if (value === undefined) return undefined;
    const fault = misfit(spec.schema, value);
    if (fault === undefined) return value as Json;
    const counts = scope !== 'workspace' || spec.merge.type === 'tighten';
    problems.push({
      severity: 'error',
      code: 'invalid_setting',
      message: `\`agentCapabilities.${spec.key}\` ${fault}; ${counts ? `${JSON.stringify(strictestOf(spec))} is used` : 'the user value is used'}`,
      subject: spec.key,
    });
    return counts ? strictestOf(spec) : undefined;
  };
  const managed = read('managed');
  const own = read('user') ?? spec.default;
  const workspace = read('workspace');
  switch (spec.merge.type) {
    case 'user':
      if (workspace !== undefined)
        problems.push({
          severity: 'information',
          code: 'setting_ignored',
          message: `\`agentCapabilities.${spec.key}\` counts in user settings only; the workspace's value is ignored`,
          subject: spec.key,
        });
      return managed ?? own;
    case 'workspace':
      return managed ?? workspace ?? own;
    case 'layers':
      return managed ?? own;
    case 'tighten': {
      const { order } = spec.merge;
      const strictest = [managed, own, workspace]
        .filter((value) => value !== undefined)
        .map((value) => order.indexOf(value));
      return order[Math.max(0, ...strictest)] ?? spec.default;
    }
  }
}

/**
 * Accepts dotted keys and nested objects alike, as settings files do; `profiles`, `limits` and other object settings
 * stay whole.
 */
function expand(layer: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  const known = new Set(settingSpecs.map((spec) => spec.key));
  const walk = (prefix: string, value: unknown): void => {
    if (known.has(prefix) || !isObject(value) || ![...known].some((key) => key.startsWith(`${prefix}.`)))
      out[prefix] = value;
    else for (const [key, item] of Object.entries(value)) walk(`${prefix}.${key}`, item);
  };
  for (const [key, value] of Object.entries(layer)) {
    const name = key.replace(/^agentCapabilities\./, '');
    try {
      walk(name, sanitizeJson(value));
    } catch {
      // Nested too deep: nobody can read it, nor any setting that may stand in it.
      const within = [...known].filter((one) => one === name || one.startsWith(`${name}.`));
      for (const one of within.length > 0 ? within : [name]) out[one] = null;
    }
  }
  return out;
}
