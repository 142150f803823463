import type { Finding } from './finding';
import { entropy, isExample, isOfWords, isPassword, isPublicId, isRandom } from './shape';

/** A text in quotes behind a name that ends with a word for a password, also where it is compared or handed over. */
const quoted =
  /(?:pass(?:word|wd|phrase)?|pwd)\d{0,2}\\{0,7}["'`]?\]?\s{0,9}(?::\s{0,3}[\w.<>?]{1,30}\s{0,3}=|=>|:=|[=!]={1,2}|[=:,])\s{0,9}[bfru]{0,2}(\\{0,7}["'`])([!-~]{8,100}?)\1/iy;

/** What is put in later, code, a pattern, an address, a place in a page. */
const noText =
  /^\d{4}-\d\d-\d\d[T ]|^!?EN[CV]\[|\$\{|\$\(|#\{|\{\{|\{\w*\}|<%|%[\w(]|^\$\w+$|^\^|^<.*>$|^[#.][a-z][\w-]*$|[a-z_]{3}\(|\(\?|\[[^\]]*-[^\]]*\]|\\|:\/\/|["'`]/i;

/** Words, and the signs that join them. */
const words = /[A-Z]?[a-z]{3,}|[A-Z]{3,}|[-_./:#@ ]/g;

/** A word with a number behind it, as people make one up to test with. */
const madeUp = /^[A-Za-z]+\d{1,4}\W{0,2}$/;

/** Signs, digits and letters of both cases by chance: nobody would have written it as a name, a label or a message. */
function leavesNoDoubt(value: string): boolean {
  const classes = [/\d/, /[a-z]/, /[A-Z]/, /[^A-Za-z0-9]/].filter((one) => one.test(value)).length;
  const isDrawn = value.replace(words, '').length >= 0.4 * value.length && !madeUp.test(value) && !isOfWords(value);
  return classes >= 3 && isDrawn && isRandom(value, 2.8);
}

/** `password = 'Zk8#…'`: hidden where it leaves no doubt, told where it only may be one. */
export function quotedPassword(text: string, at: number): readonly Finding[] {
  // In a longer word of small letters, `bypass`, it is no word by itself; `userpassword` is.
  const isEnd = /^pass(?!w|p)|^pwd/.test(text.slice(at, at + 5)) && /[a-z]/.test(text.slice(Math.max(0, at - 1), at));
  quoted.lastIndex = at;
  const match = isEnd ? null : quoted.exec(text);
  const [all = '', sign = '', value = ''] = match ?? [];
  if (!match || noText.test(value) || isExample(value) || isPublicId(value)) return [];
  const sure = leavesNoDoubt(value);
  if (!sure && !(/[^\w+/=.~%:|-]/.test(value) && isPassword(value) && entropy(value) >= 2.8)) return [];
  const end = at + all.length - sign.length;
  return [{ start: end - value.length, end, rule: 'password', sure }];
}
