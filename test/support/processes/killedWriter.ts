import path from 'node:path';
import { NodeFileSystem } from '../../../src/node/files/nodeFileSystem';

// A process that writes a file over and over until it is killed (test/unit/node/files/durability.test.ts).
const base = process.argv[2] ?? '';
const folder = { name: 'root', path: path.join(base, 'root'), scheme: 'file' };
const files = new NodeFileSystem({ folders: () => [folder] });

async function main(): Promise<void> {
  for (let round = 0; ; round++) {
    const letter = String.fromCharCode(97 + (round % 26));
    await files.writeFile({ folder, path: 'a.txt' }, Buffer.from(letter.repeat(300_000)));
    if (round === 0) process.stdout.write('started\n');
  }
}

void main();
