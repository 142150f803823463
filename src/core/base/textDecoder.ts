/** What windows-1252 has for the bytes 0x80 to 0x9F (WHATWG Encoding standard, index windows-1252). */
const upperHalf =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/**
 * A decoder as the WHATWG Encoding standard has it. Node's own reads windows-1252, and what is named latin1 or ascii,
 * as ISO-8859-1, which has control characters in place of quotation marks, dashes and the euro sign.
 */
export class StandardTextDecoder extends TextDecoder {
  override decode(...given: Parameters<InstanceType<typeof TextDecoder>['decode']>): string {
    const text = super.decode(...given);
    if (this.encoding !== 'windows-1252') return text;
    return text.replace(/[\u0080-\u009f]/g, (found) => upperHalf.charAt(found.charCodeAt(0) - 0x80));
  }
}
