/**
 * Pages that bring converters to their knees: deep, wide, unclosed, repetitive. Each is named by what is wrong with it.
 */
export function hostilePages(scale = 1): Readonly<Record<string, string>> {
  const times = (text: string, count: number): string => text.repeat(Math.max(1, Math.floor(count * scale)));
  return {
    'div nested 100,000 deep, closed': `${times('<div>', 100_000)}x${times('</div>', 100_000)}`,
    'div nested 100,000 deep, unclosed': `${times('<div>', 100_000)}x`,
    'b nested 100,000 deep': `${times('<b>', 100_000)}x`,
    'unclosed p and b by turns': times('<p><b>x', 150_000),
    'misnested formatting': times('<b><i><div>x</b></i>', 50_000),
    'a 5 MB table': `<table>${times('<tr><td>cell</td><td>another | cell</td></tr>', 105_000)}</table>`,
    'a table of one row with 300,000 cells': `<table><tr>${times('<td>c', 300_000)}</table>`,
    'cells that claim huge spans': `<table>${times('<tr><td colspan=100000 rowspan=100000>x</td></tr>', 5_000)}</table>`,
    'tables nested 300 deep': `${times('<table><tr><td>', 300)}x`,
    '50,000 list items': `<ol>${times('<li>item', 50_000)}</ol>`,
    'lists nested 1,000 deep': `${times('<ul><li>x', 1_000)}`,
    'quotes nested 1,000 deep around text': `${times('<blockquote>', 1_000)}${times('<p>some text</p>', 20_000)}`,
    '50,000 attributes on one tag': `<p ${Array.from({ length: Math.floor(50_000 * scale) }, (_unused, at) => `a${at}="v"`).join(' ')}>x</p>`,
    '1 MB of no-break spaces in b': `<p>x<b>${times('&nbsp;', 170_000)}</b>y</p>`,
    '1 MB of raw no-break spaces in b': `<p>x<b>${times('\u00a0', 1_000_000)}</b>y</p>`,
    '10 MB of text': `<p>${times('lorem ipsum dolor sit amet ', 390_000)}</p>`,
    'a million backticks, stars and brackets': `<p>${times('`*[_]', 200_000)}</p><p><code>${times('` ', 200_000)}</code></p>`,
    'unclosed comment, script and attribute': `${times('<!-- x ', 50_000)}<script>${times('<!--<script>', 50_000)}<a href="${times('<a href=', 50_000)}`,
    '300,000 end tags without a start': `<div><span>${times('</p></b></div></table></x>', 60_000)}x`,
    'a million entities': `<p>${times('&amp;&#x41;&nope;&ampx', 250_000)}</p>`,
    'links nested in links': times('<a href="/x">text <a href="/y">', 60_000),
    '100,000 unknown elements': Array.from({ length: Math.floor(100_000 * scale) }, (_unused, at) => `<x${at}>t`).join(
      '',
    ),
    'white space in every form': `<p>${times(' \n\t', 400_000)}</p>${times('<br>', 200_000)}${times('<span> </span>', 100_000)}`,
    'a pre with a million lines': `<pre>${times('a\n', 1_000_000)}</pre>`,
    'definition lists without end': times('<dl><dt>a<dd>b', 60_000),
    'footnotes that point at one another': times('<sup><a href="#fn1">1</a></sup><p id="fn1">x', 40_000),
    'headings of blocks': times('<h1><div><p>x</p></div>', 60_000),
    'a style attribute of 5 MB': `<p style="${times('color:red;', 500_000)}">x</p>`,
  };
}
