import { strict as assert } from 'node:assert';
import { skillTexts } from '../../../src/node/hooks/skillFiles';
import { temporaryWorkspace } from '../../support/cli';

describe('the texts that Claude Code may take for a skill', () => {
  it('D.hooks: are found beside very many files', () => {
    const many = Array.from({ length: 20_001 }, (_, at) => [`.claude/commands/notes/n${at}.txt`, 'x']);
    const { folder, dispose } = temporaryWorkspace({
      ...Object.fromEntries(many),
      '.claude/skills/deploy/SKILL.md': 'the skill',
      '.claude/commands/fe/comp.md': 'the command',
    });
    try {
      assert.deepEqual(skillTexts('deploy', [folder]), ['the skill']);
      assert.deepEqual(skillTexts('comp', [folder]), ['the command']);
      assert.deepEqual(skillTexts('/fe:comp', [folder]), ['the command']);
      for (const other of ['be:comp', 'fe:deploy', 'notes']) assert.deepEqual(skillTexts(other, [folder]), [], other);
      for (const none of ['fe:../x', '..:comp', 'fe::comp', '']) assert.equal(skillTexts(none, [folder]), undefined);
    } finally {
      dispose();
    }
  });
});
