import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { isObject } from '../../src/core/base/json';
import { presetBoundaries, presetNames } from '../../src/core/policy/rules/presets';
import { presetPage } from '../../tools/manifest/presetTable';
import { choiceTexts } from '../../tools/manifest/settingSchemas';

/** What the texts of the setting call each rule, in English and German. */
const called: Readonly<Record<string, readonly [string, string]>> = {
  'preset.secrets': ['files that hold secrets', 'Dateien, die Geheimnisse enthalten'],
  'preset.governing-files': [
    'changes to files that decide what runs',
    'Änderungen an Dateien, die bestimmen, was läuft',
  ],
  'preset.pipeline-files': [
    'changes to files that decide what runs',
    'Änderungen an Dateien, die bestimmen, was läuft',
  ],
  'preset.build-files': ['changes to what a build runs', 'Änderungen an dem, was ein Build ausführt'],
  'preset.private-addresses': ['private addresses', 'private Adressen'],
  'preset.other-hosts': ['every host once per session', 'jeden Host einmal je Sitzung'],
  'preset.recursive-delete': ['deletes of folders', 'Löschen von Ordnern'],
  'preset.permanent-delete': ['past the trash', 'am Papierkorb vorbei'],
  'preset.database-delete': ['from a database', 'aus einer Datenbank'],
  'preset.fetched-code': ['code from the network', 'Code aus dem Netz'],
  'preset.hidden-shell': ['what is typed into an open shell', 'was in eine offene Shell getippt wird'],
  'preset.terminal': [
    'command lines whose effect cannot be told',
    'Befehlszeilen, deren Wirkung sich nicht sagen lässt',
  ],
  'preset.flow': ['something private and what a stranger wrote', 'etwas Privates und etwas von Fremden gelesen'],
  'preset.private-out': [
    'reach others after a session read something private',
    'nachdem eine Sitzung etwas Privates gelesen',
  ],
  'preset.high-risk': ['tools of high risk', 'Tools mit hohem Risiko'],
  'preset.critical-risk': ['tools of critical risk', 'Tools mit kritischem Risiko'],
};

/** How a sentence about rules of a decision begins, in English and German. */
const begins: Readonly<Record<string, readonly [string, string]>> = {
  deny: ['Closes ', 'Lehnt ab: '],
  require_approval: ['Asks ', 'Fragt '],
  advise: ['Only warns ', 'Warnt nur, '],
};

describe('docs/presets.md', () => {
  it('is what the rules say; `UPDATE=1 npm test` writes it anew', () => {
    const page = presetPage();
    if (process.env['UPDATE']) writeFileSync('docs/presets.md', page);
    assert.equal(readFileSync('docs/presets.md', 'utf8'), page);
  });

  it('and the texts of the setting name each rule with what it decides, and no other', () => {
    const german: unknown = JSON.parse(readFileSync('package.nls.de.json', 'utf8'));
    assert(isObject(german));
    for (const preset of presetNames) {
      // The file of the canary is in no project, and what reads private things and reaches others needs no stranger.
      const rules = presetBoundaries(preset).filter(({ id }) => id !== 'preset.hook-canary');
      const isWider = rules.some(({ id }) => id === 'preset.private-out');
      const texts: readonly unknown[] = [
        choiceTexts['policy.preset']?.[preset],
        german[`setting.policy.preset.${preset}`],
      ];
      for (const [language, text] of texts.entries()) {
        const sentences = String(text).split(/(?<=\.) /);
        for (const [decision, beginning] of Object.entries(begins)) {
          const sentence = sentences.find((one) => one.startsWith(beginning[language] ?? '?')) ?? '';
          const named = Object.values(called).map((both) => both[language] ?? '?');
          const due = rules
            .filter((rule) => rule.decision === decision && !(isWider && rule.id === 'preset.flow'))
            .map(({ id }) => called[id]?.[language] ?? id);
          assert.deepEqual(
            [...new Set(named.filter((one) => sentence.includes(one)))].sort(),
            [...new Set(due)].sort(),
            `${preset}, ${decision}: ${sentence}`,
          );
        }
        assert.equal(
          sentences.some((one) => one.includes('admin token') || one.includes('Admin-Token')),
          rules.some(({ admin }) => admin),
        );
      }
    }
  });
});
