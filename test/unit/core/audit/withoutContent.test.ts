import { strict as assert } from 'node:assert';
import { shapeOnly, toRecord } from '../../../../src/core/audit/makeRecord';
import { withoutContent } from '../../../../src/core/audit/withoutContent';
import type { AuditRecord } from '../../../../src/core/audit/record';
import { say, worded } from '../../../../src/core/base/sentence';
import { plainWords } from '../../../../src/core/base/translate';
import { storySaid } from '../../../../src/core/flow/story';
import { happenedLine } from '../../../../src/core/present/auditWords';
import { finished, violation } from '../../../support/auditEvents';

const words = 'the file says: hunter2';

describe('an event without content', () => {
  it('S1.audit: has the length of words that are not ours, in what a step gives as its reason too', () => {
    const said = say('as_it_is', words);
    const error = { code: 'invalid_pattern', message: words, retryable: false } as const;
    const other = say('as_it_is', 'the words of a rule');
    const reasons = [{ said }, { said: other }];
    const event = violation({
      ...{ errorCode: 'invalid_pattern', errorMessage: words, said },
      steps: [{ step: 'input', effect: 'deny', reasons, error, said }],
    });
    const record = toRecord(event, shapeOnly()) ?? assert.fail();
    const kept = 'the words of the tool (22 characters) are not kept';
    assert.equal(record['error.message'], kept);
    assert.deepEqual(
      record.steps?.[0]?.reasons?.map(({ text }) => text),
      [kept, 'the words of a rule'],
    );
  });

  it('S1.audit: says to a person by its code what the error was', () => {
    const event = finished({ outcome: 'tool_error', errorCode: 'no_match', errorMessage: words });
    const record = JSON.parse(JSON.stringify(toRecord(event, shapeOnly()))) as AuditRecord;
    assert.equal(
      happenedLine(record, plainWords),
      'failed after 14 ms: no match; the words of the tool (22 characters) are not kept',
    );
  });

  it('S1.audit: keeps a sentence of ours, but for what is marked in it', () => {
    const said = say('network_status', 503, say('content', words));
    const event = withoutContent(finished({ errorCode: 'network_error', errorMessage: worded(said), said }));
    assert.equal('errorMessage' in event && event.errorMessage, 'the server answered 503: (22 characters, not kept)');
    const plain = finished({ errorCode: 'timeout', errorMessage: 'as {{secret:x}} was hidden', said: say('nothing') });
    const same = withoutContent(plain);
    assert.equal('errorMessage' in same && same.errorMessage, 'as {{secret:x}} was hidden');
  });

  it('S1.audit: tells of a question what was read and where it would go, and not what would be sent', () => {
    const source = { label: 'private', kind: 'secret_file', resource: '.env', tool: 'read_file', at: 1 } as const;
    const story = storySaid({ private: [source], untrusted: [] }, 'api.example', { body: words, more: ['one more'] });
    assert.ok(worded(story).includes('hunter2'), 'whoever is asked is told');
    const { invocationId, toolId, toolName, capabilityId, source: from, ...rest } = finished({ riskLevel: 'high' });
    const { riskLevel, actor, surface, profileId, mode, time } = rest;
    const event = {
      ...{
        invocationId,
        toolId,
        toolName,
        capabilityId,
        source: from,
        riskLevel,
        actor,
        surface,
        profileId,
        mode,
        time,
      },
      type: 'approval.asked',
      accesses: [],
      reasons: [say('boundary_says', 'flow', say('flow_because', 'it may go out', story))],
    } as const;
    const { detail } = toRecord(event, shapeOnly()) ?? assert.fail();
    assert.match(String(detail), /Private: the file "\.env", .* It would go to "api\.example" and send \(24 char/);
    assert.ok(!String(detail).includes('hunter2'));
    const full = { content: 'redacted', redactor: shapeOnly().redactor } as const;
    assert.ok(String(toRecord(event, full)?.detail).includes('hunter2'));
  });
});
