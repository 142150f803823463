import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { SecretSession } from '../../src/core/secrets/session';
import { nodeCrypto } from '../../src/node/system';
import type { Row } from './rows';

const text =
  /\.(?:[cm]?[jt]sx?|json|md|map|ya?ml|txt|html|css|pyi?|rst|toml|cfg|ini|[ch]|hpp|hh|cpp|cc|sh|pl|pm|lua|vim|xml|svg|rb|go|rs|java|properties|conf|cmake|m4|tcl|po|proto)$/;

/**
 * In how many text files of ordinary packages something would be hidden: of this project's packages and of the cached
 * editor, or of the folders that `AGENT_CAPABILITIES_FOLDERS` names, with the path delimiter between them. Prints each
 * file with the kinds that were found, to be judged by a person.
 */
export async function bench(): Promise<readonly Row[]> {
  const named = process.env['AGENT_CAPABILITIES_FOLDERS'];
  const count = { files: 0, hidden: 0 };
  for (const folder of named ? named.split(path.delimiter) : ['node_modules', '.cache'])
    for (const file of textFiles(`${folder}/`)) {
      count.files++;
      const kinds = hiddenIn(readFileSync(file, 'utf8'));
      if (kinds.length === 0) continue;
      count.hidden++;
      console.error(`${file}: ${kinds.join(', ')}`);
    }
  const name = `files of ${count.files} in which something is hidden, real forms of keys among them`;
  return [{ name, ours: count.hidden, unit: 'files', target: 'for information' }];
}

function hiddenIn(content: string): readonly string[] {
  const session = new SecretSession(
    () => nodeCrypto.randomId().replace(/[^0-9a-f]/g, ''),
    () => performance.now(),
  );
  const { hidden } = session.hide(content, { mode: 'hide', places: ['folder .'], isEnvironment: false });
  return [...new Set([...hidden].map((placeholder) => placeholder.split(':')[1] ?? ''))];
}

/** Of at most 400 KB each. Secretlint's own rules hold keys to test with. */
function* textFiles(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.includes('secretlint')) yield* textFiles(place);
    else if (entry.isFile() && text.test(entry.name) && statSync(place).size <= 400_000) yield place;
  }
}
