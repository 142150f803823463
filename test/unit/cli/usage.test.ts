import { strict as assert } from 'node:assert';
import { main } from '../../../src/cli/main';
import { asTyped, typedAgain } from '../../../src/cli/started';
import { consentUsage, optionsOf, usage, workspaceUsage } from '../../../src/cli/usage';
import { say, worded } from '../../../src/core/base/sentence';
import { runCli } from '../../support/cli';

describe('the options of the command line', () => {
  it('are those that the usage names, with a value where it shows one', () => {
    assert.deepEqual(optionsOf('do IT [--tap | --json] [--as user|agent] [--a ID|--b PATH|--all] [--for 90d]'), {
      tap: false,
      json: false,
      as: true,
      a: true,
      b: true,
      all: false,
      for: true,
    });
    const { yes, workspace, set, plan } = optionsOf(`${workspaceUsage} ${consentUsage}`);
    assert.deepEqual({ yes, workspace, set, plan }, { yes: false, workspace: true, set: true, plan: true });
    const { follow, event, out, json } = optionsOf(usage.audit);
    assert.deepEqual({ follow, event, out, json }, { follow: false, event: true, out: true, json: false });
  });

  it('that a command does not take are told, with those that it takes', async () => {
    const { code, errors } = await runCli(['resolve', 'math', '--as', 'user']);
    assert.equal(code, 2);
    assert.match(
      errors,
      /`--as` is not an option here; known are --states, --workspace, .*\nusage: agent-capabilities resolve CAPABILITY/s,
    );
  });

  it('and its messages name the command as it was started, so that they can be typed as they stand', async () => {
    assert.equal(typedAgain('/usr/local/bin/agent-capabilities'), 'agent-capabilities');
    assert.equal(typedAgain('/home/a/ext-1.0/dist/cli.js'), 'node /home/a/ext-1.0/dist/cli.js');
    assert.equal(typedAgain('/home/a b/dist/cli.js'), "node '/home/a b/dist/cli.js'");
    assert.equal(typedAgain("/home/a'$(b)/cli.js"), `node '/home/a'\\''$(b)/cli.js'`);
    assert.equal(typedAgain(String.raw`C:\a b\cli.js`), String.raw`node "C:\a b\cli.js"`);
    assert.equal(
      asTyped('run `agent-capabilities doctor`', { started: "node '/a$&b.js'" }),
      "run `node '/a$&b.js' doctor`",
    );
    assert.equal(typedAgain(undefined), 'agent-capabilities');
    const started = 'node /x/cli.js';
    assert.equal(
      asTyped(worded(say('step_protect', 'claude')), { started }),
      'run “Protect This Agent…” or `node /x/cli.js hook install --agent claude`',
    );
    const out: string[] = [];
    const io = {
      out: (text: string) => out.push(text),
      error: (text: string) => out.push(text),
      environment: {},
      started,
    };
    assert.deepEqual([await main(['why', '--help'], io), await main(['why', '--nothing'], io)], [0, 2]);
    for (const text of out) assert.match(text, /^(?:.*\n)?usage: node \/x\/cli\.js why TOOL \[JSON\]/);
  });
});
