import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { parse, type ParseError } from 'jsonc-parser';
import { editJsonc, hasComments, styleOf } from '../../../src/core/base/jsoncEdit';
import { canonicalJson, type Json } from '../../../src/core/base/json';
import { editSetting } from '../../../src/core/settings/settingsText';
import { runs } from '../../support/counts';

const settings = `{
  // my settings
  "editor.fontSize": 13,
  "agentCapabilities.profiles": {
    // what I review with
    "reviewer": {
      "name": "Reviewer", // shown in the status bar
      "mode": "plan",
      "capabilities": [
        "file_system", // always first
        /* pages only */
        { "ref": "web_fetch", "tools": { "web_fetch": true } },
        // sums
        {
          // switched off since May
          "ref": "math",
          "enabled": false
        },
        // more to come
      ]
    }
  }
}
`;

const read = (text: string): Json => {
  const errors: ParseError[] = [];
  const value: Json = parse(text, errors, { allowTrailingComma: true });
  assert.deepEqual(errors, [], text);
  return value;
};

function change(text: string, edit: (profiles: any) => void): string {
  const path = ['agentCapabilities.profiles'];
  const before: any = (read(text) as any)[path[0] ?? ''];
  const after = structuredClone(before);
  edit(after);
  return edited(text, path, before, after);
}

function edited(text: string, path: readonly string[], before: Json | undefined, after: Json | undefined): string {
  const edit = editSetting(text, path, before, after);
  return typeof edit === 'string' ? assert.fail(edit) : edit.text;
}

