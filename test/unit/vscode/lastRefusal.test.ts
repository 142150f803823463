import { strict as assert } from 'node:assert';
import { type PastCall, RecentCalls } from '../../../src/core/audit/recentCalls';
import { Emitter } from '../../../src/core/base/event';
import { judgeAddress } from '../../../src/core/hosts/address';
import { addressRefused } from '../../../src/core/net/errors';
import { outcomeOf } from '../../../src/vscode/changes/callEnd';
import { showLastRefusal } from '../../../src/vscode/governance/lastRefusal';
import { finished } from '../../support/auditEvents';
import { l10n, shownWindow } from '../../support/fakeVscode';
import { inGerman } from '../../support/german';

describe('the status bar after a call that came to nothing', () => {
  /** What it says after these calls, the newest last, each a second after the one before. */
  const said = (calls: readonly Partial<PastCall>[], secondsLater = 0): string => {
    const changed = new Emitter<void>();
    let shown: readonly PastCall[] = [];
    const bar = showLastRefusal(
      { list: () => shown, onDidChange: changed.event },
      () => (calls.length - 1 + secondsLater) * 1000,
    );
    calls.forEach((call, at) => {
      const one: PastCall = {
        invocationId: `${at}`,
        time: at * 1000,
        tool: 'cap:file_system:edit_file',
        toolName: 'edit_file',
        isAgents: true,
        accesses: [],
        outcome: 'ran',
        ...call,
      };
      shown = [one, ...shown];
      changed.fire();
    });
    const text = shownWindow.statusText.get('agentCapabilities.lastCall') ?? '';
    bar.dispose();
    return text.replace(/\$\([^)]*\) /, '');
  };
  const declined = { outcome: 'denied', code: 'declined', toolName: 'delete_file' } as const;
  const denied = { outcome: 'denied', code: 'denied_by_policy' } as const;

  it('D.follow: what the person declined stays said after the agent’s next call ran, for the chat’s line cannot say it', () => {
    assert.equal(said([declined]), 'delete_file: declined by you');
    assert.equal(said([declined, {}]), 'delete_file: declined by you');
    assert.equal(said([declined, {}, {}], 110), 'delete_file: declined by you');
    assert.equal(said([declined, {}, {}], 120), '', 'two minutes later');
  });

  it('D.follow: what a rule denied stands in the chat and goes with the agent’s next call that runs, not with one of the person', () => {
    assert.equal(said([denied]), 'edit_file: denied');
    assert.equal(said([denied, { isAgents: false, toolName: 'undo_change' }]), 'edit_file: denied');
    assert.equal(said([denied, {}]), '');
    assert.equal(said([declined, denied, {}]), 'delete_file: declined by you');
    assert.equal(said([{}]), '');
  });

  it('D.follow: what failed stays said until the same tool ran, whatever else the agent does after it', () => {
    const tests = { tool: 'cap:shop:run_tests', toolName: 'run_tests' };
    const failed = { ...tests, outcome: 'failed', code: 'execution_failed', message: '`npm` ended with 1' } as const;
    assert.match(said([failed]), /^run_tests: /);
    assert.equal(said([failed, {}, {}]), said([failed]), 'other tools say nothing of it');
    assert.equal(said([failed, {}, tests]), '', 'it ran again');
    assert.equal(said([declined, failed, {}]), said([failed]), 'the newest is said');
    assert.equal(said([declined, failed, tests]), 'delete_file: declined by you');
    assert.equal(said([failed, {}], 130), '', 'two minutes later');
  });

  it('D.follow: what an error says is told in the language of the editor, also by the line of the chat', () => {
    const verdict = judgeAddress('10.0.0.1');
    assert.ok(!verdict.public);
    const { data, said: sentence } = addressRefused('a.example', verdict.kind);
    const recent = new RecentCalls();
    const outcome = { outcome: 'tool_error', errorCode: data.code, errorMessage: data.message } as const;
    recent.record(finished({ ...outcome, said: sentence }));
    recent.record(finished(outcome));
    const english = l10n.t;
    l10n.t = (text, ...args) => inGerman(text, ...args.map(String));
    try {
      const [inOwnWords, past] = recent.list();
      const undo = { standing: 0, takenBack: 0 };
      assert.match(outcomeOf(past, undo), /`a\.example` wird abgelehnt: dahinter steht eine private/);
      assert.match(outcomeOf(inOwnWords, undo), /`a\.example` is refused: it is or resolves to a private/);
    } finally {
      l10n.t = english;
    }
  });
});
