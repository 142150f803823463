import { strict as assert } from 'node:assert';
import { StdioTransport } from '../../../../src/mcp/client/stdioTransport';
import { skipBecause } from '../../../support/skip';

describe('a server over stdio', () => {
  it('that exits is gone, also while a child of it holds its output', async function () {
    if (process.platform === 'win32') skipBecause(this, 'the shell of the test is no program there');
    const transport = new StdioTransport({
      command: 'sh',
      args: ['-c', 'sleep 30 & exit 0'],
      env: { PATH: process.env['PATH'] ?? '' },
      maxMessageBytes: 1000,
      onLog: () => undefined,
    });
    const gone = new Promise<string>((resolve) => {
      Object.assign(transport, { onclose: () => resolve('gone') });
      setTimeout(() => resolve('running'), 1800).unref();
    });
    await transport.start();
    assert.equal(await gone, 'gone');
    transport.kill();
  });
});