describe('comments in settings', () => {
  it('D.settings: stay when a capability is switched, moved, added and taken out', () => {
    const switched = change(settings, ({ reviewer }) => {
      reviewer.capabilities[0] = { ref: 'file_system', tools: { delete_file: false } };
      reviewer.capabilities[2] = 'math';
      reviewer.mode = 'execute';
    });
    assert.equal(
      switched,
      settings
        .replace('"plan"', '"execute"')
        .replace(
          '"file_system",',
          '{\n          "ref": "file_system",\n          "tools": {\n            "delete_file": false\n          }\n        },',
        )
        .replace('"ref": "math",\n          "enabled": false', '"ref": "math"'),
    );
    const moved = change(settings, ({ reviewer }) => {
      reviewer.capabilities.reverse();
      reviewer.capabilities.push('current_time');
    });
    assert.equal(
      moved.slice(moved.indexOf('['), moved.indexOf(']') + 1),
      `[
        // sums
        {
          // switched off since May
          "ref": "math",
          "enabled": false
        },
        /* pages only */
        { "ref": "web_fetch", "tools": { "web_fetch": true } },
        "file_system", // always first
        "current_time",
        // more to come
      ]`,
    );
    const taken = change(settings, ({ reviewer }) => {
      reviewer.capabilities.splice(0, 2);
      delete reviewer.mode;
    });
    assert.deepEqual(
      [
        hasComments(taken),
        /always first|pages only/.test(taken),
        /sums[^]*switched off since May[^]*more to come/.test(taken),
      ],
      [true, false, true],
    );
    const added = change(settings, (profiles) => {
      profiles.second = { capabilities: [] };
    });
    assert.match(
      added,
      /\/\/ more to come\n {6}\]\n {4}\},\n {4}"second": \{\n {6}"capabilities": \[\]\n {4}\}\n {2}\}\n\}\n$/,
    );
  });

  it('nothing is written where the file is broken, where another value stands in it and where a name stands twice', () => {
    const plain = '{ "agentCapabilities.profiles": { "a": {} } } // end';
    const path = ['agentCapabilities.profiles'];
    const commented = plain.replace('{}', '{ /* c */ }');
    assert.equal(editSetting(commented, path, { z: {} }, { b: {} }), 'changed');
    assert.equal(editSetting(commented, path, undefined, { b: {} }), 'changed');
    assert.equal(editSetting(plain.replace('{}', '{ /* c */ ] }'), path, { a: {} }, { b: {} }), 'unfit');
    assert.equal(editSetting('', path, {}, { b: {} }), 'unfit');
    assert.equal(editSetting('[]', path, undefined, { b: {} }), 'unfit');
    const twice = '{ "agentCapabilities.profiles": { "a": {} }, "agentCapabilities.profiles": { "a": {} } }';
    assert.equal(editSetting(twice, path, { a: {} }, { b: {} }), 'unfit');
    assert.equal(edited(commented, path, { a: {} }, { a: { x: 1 } }).includes('/* c */'), true);
    const workspace = '{ "folders": [], "settings": { "agentCapabilities.profiles": { /* c */ "a": {} } } }';
    assert.equal(
      edited(workspace, ['settings', ...path], { a: {} }, {}),
      '{ "folders": [], "settings": { "agentCapabilities.profiles": {} } }',
    );
  });

  it('indentation and what did not change stay, also without comments; what stands on one line stays there', () => {
    const compact =
      '{\n\t"agentCapabilities.profiles": {\n\t\t"a": { "mode": "plan", "capabilities": ["x", "y"] }\n\t}\n}\n';
    const planned = change(compact, ({ a }) => {
      a.mode = 'execute';
      a.capabilities.push({ ref: 'z', enabled: false });
    });
    assert.equal(
      planned,
      compact.replace('"plan"', '"execute"').replace('"y"]', '"y", { "ref": "z", "enabled": false }]'),
    );
  });

  it('a new setting is indented as the file is, and one that is taken out leaves its neighbours as they are', () => {
    const path = ['agentCapabilities.profiles'];
    const [two, tabs] = ['{\n  // mine\n  "a": 1\n}\n', '{\n\t"settings": {\n\t\t"a": 1,\n\t},\n}'];
    const added = edited(two, path, undefined, { p: {} });
    assert.equal(added, '{\n  // mine\n  "a": 1,\n  "agentCapabilities.profiles": {\n    "p": {}\n  }\n}\n');
    assert.equal(edited(added, path, { p: {} }, undefined), two);
    assert.equal(
      edited(tabs, ['settings', ...path], undefined, { p: {} }),
      '{\n\t"settings": {\n\t\t"a": 1,\n\t\t"agentCapabilities.profiles": {\n\t\t\t"p": {}\n\t\t},\n\t},\n}',
    );
    assert.equal(
      edited('{}', path, undefined, { p: {} }),
      '{\n    "agentCapabilities.profiles": {\n        "p": {}\n    }\n}',
    );
    assert.deepEqual(read(edited('{ "folders": [] }', ['settings', ...path], undefined, { p: {} })), {
      folders: [],
      settings: { 'agentCapabilities.profiles': { p: {} } },
    });
  });

  const plain = (value: Json): Json => JSON.parse(JSON.stringify(value)) as Json;

  it('for any value, any comments and any change the result reads as wanted, and comments of what is still there are there', () => {
    const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
    const entry = fc.oneof(
      fc.constantFrom<Json>('a', 'b', 'c'),
      fc.record({ ref: fc.constantFrom('a', 'b', 'd'), enabled: fc.boolean() }) as fc.Arbitrary<Json>,
    );
    const profile = fc.record(
      { capabilities: fc.array(entry), name: fc.string(), x: json },
      { requiredKeys: [] },
    ) as fc.Arbitrary<Json>;
    const value = fc.dictionary(fc.constantFrom('p', 'q', 'r', '__p'), fc.oneof(profile, json)) as fc.Arbitrary<Json>;
    const comment = fc.constantFrom(
      ' // line\n',
      ' /* block */ ',
      ' /* two\n lines */ ',
      '\n  // own line\n  ',
      ' ',
      '\n',
      '\r\n\t',
    );
    fc.assert(
      fc.property(
        value.map(plain),
        value.map(plain),
        fc.array(comment, { minLength: 1, maxLength: 20 }),
        fc.boolean(),
        (before, after, blanks, pretty) => {
          // The editor's own reader of settings drops this key, so no setting can have it.
          fc.pre(!JSON.stringify([before, after]).includes('"__proto__"'));
          let next = 0;
          // A blank or a comment behind every mark outside of texts.
          const text = (
            JSON.stringify(before, undefined, pretty ? 2 : 0).match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^"[\]{}:,]+/g) ?? []
          )
            .map((token) => (/^[[{:,]$/.test(token) ? token + (blanks[next++ % blanks.length] ?? '') : token))
            .join('');
          assert.deepEqual(read(text), before);
          const result = editJsonc(text, after, styleOf(text), '');
          // The bare text may stay an object that only names itself.
          const spelled = (one: Json): Json => {
            if (Array.isArray(one)) return one.map(spelled);
            if (typeof one !== 'object' || one === null) return one;
            const keys = Object.keys(one);
            if (keys.length === 1 && keys[0] === 'ref' && typeof (one as any).ref === 'string') return (one as any).ref;
            return Object.fromEntries(Object.entries(one).map(([key, item]) => [key, spelled(item ?? null)]));
          };
          assert.equal(canonicalJson(spelled(read(result))), canonicalJson(spelled(after)), `${text}\n=>\n${result}`);
          assert.equal(editJsonc(result, read(result), styleOf(result), ''), result);
          assert.equal(editJsonc(text, before, styleOf(text), ''), text);
        },
      ),
      { numRuns: runs(24, 1000, 5000) },
    );
  });
});
