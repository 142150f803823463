import { say, worded } from '../../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import type { Access } from '../../../../src/core/vocabulary/access';
import type { ErrorCode } from '../../../../src/core/vocabulary/errors';
import type { ApprovalRequest, GatePreview } from '../../../../src/core/call/gateCall';
import { describeApproval } from '../../../../src/core/present/approvalText';
import { callWords, confirmationWords } from '../../../../src/core/present/chatWords';
import { plainWords } from '../../../../src/core/base/translate';
import { fakeCall } from '../../../support/gateCall';
import { inGerman } from '../../../support/german';

const read = (resource: string): Access => ({ effect: 'fs.read', resource });

describe('what the chat says of a call', () => {
  const words = (more: Partial<GatePreview> & { input?: object; code?: ErrorCode }): string => {
    const { input = {}, code, ...rest } = more;
    const call = fakeCall({ input: input as never, accesses: [...(rest.accesses ?? [])] });
    const error = code && { code, message: 'for the model', retryable: false };
    return callWords(
      'Search in Files',
      { effect: 'pass', steps: [], reasons: [], accesses: [], call, ...rest, ...(error ? { error } : {}) },
      plainWords,
    );
  };

  it('is the tool, what it is about and what it touches', () => {
    assert.deepEqual(
      [
        words({}),
        words({ accesses: [read('src/a.ts')] }),
        words({ accesses: [read('.')] }),
        words({ accesses: [read('.')], input: { pattern: 'ferry' } }),
        words({ accesses: [read('src')], input: { pattern: 'a`b\nc' } }),
        words({ input: { expression: '2*3' } }),
        words({ accesses: [read('a'), read('b'), read('a')] }),
        words({ accesses: [read('a'), read('b'), read('c'), read('d')] }),
      ],
      [
        'Search in Files',
        'Search in Files `src/a.ts`',
        'Search in Files `.`',
        'Search in Files `ferry`',
        'Search in Files ``a`b⟨U+000A⟩c`` `src`',
        'Search in Files `2*3`',
        'Search in Files `a` `b`',
        'Search in Files `a` `b` \\+2',
      ],
    );
  });

  it('says of a move from where to where', () => {
    const accesses: readonly Access[] = [
      { effect: 'fs.delete', resource: 'lib/a.ts' },
      { effect: 'fs.write', resource: 'src/a.ts' },
    ];
    assert.equal(words({ accesses, toolId: 'cap:file_system:move_file' }), 'Search in Files `lib/a.ts` → `src/a.ts`');
    assert.equal(words({ accesses, toolId: 'mcp:other:move_file' }), 'Search in Files `lib/a.ts` `src/a.ts`');
  });

  it('says that a call is denied and why, or that it cannot succeed', () => {
    const reasons = [{ said: say('as_it_is', 'boundary "no-secrets": <b>.env</b> files\nhold secrets') }];
    assert.deepEqual(
      [
        words({ effect: 'deny', code: 'denied_by_policy', reasons, accesses: [read('.env')] }),
        words({ effect: 'deny', code: 'plan_mode' }),
        words({ effect: 'deny', code: 'invalid_input', reasons }),
      ],
      [
        'Search in Files `.env` · ⊘ denied\\: boundary "no\\-secrets"\\: \\<b\\>\\.env\\</b\\> files⟨U\\+000A⟩hold secrets',
        'Search in Files · ⊘ denied',
        'Search in Files · ✗ its input is not valid',
      ],
    );
  });

  it('S1.policy: tells the person what a rule advises of a call that may run', () => {
    const advised = { said: say('as_it_is', 'look twice'), rule: 'own', advisory: true, advice: true };
    const steps = [{ step: 'boundaries', effect: 'pass', reasons: [advised] }] as const;
    assert.equal(words({ steps }), 'Search in Files · note\\: look twice');
    assert.equal(words({ steps, effect: 'deny', code: 'plan_mode' }), 'Search in Files · ⊘ denied');
    const call = fakeCall({ accesses: [] });
    const request = { id: '1', call, accesses: [], reasons: [], preview: {}, needsAdmin: false };
    assert.match(describeApproval({ ...request, advice: [advised] }, plainWords).detail, /^Note: look twice\.$/m);
  });

  it('D.undo: a call that can be taken back has the way back at its end; one that waits says where its outcome stands', () => {
    const preview: GatePreview = { effect: 'pass', steps: [], reasons: [], accesses: [read('a.ts')] };
    const undo = 'command:u?1';
    const waiting = { undo, outcome: 'command:o?1', waits: true };
    assert.deepEqual(
      [callWords('Edit', preview, plainWords, { undo }), callWords('Edit', preview, plainWords, waiting)],
      ['Edit `a.ts` · [Undo](command:u?1)', 'Edit `a.ts` · asks you first · [Outcome](command:o?1)'],
    );
  });

  it('D.commands: ends with what is known to fail, and with the way to the explanation', () => {
    const preview: GatePreview = { effect: 'pass', steps: [], reasons: [], accesses: [read('a.ts')] };
    const ends = (code: ErrorCode, message = 'm'): string =>
      callWords('Read', preview, plainWords, { failure: { code, message }, why: 'command:x?1' });
    assert.deepEqual(
      [ends('not_found'), ends('no_match'), ends('network_error', 'see `a*b`\n[x](command:y)')],
      [
        'Read `a.ts` · ✗ not found · [Why?](command:x?1)',
        'Read `a.ts` · ✗ no match · [Why?](command:x?1)',
        'Read `a.ts` · ✗ failed\\: see `a*b`⟨U\\+000A⟩\\[x\\]\\(command\\:y\\) · [Why?](command:x?1)',
      ],
    );
  });

  it("D.settings: tells what is wrong with a call in the person's language, denied or known to fail", () => {
    const said = say('path_invalid', '../x', say('path_climbs'));
    const told = { code: 'path_invalid', message: worded(said) } as const;
    const preview: GatePreview = { effect: 'pass', steps: [], reasons: [], accesses: [] };
    const denied: GatePreview = { ...preview, effect: 'deny', error: { ...told, retryable: false }, said };
    const german = /✗ ist ausgefallen\\: `\.\.\/x` ist kein brauchbarer Pfad/;
    assert.match(callWords('Lesen', denied, inGerman), german);
    assert.match(callWords('Lesen', preview, inGerman, { failure: { ...told, said } }), german);
  });
});

