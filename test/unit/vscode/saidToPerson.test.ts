import { strict as assert } from 'node:assert';
import { SaidError, say } from '../../../src/core/base/sentence';
import { refusal } from '../../../src/core/vocabulary/errors';
import { commandId } from '../../../src/vscode/manifest/commands/commandId';
import { CommandRuns } from '../../../src/vscode/commands/commandRuns';
import { saidToPerson } from '../../../src/vscode/saidToPerson';
import { l10n } from '../../support/fakeVscode';
import { inGerman } from '../../support/german';

describe('what an error says to a person', () => {
  const { t } = l10n;
  before(() => {
    l10n.t = (text, ...args) => inGerman(text, ...args.map(String));
  });
  after(() => {
    l10n.t = t;
  });

  it('D.commands: is in the language of the editor where the words are ours, and as it is where not', () => {
    assert.equal(saidToPerson(new SaidError(say('nobody_to_ask'))), inGerman('nobody can be asked here'));
    assert.equal(saidToPerson(refusal('cancelled', say('nothing'))), 'nichts');
    assert.equal(saidToPerson(new Error('EACCES')), 'EACCES');
  });

  it('D.commands: is told so by a command that fails, with English in the log', async () => {
    const logged: string[] = [];
    const runs = new CommandRuns((message) => logged.push(message));
    const failing = async (): Promise<never> => {
      throw new SaidError(say('nobody_to_ask'));
    };
    const added = runs.add({ verifyAudit: failing });
    await assert.rejects(runs.run(commandId('verifyAudit'), []), { message: inGerman('nobody can be asked here') });
    assert.match(logged.join(), /nobody can be asked here/);
    added.dispose();
  });
});
