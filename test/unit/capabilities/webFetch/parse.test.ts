import { strict as assert } from 'node:assert';
import { DomDocument } from '../../../../src/capabilities/webFetch/html/domNode';
import { parseHtml } from '../../../../src/capabilities/webFetch/html/parse';
import { serialize } from '../../../../src/capabilities/webFetch/html/serialize';

/** What the page's body holds, written out as HTML. */
const body = (html: string): string => {
  let text = '';
  for (let child = parseHtml(html, { extended: true }).body.first; child; child = child.next) text += serialize(child);
  return text;
};

describe('the tree of a page', () => {
  it('goes on after a button that nobody closed where the element around it ends', () => {
    const cases = [
      ['<div><form><button></form></div>z', '<div><form><button></button></form></div>z'],
      ['<div><p>a</p><button/></div><h2>b</h2>', '<div><p>a</p><button></button></div><h2>b</h2>'],
      ['<table><tr><td><button>a<td>b</table>c', '<table><tr><td><button>a</button></td><td>b</td></tr></table>c'],
      ['<ul><li><button>a</ul><p>b', '<ul><li><button>a</button></li></ul><p>b</p>'],
      ['<h2><button>a</h2>b', '<h2><button>a</button></h2>b'],
    ] as const;
    for (const [html, expected] of cases) assert.equal(body(html), expected);
  });

  it('keeps a paragraph around a button open for what is inside the button', () => {
    assert.equal(body('<p>a<button><p>b</p>c</button>d</p>e'), '<p>a<button><p>b</p>c</button>d</p>e');
  });

  it('goes on after a drawing or formula that nobody closed, at a tag or an end tag of the page', () => {
    const cases = [
      ['<div><svg><use></div><p>a<p>b', '<div><svg><use></use></svg></div><p>a</p><p>b</p>'],
      ['<dl><dd><svg></dd></dl><h3>x</h3>', '<dl><dd><svg></svg></dd></dl><h3>x</h3>'],
      ['<svg><g><p>a<p>b', '<svg><g></g></svg><p>a</p><p>b</p>'],
      ['<math><mrow><ul><li>a<li>b</ul>', '<math><mrow></mrow></math><ul><li>a</li><li>b</li></ul>'],
      ['<p>a<svg><g></p>b', '<p>a<svg><g></g></svg></p>b'],
      ['<svg><table><tr><td>a', '<svg></svg><table><tr><td>a</td></tr></table>'],
      ['<svg><path/><b>a</b>', '<svg><path></path></svg><b>a</b>'],
    ] as const;
    for (const [html, expected] of cases) assert.equal(body(html), expected);
  });

  it('takes what stands in a drawing or formula as HTML where that is allowed', () => {
    const cases = [
      ['<svg><foreignObject><p>a<p>b</foreignObject><g/></svg>c', '<p>a</p><p>b</p></foreignobject><g></g></svg>c'],
      ['<svg><desc><div>a</div></desc><g/></svg>b', '<desc><div>a</div></desc><g></g></svg>b'],
      ['<math><mtext><p>a</p></mtext><mi>x</mi></math>b', '<p>a</p></mtext><mi>x</mi></math>b'],
      ['<svg><foreignObject><br/><div/>a</div></foreignObject></svg>b', '<br><div>a</div></foreignobject></svg>b'],
    ] as const;
    for (const [html, expected] of cases) assert.ok(body(html).endsWith(expected), body(html));
  });

  it('shows the reader of main content all white space as it stands, for that counts characters', () => {
    const html = '<div>\n\n  <b>a</b> \t\n<p>b</p>\n   \n</div>\n';
    assert.equal(new DomDocument(html, 'https://e.example/').body.textContent, '\n\n  a \t\nb\n   \n\n');
    const node = new DomDocument('<p>x</p>', 'https://e.example/').body;
    node.innerHTML = '<i>a</i>\n\n  <i>b</i>';
    assert.equal(node.innerHTML, '<i>a</i>\n\n  <i>b</i>');
  });
});
