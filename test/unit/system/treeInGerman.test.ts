import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { draftRule } from '../../../src/core/policy/rules/ruleDraft';
import { parseBoundaries } from '../../../src/core/policy/rules/parse';
import { presetBoundaries } from '../../../src/core/policy/rules/presets';
import { budgetOf } from '../../../src/core/present/budget';
import { capabilityTree, type Grouping } from '../../../src/core/present/capabilityTree';
import { ruleRows } from '../../../src/core/present/ruleRows';
import { parseFilter } from '../../../src/core/present/treeFilter';
import type { TreeRow } from '../../../src/core/present/treeRow';
import { manifestWords } from '../../../src/vscode/tools/manifestWords';
import { inGerman } from '../../support/german';
import { openSystem } from '../../support/system';

/** The manifest as an editor gives it to us, with the texts of its language. */
function manifest(): unknown {
  const words = JSON.parse(readFileSync('package.nls.de.json', 'utf8'));
  return JSON.parse(readFileSync('package.json', 'utf8'), (_key, value: unknown) =>
    typeof value === 'string' && /^%.*%$/.test(value) ? words[value.slice(1, -1)] : value,
  );
}

const rowsOf = (rows: readonly TreeRow[]): readonly TreeRow[] =>
  rows.flatMap((row) => [row, ...rowsOf(row.children())]);

/** A word that only English has, outside of code: names of tools, ids and what stands between backticks. */
const english =
  /\b(?:the|and|of|not|with|that|from|is|are|for|your|asks?|denied|files?|read|reads|write|changes|nothing|any|tool of|UNTRANSLATED)\b/;
const prose = (text: string): string =>
  text
    .replaceAll('\\', '')
    .replace(/[a-z]+(?:-[a-z]+)+|``[^`]+``|`[^`]*`|[\w.*/-]*[_/.*][\w.*/-]*|\w+:[\w=<>.-]+/g, ' ');

describe('the Capabilities view of a German editor', () => {
  it('D.tree: says nothing of ours in English, in a row, its tooltip or to a screen reader', async () => {
    const system = await openSystem({
      user: { 'policy.preset': 'strict' },
      platform: { translate: inGerman, toolWords: manifestWords(manifest()) },
    });
    const { registry, profiles } = system.core.tools;
    const profile = profiles.active();
    const found: string[] = [];
    for (const grouping of ['order', 'category', 'source'] as readonly Grouping[]) {
      const input = { registry, profile, problems: [], budget: budgetOf(profile, 0), grouping, t: inGerman };
      for (const row of rowsOf(capabilityTree({ ...input, isDeveloper: true })))
        for (const text of [row.label, row.description, row.tooltip(), row.accessibleLabel])
          if (english.test(prose(text))) found.push(text);
    }
    const tool = { tool: 'cap:file_system:write_file', toolName: 'write_file', isAgents: true };
    const drafted = [true, false].map((isNew) =>
      draftRule(tool, 'deny', { type: 'tool' }, { taken: new Set(), day: '2026-11-28', isNew }),
    );
    const { value: own } = parseBoundaries(drafted, 'user');
    const rules = [...own, ...(['strict', 'balanced', 'open'] as const).flatMap((preset) => presetBoundaries(preset))];
    const input = { rules, preset: 'strict', hitsOf: () => 0, fileName: (file: string) => file, t: inGerman };
    for (const row of rowsOf(ruleRows(input)))
      for (const text of [row.label, row.description, row.tooltip(), row.accessibleLabel])
        if (english.test(prose(text))) found.push(text);
    system.dispose();
    assert.deepEqual([...new Set(found)], []);
  });

  it('D.tree: names capabilities and their groups in German, and finds them by either name', async () => {
    const system = await openSystem({ platform: { translate: inGerman } });
    const { registry, profiles } = system.core.tools;
    const profile = profiles.active();
    const labels = (grouping: Grouping, words = ''): readonly string[] => {
      const filter = parseFilter(registry, words, inGerman);
      const input = { registry, profile, problems: [], budget: budgetOf(profile, 0), grouping, t: inGerman };
      return capabilityTree({ ...input, ...(filter ? { filter } : {}) }).map(({ label }) => label);
    };
    assert.ok(labels('order').includes('Dateisystem'));
    assert.ok(labels('category').includes('Netz'));
    const spec = { id: 'notes', version: '1.0.0', name: 'notes', status: 'available', tools: [] } as const;
    const added = registry.register({
      ...spec,
      description: 'Tools of the MCP server notes',
      source: { type: 'mcp', server: 'notes' },
      category: 'MCP servers',
    });
    assert.ok(labels('category').includes('MCP-Server'));
    added.dispose();
    for (const words of ['dateisystem', 'file system'])
      assert.ok(labels('order', words).includes('Dateisystem'), words);
    assert.equal(registry.capability('file_system')?.name, 'File System', 'a model reads what it always read');
    system.dispose();
  });
});