describe("an approval in the chat's own confirmation", () => {
  const approval = (preview: ApprovalRequest['preview'], input: object = {}): { title: string; message: string } => {
    const accesses = [{ effect: 'fs.write', resource: 'src/my_file.ts' }];
    const call = fakeCall({ accesses, input: input as never });
    const reasons = [{ said: say('confirmation_for_agents') }];
    return confirmationWords(
      'Write File',
      describeApproval({ id: '1', call, accesses, reasons, preview, needsAdmin: false }, plainWords),
      plainWords,
    );
  };

  it('D.modal: says what the modal says, with the change as a block and no name read as markdown', () => {
    const { title, message } = approval({
      diff: '--- a/x\n+++ a/x\n@@ -1 +1 @@\n-const port = 80\n+const port = 8080\n',
    });
    assert.equal(title, 'Allow "Write File" to change src/my…file.ts?');
    assert.match(message, /^The agent \\\(profile .*\\\) asks to change src\/my\\_file\\\.ts \\\(/);
    assert.match(message, /Why you are asked\\: the tool needs confirmation for agents\\\.\n/);
    assert.match(message, /\n```diff\n@@ -1 \+1 @@\n-const port = 80\n\+const port = 8080\n```$/);
  });

  it('D.modal: the title names the file, with … where the editor would take letters out of its name', () => {
    const titled = (resource: string): string => {
      const accesses = [{ effect: 'fs.write', resource }];
      const request = { id: '1', call: fakeCall({ accesses }), accesses, reasons: [], preview: {}, needsAdmin: false };
      return confirmationWords('Write File', describeApproval({ ...request }, plainWords), plainWords).title;
    };
    assert.deepEqual(
      [
        titled('src/app.ts'),
        titled('docs/Über uns.md'),
        titled('src/my_file.ts'),
        titled('app/[id]/__init__.py'),
        titled('a\u202Eb.ts'),
      ],
      [
        'Allow "Write File" to change src/app.ts?',
        'Allow "Write File" to change docs/Über uns.md?',
        'Allow "Write File" to change src/my…file.ts?',
        'Allow "Write File" to change app/…id…/…init….py?',
        'Allow "Write File"?',
      ],
    );
  });

  it('says that a call waits for the person', () => {
    const preview = { effect: 'ask', steps: [], reasons: [], accesses: [read('a')] } as const;
    assert.equal(callWords('Edit File', preview, plainWords, { waits: true }), 'Edit File `a` · asks you first');
  });

  it('D.modal: nothing in the content ends its block, and what is too long is counted', () => {
    const forged = approval({ diff: '@@\n+```\n+````` [x](command:y)\n' }).message;
    assert.match(forged, /\n``````diff\n@@\n\+```\n\+````` \[x\]\(command:y\)\n``````$/);
    const long = approval({ diff: Array.from({ length: 400 }, (_, at) => `+${at}`).join('\n') }).message;
    assert.match(long, /\n\+299\n```\n\n… 100 lines more$/);
  });
});
