import { strict as assert } from 'node:assert';
import { say, type Sentence } from '../../../src/core/base/sentence';
import type { ErrorCode } from '../../../src/core/vocabulary/errors';
import { takeBackCall, type TakeBackGate } from '../../../src/vscode/changes/takeBackRows';
import { l10n } from '../../support/fakeVscode';

describe('what is told of a take-back that did not happen', () => {
  const refused = (code: ErrorCode, said?: Sentence) =>
    ({
      router: {
        invoke: async () => ({
          success: false,
          error: { code, message: 'for the model; do not retry' },
          invocationId: 'i1',
        }),
        preview: async () => ({ reasons: [{ said: say('confirmation_for_agents') }] }),
      },
      pastCall: (call: string) => (call === 'i1' ? { said } : undefined),
    }) as unknown as TakeBackGate;

  it("D.undo: is said in the person's language, not in the words for models", async () => {
    const { t } = l10n;
    const words: Readonly<Record<string, string>> = {
      'Not taken back: {0}': 'Nicht zurückgenommen: {0}',
      'Not made again: {0}': 'Nicht wieder gemacht: {0}',
      'denied: {0}': 'abgelehnt: {0}',
      'the tool needs confirmation for agents': 'das Tool fragt',
      'declined by you': 'von Ihnen abgelehnt',
      'failed: {0}': 'ist ausgefallen: {0}',
      '`..` climbs above the root': '`..` führt über die Wurzel hinaus',
    };
    l10n.t = (text, ...args) => t(words[text] ?? text, ...args);
    try {
      const denied = await takeBackCall(refused('denied_by_policy'), '1', 'undo');
      assert.deepEqual(denied, {
        text: 'Nicht zurückgenommen: abgelehnt: das Tool fragt',
        isWarning: true,
        conflicts: [],
      });
      const declined = await takeBackCall(refused('declined'), '1', 'redo');
      assert.equal(declined.text, 'Nicht wieder gemacht: von Ihnen abgelehnt');
      const failed = await takeBackCall(refused('path_invalid', say('path_climbs')), '1', 'undo');
      assert.equal(failed.text, 'Nicht zurückgenommen: ist ausgefallen: `..` führt über die Wurzel hinaus');
    } finally {
      l10n.t = t;
    }
  });
});
