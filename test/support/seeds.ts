import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sharedFolder } from './shared';

const documents = {
  0: '0-capabilities-layer.md',
  1: '1-capability-abstraction-layer.md',
  2: '2-capability-model.md',
  3: '3-capabilities-specification.md',
  4: '4-capability-resolver.md',
} as const;

export type Seed = keyof typeof documents;

export const seedFile = (seed: Seed): string => path.join(sharedFolder, 'seeds', documents[seed]);

export const seedLines = (seed: Seed): readonly string[] => readFileSync(seedFile(seed), 'utf8').split('\n');

/** The first JSON value at or after a line (from 1): read to the bracket that closes it, word for word. */
export function seedJson(seed: Seed, line: number): any {
  const text = seedLines(seed)
    .slice(line - 1)
    .join('\n');
  return firstJson(text, `${documents[seed]}:${line}`);
}

/**
 * The object that a line of TypeScript gives the type `Action`, word for word; keys and quotes become those of JSON.
 */
export function seedLiteral(seed: Seed, line: number): any {
  const text = seedLines(seed)[line - 1] ?? '';
  const literal = text.slice(text.lastIndexOf(': Action = ') + ': Action = '.length);
  const json = literal.replace(/'([^']*)'/g, '"$1"').replace(/([{,]\s*)(\w+):/g, '$1"$2":');
  return firstJson(json, `${documents[seed]}:${line}`);
}

function firstJson(text: string, place: string): any {
  const start = text.search(/[{[]/);
  let depth = 0;
  let inText = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (inText) {
      if (char === '\\') at++;
      else if (char === '"') inText = false;
    } else if (char === '"') inText = true;
    else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return JSON.parse(text.slice(start, at + 1));
  }
  throw new Error(`${place} holds no JSON`);
}

/**
 * One example of a document: what it says, and the test that it holds here. Skipped where the documents are not here.
 */
export function itSays(seed: Seed, line: number, title: string, body: () => Promise<void> | void): void {
  const place = `${documents[seed]}:${line}`;
  if (existsSync(seedFile(seed))) it(`${title} (${place})`, body);
  else it.skip(`${title} (skipped: ../shared/seeds/${place} is not here)`);
}
