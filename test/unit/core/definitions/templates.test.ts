import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import { plainWords, type Translate } from '../../../../src/core/base/translate';
import { explainDefinition } from '../../../../src/core/present/definitionPage';
import { parseDefinition } from '../../../../src/core/definitions/parse';
import { definitionTemplates } from '../../../../src/core/definitions/templates';
import { inGerman } from '../../../support/german';

describe('what definitions are written from and explained as', () => {
  it('templates are definitions without a mistake, for our reader and for the schemas of the editor, and can be explained', async () => {
    for (const template of definitionTemplates) {
      const file = `.vscode/capabilities/mine.${template.format}.json`;
      const text = template.text('mine');
      const parsed = parseDefinition(text, file);
      assert.deepEqual(parsed.problems, [], template.id);
      const schema = JSON.parse(readFileSync(`media/schemas/${template.format}.schema.json`, 'utf8'));
      const ajv = new Ajv({ strict: false });
      const plain = JSON.parse(text.replace(/^\s*\/\/.*$/gm, ''));
      assert.ok(ajv.validate(schema, plain), `${template.id}: ${JSON.stringify(ajv.errors)}`);
      assert.match(explainDefinition(text, file, [], plainWords), /^# [\s\S]*Models call it `mine_/);
    }
    // What is ours in a page is in the language of whoever reads it.
    const t: Translate = (message, ...values) => plainWords(`«${message}»`, ...values);
    const told = explainDefinition(definitionTemplates[0]?.text('mine') ?? '', 'a.capability.json', [], t);
    const ours = told.split('\n').filter((line) => /^(?:- |Id )|[«»]/.test(line));
    assert.ok(ours.length > 4, told);
    for (const line of ours) assert.match(line, /^(?:- )?«.*»$/);
    assert.match(
      explainDefinition('{"id": 5}', 'x.capability.json', [], plainWords),
      /# Problems[\s\S]*x\\.capability\\.json\\:1\\:8 error/,
    );
  });

  it('D.definitions: templates are offered in the language of who chooses', () => {
    const german = definitionTemplates.map((template) => template.words(inGerman));
    assert.ok(
      german.every(({ label, detail }) => !/UNTRANSLATED/.test(`${label} ${detail}`)),
      JSON.stringify(german),
    );
    assert.deepEqual(german[0]?.label, 'Eine Web-API aufrufen');
    assert.deepEqual(definitionTemplates[0]?.words(plainWords).label, 'Call a web API');
  });

  it('D.definitions: the page of a definition tells a problem once, and the same of two places twice', () => {
    const [file, text] = ['x.capability.json', '{"id": 5}'];
    const [own] = parseDefinition(text, file).problems;
    assert.ok(own);
    const there = { ...own, pointer: '/tools/1', line: 9, column: 1 };
    const told = explainDefinition(text, file, [own, there, { ...own, file: 'other.json' }], plainWords);
    const ownLines = parseDefinition(text, file).problems.map(({ line = 0, column = 0 }) => `${line}:${column}`);
    const lines = told.split('\n').flatMap((line) => /\\:(\d+)\\:(\d+) error/.exec(line)?.slice(1, 3).join(':') ?? []);
    assert.deepEqual(lines, [...ownLines, '9:1']);
  });
});
