import { say } from '../base/sentence';
import { ask, deny, pass } from '../call/stepAnswer';
import type { GateCall } from '../call/gateCall';
import type { Settings } from '../settings/settings';
import { notKeptRule, type StepAnswer } from '../vocabulary/decision';
import { refusal } from '../vocabulary/errors';
import type { Sentence } from '../base/sentence';

/** What `changes.whenNotKept` says of a call whose changes could not be taken back. */
export function notKeptAnswer(call: GateCall, settings: Pick<Settings, 'get'>, why: Sentence): StepAnswer {
  const said = say('cannot_take_back', why);
  switch (settings.get('changes.whenNotKept')) {
    case 'allow':
      return pass('boundaries', [{ said, rule: notKeptRule, advisory: true }]);
    case 'deny':
      return deny('boundaries', refusal('not_kept', say('denied_not_kept', call.tool.modelName, said)), notKeptRule);
    case 'ask':
      return ask('boundaries', [{ said, rule: notKeptRule }]);
  }
}
