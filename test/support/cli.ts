import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { main } from '../../src/cli/main';

/** A folder that is gone after the test. Keys are relative paths. */
export function temporaryWorkspace(files: Readonly<Record<string, string>> = {}): { folder: string; dispose(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return { folder, dispose: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs a command line in this process and answers what it printed. */
export async function runCli(argv: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const out: string[] = [];
  const errors: string[] = [];
  const code = await main(argv, { out: (text) => out.push(text), error: (text) => errors.push(text), environment });
  const text = out.join('\n');
  return {
    code,
    text,
    errors: errors.join('\n'),
    json: (): any => JSON.parse(text),
  };
}

/** A call of a tool in a workspace, every question answered with yes. */
export const callByCli = (
  folder: string,
  tool: string,
  input: object,
  ...more: readonly string[]
): ReturnType<typeof runCli> => runCli(['call', tool, JSON.stringify(input), '--workspace', folder, '--yes', ...more]);
