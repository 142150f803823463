import path from 'node:path';
import { changesInPlace } from '../../../src/node/files/changesInPlace';
import { NodeFileSystem } from '../../../src/node/nodeFileSystem';
import { WriteJournal } from '../../../src/node/files/writeJournal';

// A process that writes files in several folders over and over until it is killed, or for so many rounds
// (test/unit/node/files/durability.test.ts).
const [base = '', changes = 'pooled', rounds = 'Infinity'] = process.argv.slice(2);
const folder = { name: 'root', path: path.join(base, 'root'), scheme: 'file' };
const files = new NodeFileSystem({
  folders: () => [folder],
  journal: new WriteJournal(path.join(base, 'writes')),
  ...(changes === 'in place' ? { changes: changesInPlace } : {}),
});

async function main(): Promise<void> {
  for (let round = 0; round < Number(rounds); round++) {
    const letter = String.fromCharCode(97 + (round % 26));
    const name = ['a.txt', 'deep/er/b.txt'][round % 2] ?? '';
    await files.writeFile({ folder, path: name }, Buffer.from(letter.repeat(300_000)));
    if (round === 1) process.stdout.write('started\n');
  }
}

void main();
