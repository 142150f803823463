import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Modals of their own: what they ask takes something away, so that an accidental press grants nothing. */
const takeAway: Readonly<Record<string, string>> = {
  'src/vscode/confirm/modalSurface.ts': 'the one place that shows what ModalQuestions asks',
  'src/vscode/governance/manageGrants.ts': 'revokes grants',
  'src/vscode/servers/oneServer.ts': 'removes a server',
  'src/vscode/settings/settingsCatchUp.ts': 'saves what the person wrote into the settings file',
  'src/vscode/audit/auditCommands.ts': 'clears old records',
};

/** Who shows a notification or modal without `notices.ts`. */
const untold: Readonly<Record<string, string>> = {
  'src/vscode/notices.ts': 'the one place that makes text of what is told',
  'src/vscode/confirm/modalSurface.ts': 'a modal, in which the editor makes no links',
  'src/vscode/settings/settingsCatchUp.ts': 'a modal',
  'src/app/startBehind.ts': 'why nothing could be loaded, with its links broken there',
};

/** Errors in English that no person meets, with who does: the editor shows what a command throws in a modal. */
const ofPrograms: Readonly<Record<string, string>> = {
  'src/vscode/commands/capabilities.ts: there is no capability': 'a program named it',
  'src/vscode/commands/commandRuns.ts: the command': 'a mistake of ours, found at the start',
  'src/vscode/commands/namedTool.ts: there is no tool': 'a program named it',
  'src/vscode/commands/profiles.ts: there is no profile': 'a program named it',
  'src/vscode/governance/checkCapability.ts: there is no capability': 'a program named it',
};

function* sources(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(file);
    else if (file.endsWith('.ts')) yield file;
  }
}

describe('modals', () => {
  it('D.modal: everything that grants something is asked through ModalQuestions, which asks again after an accidental press', () => {
    const own = [...sources('src')].filter((file) => /\bmodal:\s*true\b|\bagrees\(/.test(readFileSync(file, 'utf8')));
    assert.deepEqual(own.sort(), Object.keys(takeAway).sort());
  });

  it('D.modal: nothing else tells a person something by itself, where a name of others would become a link', () => {
    const own = [...sources('src')].filter((file) =>
      /\.show(?:Information|Warning|Error)Message\b|ProgressLocation\.Notification\b/.test(readFileSync(file, 'utf8')),
    );
    assert.deepEqual(own.sort(), Object.keys(untold).sort());
  });

  it('D.modal: what a person can meet as an error of a command is said in their language', () => {
    const english = [...sources('src/vscode')].flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/new Error\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gs)]
        .map(([, , text = '']) => text.replace(/(?:\\`)?\$\{.*$/s, '').trim())
        .filter((text) => /[a-z]{2}/i.test(text))
        .map((text) => `${file}: ${text}`),
    );
    assert.deepEqual(english.sort(), Object.keys(ofPrograms).sort());
  });
});
