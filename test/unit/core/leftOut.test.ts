import { strict as assert } from 'node:assert';
import { leftOut } from '../../../src/core/profiles/leftOut';

describe('D.tree: what of a workspace counts for nothing', () => {
  const said = (isTrusted: boolean, folders: Parameters<typeof leftOut>[0]['folders'] = []) =>
    leftOut({ isTrusted, folders }).map(({ code, message }) => `${code}: ${message}`);

  it('D.tree: a restricted workspace says what it leaves out; a trusted one nothing', () => {
    assert.deepEqual(said(true), []);
    assert.match(said(false).join(), /^workspace_restricted: [^]*MCP servers, channels and prompt files/);
  });

  it('D.tree S3.profiles: profiles in the settings of one folder of several are named, with their folder', () => {
    const folders = [
      { name: 'api', profiles: { reviewer: {}, writer: {} } },
      { name: 'site', profiles: undefined },
      { name: 'odd', profiles: 'reviewer' },
    ];
    const lines = said(true, folders);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /^folder_profiles_left_out: [^]*`api`[^]*\(reviewer, writer\)/);
  });
});
