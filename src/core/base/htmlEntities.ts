const named: Readonly<Record<string, string>> = {
  amp: '&',
  bsol: '\\',
  colon: ':',
  equals: '=',
  lpar: '(',
  newline: '',
  period: '.',
  quot: '"',
  rpar: ')',
  sol: '/',
  tab: '',
};

const numbers = /&#(?:x0*([\da-f]{1,6})|0*(\d{1,7}));?/gi;
const names = new RegExp(`&(${Object.keys(named).join('|')});`, 'gi');

/**
 * A text as viewers of HTML and markdown read it, as far as an address or a command can be spelled by entities:
 * numbers, and the names of the signs in them, in any case. Tabs and line ends written by name are left out, as readers
 * of addresses leave them out. For whoever looks for what is hidden: it reads rather too much than too little.
 */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text
    .replace(numbers, (whole, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replace(names, (whole, name: string) => named[name.toLowerCase()] ?? whole);
}
