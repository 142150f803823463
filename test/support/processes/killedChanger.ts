import { keptFiles } from '../keptFiles';

// A process that changes files and takes its changes back, over and over, until it is killed
// (test/unit/node/changes/processKills.test.ts). With a second argument it works in a folder of that name alone; with a
// third it ends by itself after so many rounds; a fourth says after how many rounds a content comes once more.
const [base = '', below = '', rounds = 'Infinity', contents = '26'] = process.argv.slice(2);
const { folder, files, takeBackAll } = keptFiles(base);
const at = (path: string) => ({ folder, path: (below === '' ? '' : `${below}/`) + path });

async function main(): Promise<void> {
  for (let round = 0; round < Number(rounds); round++) {
    const letter = String.fromCharCode(97 + (round % Number(contents)));
    await files.writeFile(at('a.txt'), Buffer.from(letter.repeat(50_000)));
    await files.writeFile(at(`new/${round}/n.txt`), Buffer.from(letter.repeat(100)));
    if (await files.stat(at('c.txt'))) await files.rename(at('c.txt'), at('moved/c.txt'), { overwrite: false });
    if (await files.stat(at('d'))) await files.delete(at('d'), { recursive: true, toTrash: false });
    if (round === 0) process.stdout.write('started\n');
    if (below === '' && round % 2 === 1) await takeBackAll();
  }
}

void main();
