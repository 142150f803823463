import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { visibleText } from '../../../src/core/base/visible';
import { approvalLines } from '../../../src/core/foreign/entryWords';
import { nobody, type ServerApproval, type ServerUser } from '../../../src/core/foreign/serverUser';
import type { KeyValueStore } from '../../../src/core/ports/platform';
import { CapabilityRegistry } from '../../../src/core/registry/registry';
import { readSettings } from '../../../src/core/settings/readSettings';
import { plainWords } from '../../../src/core/base/translate';
import { McpServers } from '../../../src/mcp/client/servers';
import { memoryStore } from '../../../src/node/memory';
import { nodeCrypto, systemClock } from '../../../src/node/system';

/** A folder with files, under its real path; executable ones have a name that ends in `.sh`. */
export function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-capabilities-servers-')));
  for (const [name, content] of Object.entries(files)) put(folder, name, content);
  return folder;
}

export function put(folder: string, name: string, content: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), content, { mode: /(?:\.sh|\.bin\/[^/]+|\/run)$/.test(name) ? 0o755 : 0o644 });
}

export const drop = (folder: string): void => rmSync(folder, { recursive: true, force: true });

export interface WorkspaceServersOptions {
  readonly workspace?: Readonly<Record<string, unknown>>;
  readonly user?: Readonly<Record<string, unknown>>;
  readonly folder?: string;
  readonly storage?: KeyValueStore;
  readonly answers?: Partial<ServerUser>;
  readonly trusted?: () => boolean;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** The servers of a workspace without a process: nothing is started unless the person says yes. */
export function workspaceServers(options: WorkspaceServersOptions = {}) {
  const asked: ServerApproval[] = [];
  const audited: unknown[] = [];
  const logged: string[] = [];
  const registry = new CapabilityRegistry();
  let workspace: Readonly<Record<string, unknown>> = options.workspace ?? {};
  let own: Readonly<Record<string, unknown>> = options.user ?? {};
  const storage = options.storage ?? memoryStore();
  const user: ServerUser = {
    ...nobody,
    ...options.answers,
    approveServer: async (request, signal) => {
      asked.push(request);
      return options.answers?.approveServer ? options.answers.approveServer(request, signal) : false;
    },
  };
  const log = (message: string): void => void logged.push(message);
  // Of the port, servers use where the folders are and nothing else.
  const files = { folders: () => [{ name: 'w', path: options.folder ?? '/nowhere', scheme: 'file' }] } as never;
  const servers = new McpServers({
    registry,
    clock: systemClock,
    crypto: nodeCrypto,
    log: { debug: log, info: log, warn: log, error: log },
    secrets: { get: async () => 'secret-value', set: async () => undefined, names: async () => [] },
    tokens: { get: async () => undefined, set: async () => undefined, names: async () => [] },
    files,
    http: { send: () => Promise.reject(new Error('there is no network here')) },
    rooted: () => files,
    trusted: options.trusted ?? (() => true),
    storage,
    settings: () =>
      readSettings({ managed: {}, user: { 'mcp.servers': own }, workspace: { 'mcp.servers': workspace } }),
    user,
    audit: { record: (event) => void audited.push(event) },
    environment: options.environment ?? { PATH: process.env['PATH'] },
  });
  return {
    servers,
    registry,
    storage,
    asked,
    audited,
    logged,
    texts: () => asked.map(textOf),
    state: (name = 's') => servers.list().find((one) => one.name === name)?.state,
    codes: () => servers.problems().map(({ code }) => code),
    /** The workspace is changed, as by a checkout. */
    change(next: Readonly<Record<string, unknown>>): void {
      workspace = next;
      servers.refresh();
    },
    /** The user changes their own settings. */
    changeOwn(next: Readonly<Record<string, unknown>>): void {
      own = next;
      servers.refresh();
    },
  };
}

/** What a person reads of a question, invisible characters made visible. */
export function textOf(request: ServerApproval): string {
  return approvalLines(request, plainWords)
    .map((line) => visibleText(line).text)
    .join('\n');
}
