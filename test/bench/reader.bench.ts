import { countReader, scriptedReaders } from '../support/reader/readSystem';
import type { Row } from './rows';

/** What scripted readers let through of the 200 labelled calls; the table above the rows is the one of the README. */
export async function bench(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  console.log('\n| reader | questions of 200 calls | came to the reader | yes | false yes |\n|---|---|---|---|---|');
  for (const name of Object.keys(scriptedReaders)) {
    const { asked, read, yes, falseYes } = await countReader(name);
    console.log(`| ${name} | ${asked} | ${read} | ${yes} | ${falseYes} |`);
    rows.push({ name: `${name}: false yes`, ours: falseYes, unit: 'calls', target: 'for information' });
  }
  console.log('\n| what | ours | peer | ratio | target |\n|---|---|---|---|---|');
  return rows;
}
