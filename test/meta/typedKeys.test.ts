// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Lines of code that name a setting, and whether they have to compile. */
const settingLines: readonly (readonly [compiles: boolean, code: string])[] = [
  [true, "const preset: 'strict' | 'balanced' | 'open' = settings.get('policy.preset');"],
  [true, "const seconds: number = settings.get('confirmation.timeoutSeconds');"],
  [true, "const hosts: readonly string[] = settings.get('network.allowedPrivateHosts');"],
  [true, "const written: unknown = settings.layers.user['mcp.servers'];"],
  [true, "const id: 'agentCapabilities.saveTo' = settingId('saveTo');"],
  [false, "settings.get('policy.presett');"],
  [false, "settings.get('agentCapabilities.policy.preset');"],
  [false, "const text: string = settings.get('confirmation.timeoutSeconds');"],
  [false, "const same: boolean = settings.get('policy.preset') === 'lax';"],
  [false, "const typo: unknown = settings.layers.user['mcp.server'];"],
  [false, "settingId('saveto');"],
  [false, "ports.settings.get('webFetch.maxbytes');"],
  [false, "const flag: boolean = ports.settings.get('webFetch.maxBytes');"],
];

/** The same of lines that name a command. */
const commandLines: readonly (readonly [compiles: boolean, code: string])[] = [
  [true, "const id: 'agentCapabilities.todo.add' = commandId('todo.add');"],
  [true, "void runCommand('runTool', 'read_file', { path: 'a.txt' });"],
  [true, "void runCommand('runTool', outside.own('read_file'));"],
  [true, "void runCommand('acceptWidening');"],
  [true, 'const declared: CommandId = command;'],
  [true, 'guard({ runTool: () => undefined });'],
  [false, "commandId('runTol');"],
  [false, "commandId('agentCapabilities.runTool');"],
  [false, "void runCommand('runTol', 'read_file');"],
  [false, "void runCommand('runTool', 7);"],
  [false, "void runCommand('runTool', outside.own(7));"],
  [false, "void runCommand('acceptWidening', 'default');"],
  [false, 'guard({ runTol: () => undefined });'],
  [false, 'const servers: Record<keyof typeof serverCommandTable, () => void> = { addMcpServer: () => undefined };'],
];

/** The same of lines that name a context key. */
const contextLines: readonly (readonly [compiles: boolean, code: string])[] = [
  [true, "const id: 'agentCapabilities.filtered' = contextKey('filtered');"],
  [true, "keys.set('todo.hasItems', true);"],
  [true, "keys.set('tool.read_file', false);"],
  [false, "contextKey('canundo');"],
  [false, "keys.set('agentCapabilities.filtered', true);"],
  [false, "keys.set('hasGrant', true);"],
  [false, "keys.set('hasGrants', 'yes');"],
];

const folder = path.join('.build', 'typed-keys');

/** The lines among these that the compiler refuses, each in a block of its own. */
function refused(head: readonly string[], lines: readonly string[]): readonly string[] {
  mkdirSync(folder, { recursive: true });
  try {
    const text = [...head, ...lines.map((line) => `{ ${line} }`), ''];
    writeFileSync(path.join(folder, 'lines.ts'), text.join('\n'));
    const config = {
      extends: path.resolve('tsconfig.json'),
      compilerOptions: { noUnusedLocals: false, types: ['node'], rootDir: path.resolve('.') },
      include: [],
      files: ['lines.ts', path.resolve('src/virtual.d.ts')],
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    const faults = new Set(
      [...compile().matchAll(/lines\.ts[(:](\d+)/g)].map((match) => text[Number(match[1]) - 1] ?? 'the head'),
    );
    return lines.filter((line) => faults.delete(`{ ${line} }`)).concat(...faults);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compile(): string {
  const compiler = path.resolve('node_modules/typescript/bin/tsc');
  try {
    return execFileSync(process.execPath, [compiler, '--noEmit', '--pretty', 'false', '-p', folder], {
      encoding: 'utf8',
    });
  } catch (error) {
    return String(Reflect.get(Object(error), 'stdout'));
  }
}

function assertCompiles(head: readonly string[], lines: readonly (readonly [compiles: boolean, code: string])[]): void {
  assert.deepEqual(
    refused(
      head,
      lines.map(([, code]) => code),
    ),
    lines.flatMap(([compiles, code]) => (compiles ? [] : [code])),
  );
}

describe('typed keys', () => {
  it('a setting that does not exist, or is of another type, does not compile', () => {
    const head = [
      "import type { ToolPorts } from '../../src/core/ports/toolPorts';",
      "import { settingId } from '../../src/core/settings/settingTable';",
      "import type { Settings } from '../../src/core/settings/settings';",
      'declare const settings: Settings;',
      'declare const ports: ToolPorts;',
    ];
    assertCompiles(head, settingLines);
  }).timeout(60_000);

  it('a command that does not exist, is passed something else, or is declared and not made, does not compile', () => {
    const head = [
      "import type { OutsideCalls } from '../../src/vscode/confirm/outsideCalls';",
      "import { commandId } from '../../src/vscode/manifest/commands/commandId';",
      "import type { CommandArguments, CommandId } from '../../src/vscode/manifest/commands/commandTable';",
      "import { runCommand } from '../../src/vscode/manifest/commands/runCommand';",
      "import type { serverCommandTable } from '../../src/vscode/manifest/commands/serverCommandTable';",
      'declare const outside: OutsideCalls;',
      "declare const guard: OutsideCalls['guard'];",
      'declare const command: keyof CommandArguments;',
    ];
    assertCompiles(head, commandLines);
  }).timeout(60_000);

  it('a context key that does not exist, or is set to anything but a boolean, does not compile', () => {
    const head = [
      "import { contextKey } from '../../src/vscode/manifest/commands/contextKey';",
      "import type { ContextKeys } from '../../src/vscode/settings/contextKeys';",
      'declare const keys: ContextKeys;',
    ];
    assertCompiles(head, contextLines);
  }).timeout(60_000);
});
