import { strict as assert } from 'node:assert';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { useEditor } from '../../../support/editor/person';
import { projectRoot } from '../../../support/editor/root';
import { until } from '../../../support/editor/until';

/**
 * What one window's start was, in milliseconds, by the marks of the editor and the one that we set when everything is
 * there; and all that was loaded by then and right after it.
 */
export interface MeasuredStart {
  readonly entryMs: number;
  /** From the entry until the editor calls us: it fetches what it keeps for us meanwhile. */
  readonly calledMs: number;
  /** From the entry to the end of our activation. */
  readonly activatedMs: number;
  /** From the entry until everything that the editor may call answers. */
  readonly readyMs: number;
  readonly bytes: number;
  readonly files: readonly string[];
}

const id = 'agent-capabilities.agent-capabilities';
const target = join(projectRoot(), '.build', 'bench', 'starts.json');
const starts: MeasuredStart[] = [];

for (let window = 1; window <= Number(process.env['AGENT_CAPABILITIES_WINDOWS'] ?? 5); window++)
  describe(`start ${window}`, () => {
    const editor = useEditor({ asInstalled: true });

    it('is marked by the editor', async () => {
      const measured = await until(async () => {
        const read = await editor.host.evaluate(readStart, id);
        assert.ok(read, 'not active yet');
        return read;
      });
      const asides = measured.files.filter((file) => /[\\/]small\.[^\\/]*$/.test(file));
      assert.deepEqual(asides, [], 'a start reads what only a click or a call needs: see `soonSources` in esbuild.mjs');
      const sizes = measured.files.map((file) => statSync(file).size);
      starts.push({ ...measured, bytes: sizes.reduce((sum, size) => sum + size, 0) });
      mkdirSync(join(target, '..'), { recursive: true });
      writeFileSync(target, JSON.stringify(starts));
      assert.equal(JSON.parse(readFileSync(target, 'utf8')).length, starts.length);
    });
  });

/**
 * Runs in the extension host: reads the marks that the editor sets around an extension's code and its activation, and
 * ours; both are told from the same origin.
 */
function readStart(api: typeof vscode, name: string): Omit<MeasuredStart, 'bytes'> | undefined {
  const extension = api.extensions.getExtension(name);
  const shared = globalThis as unknown as {
    MonacoPerformanceMarks?: { getMarks(): { name: string; startTime: number }[] };
  };
  const marks = shared.MonacoPerformanceMarks?.getMarks() ?? performance.getEntriesByType('mark');
  const at = (mark: string): number | undefined =>
    marks.find((one) => one.name.toLowerCase() === `code/exthost/${mark}/${name}`.toLowerCase())?.startTime;
  const [load, loaded] = [at('willLoadExtensionCode'), at('didLoadExtensionCode')];
  const [called, activated] = [at('willActivateExtension'), at('didActivateExtension')];
  const [own] = performance.getEntriesByName('agentCapabilities/ready');
  if (!extension?.isActive || !own) return undefined;
  if (load === undefined || loaded === undefined || called === undefined || activated === undefined) return undefined;
  // The editor's marks of a process of Node are times of day, those of a browser begin with its page.
  const ready = own.startTime + (loaded > performance.timeOrigin / 2 ? performance.timeOrigin : 0);
  const { _cache } = process.getBuiltinModule('module') as unknown as { _cache: object };
  const files = Object.keys(_cache).filter((file) => file.startsWith(extension.extensionPath));
  return {
    entryMs: loaded - load,
    calledMs: called - loaded,
    activatedMs: activated - loaded,
    readyMs: ready - loaded,
    files,
  };
}
