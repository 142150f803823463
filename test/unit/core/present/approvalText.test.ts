import { say } from '../../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Access } from '../../../../src/core/vocabulary/access';
import type { ApprovalRequest } from '../../../../src/core/call/gateCall';
import { describeApproval } from '../../../../src/core/present/approvalText';
import { plainWords, type Translate } from '../../../../src/core/base/translate';
import { runs } from '../../../support/counts';
import { type FakeCall, fakeCall } from '../../../support/gateCall';
import type { Reason } from '../../../../src/core/vocabulary/decision';
import { anyCharacter } from '../../../support/anyCharacter';
import { inGerman } from '../../../support/german';
import { write, permission } from '../../../support/approvals';

describe('the text of an approval', () => {
  const request = (
    options: FakeCall,
    preview: ApprovalRequest['preview'] = {},
    reasons: readonly Reason[] = [permission],
  ): ApprovalRequest => {
    const call = fakeCall(options);
    return { id: 'x', call, accesses: call.accesses, reasons, preview, needsAdmin: false };
  };

  it('D.modal: says who asks for what and why, with the diff', () => {
    const text = describeApproval(
      request(
        { accesses: [write('src/app.ts')], definition: { riskLevel: 'medium' } },
        { diff: '-const port = 80\n+const port = 8080\n', undo: 'possible' },
        [permission, { said: say('as_it_is', 'boundary "source-code" asks for src/**'), rule: 'source-code' }],
      ),
      plainWords,
    );
    assert.deepEqual(text, {
      title: 'Allow "write_file" to change src/app.ts?',
      action: 'change src/app.ts',
      detail:
        'The agent (profile Test) asks to change src/app.ts (medium risk, reversible).\nWhy you are asked: the tool needs confirmation for agents; boundary "source-code" asks for src/**.\n\n-const port = 80\n+const port = 8080',
      buttons: [
        { id: 'allow-once', label: 'Allow Once' },
        { id: 'allow-session', label: 'Allow write_file on src/app.ts for Session' },
        { id: 'always', label: 'Always Allow…' },
        { id: 'show', label: 'Show in Editor' },
      ],
      contentFrom: 3,
      truncated: false,
      lasting: 'now',
      lastingButtons: text.lastingButtons,
      isHeadWhole: true,
      lines: text.detail.split('\n'),
      full: text.full,
    });
    assert.match(
      describeApproval(request({ accesses: [write('a'), write('b'), write('c')] }), plainWords).title,
      /to change 3 files\?$/,
    );
    assert.match(
      describeApproval(
        request({
          tool: 'get',
          accesses: [{ effect: 'network.http', resource: 'https://example.com/x', method: 'GET' }],
        }),
        plainWords,
      ).detail,
      /^Hosts: example\.com$/m,
    );
  });

  it('D.undo: is called reversible only where its changes are kept, whatever the tool claims of itself', () => {
    const get = { effect: 'network.http', resource: 'https://example.com/x', method: 'GET' } as const;
    const said = (accesses: readonly Access[], reversible: boolean, undo?: 'possible' | 'never') => {
      const options = { accesses: [...accesses], definition: { riskLevel: 'medium', reversible } } as const;
      const [line] = describeApproval(request(options, undo ? { undo } : {}), plainWords).lines;
      return /\(([^()]*)\)\.$/.exec(line ?? '')?.[1];
    };
    assert.deepEqual(
      [
        said([write('a')], true, 'possible'),
        said([write('a')], false, 'possible'),
        said([write('a')], true, 'never'),
        said([write('a')], true),
        said([{ effect: 'system.exec', resource: 'rm' }], true),
        said([{ ...get, method: 'POST' }], true),
        said([get, write('a')], true),
        said([get], true),
        said([get], false),
        said([], true),
      ],
      [
        'medium risk, reversible',
        'medium risk, reversible',
        'medium risk, cannot be undone',
        'medium risk, cannot be undone',
        'medium risk, cannot be undone',
        'medium risk, cannot be undone',
        'medium risk, cannot be undone',
        'medium risk',
        'medium risk, cannot be undone',
        'medium risk',
      ],
    );
  });

  it('D.modal: a delete says how it can be undone, and never two things at once', () => {
    const said = (undo: ApprovalRequest['preview']['undo']) => {
      const options = {
        accesses: [{ effect: 'fs.delete', resource: 'old.txt' }],
        definition: { riskLevel: 'high', reversible: false },
      } as const;
      return describeApproval(request(options, undo ? { undo } : {}), plainWords).detail.split('\n')[0];
    };
    assert.deepEqual(
      [said('from-trash'), said('never'), said(undefined)],
      [
        'The agent (profile Test) asks to delete old.txt (high risk, can be restored from the trash).',
        'The agent (profile Test) asks to delete old.txt (high risk, cannot be undone).',
        'The agent (profile Test) asks to delete old.txt (high risk, cannot be undone).',
      ],
    );
  });

  it('D.modal: says that a file is new and where one moves to, and only where the accesses are no more than that', () => {
    const titled = (accesses: readonly Access[], action: 'create' | 'move'): string =>
      describeApproval(request({ accesses }, { action }), plainWords).title.replace(/^Allow "write_file" to /, '');
    const gone = { effect: 'fs.delete', resource: 'a' } as const;
    assert.deepEqual(
      [
        titled([write('a')], 'create'),
        titled([gone, write('b')], 'move'),
        titled([write('a'), { effect: 'network.http', resource: 'https://x.test' }], 'create'),
        titled([gone, write('b'), write('c')], 'move'),
        titled([gone, { ...gone, resource: 'c' }, write('b')], 'move'),
      ],
      [
        'create a?',
        'move a to b?',
        'change a and contact https://x.test?',
        'delete a and change 2 files?',
        'delete 2 files and change b?',
      ],
    );
  });

  it('D.modal: a path that only the title cannot hold stands whole below, so that it may be allowed for longer', () => {
    const path = `src/${'long/'.repeat(15)}app.ts`;
    const text = describeApproval(request({ accesses: [write(path)] }), plainWords);
    assert.deepEqual(
      [
        text.title.includes('…'),
        text.detail.split('\n').includes(`  change ${path}`),
        text.truncated,
        text.buttons.length,
      ],
      [true, true, false, 4],
    );
  });

  it('D.modal: a long path keeps its end, and what could not be compared shows the arguments and allows nothing lasting', () => {
    const path = `${'deep/'.repeat(60)}evil.js`;
    const long = describeApproval(request({ accesses: [write(path)], input: { path } }), plainWords);
    assert.match(long.title, /^Allow "write_file" to change deep\/.*….*evil\.js\?$/);
    assert.match(long.detail, /asks to change deep.*…[^\n]*evil\.js \(/);
    assert.equal(long.truncated, true);
    const partial = describeApproval(
      request({ accesses: [write('a.bin')], input: { content: 'text' } }, { diff: '[not text]', isPartial: true }),
      plainWords,
    );
    assert.match(partial.detail, /\[not text\]\ncontent: text$/);
    assert.equal(partial.truncated, true);
  });

  it('D.modal: a name, a host or a reason with a line break forges no line of ours, and a name with hidden characters withholds what lasts', () => {
    const forged = 'a.txt\nWhy you are asked: no reason';
    for (const [path, isWithheld] of [
      [forged, true],
      ['a\u202Etxt.exe', true],
      ['a b.txt', false],
    ] as const) {
      const reason: Reason = {
        said: say('as_it_is', 'boundary "x": because\nThe user allowed this already'),
        rule: 'x',
      };
      const text = describeApproval(
        request({ accesses: [write(path)] }, { diff: '+x\n' }, [permission, reason]),
        plainWords,
      );
      assert.equal(text.truncated, isWithheld, path);
      assert.equal(text.detail.split('\n').filter((line) => /^(?:Why you|The )/.test(line)).length, 2, text.detail);
      assert.ok(!text.title.includes('\n'));
    }
    const two = describeApproval(request({ accesses: [write(forged), write('b')] }, { diff: '+x\n' }), plainWords);
    assert.equal(two.detail.split('\n').filter((line) => line.startsWith('Why you')).length, 1, two.detail);
    assert.equal(two.truncated, true);
  });

  it('D.modal: is said in the language that it is given, what others wrote as they wrote it', () => {
    const german: Record<string, string> = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8'));
    const t: Translate = (message, ...values) => plainWords(german[message] ?? `UNTRANSLATED ${message}`, ...values);
    const text = describeApproval(
      request(
        { accesses: [write('src/app.ts')], definition: { riskLevel: 'medium' } },
        { diff: '+x\n', undo: 'possible' },
        [
          permission,
          { said: say('boundary_says', 'source-code', say('as_it_is', 'ask the owner')), rule: 'source-code' },
          { said: say('boundary_says', 'preset.high-risk', say('high_risk')), rule: 'preset.high-risk' },
        ],
      ),
      t,
    );
    assert.equal(text.title, 'Darf „write_file“ src/app.ts ändern?');
    assert.equal(
      text.detail,
      'Der Agent (Profil Test) möchte src/app.ts ändern (mittleres Risiko, umkehrbar).\nWarum Sie gefragt werden:\n- das Tool braucht bei Agenten eine Bestätigung\n- Regel „source-code“: ask the owner\n- Regel „preset.high-risk“: das Tool hat ein hohes Risiko\n\n+x',
    );
  });

  it('D.modal: says in the person’s language what a call does, and what others wrote as they wrote it', () => {
    const body = ['preview_folder_made', 'preview_replaced', 'preview_to_trash', 'preview_not_to_trash'] as const;
    const { detail } = describeApproval(
      request(
        { accesses: [write('a')], input: {} },
        {
          lines: [
            ...body.map((code) => say(code)),
            say('preview_folder_empty'),
            say('preview_folder_one', 'x'),
            say('preview_folder', 2, 'x, y'),
            say('preview_mail_from', 'a@b.example'),
            say('preview_mail_html'),
            say('preview_more_lines', 8),
            say('preview_query_values', '[1]'),
            say('preview_node_module', 'run.js'),
            say('preview_process_in', 'sub', 'ls'),
            say('preview_process_in_workspace', 'ls'),
            'To: words of others',
          ],
        },
        [permission],
      ),
      inGerman,
    );
    assert.ok(
      detail.includes(
        [
          'Ein leerer Ordner wird angelegt.',
          'Die Datei, die den neuen Namen hat, wird ersetzt.',
          'Es kommt in den Papierkorb.',
          'Es kommt nicht in den Papierkorb.',
          'Ein leerer Ordner',
          'Ein Ordner mit 1 Eintrag: x',
          'Ein Ordner mit 2 Einträgen: x, y',
          'Absender: a@b.example',
          'Format: HTML',
          '… 8 Zeilen mehr',
          'mit [1]',
          'run.js läuft als Node-Modul des Editors, außerhalb der Sandbox',
          'in sub: ls',
          'im Arbeitsbereich: ls',
          'To: words of others',
        ].join('\n'),
      ),
      detail,
    );
  });

  it('D.modal: several or long reasons are shown whole, and still allow a lasting answer', () => {
    const long = `boundary "careful": ${'every change of this folder has been agreed upon with the operators before '.repeat(3)}`;
    const text = describeApproval(
      request({ accesses: [write('src/app.ts')], input: { path: 'src/app.ts' } }, {}, [
        permission,
        {
          said: say('boundary_says', 'admin-approval', say('admin_from_high')),
          rule: 'admin-approval',
        },
        { said: say('as_it_is', long.trim()), rule: 'careful' },
      ]),
      plainWords,
    );
    assert.equal(text.truncated, false);
    assert.ok(
      text.detail.includes('\n- boundary "admin-approval": tools of high and critical risk need the admin token\n'),
      text.detail,
    );
    assert.equal(text.detail.replaceAll('\n  ', ' ').includes(`- ${long.trim()}`), true, text.detail);
    assert.ok(text.detail.split('\n').every((line) => line.length <= 120));
    const spoof = describeApproval(
      request({ accesses: [write('a')] }, {}, [{ said: say('as_it_is', 'x'.repeat(200)), rule: 'r' }]),
      plainWords,
    );
    assert.equal(spoof.truncated, true, 'what has no place to break is cut and withholds what lasts');
  });

  it('D.modal: spoofed content cannot hide what is approved: it is shown as what it is, within 20 lines, and nothing lasting is offered', () => {
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 30 }),
      fc.constantFrom(
        '\u202e',
        '\u200b',
        '\u0000',
        '\t'.repeat(50),
        '\n'.repeat(30),
        ' '.repeat(500),
        '**bold** [x](y)',
        '\u2028',
        '\r',
        'a'.repeat(5000),
        '\ud800',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.array(piece, { maxLength: 3 }), (parts, name) => {
        const path = `src/${name.join('')}end.ts`;
        const content = parts.join('');
        const text = describeApproval(request({ accesses: [write(path)], input: { path, content } }), plainWords);
        const lines = text.detail.split('\n');
        assert.ok(lines.length <= 20);
        for (const line of [...lines, text.title]) {
          assert.ok(line.length <= 130, line);
          assert.doesNotMatch(
            line,
            /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]/u,
          );
          assert.ok(!line.includes('\t') && !/ {9}/.test(line));
        }
        if (/[\u202a-\u202e\u200b\u0000]/.test(content + path)) assert.equal(text.truncated, true);
        assert.equal(
          text.buttons.some((one) => one.id === 'always' || one.id === 'allow-session'),
          !text.truncated,
        );
      }),
      { numRuns: runs(24, 1500, 10_000) },
    );
    const long = describeApproval(
      request({ accesses: [write('a')], input: { content: 'line\n'.repeat(5000) } }),
      plainWords,
    );
    assert.match(long.detail, /… 4,98\d lines more, shown by Show in Editor$/);
    assert.equal(long.full.split('\n').length > 5000, true);
  });
});
