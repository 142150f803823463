import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileSystem } from '../../src/capabilities/fileSystem/fileSystem';
import { NodeFileSystem, type NodeFileSystemOptions } from '../../src/node/nodeFileSystem';
import { SessionRoots } from '../../src/node/files/sessionRoots';
import { FreedesktopTrash } from '../../src/node/files/trash';
import { type CallOptions, type CallResult, callTool } from './toolContext';
import type { WorkspaceFolder } from '../../src/core/ports/workspacePath';

/** A workspace in a temporary folder: `outside/` lies beside the roots, for what must never be reached. */
export interface TestWorkspace {
  readonly base: string;
  readonly root: string;
  readonly outside: string;
  readonly files: NodeFileSystem;
  folder(name?: string): WorkspaceFolder;
  /** Writes files given by path → content; a path that ends in `/` is a folder. */
  put(files: Readonly<Record<string, string | Uint8Array>>): void;
  at(relative: string): string;
  call(tool: string, input: unknown, options?: CallOptions): Promise<CallResult>;
  /** Calls and expects a result. */
  ok(tool: string, input: unknown, options?: CallOptions): Promise<Record<string, any>>;
  /** Calls and expects an error; answers its code. */
  code(tool: string, input: unknown, options?: CallOptions): Promise<string>;
  dispose(): void;
}

export function makeWorkspace(
  options: { folders?: readonly string[] } & Partial<Omit<NodeFileSystemOptions, 'folders'>> = {},
): TestWorkspace {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-capabilities-')));
  const names = options.folders ?? ['root'];
  const folders = names.map((name) => ({ name, path: path.join(base, name), scheme: 'file' }));
  for (const folder of folders) mkdirSync(folder.path);
  const outside = path.join(base, 'outside');
  mkdirSync(outside);
  const { folders: _names, ...rest } = options;
  const files = new NodeFileSystem({
    trash: new FreedesktopTrash(path.join(base, 'trash')),
    sessionStorage: new SessionRoots(path.join(base, 'sessions')),
    ...rest,
    folders: () => folders,
  });
  const root = folders[0]?.path ?? base;
  const call = (tool: string, input: unknown, more: CallOptions = {}): Promise<CallResult> =>
    callTool(fileSystem, tool, input, { files, ...more });
  return {
    base,
    root,
    outside,
    files,
    folder: (name) => folders.find((one) => one.name === (name ?? names[0])) ?? { name: '', path: '', scheme: '' },
    at: (relative) => path.join(root, relative),
    put(content) {
      for (const [relative, text] of Object.entries(content)) {
        const file = path.join(root, relative);
        mkdirSync(relative.endsWith('/') ? file : path.dirname(file), { recursive: true });
        if (!relative.endsWith('/')) writeFileSync(file, text);
      }
    },
    call,
    async ok(tool, input, more) {
      const result = await call(tool, input, more);
      if (!result.ok) throw new Error(`${tool} answered ${result.error.code}: ${result.error.message}`);
      return result.outcome.payload as Record<string, any>;
    },
    async code(tool, input, more) {
      const result = await call(tool, input, more);
      return result.ok ? `no error: ${JSON.stringify(result.outcome.payload).slice(0, 300)}` : result.error.code;
    },
    dispose: () => rmSync(base, { recursive: true, force: true }),
  };
}
