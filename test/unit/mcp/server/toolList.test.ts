import { strict as assert } from 'node:assert';
import { listTool } from '../../../../src/mcp/server/toolList';
import { fakeCall } from '../../../support/gateCall';

describe('the hints of a governed tool', () => {
  const { tool } = fakeCall({ definition: { sideEffects: ['fs.write'], reversible: false } });

  it('D.modal: say to the editor of our own window that it need not ask where the gate asks, and nothing false to any other client', () => {
    const hints = (isAskedHere?: boolean) => {
      const { readOnlyHint, destructiveHint } = listTool(tool, isAskedHere).annotations;
      return [readOnlyHint, destructiveHint];
    };
    assert.deepEqual(
      [hints(), hints(false), hints(true)],
      [
        [false, true],
        [false, true],
        [true, true],
      ],
    );
  });
});
