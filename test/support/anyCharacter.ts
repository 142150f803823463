import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

/**
 * Any code point but a lone surrogate, as the unit of `fc.string`. fast-check's own `binary` makes a table of a million
 * characters for each such string, which takes longer than a property with it.
 */
export const anyCharacter = fc.nat({ max: 0x10ffff - surrogates.count }).map(
  (index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count),
  (character) => {
    const code = typeof character === 'string' && [...character].length === 1 ? character.codePointAt(0) : undefined;
    if (code === undefined) throw new Error('not a character');
    return code < surrogates.first ? code : code - surrogates.count;
  },
);
