import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import type { ChangeRecord, Image } from '../../../../src/core/ports/changes';
import { nodeCrypto } from '../../../../src/node/system';
import { makeChanges } from '../../../support/changes';
import { workedMs } from '../../../support/processorTime';

/** A text and how a store names it. */
function text(words: string) {
  const bytes = Buffer.from(words);
  const image: Image = { hash: nodeCrypto.sha256(bytes), bytes };
  return { words, image, state: { kind: 'file', hash: image.hash, size: bytes.length } as const };
}

/** Milliseconds of work for which all of so many edits of one file are taken back. */
async function workOfUndo(count: number): Promise<number> {
  const { workspace, store, undo, dispose } = makeChanges();
  const texts = Array.from({ length: count + 1 }, (_none, at) => text(`edit ${at}\n`));
  workspace.put({ 'a.txt': texts.at(-1)?.words ?? '' });
  const by = { tool: 'tool', actor: { type: 'agent', id: 'copilot' }, profile: 'default', action: 'write' } as const;
  const place = { scheme: 'file', root: workspace.root, path: 'a.txt' };
  const records = texts.slice(1).flatMap(({ state: after }, at): ChangeRecord[] => {
    const before = texts[at]?.state ?? after;
    const id = `edit ${at}`;
    return [
      { type: 'change', id, call: id, time: 1, ...place, ...by, before, after },
      { type: 'ended', id },
    ];
  });
  store.append(
    records,
    texts.map(({ image }) => image),
  );
  const begun = workedMs();
  const told = await undo({ all: true });
  const worked = workedMs() - begun;
  assert.equal(told['taken_back'], count);
  assert.equal(readFileSync(workspace.at('a.txt'), 'utf8'), 'edit 0\n');
  dispose();
  return worked;
}

describe('Taking many changes back', () => {
  it('D.undo: costs time in proportion to their number, also where all are of one file', async () => {
    // What is compiled in the first calls is no part of it.
    await workOfUndo(100);
    const small = Math.min(await workOfUndo(100), await workOfUndo(100));
    const large = await workOfUndo(800);
    // In proportion it is 8 times as much.
    assert.ok(large < small * 20, `${Math.round(small)} ms of 100, ${Math.round(large)} ms of 800`);
  });
});
