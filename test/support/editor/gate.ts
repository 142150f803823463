import { readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * code-server answers "yes" to every proposed API for every extension, so what works there may be refused by VS Code.
 * These edits put the gate back; each must find its place exactly once, or a new version has changed it.
 */
const WORKBENCH = 'out/vs/code/browser/workbench/workbench.js';
const FILES = [
  WORKBENCH,
  'out/vs/workbench/api/node/extensionHostProcess.js',
  'out/vs/workbench/api/worker/extensionHostWorkerMain.js',
];

const IDENTIFIER = '[A-Za-z_$][\\w$]*';

function escapeForRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function expectOnce(count: number, what: string, file: string): void {
  if (count !== 1)
    throw new Error(`stable gate: ${what} was found ${count} times in ${file}, not once; look at this version by hand`);
}

/** Several functions were patched to answer "yes"; the gate is the one that is asked about a proposal by name. */
function isGate(source: string, name: string): boolean {
  return new RegExp(`(?<![\\w$.])${escapeForRegExp(name)}\\([^()]*,"chatParticipantPrivate"\\)`).test(source);
}

export function gateSource(source: string, file: string): string {
  const closed = new RegExp(
    `function (${IDENTIFIER})\\((${IDENTIFIER}),(${IDENTIFIER})\\)\\{return!!\\(\\2\\.enabledApiProposals&&\\2\\.enabledApiProposals\\.includes\\(\\3\\)\\)\\}`,
    'g',
  );
  const open = new RegExp(`function (${IDENTIFIER})\\((${IDENTIFIER}),(${IDENTIFIER})\\)\\{return!0\\}`, 'g');
  let result = source;
  const alreadyClosed = [...source.matchAll(closed)].filter((match) => isGate(source, match[1] ?? ''));
  if (alreadyClosed.length === 0) {
    const gates = [...source.matchAll(open)].filter((match) => isGate(source, match[1] ?? ''));
    expectOnce(gates.length, 'the gate function', file);
    for (const [text, name, extension, proposal] of gates) {
      const body = `return!!(${extension}.enabledApiProposals&&${extension}.enabledApiProposals.includes(${proposal}))`;
      result = source.replace(text, () => `function ${name}(${extension},${proposal}){${body}}`);
    }
  } else expectOnce(alreadyClosed.length, 'the closed gate function', file);
  if (file === WORKBENCH) {
    expectOnce(result.split(/_envEnablesProposedApiForAll=![01]/).length - 1, '_envEnablesProposedApiForAll', file);
    result = result.replace('_envEnablesProposedApiForAll=!0', '_envEnablesProposedApiForAll=!1');
  }
  return result;
}

/**
 * Edits the cached copy; a second time it changes nothing. A file is replaced by rename, so a running editor never
 * reads half of one.
 */
export async function applyStableGate(vscode: string): Promise<void> {
  for (const file of FILES) {
    const path = join(vscode, file);
    const source = await readFile(path, 'utf8');
    const gated = gateSource(source, file);
    if (gated === source) continue;
    const { atime, mtime } = await stat(path);
    const temporary = `${path}.${process.pid}.tmp`;
    await writeFile(temporary, gated);
    await utimes(temporary, atime, mtime);
    await rename(temporary, path);
  }
}
