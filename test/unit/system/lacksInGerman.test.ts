import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { worded } from '../../../src/core/base/sentence';
import { plainWords, type Translate } from '../../../src/core/base/translate';
import { actionSaid, findingSaid, resolutionSaid } from '../../../src/core/present/findingWords';
import { openSystem } from '../../support/system';

const german: Readonly<Record<string, string>> = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8'));
const inGerman: Translate = (text, ...values) => plainWords(german[text] ?? text, ...values);

describe('what a capability lacks, to people', () => {
  it('S4.resolver: is told in the language of the person, with what each tool would be refused with', async () => {
    const profiles = { p: { capabilities: ['email', 'database', 'research', 'notify', 'sandbox'] } };
    const connections = { main: { type: 'sqlite' } };
    for (const [id, user] of [
      ['email', {}],
      ['email', { 'email.host': 'mail.example', 'email.from': 'me@mail.example', 'email.user': 'me' }],
      ['database', {}],
      ['database', { 'database.connections': connections }],
      ['research', {}],
      ['notify', {}],
    ] as const) {
      const system = await openSystem({ user: { profiles, activeProfile: 'p', ...user } });
      const found = await system.core.gate.resolver.governance.find(id);
      system.dispose();
      assert.ok(!('unknown' in found));
      const { blocking, actions, warnings } = found.resolution;
      const lacks = [...blocking, ...warnings].filter(({ kind }) => kind === 'lack');
      assert.ok(lacks.length > 0, id);
      const reasons = found.tools.flatMap((tool) => tool.reasons).map(({ said }) => said);
      for (const said of [
        resolutionSaid(found.resolution),
        ...lacks.map(findingSaid),
        ...actions.map(actionSaid),
        ...reasons,
      ]) {
        const told = worded(said, inGerman);
        assert.doesNotMatch(told, /\b(the|not|ask|available|needs)\b/, told);
      }
    }
  });
});
