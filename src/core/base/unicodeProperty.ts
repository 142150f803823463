import { wordSet } from './wordSet';

const categories = /^(?:Any|Assigned|LC|C[cfnos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;
const others = wordSet(
  'ASCII_Hex_Digit Alphabetic Dash Emoji Emoji_Component Emoji_Modifier Emoji_Modifier_Base Emoji_Presentation Extended_Pictographic Hex_Digit Lowercase Math Quotation_Mark Terminal_Punctuation Uppercase White_Space',
);
/** Scripts whose names have four letters, as the short names of all scripts have. */
const shortScripts = wordSet('Ahom Cham Kawi Lisu Miao Modi Newa Thai Toto');

/**
 * What stands between the braces of `\p{…}`, as RE2 names it: it knows categories by their letters, scripts by their
 * long names and some properties, and no `Script=` before them. Undefined for what it does not know.
 */
export function unicodeProperty(written: string): string | undefined {
  const [, not = '', key, name = ''] = /^(\^?)(?:(\w+)=)?(\w+)$/.exec(written) ?? [];
  const isKnown =
    ((key === undefined || /^(?:sc|Script)$/.test(key)) && isScript(name)) ||
    ((key === undefined || /^(?:gc|General_Category)$/.test(key)) && categories.test(name)) ||
    (key === undefined && others.has(name));
  return isKnown ? not + name : undefined;
}

/** Whether JavaScript knows a script by this long name, which spares the list of them. */
function isScript(name: string): boolean {
  if (name.length === 4 && !shortScripts.has(name)) return false;
  try {
    void new RegExp(`\\p{Script=${name}}`, 'u');
    return true;
  } catch {
    return false;
  }
}
