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

describe('typed keys', () => {
  it('a setting that does not exist, or is of another type, does not compile', () => {
    const head = [
      "import type { ToolPorts } from '../../src/core/ports/toolPorts';",
      "import { settingId } from '../../src/core/settings/declarations/settingTable';",
      "import type { Settings } from '../../src/core/settings/settings';",
      'declare const settings: Settings;',
      'declare const ports: ToolPorts;',
    ];
    assert.deepEqual(
      refused(
        head,
        settingLines.map(([, code]) => code),
      ),
      settingLines.flatMap(([compiles, code]) => (compiles ? [] : [code])),
    );
  }).timeout(60_000);
});
