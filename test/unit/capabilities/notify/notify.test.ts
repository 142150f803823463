import { strict as assert } from 'node:assert';
import { notify } from '../../../../src/capabilities/notify/notify';
import type { Notifier } from '../../../../src/core/ports/editor';
import { callTool, fakePorts } from '../../../support/toolContext';

describe('the notify capability', () => {
  const shown: unknown[] = [];
  const notifier: Notifier = {
    async show(message) {
      shown.push(message);
      return message.buttons ? { answered: message.buttons[1] ?? '' } : {};
    },
  };
  const call = async (input: unknown, ports = { ...fakePorts(), notifier }): Promise<unknown> => {
    const result = await callTool(notify, 'send_notification', input, { ports });
    return result.ok ? result.outcome.payload : result.error.code;
  };

  it('shows the message as the agent’s own, on one line and without anything invisible', async () => {
    assert.deepEqual(await call({ message: 'Done\n\nwith\u202eit [run](command:x)', severity: 'warning' }), {
      shown: true,
    });
    assert.deepEqual(shown.pop(), { severity: 'warning', text: 'Agent: Done with⟨U+202E⟩it [run] (command:x)' });
  });

  it('waits for the answer where there are buttons', async () => {
    assert.deepEqual(await call({ message: 'Go on?', buttons: ['Yes', 'No'] }), { shown: true, answered: 'No' });
  });

  it('answers with a typed error where nothing can be shown, and for input that does not fit', async () => {
    assert.deepEqual(
      [
        await call({ message: 'x' }, fakePorts() as never),
        await call({ message: 'x', buttons: ['a', 'b', 'c', 'd'] }),
        await call({}),
      ],
      ['not_available', 'invalid_input', 'invalid_input'],
    );
  });
});
