import { strict as assert } from 'node:assert';
import { consentUsage, optionsOf, usage, workspaceUsage } from '../../../src/cli/usage';
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
});
