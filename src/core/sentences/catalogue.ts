import { generalSentences } from './general';
import { profileSentences } from './profiles';

/**
 * Every sentence that travels as a code with arguments: its code and its English text, in which `{0}`, `{1}` stand for
 * the arguments. No code is there twice, in whichever file.
 */
export const catalogue = { ...generalSentences, ...profileSentences } as const;
