import { strict as assert } from 'node:assert';
import { sealHead } from '../../../src/core/audit/head';
import { chainSeal } from '../../../src/node/audit/hash';
import { segmentName } from '../../../src/node/audit/layout';
import { headMemento } from '../../../src/vscode/audit/headMemento';
import { mementoStore } from '../../../src/vscode/settings/storage';

const head = (number: number, seq = 1) =>
  sealHead(
    {
      segment: segmentName('20261121T120000000Z-abc', number),
      seq,
      hash: 'a'.repeat(64),
      bytes: 100 * seq,
      state: 'open',
      pid: 1,
      host: 'h',
    },
    chainSeal(),
  );

/** The editor's storage of values: it hands back what it was given as JSON, and windows see one another's later. */
function memento(values: Record<string, unknown> = {}) {
  return mementoStore({
    keys: () => Object.keys(values),
    get: (key: string, fallback?: unknown): any =>
      values[key] === undefined ? fallback : JSON.parse(JSON.stringify(values[key])),
    update: async (key: string, value: unknown) => void (values[key] = value),
  });
}

describe('the heads of the audit in the editor’s storage', () => {
  it('keeps the newest head of each segment over windows, and forgets those that were removed with a record', () => {
    const storage = memento();
    const first = headMemento(storage, 'audit.heads');
    first.keep(head(1, 1));
    first.keep(head(2, 5));
    first.keep(head(1, 3));
    const next = headMemento(storage, 'audit.heads');
    assert.deepEqual(next.heads(), [head(1, 3), head(2, 5)]);
    next.forget([head(1).segment, 'unknown']);
    assert.deepEqual(first.heads(), [head(2, 5)]);
    assert.deepEqual(headMemento(storage, 'audit.heads.signed').heads(), [], 'signed logs have heads of their own');
  });

  it('looks after the 64 newest segments, and takes nothing that is no head', () => {
    const storage = memento({ 'audit.heads': ['no head', 7, '{"segment":"x"}', { segment: 'y' }] });
    const keeper = headMemento(storage, 'audit.heads');
    assert.deepEqual(keeper.heads(), []);
    for (let number = 1; number <= 70; number++) keeper.keep(head(number));
    assert.deepEqual([keeper.heads().length, keeper.heads()[0]], [64, head(7)]);
    assert.deepEqual(headMemento(memento({ 'audit.heads': 'rubbish' }), 'audit.heads').heads(), []);
  });
});
