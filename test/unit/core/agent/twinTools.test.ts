import { strict as assert } from 'node:assert';
import { twinsOf } from '../../../../src/core/agent/twinTools';

describe("twins of our tools among the editor's", () => {
  const ours = ['read_file', 'write_file', 'edit_file', 'grep_files', 'find_files', 'web_fetch', 'write_todos'];

  it('are found by the same name in another spelling, and by what they do', () => {
    const twins = twinsOf(
      [
        'copilot_readFile',
        'copilot_createFile',
        'copilot_replaceString',
        'copilot_findTextInFiles',
        'copilot_findFiles',
      ],
      ours,
    );
    assert.deepEqual(Object.fromEntries(twins), {
      copilot_readFile: 'read_file',
      copilot_createFile: 'write_file',
      copilot_replaceString: 'edit_file',
      copilot_findTextInFiles: 'grep_files',
      copilot_findFiles: 'find_files',
    });
  });

  it('are nothing that does something else, nor a twin of a tool that is not here', () => {
    assert.equal(twinsOf(['run_in_terminal', 'copilot_getErrors', 'constructor'], ours).size, 0);
    assert.equal(twinsOf(['copilot_createFile'], ['read_file']).size, 0);
  });
});
